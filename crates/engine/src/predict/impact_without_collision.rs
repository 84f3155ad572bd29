//! Impact without collision at some of several contacts   [CV16 6.3, with p(φ) of section 7 in the place of P_ii]: at its beginning normal
//! impulse at a contact that slips, with its friction, presses this very contact into the ground.
//!
//! Rates of impulse obey the laws of contact that forces obey: the others take none and open, or slip, or stick. With the first contact's normal
//! impulse as time their velocities are driven by D of its ray, so that they are a problem of the same kind with one contact less, and the impact
//! can begin if in one of its solutions the gap of the first contact closes. If all others that feel it open (P_ji > 0 > P_ii) nothing else takes
//! part: the condition is sufficient. If others take impulses, what follows depends on the compliances of all of them, and the condition is only
//! necessary. A contact that feels nothing stays as it is. At two at once it needs positive impulses that push both into the ground: the cone of
//! the columns of P meets the third quadrant (the survey's text says the fourth).

use super::contacts::{ClosedContact, Contacts, Motion};
use super::mode::Mode;
use super::verdict::Consistency;
use crate::contact::{Restitution, Scaled, Sign};
use crate::num::{InOrder, Tol};
use serde::{Deserialize, Serialize};

/// Whether an impact without collision can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Possible {
    /// The conditions that are necessary and sufficient hold.
    Yes,
    /// Those that are only necessary hold.
    Necessary,
    /// A sign that decides is zero to rounding.
    Marginal,
}

/// An impact without collision at one contact, or at two.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactWithoutCollision {
    /// Where.
    pub contacts: Vec<usize>,
    /// Whether it can start.
    pub possible: Possible,
    /// What the other contacts do at its beginning, by contact; empty of two.
    pub others: Vec<(usize, Mode)>,
}

/// Those that can begin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpactsWithoutCollision {
    /// Those that were found.
    pub found: Vec<ImpactWithoutCollision>,
    /// Contacts at which the others' part is not decided.
    pub undecided: Vec<usize>,
}

impl Contacts {
    /// The impacts without collision that can start at one sliding contact, or at two.
    pub fn impacts_without_collision(&self, tol: &Tol) -> ImpactsWithoutCollision {
        let sliding: Vec<usize> = (0..self.len()).filter(|&i| self.can_strike(i)).collect();
        let mut all = ImpactsWithoutCollision::default();
        sliding.iter().for_each(|&i| self.strike_at(i, &mut all, tol));
        // one that is held feels an impulse of either sign: beyond these conditions
        let lifting =
            |i: usize| (0..self.len()).all(|j| j == i || self.is_unilateral(j) || !self.feels(j, i, tol));
        let together = |i: usize, j: usize| self.feels(i, j, tol) || self.feels(j, i, tol);
        for (k, &i) in sliding.iter().enumerate() {
            for &j in sliding[k + 1..].iter().filter(|&&j| lifting(i) && lifting(j) && together(i, j)) {
                let P = [[self.gain(i, i), self.gain(i, j)], [self.gain(j, i), self.gain(j, j)]];
                let both = both_pushed_in(P, tol).map(|possible| ImpactWithoutCollision {
                    contacts: vec![i, j],
                    possible,
                    others: Vec::new(),
                });
                all.found.extend(both);
            }
        }
        all
    }

    /// Those at one contact.
    fn strike_at(&self, contact: usize, all: &mut ImpactsWithoutCollision, tol: &Tol) {
        let parts = |j: usize| self.motion(j) == Motion::Parting;
        let (others, still): (Vec<usize>, Vec<usize>) = (0..self.len())
            .filter(|&j| j != contact)
            .partition(|&j| !parts(j) && self.feels(j, contact, tol));
        let rest = self.driven(&others, contact).decide(tol);
        if rest.is_open() {
            all.undecided.push(contact);
        }
        let rows: Vec<usize> =
            others.iter().flat_map(|&i| self.normal(i)..self.normal(i) + self.dim()).collect();
        for judged in
            rest.modes.iter().filter(|judged| judged.consistency != Consistency::No && judged.has_forces())
        {
            // forces of the others per unit of this one's, in the units of the rows
            let gain =
                rows.iter().zip(&judged.forces).fold(self.gain(contact, contact), |gain, (&row, x)| {
                    let term = self.D[(self.normal(contact), row)] * x.value * self.unit[row];
                    Scaled { value: gain.value + term, scale: gain.scale + term.abs() }
                });
            let open = judged.modes.iter().all(|mode| *mode == Mode::Free);
            let possible = match (gain.sign(tol.marginal), judged.consistency, open) {
                (Sign::Positive, _, _) | (_, Consistency::No, _) => continue,
                // pressed in until its slip ends, and on a line nothing brings it back
                (_, _, true) if self.is_tied(contact, tol) => continue,
                (Sign::Marginal, _, _) | (_, Consistency::Marginal, _) => Possible::Marginal,
                (Sign::Negative, Consistency::Yes, true) => Possible::Yes,
                (Sign::Negative, Consistency::Yes, false) => Possible::Necessary,
            };
            let mut others: Vec<(usize, Mode)> = others
                .iter()
                .copied()
                .zip(judged.modes.iter().copied())
                .chain(still.iter().map(|&j| (j, Mode::Free)))
                .collect();
            others.put_in_order_of(|(j, _)| *j);
            all.found.push(ImpactWithoutCollision { contacts: vec![contact], possible, others });
        }
    }

