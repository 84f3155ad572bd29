//! What can follow at an instant, as the engine says of the closed contacts ([`predict`](crate::predict)); combinations that hold with an
//! equality are followed for a short time ([`ahead`](super::ahead)).

use super::ahead::holds_ahead;
use super::impacts::Hit;
use super::mechanics::Mechanics;
use crate::contact::{Hold, Restitution};
use crate::model::Block;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::predict::{ClosedContact, Consistency, Contacts, Decision, Judged, Mode, Motion, Possible, Sized, words};
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// What could follow.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) struct Candidate {
    /// The words of the modes, `iwc`, of several contacts `iwc(NAME)`, or `impact(MODES)`.
    pub(in crate::simulate) name: String,
    pub(in crate::simulate) choice: Choice,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::simulate) enum Choice {
    /// A smooth motion: a mode of each contact of the mechanism.
    Motion(Vec<Mode>),
    /// An impact without collision at a contact.
    Iwc(usize),
    /// Impulses on contacts that are struck together.
    Impact(Vec<Hit>),
}

/// Everything that can follow a state whose contacts do not approach.
#[derive(Clone, Debug, PartialEq, Default)]
pub(in crate::simulate) struct Prospects {
    pub(in crate::simulate) candidates: Vec<Candidate>,
    /// Why there is none, or what forbids a statement.
    pub(in crate::simulate) reason: String,
    /// Whether rounding or the reach of the theory forbids a statement.
    pub(in crate::simulate) undecided: bool,
    /// Modes that hold with more than one motion: their accelerations depend on forces that are not unique.
    pub(in crate::simulate) manifold: Vec<String>,
    /// Modes that satisfy the contact laws and that the contacts' compliance makes unstable: followed only if they are asked for.
    pub(in crate::simulate) unstable: Vec<Candidate>,
    /// What else may happen, and is not among the candidates.
    pub(in crate::simulate) left_out: Option<String>,
}

impl Prospects {
    /// Whether nothing can follow.
    pub(in crate::simulate) fn is_inconsistent(&self) -> bool {
        self.candidates.is_empty() && self.manifold.is_empty() && !self.undecided
    }
}

/// A state at which modes are decided.
pub(in crate::simulate) struct Instant<'a> {
    pub(in crate::simulate) t: f64,
    pub(in crate::simulate) q: &'a [f64],
    pub(in crate::simulate) v: &'a [f64],
    /// Contacts that are closed and do not approach.
    pub(in crate::simulate) closed: &'a [usize],
    pub(in crate::simulate) names: &'a [String],
    /// The size of the velocities that each contact's are made of.
    pub(in crate::simulate) speeds: &'a [f64],
    /// A time that is short for this mechanism.
    pub(in crate::simulate) short: f64,
    pub(in crate::simulate) tol: &'a Tol,
}

