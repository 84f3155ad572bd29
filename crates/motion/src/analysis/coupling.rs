//! What friction makes of the coupling between gap and slip, as reports and maps show it   [CV16 (5), (13), (39), (51)].

use crate::contact::{Friction, Planar, Slip};
use crate::num::{Quantity, Tol, dense};

/// B and C of a contact with its friction; in the plane (B, 0).
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// How a unit of each tangential force changes the normal acceleration.
    pub B: [f64; 2],
    /// How a unit of normal force does.
    pub C: f64,
    /// The coefficient of friction.
    pub friction: Friction,
}

impl Coupling {
    /// p(û) = C − μ B·û of a slip, if it is one against the size of its terms: friction opposes the slip direction û.
    pub fn p_slip(&self, slip: [f64; 2], size: f64, tol: &Tol) -> Quantity {
        let speed = dense::norm(&slip);
        if speed <= tol.rest * size {
            return Quantity::from(None);
        }
        let coupled = self.friction.mu() * dense::dot(&self.B, &slip) / speed;
        Quantity::of_size(self.C - coupled, self.C + coupled.abs(), tol)
    }

    /// min over û of the μ with p(û) = 0: C/‖B‖.
    pub fn least_friction(&self, tol: &Tol) -> Option<f64> {
        let coupling = dense::norm(&self.B);
        (coupling > tol.marginal * self.C).then(|| self.C / coupling)
    }
}

/// p± = C ∓ μB.
pub fn normal_gain(planar: &Planar, friction: Friction, slip: Slip, tol: &Tol) -> Quantity {
    let size = planar.C + friction.mu() * planar.B.abs();
    Quantity::of_size(planar.normal_gain(friction, slip), size, tol)
}
