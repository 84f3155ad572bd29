//! Linear systems with enclosed coefficients: solutions for every matrix and every right-hand side in their intervals.
//!
//! With R an approximate inverse of the middle of K and z̃ an approximate solution, K(z − z̃) = b − K z̃, and RK is near
//! the identity: ‖I − RK‖ = α < 1 proves every K of the interval regular and bounds z − z̃ by ‖R(b − K z̃)‖/(1 − α); sweeps
//! of Gauss and Seidel tighten that. Elimination with intervals would lose more, as it forgets that entries belong together.

use crate::num::{Interval, Real};
use nalgebra::DMatrix;

const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };

/// A square matrix of intervals, by rows, with an approximate inverse.
pub(super) struct Enclosed {
    size: usize,
    entries: Vec<Interval>,
    inverse: DMatrix<f64>,
    /// RK.
    near_identity: Vec<Interval>,
    /// ‖I − RK‖.
    defect: f64,
}

/// z = z̃ + Δ.
pub(super) struct Solution {
    /// z̃.
    pub(super) middle: Vec<f64>,
    /// Δ.
    pub(super) error: Vec<Interval>,
    /// b − K z̃.
    pub(super) residual: Vec<Interval>,
}

impl Solution {
    /// The i-th component.
    pub(super) fn at(&self, i: usize) -> Interval {
        Interval::from_f64(self.middle[i]) + self.error[i]
    }
}

impl Enclosed {
    /// None unless every matrix in the intervals is proven regular.
    pub(super) fn new(size: usize, entries: Vec<Interval>) -> Option<Self> {
        let middle = DMatrix::from_fn(size, size, |i, j| entries[i * size + j].middle());
        let inverse = middle.try_inverse().filter(|r| r.iter().all(|x| x.is_finite()))?;
        let product = |i: usize, j: usize| {
            (0..size).fold(ZERO, |sum, k| sum + Interval::from_f64(inverse[(i, k)]) * entries[k * size + j])
        };
        let near_identity: Vec<Interval> =
            (0..size * size).map(|place| product(place / size, place % size)).collect();
        let row = |i: usize| {
            let off =
                |j: usize| near_identity[i * size + j] - Interval::from_f64(if i == j { 1.0 } else { 0.0 });
            (0..size).fold(ZERO, |sum, j| sum + Interval::from_f64(off(j).magnitude())).hi
        };
        let defect = (0..size).map(row).fold(0.0, |most: f64, x| if x.is_nan() { x } else { most.max(x) });
        (defect < 1.0).then_some(Enclosed { size, entries, inverse, near_identity, defect })
    }

    /// (K z̃)ᵢ.
    fn row(&self, i: usize, z: &[f64]) -> Interval {
        (0..self.size).fold(ZERO, |sum, j| sum + self.entries[i * self.size + j] * Interval::from_f64(z[j]))
    }

    /// xᵀ K z̃.
    pub(super) fn form(&self, x: &[f64], z: &[f64]) -> Interval {
        (0..self.size).fold(ZERO, |sum, i| sum + Interval::from_f64(x[i]) * self.row(i, z))
    }

    /// The solutions of K z = b.
    pub(super) fn solve(&self, b: &[Interval]) -> Solution {
        let n = self.size;
        let multiply = |i: usize| (0..n).map(|j| self.inverse[(i, j)] * b[j].middle()).sum::<f64>();
        let middle: Vec<f64> = (0..n).map(multiply).collect();
        let residual: Vec<Interval> = (0..n).map(|i| b[i] - self.row(i, &middle)).collect();
        let reduced: Vec<Interval> = (0..n)
            .map(|i| (0..n).fold(ZERO, |sum, j| sum + Interval::from_f64(self.inverse[(i, j)]) * residual[j]))
            .collect();
        let size = reduced.iter().fold(0.0, |most: f64, x| most.max(x.magnitude()));
        let left = Interval::from_f64(1.0) - Interval::from_f64(self.defect);
        let radius = (Interval::from_f64(size) / left).magnitude();
        let mut error = vec![Interval::new(-radius, radius); n];
        // twice: the first sweep takes the size from one row, the second its effect from the others
        for _ in 0..2 {
            for i in 0..n {
                let others = (0..n).filter(|&j| j != i);
                let rest = others.fold(reduced[i], |sum, j| sum - self.near_identity[i * n + j] * error[j]);
                error[i] = error[i].intersect(rest / self.near_identity[i * n + i]);
            }
        }
        Solution { middle, error, residual }
    }
}

#[cfg(test)]
mod tests {
    use super::Enclosed;
    use crate::num::{Interval, Real};
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::{prop, prop_assert, proptest};

    proptest! {
        /// Every matrix and right-hand side in the intervals has its solution in the enclosure.
        #[test]
        fn solutions_are_enclosed(
            entries in prop::collection::vec(-1.0f64..1.0, 9),
            b in prop::collection::vec(-1.0f64..1.0, 3),
            radius in 0.0f64..0.4,
            places in prop::collection::vec(0.0f64..=1.0, 12),
        ) {
            let wide = |x: f64| Interval::new(x - radius, x + radius);
            let boxed: Vec<Interval> =
                (0..9).map(|i| wide(entries[i] + if i % 4 == 0 { 2.0 } else { 0.0 })).collect();
            let right: Vec<Interval> = b.iter().map(|&x| wide(x)).collect();
            if let Some(enclosed) = Enclosed::new(3, boxed.clone()) {
                let solution = enclosed.solve(&right);
                let within = |side: Interval, at: f64| side.lo + at * (side.hi - side.lo);
                let matrix = DMatrix::from_fn(3, 3, |i, j| within(boxed[3 * i + j], places[3 * i + j]));
                let rhs = DVector::from_fn(3, |i, _| within(right[i], places[9 + i]));
                let z = matrix.lu().solve(&rhs).unwrap();
                for i in 0..3 {
                    let slack = Interval::new(-1e-12, 1e-12) * Interval::from_f64(1.0 + z[i].abs());
                    prop_assert!((solution.at(i) + slack).contains(z[i]), "{i} {z} {:?}", solution.at(i));
                }
            }
        }
    }

    #[test]
    fn a_matrix_that_may_be_singular_is_refused() {
        let side = Interval::new(-0.1, 1.0);
        assert!(Enclosed::new(1, vec![side]).is_none());
        assert!(Enclosed::new(1, vec![Interval::new(0.1, 1.0)]).is_some());
    }
}
