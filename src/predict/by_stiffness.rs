//! Combinations whose accelerations depend on forces that are not unique: those that the forces of the contacts' stiffnesses give in the limit of
//! rigidity ([`rigid_limit`](Contacts::rigid_limit)), where these satisfy the laws.

use super::contacts::{Basis, Contacts};
use super::directions::SEAM;
use super::judge::Judged;
use super::mode::Mode;
use super::verdict::Consistency;
use crate::num::Tol;
use std::f64::consts::TAU;

/// Angles of slip out of rest that are looked at before those between are halved.
const ANGLES: u32 = 90;
/// Acceleration back over all between whose neighbours no direction of slip is looked for: that of an angle between them.
const BACK: f64 = 1.0 / 16.0;
/// Halvings, to the last digit.
const HALVINGS: usize = 60;

impl Contacts {
    /// The same combination with these forces. Directions in which slip sets in are those of other forces.
    pub(super) fn with_stiffness(&self, judged: Judged, basis: &Basis, tol: &Tol) -> Judged {
        let sets_in = |(i, mode): (usize, &Mode)| {
            matches!(mode, Mode::Slip { .. }) && self.rests(i) && !self.friction(i).is_zero()
        };
        if judged.moving.is_empty() || self.tangents > 1 && judged.modes.iter().enumerate().any(sets_in) {
            return judged;
        }
        match self.chosen(&judged.modes, basis, tol) {
            Some(Judged { forces, accelerations, .. }) => {
                Judged { forces, accelerations, by_stiffness: true, ..judged }
            }
            None => judged,
        }
    }

    /// The combination under these forces; none if they violate the laws.
    fn chosen(&self, modes: &[Mode], basis: &Basis, tol: &Tol) -> Option<Judged> {
        let forces = self.rigid_limit(modes, basis, tol)?;
        let largest = forces.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let found = self.under(modes, &forces, &vec![largest; forces.len()]);
        (self.laws(&found, tol).0 != Consistency::No).then_some(found)
    }

    /// Slip out of rest of one contact in space beside others under these forces: the directions that its acceleration has under them.
    pub(super) fn set_in_by_stiffness(&self, modes: &[Mode], leaving: usize, tol: &Tol) -> Vec<Judged> {
        let basis = self.basis(&self.held_rows(modes), tol.dependent);
        let directed = |phi: f64| {
            let mut modes = modes.to_vec();
            modes[leaving] = modes[leaving].directed([phi.cos(), phi.sin()]);
            modes
        };
        // the parts of its acceleration across and along a slip
        let parts = |phi: f64| {
            let forces = self.rigid_limit(&directed(phi), &basis, tol)?;
            let (values, _) = self.accelerations(&forces, &forces);
            let row = self.normal(leaving);
            let (u, (s, c)) = ([values[row + 1], values[row + 2]], phi.sin_cos());
            Some([c * u[1] - s * u[0], c * u[0] + s * u[1]])
        };
        let at = |k: u32| SEAM + TAU * f64::from(k) / f64::from(ANGLES);
        let sides: Vec<Option<[f64; 2]>> = (0..=ANGLES).map(|k| parts(at(k))).collect();
        let between = |(k, pair): (u32, &[Option<[f64; 2]>])| {
            let &[Some([before, back]), Some([after, forth])] = pair else { return None };
            // where slip is about to set in, its acceleration is zero to rounding
            if before * after > 0.0 || back.max(forth) < -BACK * self.load {
                return None;
            }
            let (mut low, mut high, rises) = (at(k), at(k + 1), after > 0.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if (parts(middle)?[0] > 0.0) == rises { high = middle } else { low = middle }
            }
            let [across, along] = parts(high)?;
            // what jumps through zero has no direction
            (along > -tol.marginal * self.load && across.abs() <= tol.marginal * self.load).then_some(high)
        };
        let judged = |phi: f64| {
            let modes = directed(phi);
            let chosen = self.chosen(&modes, &basis, tol)?;
            let Judged { ranges, moving, .. } = self.judge(&modes, tol);
            Some(Judged { ranges, by_stiffness: !moving.is_empty(), moving, ..chosen })
        };
        (0..ANGLES).zip(sides.windows(2)).filter_map(between).filter_map(judged).collect()
    }
}
