//! The numbers of a contact in space and what follows from them without solving anything but 2×2 systems.

use crate::contact::{ContactError, Friction, Scaled};

/// Mobilities and free accelerations of a contact in space, along two orthonormal tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spatial {
    /// Tangential mobility, symmetric, 1/kg.
    pub A: [[f64; 2]; 2],
    /// Coupling, 1/kg.
    pub B: [f64; 2],
    /// Normal mobility, 1/kg.
    pub C: f64,
    /// Slip acceleration without contact force.
    pub a: [f64; 2],
    /// Gap acceleration without contact force.
    pub b: f64,
    /// Sum of the magnitudes of the terms of `a`.
    pub a_scale: f64,
    /// Sum of the magnitudes of the terms of `b`.
    pub b_scale: f64,
}

/// A contact force: λ_N and λ_T.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Force {
    pub N: f64,
    pub T: [f64; 2],
}

impl Spatial {
    /// The contact whose free accelerations are made of single terms.
    pub fn new(A: [[f64; 2]; 2], B: [f64; 2], C: f64, a: [f64; 2], b: f64) -> Self {
        Self { A, B, C, a, b, a_scale: a[0].hypot(a[1]), b_scale: b.abs() }
    }

    /// The same with Σ |terms| of `a` and `b`, as the model knows them.
    #[must_use]
    pub fn with_scales(self, a_scale: f64, b_scale: f64) -> Self {
        let own = self.a[0].hypot(self.a[1]);
        Self { a_scale: a_scale.max(own), b_scale: b_scale.max(self.b.abs()), ..self }
    }

    /// The contact itself, if its numbers are finite and the point can move in every direction: the 3×3 matrix of A, B, C is
    /// positive definite.
    ///
    /// # Errors
    /// [`ContactError::NotFinite`], [`ContactError::Singular`].
    pub fn validated(self) -> Result<Self, ContactError> {
        let [[xx, xy], [yx, yy]] = self.A;
        let numbers = [
            ("A", xx),
            ("A", xy),
            ("A", yx),
            ("A", yy),
            ("B", self.B[0]),
            ("B", self.B[1]),
            ("C", self.C),
            ("a", self.a[0]),
            ("a", self.a[1]),
            ("b", self.b),
        ];
        if let Some(&(quantity, value)) = numbers.iter().find(|(_, value)| !value.is_finite()) {
            return Err(ContactError::NotFinite { quantity, value });
        }
        // of the two principal tangential mobilities the smaller, and the coupling along it
        let determinant = self.tangential_determinant();
        let regular = xx > 0.0 && yy > 0.0 && determinant > 8.0 * f64::EPSILON * xx * yy;
        if regular && self.C > 0.0 && self.stick_gain() > 8.0 * f64::EPSILON * self.C {
            return Ok(self);
        }
        Err(ContactError::Singular { A: determinant / xx.max(yy), B: self.coupling(), C: self.C })
    }

    /// det A.
    pub fn tangential_determinant(&self) -> f64 {
        self.A[0][0] * self.A[1][1] - self.A[0][1] * self.A[1][0]
    }

    /// ‖B‖.
    pub fn coupling(&self) -> f64 {
        self.B[0].hypot(self.B[1])
    }

    /// An upper bound of ‖A‖.
    pub fn tangential_mobility(&self) -> f64 {
        self.A[0][0] + self.A[1][1]
    }