/// What can follow.
///
/// # Errors
/// [`SmoothError`] if M cannot be factored.
pub(in crate::simulate) fn prospects(
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<Prospects, SmoothError> {
    mechanics.set(&vec![Mode::Free; mechanics.layout().contacts]);
    mechanics.solve(instant.t, instant.q, instant.v)?;
    for &contact in instant.closed {
        mechanics.slow[contact] = instant.tol.rest * instant.speeds[contact];
        mechanics.from_rest[contact] = moving(contact, mechanics).is_none();
    }
    let contacts = contacts(instant, mechanics);
    let decision = contacts.decide(instant.tol);
    let mut found = Prospects::default();
    let mut kept: Vec<&Judged> = Vec::new();
    for judged in ordered(&decision) {
        let modes = all_modes(judged, instant, mechanics);
        let name = words(&judged.modes, mechanics.layout().tangents);
        let holds = match judged.consistency {
            Consistency::Yes if !judged.moving.is_empty() => {
                found.manifold.push(name);
                continue;
            }
            Consistency::Yes => true,
            Consistency::No => false,
            Consistency::Marginal if judged.open || !judged.has_forces() => {
                found.undecided = true;
                found.reason = judged.reason(|i| instant.names[instant.closed[i]].clone());
                false
            }
            Consistency::Marginal => holds_ahead(&modes, instant, mechanics, probe)?,
        };
        // modes with the same motion are one
        if holds && !kept.iter().any(|other| other.has_motion_of(judged, instant.tol)) {
            kept.push(judged);
            let candidate = Candidate { name, choice: Choice::Motion(modes) };
            let lasts = contacts.may_last(&judged.modes, instant.tol);
            if lasts { &mut found.candidates } else { &mut found.unstable }.push(candidate);
        }
    }
    if let Some(reason) = undecided(&decision) {
        (found.undecided, found.reason) = (true, reason);
    }
    add_impacts(&mut found, &contacts, instant, mechanics);
    Ok(found)
}

/// What the engine leaves open.
fn undecided(decision: &Decision) -> Option<String> {
    let open = || format!("{} combinations of modes are neither found nor refuted", decision.open.len());
    decision.undecided.clone().or_else(|| (!decision.open.is_empty()).then(open))
}

/// What holds or may hold, contacts that stick before those that slip and those that lift off.
fn ordered(decision: &Decision) -> Vec<&Judged> {
    let rank = |mode: &Mode| match mode {
        Mode::Stick { .. } => 0,
        Mode::Slip { along, .. } if along[0] >= 0.0 => 1,
        Mode::Slip { .. } => 2,
        Mode::Free => 3,
    };
    let mut found: Vec<&Judged> =
        decision.modes.iter().filter(|judged| judged.consistency != Consistency::No).collect();
    found.sort_by_key(|judged| judged.modes.iter().rev().map(rank).collect::<Vec<_>>());
    found
}

/// The modes of all contacts of the mechanism.
fn all_modes(judged: &Judged, instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Vec<Mode> {
    let mut modes = vec![Mode::Free; mechanics.layout().contacts];
    for (&contact, &mode) in instant.closed.iter().zip(&judged.modes) {
        modes[contact] = match mode {
            // what sticks may come to pull on its way
            Mode::Stick { .. } => Mode::STICK,
            _ => mode,
        };
    }
    modes
}

/// Adds impacts without collision, and says what is left out.
fn add_impacts(
    found: &mut Prospects,
    contacts: &Contacts,
    instant: &Instant<'_>,
    mechanics: &Mechanics<'_>,
) {
    let name = |i: usize| instant.names[instant.closed[i]].as_str();
    if !found.unstable.is_empty() {
        let names = found.unstable.iter().map(|candidate| candidate.name.as_str()).collect::<Vec<_>>();
        found.reason = format!(
            "every mode that satisfies the contact laws is unstable with the contacts' compliance ({}), and no impact without collision can start",
            names.join("; ")
        );
    }
    let alone = instant.closed.len() == 1;
    for impact in contacts.impacts_without_collision(instant.tol).found {
        let names = impact.contacts.iter().map(|&i| name(i)).collect::<Vec<_>>().join(" and ");
        match (&impact.contacts[..], impact.possible) {
            (&[i], Possible::Yes) => {
                let goes_on = |candidate: &Candidate| matches!(&candidate.choice, Choice::Motion(modes) if modes[instant.closed[i]].is_closed());
                if found.candidates.iter().any(goes_on) {
                    found.left_out = Some(format!(
                        "an impact without collision at {names} may begin at any later time as well"
                    ));
                }
                let name = if alone { "iwc".to_string() } else { format!("iwc({names})") };
                found.candidates.push(Candidate { name, choice: Choice::Iwc(instant.closed[i]) });
            }
            (_, Possible::Yes | Possible::Necessary) => {
                found.left_out = Some(format!(
                    "an impact without collision at {names} may take place in which several contacts take part, and what it does depends on compliance"
                ));
            }
            (_, Possible::Marginal) => {
                found.left_out = Some(format!(
                    "whether an impact without collision at {names} can start hangs on a number that is zero to rounding"
                ));
            }
        }
    }
    if !found.candidates.is_empty() || found.undecided {
        return;
    }
    if let Some(reason) = &found.left_out {
        (found.undecided, found.reason) = (true, reason.clone());
    } else if let &[contact] = instant.closed
        && mechanics.laws[contact].hold == Hold::Unilateral
        && matches!(mechanics.laws[contact].restitution, Restitution::Newton(_))
        && moving(contact, mechanics).is_some()
    {
        found.reason = NEWTON.to_string();
    } else if found.unstable.is_empty() {
        let names = instant.closed.iter().map(|&c| instant.names[c].as_str()).collect::<Vec<_>>().join(", ");
        found.reason = format!("no mode of {names} satisfies the contact laws");
    }
}

/// Why there is no impact without collision.
const NEWTON: &str = "p < 0 in slip, and Newton's law says nothing of an impact without collision";

/// The closed contacts with what they feel of each other, at the state that was evaluated last.
fn contacts(instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Contacts {
    let contact = |&c: &usize| ClosedContact {
        laws: mechanics.laws[c],
        motion: moving(c, mechanics).map_or(Motion::Resting, Motion::Slipping),
    };
    let dim = 1 + mechanics.layout().tangents;
    let rows: Vec<usize> =
        instant.closed.iter().flat_map(|&c| (0..dim).map(move |k| c * dim + k)).collect();
    let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
    let D: Vec<f64> = pairs.map(|(i, j)| mechanics.delassus(i, j)).collect();
    let free = mechanics.block(Block::FreeContactAcceleration);
    let c: Vec<f64> = rows.iter().map(|&row| free[row]).collect();
    let sizes: Vec<f64> = rows.iter().map(|&row| mechanics.acceleration_size(row)).collect();
    Contacts::new(
        instant.closed.iter().map(contact).collect(),
        Sized { values: &D, sizes: &[] },
        Sized { values: &c, sizes: &sizes },
    )
}

/// Acceleration of a contact row under the forces that were found.
pub(in crate::simulate) fn acceleration(row: usize, mechanics: &Mechanics<'_>) -> f64 {
    let forces = mechanics.work.forces().iter().enumerate();
    let driven: f64 = forces.map(|(j, force)| mechanics.delassus(row, j) * force).sum();
    mechanics.block(Block::FreeContactAcceleration)[row] + driven
}

/// The direction in which a closed contact slips, if it does.
pub(in crate::simulate) fn moving(contact: usize, mechanics: &Mechanics<'_>) -> Option<[f64; 2]> {
    let slip = mechanics.slip(contact);
    match Motion::along(slip) {
        Motion::Slipping(along) if norm(slip) > mechanics.slow[contact] => Some(along),
        _ => None,
    }
}
