//! Combinations whose accelerations depend on forces that are not unique: those that the forces of the contacts' stiffnesses give in the limit of
//! rigidity ([`rigid_limit`](Contacts::rigid_limit)), where these satisfy the laws.

use super::contacts::{Basis, Contacts};
use super::directions::SEAM;
use super::forces::has_one_motion;
use super::judge::Judgement;
use super::mode::Mode;
use super::verdict::Consistency;
use crate::num::Tol;
use crate::num::dense::norm;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// Angles of slip out of rest that are looked at before those between are halved.
const ANGLES: u32 = 90;
/// Acceleration back over all between whose neighbours no direction of slip is looked for: that of an angle between them.
const BACK: f64 = 1.0 / 16.0;
/// Halvings, to the last digit.
const HALVINGS: usize = 60;
/// Turns of the directions of several contacts onto their cones, and steps of Newton's method from there.
const TURNS: usize = 64;
const NEWTON_STEPS: usize = 24;
/// The angle of its differences, the farthest that it turns a direction, and the turn that is rounding.
const PROBE: f64 = 1.0 / 67_108_864.0;
const FARTHEST: f64 = 0.25;
const ROUNDED: f64 = 64.0 * f64::EPSILON;

impl Contacts {
    /// The same combination with these forces. Directions in which slip sets in are those of other forces.
    pub(super) fn with_stiffness(&self, judged: Judgement, basis: &Basis, tol: &Tol) -> Judgement {
        let sets_in = |(i, mode): (usize, &Mode)| {
            matches!(mode, Mode::Slip { .. }) && self.rests(i) && !self.friction(i).is_zero()
        };
        if judged.moving.is_empty() || self.tangents > 1 && judged.modes.iter().enumerate().any(sets_in) {
            return judged;
        }
        match self.chosen(&judged.modes, basis, tol) {
            Some(Judgement { forces, accelerations, .. }) => {
                Judgement { forces, accelerations, by_stiffness: true, ..judged }
            }
            None => judged,
        }
    }

    /// Whether the forces of a combination, of which there are others, are those of the stiffnesses.
    pub(super) fn is_by_stiffness(&self, judged: &Judgement, tol: &Tol) -> bool {
        let chosen = || {
            let basis = self.basis(&self.held_rows(&judged.modes), tol.dependent);
            self.chosen(&judged.modes, &basis, tol)
        };
        judged.by_stiffness
            || judged.ranges.is_some()
                && judged.moving.is_empty()
                && chosen().is_some_and(|chosen| self.laws(&chosen, tol).0 == Consistency::Yes)
    }

    /// The combination under these forces; none if they violate the laws.
    fn chosen(&self, modes: &[Mode], basis: &Basis, tol: &Tol) -> Option<Judgement> {
        let forces = self.rigid_limit(modes, basis, tol)?;
        let largest = forces.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let found = self.under(modes, &forces, &vec![largest; forces.len()]);
        (self.laws(&found, tol).0 != Consistency::No).then_some(found)
    }

    /// Slip out of rest of one contact in space beside others under these forces: the directions that its acceleration has under them.
    pub(super) fn set_in_by_stiffness(
        &self,
        modes: &[Mode],
        (leaving, basis): (usize, &Basis),
        tol: &Tol,
    ) -> Vec<Judgement> {
        let directed = |phi: f64| {
            let mut modes = modes.to_vec();
            modes[leaving] = modes[leaving].directed([phi.cos(), phi.sin()]);
            modes
        };
        // the parts of its acceleration across and along a slip
        let parts = |phi: f64| {
            let forces = self.rigid_limit(&directed(phi), basis, tol)?;
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
        let judged = |phi: f64| self.begun(&directed(phi), basis, tol);
        (0..ANGLES).zip(sides.windows(2)).filter_map(between).filter_map(judged).collect()
    }

    /// What goes on like these modes under these forces, directions of slip out of rest found anew, and what would slip against its acceleration
    /// holds; none where no motion in them depends on which forces there are, or these forces violate the laws.
    pub(crate) fn settled_by_stiffness(&self, modes: &[Mode], tol: &Tol) -> Option<Judgement> {
        if self.basis(&self.held_rows(modes), tol.dependent).others.is_empty()
            || has_one_motion(self, modes, tol)
        {
            return None;
        }
        let mut modes = modes.to_vec();
        for _ in 0..=self.len() {
            let basis = self.basis(&self.held_rows(&modes), tol.dependent);
            let slips = |i: &usize| matches!(modes[*i], Mode::Slip { .. }) && !self.friction(*i).is_zero();
            let leaving: Vec<usize> = (0..self.len()).filter(slips).collect();
            let near = Together { contacts: self, basis: &basis, leaving: &leaving, modes: modes.clone() };
            let found = near.clone().settled(tol).or_else(|| near.on_cones(tol)?.settled(tol))?;
            if let Some(chosen) = self.chosen(&found.modes, &basis, tol) {
                return Some(chosen);
            }
            let back = found.driven_back(tol)?;
            modes = found.modes;
            modes[back] = Mode::Stick { side: modes[back].side() };
        }
        None
    }

    /// A combination with these directions of slip out of rest under these forces; none if they violate the laws.
    fn begun(&self, modes: &[Mode], basis: &Basis, tol: &Tol) -> Option<Judgement> {
        let chosen = self.chosen(modes, basis, tol)?;
        let Judgement { ranges, moving, .. } = self.judge(modes, tol);
        Some(Judgement { ranges, by_stiffness: !moving.is_empty(), moving, ..chosen })
    }

    /// Slip out of rest of several contacts under these forces, each along the acceleration that it has with all of them; others there may be.
    pub(super) fn set_in_together(
        &self,
        modes: &[Mode],
        (leaving, basis): (&[usize], &Basis),
        tol: &Tol,
    ) -> Option<Judgement> {
        let together = Together { contacts: self, basis, leaving, modes: modes.to_vec() };
        self.begun(&together.on_cones(tol)?.settled(tol)?.modes, basis, tol)
    }
}

/// Contacts that begin to slip together, with directions that are looked for.
#[derive(Clone)]
struct Together<'a> {
    contacts: &'a Contacts,
    basis: &'a Basis,
    leaving: &'a [usize],
    modes: Vec<Mode>,
}