    /// A x.
    pub fn tangential(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.A[0][0] * x + self.A[0][1] * y, self.A[1][0] * x + self.A[1][1] * y]
    }

    /// A⁻¹ x.
    pub fn tangential_inverse(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([[xx, xy], [yx, yy]], determinant) = (self.A, self.tangential_determinant());
        [(yy * x - xy * y) / determinant, (xx * y - yx * x) / determinant]
    }

    /// p(û) = C − μ B·û, times the n of [`Friction`]   [CV16 (39)]; C itself with infinite friction and no coupling.
    pub fn normal_gain(&self, friction: Friction, along: [f64; 2]) -> Scaled {
        let (n, t) = friction.parts();
        let n = if self.coupling() > 0.0 { n } else { 1.0 };
        let terms = [n * self.C, -t * self.B[0] * along[0], -t * self.B[1] * along[1]];
        Scaled { value: terms.iter().sum(), scale: terms.iter().map(|x| x.abs()).sum() }
    }

    /// The force of slip along û, per unit of n λ_N/n: (n, −t û), with the n of [`Spatial::normal_gain`].
    fn slip_unit(&self, friction: Friction, along: [f64; 2]) -> Force {
        let (n, t) = friction.parts();
        let n = if self.coupling() > 0.0 { n } else { 1.0 };
        Force { N: n, T: along.map(|x| -t * x) }
    }

    /// The force that keeps the gap acceleration zero in slip along û: λ_N = −b/p   [CV16 (38)].
    pub fn slip_force(&self, friction: Friction, along: [f64; 2]) -> Force {
        let unit = self.slip_unit(friction, along);
        let size = -self.b / self.normal_gain(friction, along).value;
        Force { N: size * unit.N, T: unit.T.map(|x| size * x) }
    }

    /// λ_T/λ_N that holds the slip at zero if nothing but λ_N drives it: −A⁻¹B.
    pub fn held(&self) -> [f64; 2] {
        self.tangential_inverse(self.B).map(|x| -x)
    }

    /// Gap acceleration per unit λ_N in stick, C − Bᵀ A⁻¹ B > 0.
    pub fn stick_gain(&self) -> f64 {
        let held = self.held();
        self.C + self.B[0] * held[0] + self.B[1] * held[1]
    }

    /// The force that keeps all three accelerations zero; the 3-dimensional [CV16 (21)].
    pub fn stick_force(&self) -> Force {
        let push = self.tangential_inverse(self.a);
        let N = -(self.b - self.B[0] * push[0] - self.B[1] * push[1]) / self.stick_gain();
        let held = self.held();
        Force { N, T: [0, 1].map(|i| held[i] * N - push[i]) }
    }

    /// Sizes of the terms of λ_N and of ‖λ_T‖ in stick.
    pub fn stick_sizes(&self) -> [f64; 2] {
        let held = self.held();
        let held = held[0].hypot(held[1]);
        // ‖A⁻¹‖ ≤ tr A / det A
        let push = self.a_scale * self.tangential_mobility() / self.tangential_determinant();
        let N = (self.b_scale + self.coupling() * push) / self.stick_gain();
        [N, held * N + push]
    }

    /// u̇ and v̇ under a contact force.
    pub fn acceleration(&self, force: Force) -> ([f64; 2], f64) {
        let driven = self.tangential(force.T);
        let u = [0, 1].map(|i| self.a[i] + driven[i] + self.B[i] * force.N);
        (u, self.b + self.B[0] * force.T[0] + self.B[1] * force.T[1] + self.C * force.N)
    }

    /// The contact seen from the other side of its surface: what pulls there pushes here.
    #[must_use]
    pub fn turned_over(&self) -> Self {
        Self { B: self.B.map(|x| -x), b: -self.b, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rod() -> Spatial {
        Spatial::new([[3.1, 0.2], [0.2, 4.0]], [1.2, -0.3], 1.6, [0.4, -0.7], -1.0)
    }

    #[test]
    fn the_sticking_force_leaves_no_acceleration() {
        let (u, v) = rod().acceleration(rod().stick_force());
        assert!(u[0].abs() + u[1].abs() + v.abs() < 1e-14);
    }

    #[test]
    fn the_force_of_slip_opposes_it_and_keeps_the_gap() {
        let (friction, along) = (Friction::new(0.6).unwrap(), [0.6, -0.8]);
        let force = rod().slip_force(friction, along);
        assert!(rod().acceleration(force).1.abs() < 1e-14);
        assert!((force.T[0] + 0.6 * force.N * 0.6).abs() < 1e-14 && force.N > 0.0);
    }

    #[test]
    fn a_point_on_a_rail_is_refused() {
        let rail = Spatial::new([[1.0, 1.0], [1.0, 1.0]], [0.0; 2], 1.0, [0.0; 2], -1.0);
        assert!(matches!(rail.validated(), Err(ContactError::Singular { .. })));
        assert!(rod().validated().is_ok());
        let lost = Spatial { b: f64::NAN, ..rod() };
        assert!(matches!(lost.validated(), Err(ContactError::NotFinite { quantity: "b", .. })));
    }
}
