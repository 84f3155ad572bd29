//! All impulses that Moreau's rule allows contacts that are struck together, or a proof that there are none. With the velocities after the
//! impact shifted by those that are given back, the rule asks of impulses and velocities what the laws of contacts at rest ask of forces
//! and accelerations [CV16 Table 1], so that the same walk through all combinations finds them. Every impact is then judged by the rule
//! itself, apart from how it was found.

use super::joint::{Group, JointImpact, JointImpacts, sum};
use crate::contact::{Hold, Laws};
use crate::num::Tol;
use crate::num::dense::norm;
use crate::predict::{ClosedContact, Consistency, Contacts, Judgement, Mode, Motion, Sized};

/// Errors of impulses over the backward error that the solvers are asked for.
const SOLVED: f64 = 16.0;

impl Group<'_> {
    /// All impacts from velocities u by Moreau's rule, those of contacts at rest afterwards last, in the order of the combinations.
    pub(super) fn ways(&self, u: &[f64], returned: &[f64]) -> JointImpacts {
        let tol = Tol::default();
        let decision = self.as_forces(u, returned).decide(&tol);
        let mut complete = !decision.is_open();
        let mut kept: Vec<&Judgement> = Vec::new();
        for consistency in [Consistency::Yes, Consistency::Marginal] {
            for judged in decision.modes.iter().filter(|judged| judged.consistency == consistency) {
                complete &= judged.has_forces() && judged.moving.is_empty();
                if judged.has_forces() && !kept.iter().any(|other| other.has_motion_of(judged, &tol)) {
                    kept.push(judged);
                }
            }
        }
        let mut found: Vec<JointImpact> = Vec::new();
        for judged in kept {
            let impulse = judged.forces.iter().map(|force| force.value).collect();
            let impact = JointImpact { modes: judged.modes.clone(), ..self.left(u, impulse) };
            if self.obeys(&impact, u, returned, &tol) {
                found.push(impact);
            } else {
                complete = false;
            }
        }
        JointImpacts { found, complete }
    }

    /// Of impacts in space like this one the one whose impulses are those of the contacts' stiffnesses in the limit of rigidity, where
    /// velocities depend on which impulses act: solvers find any, by the order in which contacts are named.
    pub(super) fn by_stiffness(
        &self,
        impact: &JointImpact,
        u: &[f64],
        returned: &[f64],
    ) -> Option<JointImpact> {
        if self.dim() == 2 {
            return None;
        }
        let tol = Tol::default();
        let modes = self.modes_after(impact, u, returned, &tol);
        let judged = self.as_forces(u, returned).settled_by_stiffness(&modes, &tol)?;
        let impulse = judged.forces.iter().map(|force| force.value).collect();
        Some(self.left(u, impulse)).filter(|chosen| self.obeys(chosen, u, returned, &tol))
    }

    /// What contacts do after an impact; closed are those whose gaps open by what they give back, whether they are pressed or not.
    fn modes_after(&self, impact: &JointImpact, u: &[f64], returned: &[f64], tol: &Tol) -> Vec<Mode> {
        let (m, dim) = (u.len(), self.dim());
        let speed = (0..m).map(|i| u[i].abs().max(impact.after[i].abs()) / self.unit(i)).fold(0.0, f64::max);
        let w = sum(&impact.after, returned);
        let mode = |contact: usize| {
            let row = contact * dim;
            let still = tol.solved * speed * (row..row + dim).map(|i| self.unit(i)).fold(0.0, f64::max);
            let (side, slip) = (1.0_f64.copysign(impact.impulse[row]), &w[row + 1..row + dim]);
            match norm(slip) {
                _ if w[row] > still => Mode::Free,
                size if size <= still => Mode::Stick { side },
                size => Mode::Slip { along: [slip[0] / size, slip[1] / size], side },
            }
        };
        (0..self.laws.len()).map(mode).collect()
    }

    /// The problem of the impulses as one of forces on contacts at rest.
    fn as_forces(&self, u: &[f64], returned: &[f64]) -> Contacts {
        let resting = |&laws: &&Laws| ClosedContact { laws: *laws, motion: Motion::Resting };
        let contacts = self.laws.iter().map(resting).collect();
        let c = sum(u, returned);
        let rows = 0..u.len();
        let speed = rows.clone().map(|i| u[i].abs() / self.unit(i)).fold(0.0, f64::max);
        // what the speeds of all rows round to is in each of them
        let sizes: Vec<f64> = rows.map(|i| speed * self.unit(i)).collect();
        Contacts::new(contacts, Sized { values: self.D, sizes: &[] }, Sized { values: &c, sizes: &sizes })
    }

    /// √Dᵢᵢ; one of a row that cannot move.
    fn unit(&self, row: usize) -> f64 {
        let own = self.D[row * self.before.len() + row];
        if own > 0.0 { own.sqrt() } else { 1.0 }
    }

    /// Whether an impact from velocities u satisfies the rule to what a solution is asked for, and is not made of rounding: what the
    /// rounding of D makes of its impulses is small against the speeds.
    pub(super) fn obeys(&self, impact: &JointImpact, u: &[f64], returned: &[f64], tol: &Tol) -> bool {
        let (m, dim) = (u.len(), self.dim());
        let speed = (0..m).map(|i| u[i].abs().max(impact.after[i].abs()) / self.unit(i)).fold(0.0, f64::max);
        let hardest = (0..m).map(|i| impact.impulse[i].abs() * self.unit(i)).fold(0.0, f64::max);
        if f64::EPSILON * hardest > tol.solved * speed || !hardest.is_finite() {
            return false;
        }
        let w = sum(&impact.after, returned);
        // impulses that are small beside a fast slip are as accurate as the solvers are against its speed
        let rounding = (tol.solved * hardest).max(SOLVED * tol.struck * speed);
        (0..self.laws.len()).all(|contact| {
            let (row, (n, t)) = (contact * dim, self.laws[contact].friction.parts());
            let unit = (row..row + dim).map(|i| self.unit(i)).fold(0.0, f64::max);
            let (still, nothing) = (tol.solved * speed * unit, rounding / unit);
            let (N, T, slip) =
                (impact.impulse[row], &impact.impulse[row + 1..row + dim], &w[row + 1..row + dim]);
            let pressed = match self.laws[contact].hold {
                Hold::Unilateral => N >= -nothing && w[row] >= -still && (N <= nothing || w[row] <= still),
                Hold::Bilateral => w[row].abs() <= still,
            };
            // friction that opposes a slip, t|N| u + n|u| T = 0, or is within its bound; a slip that is small beside a fast one is as accurate as
            // the solvers are against that speed
            let turned = 2.0 * t * N.abs() * SOLVED * tol.struck * speed * unit;
            let against = slip.iter().zip(T).map(|(u, T)| t * N.abs() * u + n * norm(slip) * T);
            let most = nothing * n.max(t);
            let opposes = norm(&against.collect::<Vec<f64>>()) <= norm(slip) * most + turned;
            pressed && n * norm(T) <= t * N.abs() + most && (norm(slip) <= still || opposes)
        })
    }
}