impl Together<'_> {
    /// Directions near those that are looked for, from those without friction: forces λ_T are taken against the accelerations and back onto their
    /// cones.
    fn on_cones(mut self, tol: &Tol) -> Option<Self> {
        let (_, u) = self.respond(tol)?;
        self.direct(&u)?;
        let share = 1.0 / self.leaving.len() as f64;
        for _ in 0..TURNS {
            let (forces, u) = self.respond(tol)?;
            let turned = |(&i, u): (&usize, &[f64; 2])| {
                let held = self.contacts.slope(i)[1] * forces[self.contacts.normal(i)].abs();
                let along = self.along(i);
                [0, 1].map(|k| held * along[k] + share * u[k])
            };
            let turned: Vec<[f64; 2]> = self.leaving.iter().zip(&u).map(turned).collect();
            self.direct(&turned)?;
        }
        Some(self)
    }

    /// With the directions that are looked for, from directions that are near: by Newton's method.
    fn settled(mut self, tol: &Tol) -> Option<Self> {
        for _ in 0..NEWTON_STEPS {
            if self.improve(tol)? <= ROUNDED {
                break;
            }
        }
        let small = tol.marginal * self.contacts.load;
        let found = self.across(tol)?.iter().all(|across| across.abs() <= small);
        found.then_some(self)
    }

    /// The contact whose acceleration opposes its slip most, if any does.
    fn driven_back(&self, tol: &Tol) -> Option<usize> {
        let (_, u) = self.respond(tol)?;
        let ahead = |(&i, u): (&usize, &[f64; 2])| {
            let [c, s] = self.along(i);
            (i, c * u[0] + s * u[1])
        };
        let worst = self.leaving.iter().zip(&u).map(ahead).min_by(|a, b| a.1.total_cmp(&b.1));
        worst.filter(|(_, ahead)| *ahead < 0.0).map(|(i, _)| i)
    }

    /// A step of Newton's method; the largest turn that it asks for.
    fn improve(&mut self, tol: &Tol) -> Option<f64> {
        let (n, across) = (self.leaving.len(), DVector::from_vec(self.across(tol)?));
        let mut slopes = DMatrix::zeros(n, n);
        for (j, &i) in self.leaving.iter().enumerate() {
            let along = self.along(i);
            self.turn(i, PROBE);
            let probed = DVector::from_vec(self.across(tol)?);
            self.modes[i] = self.modes[i].directed(along);
            slopes.set_column(j, &((probed - &across) / PROBE));
        }
        let turns = slopes.lu().solve(&across)?;
        for (&i, turn) in self.leaving.iter().zip(turns.iter()) {
            self.turn(i, -turn.clamp(-FARTHEST, FARTHEST));
        }
        Some(turns.amax())
    }

    /// Forces, and the accelerations of the contacts that leave along their surfaces.
    fn respond(&self, tol: &Tol) -> Option<(Vec<f64>, Vec<[f64; 2]>)> {
        let forces = self.contacts.rigid_limit(&self.modes, self.basis, tol)?;
        let (values, _) = self.contacts.accelerations(&forces, &forces);
        let along = |&i: &usize| [1, 2].map(|k| values[self.contacts.normal(i) + k]);
        Some((forces, self.leaving.iter().map(along).collect()))
    }

    /// û⊥·u̇.
    fn across(&self, tol: &Tol) -> Option<Vec<f64>> {
        let (_, u) = self.respond(tol)?;
        let across = |(&i, u): (&usize, &[f64; 2])| {
            let [c, s] = self.along(i);
            c * u[1] - s * u[0]
        };
        Some(self.leaving.iter().zip(&u).map(across).collect())
    }

    fn along(&self, contact: usize) -> [f64; 2] {
        self.modes[contact].direction().unwrap_or_default()
    }

    /// Takes the directions of vectors; none where one has none.
    fn direct(&mut self, along: &[[f64; 2]]) -> Option<()> {
        for (&i, along) in self.leaving.iter().zip(along) {
            let size = norm(along);
            (size > 0.0 && size.is_finite()).then_some(())?;
            self.modes[i] = self.modes[i].directed(along.map(|x| x / size));
        }
        Some(())
    }

    fn turn(&mut self, contact: usize, angle: f64) {
        let ([c, s], (sin, cos)) = (self.along(contact), angle.sin_cos());
        self.modes[contact] = self.modes[contact].directed([c * cos - s * sin, s * cos + c * sin]);
    }
}
