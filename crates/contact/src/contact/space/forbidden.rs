//! Slip directions in which the gain is negative: p(φ) = C − μ‖B‖ cos(φ − φ_B) [CV16 (39)], so that they are one arc around the
//! direction φ_B of B, of half length arccos(C/(μ‖B‖)) [CV16 (51) for the rod], or none.

use super::local::Spatial;
use crate::contact::Friction;
use crate::num::circle::principal;

/// An open arc of directions, in radians from the first tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// In (−π, π].
    pub from: f64,
    /// In (from, from + 2π].
    pub to: f64,
}

/// The least gain over all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastGain {
    /// C − μ‖B‖; −∞ with infinite friction.
    pub value: f64,
    /// Where; none if the gain is the same everywhere.
    pub phi: Option<f64>,
}

impl Spatial {
    /// The directions with p < 0. At a double zero, μ‖B‖ = C, the ends are exact for numbers A, B, C, μ that differ from the
    /// given ones in their last bits.
    pub fn forbidden(&self, friction: Friction) -> Option<Arc> {
        let (n, t) = friction.parts();
        let (own, coupled) = (n * self.C, t * self.coupling());
        if coupled <= own {
            return None;
        }
        // arccos(own/coupled), which loses no digits near 0
        let half = ((coupled - own) * (coupled + own)).sqrt().atan2(own);
        let centre = self.B[1].atan2(self.B[0]);
        let from = principal(centre - half);
        Some(Arc { from, to: from + 2.0 * half })
    }

    /// min over φ of p(φ).
    pub fn least_gain(&self, friction: Friction) -> LeastGain {
        let coupling = self.coupling();
        if coupling <= 0.0 || friction.is_zero() {
            return LeastGain { value: self.C, phi: None };
        }
        let coupled = friction.mu() * coupling;
        LeastGain { value: self.C - coupled, phi: Some(principal(self.B[1].atan2(self.B[0]))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// The uniform rod at tan θ = 2 with heading ψ: half range arccos(4/(3 μ))   [CV16 (51)].
    #[test]
    fn the_arc_of_the_rod_is_that_of_the_survey() {
        let (s, c) = 2f64.atan().sin_cos();
        for psi in [0.0, 1.0, PI, -2.5, 3.1] {
            let B = [psi.cos(), psi.sin()].map(|x| 3.0 * s * c * x);
            let rod = Spatial::new([[4.0, 0.0], [0.0, 4.0]], B, 1.0 + 3.0 * c * c, [0.0; 2], -1.0);
            for mu in [1.4, 2.0, 50.0] {
                let arc = rod.forbidden(Friction::new(mu).unwrap()).unwrap();
                let half = (4.0 / (3.0 * mu)).acos();
                assert!((arc.to - arc.from - 2.0 * half).abs() < 1e-13, "{psi} {mu}");
                assert!((principal(arc.from + half - psi)).abs() < 1e-13, "{psi} {mu}");
                assert!(-PI < arc.from && arc.from <= PI);
            }
            assert!(rod.forbidden(Friction::new(1.33).unwrap()).is_none());
            let half_circle = rod.forbidden(Friction::INFINITE).unwrap();
            assert!((half_circle.to - half_circle.from - PI).abs() < 1e-14);
        }
    }
}
