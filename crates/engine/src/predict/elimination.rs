//! Linear systems of any number type.

use crate::num::Real;

/// Multiplies by the inverse of the middle of the matrix, so that elimination hardly widens intervals; nothing where there is none.
pub(super) fn precondition<T: Real>(matrix: &mut Vec<Vec<T>>, right: &mut Vec<T>) {
    let n = right.len();
    let middle = nalgebra::DMatrix::from_fn(n, n, |i, j| matrix[i][j].value());
    let Some(inverse) = middle.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite())) else {
        return;
    };
    let sum = |i: usize, of: &dyn Fn(usize) -> T| {
        (0..n).fold(T::from_f64(0.0), |sum, k| sum + T::from_f64(inverse[(i, k)]) * of(k))
    };
    let new = (0..n).map(|i| (0..n).map(|j| sum(i, &|k| matrix[k][j])).collect()).collect();
    let new_right = (0..n).map(|i| sum(i, &|k| right[k])).collect();
    (*matrix, *right) = (new, new_right);
}

/// Solves by elimination with the largest pivots; the result stands in the right-hand side.
pub(super) fn eliminate<T: Real>(matrix: &mut [Vec<T>], right: &mut [T]) {
    let n = right.len();
    let size = |x: T| x.value().abs();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| size(matrix[i][k]).total_cmp(&size(matrix[j][k]))).unwrap_or(k);
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k + 1..n {
                matrix[i][j] = matrix[i][j] - factor * matrix[k][j];
            }
            right[i] = right[i] - factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(right[k], |sum, j| sum - matrix[k][j] * right[j]);
        right[k] = known / matrix[k][k];
    }
}
