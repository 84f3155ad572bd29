//! Impacts: by the contact's own law where it stands alone, several at once where they do not touch each other, and by
//! Moreau's rule where they do: the impulses of all closed contacts together solve 0 ≤ Λ_N ⊥ v⁺ + e v⁻ ≥ 0 with Coulomb's law
//! on the slip after the impact, as in a time step. Where the rule has several solutions there are several ways on.

use super::flat::Flat;
use super::mechanics::Mechanics;
use crate::analysis::several::groups;
use crate::contact::space::{Approach, SpatialImpact, no_impact};
use crate::contact::{Friction, Hold, Laws};
use crate::contact::{Planar, Restitution};
use crate::impact::{
    Group, Impact, JointImpact, Tied, TiedImpact, Velocity, WEDGED, impact, impact_at_jam,
    impact_without_collision,
};
use crate::model::Block;
use crate::num::Tol;
use crate::simulate::trajectory::{ImpactDetail, Impulses, Pair, Rates};
use std::ops::Range;

/// The law of contacts that are struck together.
pub(super) const JOINT: &str = "moreau";

/// What is left of terms that cancel, as a share of their sizes.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// An impulse on a contact, and what is told about it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) struct ContactImpact {
    pub(super) contact: usize,
    pub(super) detail: ImpactDetail,
    /// Impulses N, T (N, T1, T2).
    pub(super) impulse: Vec<f64>,
    /// Gap rate after it.
    pub(super) rebound: f64,
    /// Whether the impulse is more than rounding: a contact may feel those of others and take none.
    pub(super) acts: bool,
}

/// One way in which the impacts of an instant may go.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactBranch {
    /// What contacts that are struck together do after it, in their order.
    pub(super) words: Vec<&'static str>,
    pub(super) hits: Vec<ContactImpact>,
}

/// The impacts of an instant.
pub(super) struct ImpactBranches {
    pub(super) ways: Vec<ImpactBranch>,
    /// Whether these are all.
    pub(super) complete: bool,
}

/// Why there is no impulse.
pub(super) struct NoImpact {
    pub(super) reason: String,
    /// Whether no impulse satisfies the law; else none was found.
    pub(super) proven: bool,
}

impl NoImpact {
    fn unknown(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), proven: false }
    }
}

