//! Which of the contacts at rest stick, and where the others begin to slip.
//!
//! With the normal forces given, the tangential forces x of the contacts at rest minimise ½ xᵀ A x + cᵀ x within their cones,
//! |x_i| ≤ μ_i N_i (A = D_TT, c their accelerations without x): a strictly convex problem, so that the answer is unique,
//! unlike that of rigid contacts. It is solved by projected steps, contact by contact.

use super::field::{Evaluated, Regime};
use super::places::Places;
use super::tolerance::DECIDED;
use crate::model::{Block, Kernel};
use crate::simulate::smooth::ContactMotion;

/// Memory of a decision.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The contacts at rest that press.
    pub(super) resting: Vec<usize>,
    /// x by contacts, two numbers each.
    forces: Vec<[f64; 2]>,
}

impl Decision {
    pub(super) fn new(contacts: usize) -> Self {
        Self { resting: Vec::with_capacity(contacts), forces: vec![[0.0; 2]; contacts] }
    }

    /// Lets the contacts `resting` stick or slip, from the evaluated forces of a regime in which all of them stick: only the
    /// blocks, their normal forces and the forces of the others are read.
    pub(super) fn decide(
        &mut self,
        kernel: &Kernel,
        places: Places,
        work: &Evaluated<f64>,
        regime: &mut Regime<'_>,
    ) {
        self.forces.iter_mut().for_each(|x| *x = [0.0; 2]);
        for _ in 0..DECIDED.sweeps {
            let (mut change, mut size): (f64, f64) = (0.0, 0.0);
            for &contact in &self.resting {
                let rows = places.rows(contact);
                let (acceleration, _) = self.acceleration(kernel, places, work, contact);
                let mobility: f64 = (1..=places.d)
                    .map(|k| kernel.delassus(&work.values, rows.start + k, rows.start + k))
                    .sum();
                let limit = limit(regime, contact, work.forces[rows.start]);
                let old = self.forces[contact];
                let step: [f64; 2] = std::array::from_fn(|k| old[k] - acceleration[k] / mobility);
                let new = within(step, limit);
                self.forces[contact] = new;
                change = change.max((new[0] - old[0]).hypot(new[1] - old[1]));
                size = size.max(new[0].hypot(new[1]));
            }
            if change <= DECIDED.settled * size {
                break;
            }
        }
        for &contact in &self.resting {
            regime.motions[contact] = self.motion(kernel, places, work, (contact, regime));
        }
    }

    fn motion(
        &self,
        kernel: &Kernel,
        places: Places,
        work: &Evaluated<f64>,
        (contact, regime): (usize, &Regime<'_>),
    ) -> ContactMotion {
        let friction = regime.laws[contact].friction;
        let limit = limit(regime, contact, work.forces[places.rows(contact).start]);
        let x = self.forces[contact];
        let size = x[0].hypot(x[1]);
        let ([one, two], terms) = self.acceleration(kernel, places, work, contact);
        let held = one.hypot(two) <= DECIDED.edge * terms;
        if friction.is_infinite() || size < limit * (1.0 - DECIDED.edge) || held {
            return ContactMotion::Sticks;
        }
        let [one, two] = if limit > 0.0 { x.map(|x| -x) } else { [one, two] };
        let length = one.hypot(two);
        if length > 0.0 {
            ContactMotion::Slips { along: [one / length, two / length], friction }
        } else {
            ContactMotion::Sticks
        }
    }

    /// Tangential acceleration of a contact under all forces, those of the resting ones replaced by x, and the size of its
    /// terms.
    fn acceleration(
        &self,
        kernel: &Kernel,
        places: Places,
        work: &Evaluated<f64>,
        contact: usize,
    ) -> ([f64; 2], f64) {
        let (mut sum, mut terms) = ([0.0; 2], 0.0);
        for k in 0..places.d {
            let row = places.rows(contact).start + 1 + k;
            sum[k] = kernel.block(&work.values, Block::FreeContactAcceleration)[row];
            terms += sum[k].abs();
            for other in 0..places.m {
                let rows = places.rows(other);
                let resting = self.resting.contains(&other);
                for (i, j) in rows.enumerate() {
                    let force = if resting && i > 0 { self.forces[other][i - 1] } else { work.forces[j] };
                    let term = kernel.delassus(&work.values, row, j) * force;
                    (sum[k], terms) = (sum[k] + term, terms + term.abs());
                }
            }
        }
        (sum, terms)
    }
}

/// The largest tangential force under a normal one.
fn limit(regime: &Regime<'_>, contact: usize, normal: f64) -> f64 {
    regime.laws[contact].friction.mu() * regime.pull[contact] * normal
}

/// The nearest force within the cone.
fn within(x: [f64; 2], limit: f64) -> [f64; 2] {
    let size = x[0].hypot(x[1]);
    if size > limit { x.map(|x| x * (limit.max(0.0) / size)) } else { x }
}
