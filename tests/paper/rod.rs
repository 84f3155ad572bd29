//! The classical Painlevé problem by hand: rod with centre of mass (x, y), half length l, tip (x + l cos θ, y − l sin θ).

use mechan::analysis::{Local, LocalWork, PlanarModel, Scales};
use mechan::model::Singular;
use mechan::num::Real;

/// Mass m, inertia I, half length l, gravity g, constant body force and torque.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rod {
    pub(crate) m: f64,
    pub(crate) I: f64,
    pub(crate) l: f64,
    pub(crate) g: f64,
    pub(crate) torque: f64,
}

impl Rod {
    /// Uniform rod, m = l = g = 1.
    pub(crate) const UNIFORM: Self = Self { m: 1.0, I: 1.0 / 3.0, l: 1.0, g: 1.0, torque: 0.0 };

    /// (q, q̇) with the tip on the ground, tip velocity u, angular rate ω.
    pub(crate) fn slipping(&self, theta: f64, u: f64, omega: f64) -> ([f64; 3], [f64; 3]) {
        let (s, c) = theta.sin_cos();
        ([0.0, self.l * s, theta], [u + self.l * s * omega, self.l * c * omega, omega])
    }
}

impl PlanarModel for Rod {
    fn coordinates(&self) -> usize {
        3
    }

    fn local_into<T: Real>(&self, _t: T, q: &[T], v: &[T], work: &mut LocalWork<T>) -> Result<(), Singular> {
        let number = T::from_f64;
        let (s, c) = q[2].sin_cos();
        let (l, m, I) = (number(self.l), number(self.m), number(self.I));
        let omega2 = v[2] * v[2];
        let (alpha, torque) = (l * l / I, number(self.torque) / I);
        let one = number(1.0);
        work.local = Local {
            gap: q[1] - l * s,
            u: v[0] - l * s * v[2],
            v: v[1] - l * c * v[2],
            A: one / m + alpha * s * s,
            B: alpha * s * c,
            C: one / m + alpha * c * c,
            a: -l * c * omega2 - l * s * torque,
            b: number(-self.g) + l * s * omega2 - l * c * torque,
            scales: Scales { u: 1.0, v: 1.0, a: 1.0, b: self.g + (l * omega2).value() },
            free: vec![number(0.0), number(-self.g), torque],
            tangent: vec![one / m, number(0.0), -l * s / I],
            normal: vec![number(0.0), one / m, -l * c / I],
        };
        Ok(())
    }
}
