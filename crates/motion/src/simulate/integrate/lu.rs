//! Small dense systems, real and complex, factored in place: L U with row pivoting.

use nalgebra::Complex;
use std::ops::{Div, Mul, Sub};

/// A number of a system.
pub(super) trait Field: Copy + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// What pivots are compared by.
    fn size(self) -> f64;
}

impl Field for f64 {
    fn size(self) -> f64 {
        self.abs()
    }
}

impl Field for Complex<f64> {
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// Replaces the matrix, by rows, by its factors; false if it has no inverse.
pub(super) fn factor<T: Field>(matrix: &mut [T], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for k in 0..n {
        let size = |i: usize| matrix[i * n + k].size();
        let pivot = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        if !(size(pivot) > 0.0 && size(pivot).is_finite()) {
            return false;
        }
        pivots[k] = pivot;
        if pivot != k {
            (0..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
        }
        for i in k + 1..n {
            let ratio = matrix[i * n + k] / matrix[k * n + k];
            matrix[i * n + k] = ratio;
            if ratio.size() > 0.0 {
                for j in k + 1..n {
                    matrix[i * n + j] = matrix[i * n + j] - ratio * matrix[k * n + j];
                }
            }
        }
    }
    true
}

/// Replaces the right-hand side by the solution, from the factors.
pub(super) fn solve<T: Field>(factors: &[T], pivots: &[usize], rhs: &mut [T]) {
    let n = pivots.len();
    for k in 0..n {
        rhs.swap(k, pivots[k]);
    }
    for i in 1..n {
        rhs[i] = (0..i).fold(rhs[i], |rest, j| rest - factors[i * n + j] * rhs[j]);
    }
    for i in (0..n).rev() {
        let rest = (i + 1..n).fold(rhs[i], |rest, j| rest - factors[i * n + j] * rhs[j]);
        rhs[i] = rest / factors[i * n + i];
    }
}

#[cfg(test)]
mod tests {
    use super::{factor, solve};
    use nalgebra::Complex;

    #[test]
    fn a_system_that_needs_its_pivots_is_solved() {
        let i = Complex::new(0.0, 1.0);
        let one = Complex::new(1.0, 0.0);
        let zero = Complex::new(0.0, 0.0);
        let matrix = [zero, one, i, one, i, zero, i * 2.0, one, one];
        let x = [one * 3.0, i, one - i];
        let mut rhs: Vec<_> = matrix
            .chunks(3)
            .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum::<Complex<f64>>())
            .collect();
        let (mut factors, mut pivots) = (matrix, [0; 3]);
        assert!(factor(&mut factors, &mut pivots));
        solve(&factors, &pivots, &mut rhs);
        assert!(rhs.iter().zip(&x).all(|(a, b)| (a - b).norm() < 1e-15), "{rhs:?}");
    }

    #[test]
    fn a_singular_system_is_refused() {
        assert!(!factor(&mut [1.0, 2.0, 2.0, 4.0], &mut [0; 2]));
        assert!(!factor(&mut [f64::NAN], &mut [0]));
    }
}
