//! The least friction at which a slip becomes paradoxical in the current configuration: p± = C ∓ μB = 0, so
//! μ = C/|B|, for the slip direction of the sign of B [CV16 (5) for the rod].

use crate::contact::{Planar, Slip};
use crate::num::Tol;
use serde::{Deserialize, Serialize};

/// Least friction with p = 0, for each direction of slip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeastFriction {
    /// μ at which p+ = 0; none if p+ > 0 for every μ.
    pub pos: Option<f64>,
    /// μ at which p− = 0; none if p− > 0 for every μ.
    pub neg: Option<f64>,
}

impl LeastFriction {
    /// Of a contact; a coupling B within the tolerance of zero, against √(AC), counts as none.
    pub fn of(planar: &Planar, tol: &Tol) -> Self {
        let coupled = planar.B.abs() > tol.marginal * (planar.A * planar.C).sqrt();
        let mu = planar.C / planar.B.abs();
        Self {
            pos: (coupled && planar.B > 0.0).then_some(mu),
            neg: (coupled && planar.B < 0.0).then_some(mu),
        }
    }

    /// The lesser of the two and its direction.
    pub fn least(self) -> Option<(f64, Slip)> {
        self.pos.map(|mu| (mu, Slip::Pos)).or_else(|| self.neg.map(|mu| (mu, Slip::Neg)))
    }
}