    /// Whether the gap of a contact feels impulses on another one at all: entries of D that are more than rounding.
    fn feels(&self, contact: usize, of: usize, tol: &Tol) -> bool {
        let rows = self.normal(contact)..self.normal(contact) + self.dim();
        let columns = self.normal(of)..self.normal(of) + self.dim();
        rows.take(if self.tangents == 1 { 1 } else { 3 })
            .any(|i| columns.clone().any(|j| self.D[(i, j)].abs() > tol.noise * self.cancellation))
    }

    /// Whether the contact slides under a law that has such impacts: Newton's gives back nothing of a gap rate of zero.
    fn can_strike(&self, contact: usize) -> bool {
        let ClosedContact { laws, motion } = &self.contacts[contact];
        let slides = matches!(motion, Motion::Slipping(_)) && !laws.friction.is_infinite();
        slides && self.is_unilateral(contact) && !matches!(laws.restitution, Restitution::Newton(_))
    }

    /// Whether a point in the plane can move along a line only, in the units of the rows.
    fn is_tied(&self, contact: usize, tol: &Tol) -> bool {
        let N = self.normal(contact);
        let D = |i: usize, j: usize| self.D[(N + i, N + j)];
        self.tangents == 1 && D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0) <= tol.noise * D(0, 0) * D(1, 1)
    }

    /// P_ij in the units of the rows: the gap acceleration of i per unit force of j, which slides.
    pub(crate) fn gain(&self, i: usize, j: usize) -> Scaled {
        self.driven_by(self.normal(i), j)
    }

    /// The acceleration of a row per unit force at a contact that slides.
    fn driven_by(&self, row: usize, contact: usize) -> Scaled {
        let first = self.normal(contact);
        let force = match self.motion(contact) {
            Motion::Slipping(along) => self.rays(contact, Mode::Slip { along, side: 1.0 })[0].force,
            Motion::Parting | Motion::Resting => [1.0, 0.0, 0.0],
        };
        let terms = (0..self.dim()).map(|k| self.D[(row, first + k)] * force[k]);
        terms.fold(Scaled { value: 0.0, scale: 0.0 }, |sum, x| Scaled {
            value: sum.value + x,
            scale: sum.scale + x.abs(),
        })
    }

    /// Some of the contacts, driven by the force of another one, in the units of the rows.
    fn driven(&self, contacts: &[usize], by: usize) -> Self {
        let rows: Vec<usize> =
            contacts.iter().flat_map(|&i| self.normal(i)..self.normal(i) + self.dim()).collect();
        let driven: Vec<Scaled> = rows.iter().map(|&row| self.driven_by(row, by)).collect();
        let sizes: Vec<f64> = driven.iter().map(|x| x.scale).collect();
        Self {
            contacts: contacts.iter().map(|&i| self.contacts[i]).collect(),
            D: nalgebra::DMatrix::from_fn(rows.len(), rows.len(), |i, j| self.D[(rows[i], rows[j])]),
            c: driven.iter().map(|x| x.value).collect(),
            load: sizes.iter().copied().fold(0.0, f64::max),
            sizes,
            unit: rows.iter().map(|&row| self.unit[row]).collect(),
            ..*self
        }
    }
}

/// Whether positive λ with P λ < 0 for both contacts are possible: the open cone of the columns meets the open third quadrant if one
/// column lies in it, or the columns turn past it: the negative of a direction between them is between the axes.
fn both_pushed_in([[a, b], [c, d]]: [[Scaled; 2]; 2], tol: &Tol) -> Option<Possible> {
    let sign = |x: Scaled| x.sign(tol.marginal);
    let signs = [[sign(a), sign(b)], [sign(c), sign(d)]];
    if signs.iter().flatten().any(|sign| *sign == Sign::Marginal) {
        return None;
    }
    let pushes = |k: usize| signs[0][k] == Sign::Negative && signs[1][k] == Sign::Negative;
    if pushes(0) || pushes(1) {
        return Some(Possible::Necessary);
    }
    // each row needs a negative entry, in different columns; then λ₁/λ₂ must lie between two bounds
    let crossed = match (signs[0], signs[1]) {
        ([Sign::Negative, Sign::Positive], [Sign::Positive, Sign::Negative]) => true,
        ([Sign::Positive, Sign::Negative], [Sign::Negative, Sign::Positive]) => false,
        _ => return None,
    };
    let determinant = Scaled {
        value: a.value * d.value - b.value * c.value,
        scale: (a.value * d.value).abs() + (b.value * c.value).abs(),
    };
    match (determinant.sign(tol.marginal), crossed) {
        (Sign::Marginal, _) => Some(Possible::Marginal),
        // −|a|λ₁ + |b|λ₂ < 0 and |c|λ₁ − |d|λ₂ < 0: |b|/|a| < λ₁/λ₂ < |d|/|c|
        (Sign::Positive, true) | (Sign::Negative, false) => Some(Possible::Necessary),
        _ => None,
    }
}
