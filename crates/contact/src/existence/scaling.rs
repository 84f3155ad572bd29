//! The second-order cone Q = { x : ‖(x₁, x₂)‖ ≤ x₀ } of one contact as interior points need it: the Nesterov-Todd scaling of
//! a pair (z, r) inside Q, the symmetric W with W r = W⁻¹ z = λ (Nesterov and Todd, Math. Oper. Res. 22, 1997, 1;
//! Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010, section 4.2). A contact in the plane has
//! x₂ = 0, one without friction also x₁ = 0: such vectors stay such.

/// x₀ first.
pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// x₀ − ‖(x₁, x₂)‖: how far inside Q.
pub(super) fn depth(x: &Vector) -> f64 {
    x[0] - (x[1] * x[1] + x[2] * x[2]).sqrt()
}

/// x₀² − x₁² − x₂².
fn determinant(x: &Vector) -> f64 {
    let tangent = (x[1] * x[1] + x[2] * x[2]).sqrt();
    (x[0] - tangent) * (x[0] + tangent)
}

/// The product of the cone's algebra, (a·b, a₀ b₁ + b₀ a₁, …).
pub(super) fn product(a: &Vector, b: &Vector) -> Vector {
    [dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]]
}

/// x with a∘x = b.
pub(super) fn quotient(a: &Vector, b: &Vector) -> Vector {
    let x0 = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / determinant(a);
    [x0, (b[1] - x0 * a[1]) / a[0], (b[2] - x0 * a[2]) / a[0]]
}

/// x with x∘z = (value, 0, 0).
pub(super) fn inverse(z: &Vector, value: f64) -> Vector {
    let scale = value / determinant(z);
    [scale * z[0], -scale * z[1], -scale * z[2]]
}

/// The largest α ≤ 2 for which x + α·step stays in Q.
pub(super) fn step_length(x: &Vector, step: &Vector) -> f64 {
    // aα² + 2bα + c, of which the smallest positive root counts; b² ≥ ac for x in Q, but for rounding.
    let (a, b, c) = (determinant(step), x[0] * step[0] - x[1] * step[1] - x[2] * step[2], determinant(x));
    let root = (b * b - a * c).max(0.0).sqrt() - b;
    if 2.0 * root > c { c / root } else { 2.0 }
}

/// W = β (2 v vᵀ − J), J = diag(1, −1, −1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    beta: f64,
    v: Vector,
    /// (w₀, −w₁, −w₂) for the scaling point w, det w = 1.
    w: Vector,
    /// W r = W⁻¹ z.
    pub(super) lambda: Vector,
}

impl Scaling {
    /// Of z and r inside Q.
    pub(super) fn new(z: &Vector, r: &Vector) -> Self {
        let (dz, dr) = (determinant(z).sqrt(), determinant(r).sqrt());
        let (z1, r1) = (z.map(|x| x / dz), r.map(|x| x / dr));
        let gamma = (0.5 * (1.0 + dot(&z1, &r1))).sqrt();
        let w = [z1[0] + r1[0], z1[1] - r1[1], z1[2] - r1[2]].map(|x| 0.5 * x / gamma);
        let norm = (2.0 * (w[0] + 1.0)).sqrt();
        let v = [(w[0] + 1.0) / norm, w[1] / norm, w[2] / norm];
        let out = Self { beta: (dz / dr).sqrt(), v, w: [w[0], -w[1], -w[2]], lambda: [0.0; 3] };
        Self { lambda: out.apply(r), ..out }
    }

    /// W x.
    pub(super) fn apply(&self, x: &Vector) -> Vector {
        let s = 2.0 * dot(&self.v, x);
        [s * self.v[0] - x[0], s * self.v[1] + x[1], s * self.v[2] + x[2]].map(|y| self.beta * y)
    }

    /// W⁻¹ x.
    pub(super) fn unapply(&self, x: &Vector) -> Vector {
        let s = 2.0 * (self.v[0] * x[0] - self.v[1] * x[1] - self.v[2] * x[2]);
        [s * self.v[0] - x[0], x[1] - s * self.v[1], x[2] - s * self.v[2]].map(|y| y / self.beta)
    }

    /// W⁻² x.
    pub(super) fn weigh(&self, x: &Vector) -> Vector {
        let s = 2.0 * dot(&self.w, x);
        let scale = self.beta.powi(-2);
        [s * self.w[0] - x[0], s * self.w[1] + x[1], s * self.w[2] + x[2]].map(|y| scale * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const Z: Vector = [2.0, 0.3, -1.1];
    const R: Vector = [0.7, -0.2, 0.4];

    fn near(a: &Vector, b: &Vector) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14 * (1.0 + a.abs()))
    }

    #[test]
    fn the_scaling_brings_both_to_one_point() {
        let scaling = Scaling::new(&Z, &R);
        assert!(near(&scaling.apply(&R), &scaling.unapply(&Z)));
        assert!(near(&scaling.unapply(&scaling.apply(&R)), &R));
        assert!(near(&scaling.weigh(&Z), &R));
        assert!((dot(&scaling.lambda, &scaling.lambda) - dot(&Z, &R)).abs() < 1e-14);
    }

    #[test]
    fn quotients_and_inverses_undo_products() {
        assert!(near(&product(&Z, &quotient(&Z, &R)), &R));
        assert!(near(&product(&Z, &inverse(&Z, 0.25)), &[0.25, 0.0, 0.0]));
    }

    #[test]
    fn a_step_ends_on_the_border_or_is_whole() {
        for step in [
            [-1.0, 0.0, 0.0],
            Z.map(|x| -0.7 * x),
            [-4.0, 1.0, 2.0],
            [0.5, 3.0, -1.0],
            [0.0, 0.0, 2.0],
            [-5.0, -1.0, 1.0],
        ] {
            let alpha = step_length(&Z, &step);
            let end = [0, 1, 2].map(|k| Z[k] + alpha * step[k]);
            assert!(alpha <= 2.0 && if alpha < 2.0 { depth(&end).abs() < 1e-12 } else { depth(&end) > 0.0 });
        }
        assert!((step_length(&Z, &[3.0, 1.0, -1.0]) - 2.0).abs() < 1e-15);
    }
}