/// The impacts of contacts that approach by these laws, `held` being the other closed ones, at the state that was evaluated last.
///
/// # Errors
/// [`NoImpact`].
pub(super) fn impacts(
    approaching: &[usize],
    held: &[usize],
    (laws, mechanics): (&[Laws], &Mechanics<'_>),
    tol: &Tol,
) -> Result<ImpactBranches, NoImpact> {
    let all: Vec<usize> = approaching.iter().chain(held).copied().collect();
    let mut found = ImpactBranches { ways: vec![ImpactBranch::default()], complete: true };
    for group in groups(approaching, &all, |one, other| coupled(one, other, mechanics, tol)) {
        let next = match group[..] {
            [only] => {
                let hit = alone(only, laws[only].restitution, mechanics, tol)?;
                vec![ImpactBranch { words: Vec::new(), hits: vec![hit] }]
            }
            _ => {
                let (ways, complete) = moreau(&group, laws, mechanics, tol)?;
                found.complete &= complete;
                ways
            }
        };
        let both = |way: &ImpactBranch, next: &ImpactBranch| ImpactBranch {
            words: [&way.words[..], &next.words].concat(),
            hits: [&way.hits[..], &next.hits].concat(),
        };
        found.ways = found.ways.iter().flat_map(|way| next.iter().map(move |next| both(way, next))).collect();
    }
    Ok(found)
}

/// Applies impulses to the velocities. What is left of one to rounding is zero.
pub(super) fn apply(hits: &[ContactImpact], v: &mut [f64], mechanics: &Mechanics<'_>) {
    let (n, response) = (v.len(), mechanics.block(Block::Response));
    let mut terms: Vec<f64> = v.iter().map(|v| v.abs()).collect();
    for hit in hits {
        let first = mechanics.row(hit.contact);
        for (k, impulse) in hit.impulse.iter().enumerate() {
            let row = &response[(first + k) * n..(first + k + 1) * n];
            v.iter_mut().zip(row).for_each(|(v, z)| *v += impulse * z);
            terms.iter_mut().zip(row).for_each(|(terms, z)| *terms += (impulse * z).abs());
        }
    }
    v.iter_mut().zip(terms).filter(|(v, terms)| v.abs() <= ROUNDING * terms).for_each(|(v, _)| *v = 0.0);
}

/// The impact without collision of a contact that slips with p < 0, or at the jam with p = 0.
pub(super) fn without_collision(
    contact: usize,
    at_jam: bool,
    mechanics: &Mechanics<'_>,
    tol: &Tol,
) -> Option<ContactImpact> {
    let Laws { friction, restitution, .. } = mechanics.laws[contact];
    let Some(flat) = Flat::of(contact, mechanics, tol) else {
        let approach = if at_jam { Approach::Jam } else { Approach::Rate(0.0) };
        let found = impact_in_space(contact, approach, restitution, mechanics, tol)?;
        return Some(spatial_hit(contact, &found, restitution, mechanics));
    };
    let planar = planar(&flat, tol)?;
    let find = if at_jam { impact_at_jam } else { impact_without_collision };
    find(&planar, friction, restitution, flat.u, tol).map(|impact| planar_hit(contact, &impact, &flat))
}

/// Whether impulses on one contact change the velocities of the other.
fn coupled(one: usize, other: usize, mechanics: &Mechanics<'_>, tol: &Tol) -> bool {
    let rows = |contact| (0..=mechanics.layout().tangents).map(move |k| mechanics.row(contact) + k);
    rows(one).any(|i| {
        rows(other).any(|j| {
            let [ij, ii, jj] = [(i, j), (i, i), (j, j)].map(|(i, j)| mechanics.delassus(i, j));
            ij.abs() > tol.noise * (ii * jj).sqrt()
        })
    })
}

/// The impact of a contact that no other feels, by a law.
///
/// # Errors
/// [`NoImpact`].
pub(super) fn alone(
    contact: usize,
    restitution: Restitution,
    mechanics: &Mechanics<'_>,
    tol: &Tol,
) -> Result<ContactImpact, NoImpact> {
    let Laws { friction, hold, .. } = mechanics.laws[contact];
    if hold == Hold::Bilateral {
        return Err(NoImpact::unknown("a bilateral contact approaches"));
    }
    let v = mechanics.gap_rate(contact);
    let Some(flat) = Flat::of(contact, mechanics, tol) else {
        let found = impact_in_space(contact, Approach::Rate(v), restitution, mechanics, tol);
        let found = found.ok_or_else(|| NoImpact::unknown(no_impact(friction)))?;
        return Ok(spatial_hit(contact, &found, restitution, mechanics));
    };
    let pre = Velocity { u: flat.u, v };
    let Some(planar) = planar(&flat, tol) else {
        return along_a_line(contact, (pre, &flat), (restitution, friction), tol);
    };
    impact(&planar, friction, restitution, pre, tol)
        .map(|impact| planar_hit(contact, &impact, &flat))
        .ok_or_else(|| NoImpact::unknown("the contact does not approach"))
}

/// The impact of a contact whose velocities are tied to each other.
fn along_a_line(
    contact: usize,
    (pre, flat): (Velocity, &Flat),
    (restitution, friction): (Restitution, Friction),
    tol: &Tol,
) -> Result<ContactImpact, NoImpact> {
    let tied = Tied { B: flat.planar.B, C: flat.planar.C, friction };
    let before = [pre.v, pre.u];
    if friction.is_infinite() {
        return Err(NoImpact::unknown("an impact meets a contact of infinite friction"));
    }
    let TiedImpact { after, impulse, energy_loss } = tied
        .impact(restitution, before, tol)
        .ok_or_else(|| NoImpact { reason: WEDGED.to_string(), proven: true })?;
    let rates = |[v, u]: [f64; 2]| Rates { u: flat.pair(u), v: v.into() };
    Ok(ContactImpact {
        contact,
        detail: ImpactDetail {
            pre: rates(before),
            post: rates(after),
            impulse: Impulses { normal: impulse[0].into(), tangential: flat.pair(impulse[1]) },
            energy_loss: energy_loss.into(),
            law: restitution.name().into(),
        },
        impulse: with_normal(impulse[0], flat.along(impulse[1])),
        rebound: after[0],
        acts: true,
    })
}

/// The local dynamics of a contact in a plane whose point can move in every direction of it.
fn planar(flat: &Flat, tol: &Tol) -> Option<Planar> {
    let planar = flat.planar.validated().ok()?;
    (planar.determinant() > tol.noise * planar.A * planar.C).then_some(planar)
}

fn planar_hit(contact: usize, impact: &Impact, flat: &Flat) -> ContactImpact {
    let rates = |w: Velocity| Rates { u: flat.pair(w.u), v: w.v.into() };
    ContactImpact {
        contact,
        detail: ImpactDetail {
            pre: rates(impact.pre),
            post: rates(impact.post),
            impulse: Impulses { normal: impact.impulse.N.into(), tangential: flat.pair(impact.impulse.T) },
            energy_loss: impact.energy_loss.into(),
            law: impact.restitution.name().into(),
        },
        impulse: with_normal(impact.impulse.N, flat.along(impact.impulse.T)),
        rebound: impact.post.v,
        acts: true,
    }
}

fn with_normal(normal: f64, tangential: Vec<f64>) -> Vec<f64> {
    [vec![normal], tangential].concat()
}

fn impact_in_space(
    contact: usize,
    approach: Approach,
    law: Restitution,
    mechanics: &Mechanics<'_>,
    tol: &Tol,
) -> Option<SpatialImpact> {
    let (friction, slip) = (mechanics.laws[contact].friction, mechanics.slip(contact));
    mechanics.spatial(contact).impact(friction, law, [slip[0], slip[1]], approach, tol)
}

fn spatial_hit(
    contact: usize,
    found: &SpatialImpact,
    law: Restitution,
    mechanics: &Mechanics<'_>,
) -> ContactImpact {
    let slip = mechanics.slip(contact);
    let pre = Rates { u: Pair::of(slip), v: found.approach.into() };
    let post = Rates { u: Pair::of(&found.slip), v: found.rebound.into() };
    ContactImpact {
        contact,
        detail: ImpactDetail {
            pre,
            post,
            impulse: Impulses { normal: found.normal.into(), tangential: Pair::of(&found.tangential) },
            energy_loss: found.energy_loss.into(),
            law: law.name().into(),
        },
        impulse: vec![found.normal, found.tangential[0], found.tangential[1]],
        rebound: found.rebound,
        acts: true,
    }
}

/// Moreau's rule for all contacts of a group: the ways it allows, and whether these are all.
///
/// # Errors
/// [`NoImpact`].
fn moreau(
    group: &[usize],
    laws: &[Laws],
    mechanics: &Mechanics<'_>,
    tol: &Tol,
) -> Result<(Vec<ImpactBranch>, bool), NoImpact> {
    let dim = 1 + mechanics.layout().tangents;
    let Struck { D, before, .. } = Struck::together(group, mechanics);
    let laws: Vec<&Laws> = group.iter().map(|&c| &laws[c]).collect();
    let found = Group { D: &D, laws: &laws, before: &before }.impacts().map_err(NoImpact::unknown)?;
    if found.found.is_empty() {
        return Err(NoImpact { reason: found.nothing().to_string(), proven: found.complete });
    }
    let way = |impact: &JointImpact| {
        let hit =
            |(i, &c): (usize, &usize)| joint_hit(c, i * dim..(i + 1) * dim, (&before, impact), (&D, tol));
        ImpactBranch {
            words: impact.modes.iter().map(|mode| mode.word(dim - 1)).collect(),
            hits: group.iter().enumerate().map(hit).collect(),
        }
    };
    Ok((found.found.iter().map(way).collect(), found.complete))
}

/// Contacts that are struck together, at the state that was evaluated last.
pub(in crate::simulate) struct Struck {
    /// Their rows, contact by contact.
    pub(in crate::simulate) rows: Vec<usize>,
    /// D by rows.
    pub(in crate::simulate) D: Vec<f64>,
    /// Velocities before the impact.
    pub(in crate::simulate) before: Vec<f64>,
}

impl Struck {
    pub(in crate::simulate) fn together(contacts: &[usize], mechanics: &Mechanics<'_>) -> Self {
        let dim = 1 + mechanics.layout().tangents;
        let rows: Vec<usize> =
            contacts.iter().flat_map(|&c| (0..dim).map(move |k| mechanics.row(c) + k)).collect();
        let entries = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let rates =
            |&c: &usize| std::iter::once(mechanics.gap_rate(c)).chain(mechanics.slip(c).iter().copied());
        Self {
            D: entries.map(|(i, j)| mechanics.delassus(i, j)).collect(),
            before: contacts.iter().flat_map(rates).collect(),
            rows,
        }
    }
}

/// What is told of a contact of a joint impact.
pub(in crate::simulate) fn joint_detail(
    (before, impact): (&[f64], &JointImpact),
    rows: Range<usize>,
    energy_loss: f64,
) -> ImpactDetail {
    let rates = |x: &[f64]| Rates { u: Pair::of(&x[1..]), v: x[0].into() };
    let impulse = &impact.impulse[rows.clone()];
    ImpactDetail {
        pre: rates(&before[rows.clone()]),
        post: rates(&impact.after[rows]),
        impulse: Impulses { normal: impulse[0].into(), tangential: Pair::of(&impulse[1..]) },
        energy_loss: energy_loss.into(),
        law: JOINT.into(),
    }
}

fn joint_hit(
    contact: usize,
    rows: Range<usize>,
    (before, impact): (&[f64], &JointImpact),
    (D, tol): (&[f64], &Tol),
) -> ContactImpact {
    // impulses in the units of √energy
    let m = before.len();
    let size = |i: usize| impact.impulse[i].abs() * D[i * m + i].max(0.0).sqrt();
    let hardest = (0..m).map(size).fold(0.0, f64::max);
    ContactImpact {
        contact,
        detail: joint_detail((before, impact), rows.clone(), impact.share(before, rows.clone())),
        impulse: impact.impulse[rows.clone()].to_vec(),
        rebound: impact.after[rows.start],
        acts: rows.clone().any(|i| size(i) > tol.marginal * hardest),
    }
}
