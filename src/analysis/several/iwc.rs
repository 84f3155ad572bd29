//! Impact without collision at some of several contacts   [CV16 6.3]: contacts that slide as long as the impact begins, while all
//! others lift off.
//!
//! At one contact i it starts if P_ii < 0 < P_ji for every other contact j whose gap feels its impulse: that pushes the contact into the
//! ground and the others off it. A contact that feels nothing stays as it is. At two at once it needs positive impulses that push both into the ground: the cone of the columns of P meets
//! the third quadrant (the survey's text says the fourth). That is necessary and not sufficient; what a double
//! impact does depends on the compliance.

use super::contacts::{Contacts, Going};
use super::word::Choice;
use crate::contact::{Restitution, Scaled, Sign};
use crate::num::Tol;
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

/// An impact without collision at some contacts, the others lifting off.
#[derive(Clone, Debug, PartialEq)]
pub struct Iwc {
    /// Where.
    pub contacts: Vec<usize>,
    /// Whether it can start.
    pub possible: Possible,
}

impl Contacts {
    /// The impacts without collision that can start at one sliding contact, or at two.
    pub fn impacts_without_collision(&self, tol: &Tol) -> Vec<Iwc> {
        let sliding: Vec<usize> = (0..self.len()).filter(|&i| self.can_strike(i)).collect();
        // one that is held feels an impulse of either sign: beyond these conditions
        let lifting =
            |i: usize| (0..self.len()).all(|j| j == i || self.is_unilateral(j) || !self.feels(j, i, tol));
        let single = sliding.iter().filter(|&&i| lifting(i)).filter_map(|&i| {
            let parts = |j: usize| self.touches[j].going == Going::Parting;
            let others = (0..self.len()).filter(|&j| j != i && !parts(j) && self.feels(j, i, tol));
            let conditions = others.map(|j| self.gain(j, i)).chain([negative(self.gain(i, i))]);
            let possible = all_positive(conditions, tol)?;
            Some(Iwc { contacts: vec![i], possible })
        });
        let pairs =
            sliding.iter().enumerate().flat_map(|(k, &i)| sliding[k + 1..].iter().map(move |&j| (i, j)));
        let together = |i: usize, j: usize| self.feels(i, j, tol) || self.feels(j, i, tol);
        let double =
            pairs.filter(|&(i, j)| lifting(i) && lifting(j) && together(i, j)).filter_map(|(i, j)| {
                let possible = self.both_pushed_in(i, j, tol)?;
                Some(Iwc { contacts: vec![i, j], possible })
            });
        single.chain(double).collect()
    }

    /// Whether the gap of a contact feels impulses on another one at all: entries of D that are more than rounding.
    fn feels(&self, contact: usize, of: usize, tol: &Tol) -> bool {
        (0..2).any(|k| self.D[(2 * contact, 2 * of + k)].abs() > tol.noise * self.cancellation)
    }

    /// Whether the contact slides under a law that has such impacts: Newton's gives back nothing of a gap rate of zero.
    fn can_strike(&self, contact: usize) -> bool {
        let touch = &self.touches[contact];
        let slides = matches!(touch.going, Going::Sliding(_)) && !touch.laws.friction.is_infinite();
        slides && self.is_unilateral(contact) && !matches!(touch.laws.restitution, Restitution::Newton(_))
    }

    /// P_ij in the scaled problem: the gap acceleration of i per unit normal force of j, which slides.
    pub(super) fn gain(&self, i: usize, j: usize) -> Scaled {
        let Going::Sliding(way) = self.touches[j].going else {
            return Scaled { value: self.D[(2 * i, 2 * j)], scale: self.D[(2 * i, 2 * j)].abs() };
        };
        let rays = self.rays(j, Choice::Slip { way, pull: 1.0 });
        let (N, T) = rays.first().map_or((1.0, 0.0), |ray| (ray.N, ray.T));
        let [own, coupled] = [self.D[(2 * i, 2 * j)] * N, self.D[(2 * i, 2 * j + 1)] * T];
        Scaled { value: own + coupled, scale: own.abs() + coupled.abs() }
    }

    fn both_pushed_in(&self, i: usize, j: usize, tol: &Tol) -> Option<Possible> {
        both_pushed_in([[self.gain(i, i), self.gain(i, j)], [self.gain(j, i), self.gain(j, j)]], tol)
    }
}

/// Whether positive λ with P λ < 0 for both contacts are possible: the open cone of the columns meets the open third quadrant if one
/// column lies in it, or the columns turn past it: the negative of a direction between them is between the axes.
pub(crate) fn both_pushed_in([[a, b], [c, d]]: [[Scaled; 2]; 2], tol: &Tol) -> Option<Possible> {
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

fn negative(x: Scaled) -> Scaled {
    Scaled { value: -x.value, ..x }
}

fn all_positive(conditions: impl Iterator<Item = Scaled>, tol: &Tol) -> Option<Possible> {
    let mut found = Possible::Yes;
    for condition in conditions {
        match condition.sign(tol.marginal) {
            Sign::Negative => return None,
            Sign::Marginal => found = Possible::Marginal,
            Sign::Positive => {}
        }
    }
    Some(found)
}
