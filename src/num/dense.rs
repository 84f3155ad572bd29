//! Small dense kernels on packed lower triangles: entry (i, j), j <= i, stands at i(i+1)/2 + j. No allocation.

use super::{Real, Tol};

/// A Cholesky pivot that is not positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    /// Row at which the factorisation stopped.
    pub index: usize,
    /// What should have been positive.
    pub value: f64,
}

/// Σ xᵢ yᵢ.
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::from_f64(0.0), |sum, (&x, &y)| sum + x * y)
}

/// Factors a packed positive definite matrix in place: A = L Lᵀ.
///
/// # Errors
/// [`Pivot`] at the first row whose pivot is not positive, or is no more than the rounding of its diagonal entry.
pub fn cholesky<T: Real>(n: usize, a: &mut [T]) -> Result<(), Pivot> {
    let rounding = Tol::default().pivot;
    for i in 0..n {
        let row = i * (i + 1) / 2;
        let least = rounding * a[row + i].value();
        for j in 0..=i {
            let other = j * (j + 1) / 2;
            let mut sum = a[row + j];
            for k in 0..j {
                sum = sum - a[row + k] * a[other + k];
            }
            if j < i {
                a[row + j] = sum / a[other + j];
            } else if sum.value() > least && sum.value().is_finite() {
                a[row + i] = sum.sqrt();
            } else {
                return Err(Pivot { index: i, value: sum.value() });
            }
        }
    }
    Ok(())
}

/// Solves L Lᵀ x = x in place.
pub fn solve<T: Real>(n: usize, l: &[T], x: &mut [T]) {
    for i in 0..n {
        let row = i * (i + 1) / 2;
        let mut sum = x[i];
        for j in 0..i {
            sum = sum - l[row + j] * x[j];
        }
        x[i] = sum / l[row + i];
    }
    for i in (0..n).rev() {
        let mut sum = x[i];
        for j in i + 1..n {
            sum = sum - l[j * (j + 1) / 2 + i] * x[j];
        }
        x[i] = sum / l[i * (i + 1) / 2 + i];
    }
}

/// The least eigenvalue of a packed symmetric matrix.
pub fn least_eigenvalue(n: usize, a: &[f64]) -> f64 {
    let entry = |i: usize, j: usize| a[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let matrix = nalgebra::DMatrix::from_fn(n, n, entry);
    if matrix.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    matrix.symmetric_eigenvalues().iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_inverts_the_matrix() {
        let a = [4.0, 2.0, 5.0, -1.0, 0.5, 3.0];
        let x = [1.0, -2.0, 3.0];
        let full = |i: usize, j: usize| a[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| full(i, j) * x[j]).sum()).collect();
        let mut l = a;
        cholesky(3, &mut l).unwrap();
        solve(3, &l, &mut b);
        assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-14));
    }

    #[test]
    fn rounding_does_not_make_a_singular_matrix_regular() {
        let (a, b) = (0.1_f64 * 3.0, 0.7);
        let mut singular = [a * a, a * b, b * b];
        assert!(cholesky(2, &mut singular).is_err());
        let mut zero = [0.0];
        assert!(cholesky(1, &mut zero).is_err());
    }

    #[test]
    fn an_indefinite_matrix_is_refused_at_its_pivot() {
        let mut a = [1.0, 2.0, 1.0];
        assert_eq!(cholesky(2, &mut a), Err(Pivot { index: 1, value: -3.0 }));
        assert!((least_eigenvalue(2, &[1.0, 2.0, 1.0]) + 1.0).abs() < 1e-14);
    }
}
