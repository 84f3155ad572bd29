//! The three-stage Radau IIA method: collocation at the right Radau points, order 5, stiffly accurate, L-stable
//! [HW96 (IV.5), (IV.8)].

use std::sync::LazyLock;

/// Number of stages.
pub(super) const STAGES: usize = 3;

/// Coefficients of the method, and of its transformation to one real and one complex system.
pub(super) struct Tableau {
    /// Nodes c.
    pub(super) nodes: [f64; STAGES],
    /// Weights of a quadrature over a step, the last row of A.
    pub(super) weights: [f64; STAGES],
    /// Real eigenvalue of A⁻¹.
    pub(super) real: f64,
    /// The pair α ± iβ of A⁻¹.
    pub(super) pair: [f64; 2],
    /// T, whose columns span the eigenspaces of A⁻¹: T⁻¹ A⁻¹ T = diag(γ, [[α, −β], [β, α]]).
    pub(super) forward: [[f64; STAGES]; STAGES],
    /// T⁻¹.
    pub(super) backward: [[f64; STAGES]; STAGES],
    /// e₁, e₂, e₃ of the embedded formula of order 3, times γ   [HW96 (IV.8.19), (IV.8.20)].
    pub(super) error: [f64; STAGES],
}

/// The method.
pub(super) static RADAU_5: LazyLock<Tableau> = LazyLock::new(|| {
    let root = 6f64.sqrt();
    let ninth = 9f64.cbrt();
    let gamma = (6.0 + ninth * (ninth - 1.0)) / 30.0;
    let alpha = (12.0 - ninth * (ninth - 1.0)) / 60.0;
    let beta = ninth * (ninth + 1.0) * 3f64.sqrt() / 60.0;
    let square = alpha * alpha + beta * beta;
    Tableau {
        nodes: [(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0],
        weights: [(16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0],
        real: 1.0 / gamma,
        pair: [alpha / square, beta / square],
        forward: FORWARD,
        backward: BACKWARD,
        error: [-(13.0 + 7.0 * root) / 3.0, (-13.0 + 7.0 * root) / 3.0, -1.0 / 3.0],
    }
});

#[rustfmt::skip]
const FORWARD: [[f64; STAGES]; STAGES] = [
    [0.091_232_394_870_892_94, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107,    0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093,    1.0,                      0.0],
];

#[rustfmt::skip]
const BACKWARD: [[f64; STAGES]; STAGES] = [
    [ 4.325_579_890_063_155,     0.339_199_251_815_809_85,  0.541_770_539_935_874_9],
    [-4.178_718_591_551_905,    -0.327_682_820_761_062_4,   0.476_623_554_500_550_4],
    [-0.502_872_634_945_786_9,   2.571_926_949_855_605_5,  -0.596_039_204_828_224_9],
];

/// One row of a transformation applied to the entries of three vectors.
#[inline(always)]
pub(super) fn row(matrix: &[[f64; STAGES]; STAGES], i: usize, x: [f64; STAGES]) -> f64 {
    matrix[i][0] * x[0] + matrix[i][1] * x[1] + matrix[i][2] * x[2]
}

#[cfg(test)]
mod tests {
    use super::{RADAU_5, STAGES};
    use nalgebra::Matrix3;

    /// A from the collocation conditions C(3): Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k.
    fn matrix() -> Matrix3<f64> {
        let c = RADAU_5.nodes;
        let powers = Matrix3::from_fn(|j, k| c[j].powi(k as i32));
        let sums = Matrix3::from_fn(|i, k| c[i].powi(k as i32 + 1) / (k as f64 + 1.0));
        sums * powers.try_inverse().unwrap()
    }

    #[test]
    fn the_weights_integrate_to_order_five_and_are_the_last_row() {
        let (A, b, c) = (matrix(), RADAU_5.weights, RADAU_5.nodes);
        for k in 1..=5 {
            let sum: f64 = (0..STAGES).map(|i| b[i] * c[i].powi(k - 1)).sum();
            assert!((sum - 1.0 / f64::from(k)).abs() < 1e-15, "B({k}): {sum}");
        }
        let sixth: f64 = (0..STAGES).map(|i| b[i] * c[i].powi(5)).sum();
        assert!((sixth - 1.0 / 6.0).abs() > 1e-4);
        (0..STAGES).for_each(|j| assert!((A[(2, j)] - b[j]).abs() < 1e-14));
        // D(2), with B(5) and C(3) the conditions of order 5
        for k in 1..=2 {
            for j in 0..STAGES {
                let sum: f64 = (0..STAGES).map(|i| b[i] * c[i].powi(k - 1) * A[(i, j)]).sum();
                let expected = b[j] * (1.0 - c[j].powi(k)) / f64::from(k);
                assert!((sum - expected).abs() < 1e-14, "D({k}) {j}");
            }
        }
    }

    #[test]
    fn the_transformation_separates_the_inverse_matrix() {
        let T = Matrix3::from_fn(|i, j| RADAU_5.forward[i][j]);
        let inverse = Matrix3::from_fn(|i, j| RADAU_5.backward[i][j]);
        let [alpha, beta] = RADAU_5.pair;
        let expected = Matrix3::new(RADAU_5.real, 0.0, 0.0, 0.0, alpha, -beta, 0.0, beta, alpha);
        assert!((inverse * T - Matrix3::identity()).norm() < 1e-14);
        let found = inverse * matrix().try_inverse().unwrap() * T;
        assert!((found - expected).norm() < 1e-13, "{found}");
    }

    #[test]
    fn the_embedded_formula_has_order_three() {
        // γ₀ f(0) + Σ eᵢ zᵢ is the difference of both results: it vanishes for y = t, t², t³
        let (c, gamma) = (RADAU_5.nodes, 1.0 / RADAU_5.real);
        for k in 1..=3 {
            let start = if k == 1 { 1.0 } else { 0.0 };
            let sum: f64 = start + (0..STAGES).map(|i| RADAU_5.error[i] * c[i].powi(k)).sum::<f64>();
            assert!((gamma * sum).abs() < 1e-14, "{k}: {sum}");
        }
        let fourth: f64 = (0..STAGES).map(|i| RADAU_5.error[i] * c[i].powi(4)).sum();
        assert!(fourth.abs() > 1e-2);
    }
}
