//! Units in which mobilities and loads are of order one: forces and accelerations per contact, and all loads together. No solver then sees whether
//! lengths are measured in micrometres or in kilometres.

use super::answer::{Answer, Decided};
use super::forces::ForceRange;
use super::rest::RestProof;
use super::system::System;
use crate::num::Tol;

/// The units of a system: y = D λ + q becomes y / (load / s) = (s D s) (λ / (load s)) + q / (load / s).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    /// s of each row, the same for the rows of a contact.
    rows: Vec<f64>,
    load: f64,
}

impl Scale {
    /// The units of a system.
    pub(super) fn of(system: &System) -> Self {
        let own = |i: usize| (0..3).map(|k| system.D[3 * i + k][3 * i + k]).fold(0.0, f64::max);
        let most = (0..system.contacts()).map(own).fold(f64::MIN_POSITIVE, f64::max);
        // a contact that cannot move, or hardly, is measured by the others
        let mobility = |i: usize| if own(i) > Tol::default().dependent * most { own(i) } else { most };
        let rows: Vec<f64> = (0..system.free.len()).map(|row| mobility(row / 3).sqrt().recip()).collect();
        let load = system.sizes.iter().zip(&rows).map(|(x, s)| x * s).fold(f64::MIN_POSITIVE, f64::max);
        Self { rows, load }
    }

    /// The system in these units.
    pub(super) fn applied(&self, system: &System) -> System {
        let scaled = |x: &[f64]| x.iter().zip(&self.rows).map(|(x, s)| x * s / self.load).collect();
        let row = |(row, s): (&Vec<f64>, &f64)| row.iter().zip(&self.rows).map(|(d, t)| s * d * t).collect();
        System {
            D: system.D.iter().zip(&self.rows).map(row).collect(),
            free: scaled(&system.free),
            sizes: scaled(&system.sizes),
            ..system.clone()
        }
    }

    /// An answer in the units of the system.
    pub(super) fn undone(&self, answer: &mut Answer) {
        answer.modes.iter_mut().for_each(|mode| self.undo(mode));
        if let Some(RestProof::NormalForces(forces)) =
            answer.rest.as_mut().and_then(|rest| rest.proof.as_mut())
        {
            forces.iter_mut().zip(&self.rows).for_each(|(x, s)| *x *= self.load * s);
        }
    }

    fn undo(&self, mode: &mut Decided) {
        for (row, s) in self.rows.iter().enumerate() {
            let force = self.load * s;
            mode.solved.forces[row] *= force;
            mode.solved.accelerations[row] *= self.load / s;
            if let Some(ranges) = &mut mode.ranges {
                let ForceRange { low, high } = ranges[row];
                // outwards: what is proven stays proven
                ranges[row] =
                    ForceRange { low: outward(low * force, -1.0), high: outward(high * force, 1.0) };
            }
        }
    }
}

/// The next number in a direction, but for those that are exact.
fn outward(x: f64, sign: f64) -> f64 {
    match (x.abs() <= 0.0 || x.is_infinite(), sign > 0.0) {
        (true, _) => x,
        (false, true) => x.next_up(),
        (false, false) => x.next_down(),
    }
}
