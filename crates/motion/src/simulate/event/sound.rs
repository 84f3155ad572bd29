//! What a step has to keep beside its error: the energy, and constraints that are independent all along.
//!
//! Where bilateral constraints come to depend on each other, as those of a linkage whose links are in line, their forces are
//! not defined and the motion may branch. A step may lie astride such a configuration without an error that shows it.

use super::mechanics::{EXTRA, Mechanics};
use super::phase::Phases;
use super::stuck::Refused;
use crate::model::Output;
use crate::num::{Tol, dense};

/// What is left of the constraints by each other (the least pivot of J M⁻¹Jᵀ over its diagonal entry, the square of a distance from
/// where they are dependent) may change by this factor within a step: between any two places astride of such a configuration some
/// stage shows more.
const CHANGE: f64 = 8.0;
/// Errors of energy, over those that the errors allowed to the numbers make.
const EXPLAINED: f64 = 100.0;
/// Rounding of an energy, over its terms.
const ROUNDING: f64 = 4096.0 * f64::EPSILON;

/// What is known of the step and of its begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sound {
    /// T + V at the begin.
    energy: f64,
    /// T + V at the end of the step that arrived.
    end: f64,
    /// What constraints leave of each other there.
    pub(super) left: f64,
}

impl Sound {
    /// The step that arrived is not taken.
    pub(super) fn again(&mut self) {
        self.end = self.energy;
    }
}

impl Phases<'_> {
    /// Notes the begin of a step, the state that was evaluated last; what keeps the motion from going on there.
    pub(super) fn sound_out(&mut self) -> Option<Refused> {
        let energy = self.mechanics.energy();
        // what is taken from closed contacts and constraints after a step has to be small as its errors are
        let moved = energy - self.sound.end;
        let within = self.y[self.clock_place()].abs() > 0.0;
        if within && !self.is_explained(moved) {
            return Some(Refused::Energy(moved));
        }
        self.sound.energy = energy;
        self.sound.left = 1.0;
        let left = self.mechanics.constraints_left()?;
        self.sound.left = left.1;
        (left.1 <= Tol::default().tied).then_some(Refused::Dependence(left.0))
    }

    /// The constraint that is nearest to depend on the others, if that changed too much within the step that was attempted.
    pub(super) fn nearly_dependent(&self) -> Option<usize> {
        let [least, greatest] = self.mechanics.left;
        let changed = greatest > CHANGE * least;
        self.mechanics.constraints_left().filter(|_| changed).map(|(constraint, _)| constraint)
    }

    /// What the step that arrived changes the energy by, beyond what is accounted for and what the errors of its numbers explain.
    pub(super) fn lost_energy(&mut self) -> Option<f64> {
        let last = self.y.len() - EXTRA;
        let end = self.step.end();
        let works: f64 = (last + 1..last + EXTRA).map(|i| end[i] - self.y[i]).sum();
        self.sound.end = self.mechanics.energy();
        let lost = self.sound.end - self.sound.energy - works;
        (!self.is_explained(lost)).then_some(lost)
    }

    /// Whether the errors that are allowed in the step make so much energy: those of the works mostly do.
    fn is_explained(&self, energy: f64) -> bool {
        let works: f64 = self.scale[self.y.len() - EXTRA + 1..].iter().sum();
        energy.abs() <= EXPLAINED * works || energy.abs() <= self.explained(works)
    }

    /// What the errors that are allowed to the numbers of the step and to the works make of the energy at its end; velocities that are rounding
    /// of the fastest that they were have none.
    fn explained(&self, works: f64) -> f64 {
        let (n, mechanics, scale) = (self.n(), &self.mechanics, &self.scale);
        let (q, v) = (&self.step.end()[..n], &self.step.end()[n..2 * n]);
        let mass = mechanics.block(Output::MassMatrix);
        let entry = |i: usize, j: usize| mass[dense::packed_place(i, j)];
        let forces = [Output::Inertial, Output::Potential].map(|block| mechanics.block(block));
        let (mut errors, mut terms) = (0.0, mechanics.energy_size() + mechanics.energy().abs());
        for i in 0..n {
            let momentum: f64 = (0..n).map(|j| entry(i, j) * v[j]).sum();
            let force = forces[0][i].abs() + forces[1][i].abs();
            let (place, speed) = (scale[i], scale[n + i].max(f64::EPSILON * self.sizes[n + i]));
            errors += (momentum.abs() + entry(i, i) * speed) * speed + force * place;
            terms += force * q[i].abs();
        }
        EXPLAINED * (errors + works) + ROUNDING * terms
    }
}

impl Phases<'_> {
    /// The share of the usual errors that is allowed, as near as constraints are to dependence: a miss of the positions turns their
    /// directions, and velocities by that over the distance.
    pub(super) fn care(&self) -> f64 {
        (self.sound.left / Tol::default().nearly_tied).sqrt().min(1.0)
    }
}

impl Mechanics<'_> {
    /// The constraint of which least is left at the state that was evaluated last, and the share of the most there ever was; none
    /// where that is the same everywhere.
    fn constraints_left(&self) -> Option<(usize, f64)> {
        if self.held.is_empty() {
            return None;
        }
        let all = self.motion.kernel().constraints_left(self.work.values());
        let shares = all.map(|(i, left, own)| (i, left / own.max(self.held[i])));
        shares.reduce(|least, next| if next.1 < least.1 { next } else { least })
    }

    /// Takes the state that was evaluated last as one of the step.
    pub(super) fn note_constraints(&mut self) {
        if self.held.is_empty() {
            return;
        }
        for (i, _, own) in self.motion.kernel().constraints_left(self.work.values()) {
            self.held[i] = self.held[i].max(own);
        }
        if let Some((_, left)) = self.constraints_left() {
            self.left = [self.left[0].min(left), self.left[1].max(left)];
        }
    }
}
