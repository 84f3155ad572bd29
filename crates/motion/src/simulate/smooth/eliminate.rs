//! Gaussian elimination on numbers: P is neither symmetric nor definite.

/// Replaces the right-hand side by the solution, by Gaussian elimination with row pivoting: the least pivot over its column, or the unknown
/// at which it stopped.
pub(super) fn eliminate(
    matrix: &mut [f64],
    rhs: &mut [f64],
    columns: &mut [f64],
    singular: f64,
) -> Result<f64, usize> {
    let n = rhs.len();
    for (k, column) in columns.iter_mut().enumerate() {
        *column = (0..n).map(|i| matrix[i * n + k].abs()).fold(0.0, f64::max);
    }
    let mut least = f64::INFINITY;
    for k in 0..n {
        let size = |i: usize| matrix[i * n + k].abs();
        let pivot = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        if !(size(pivot) > singular * columns[k] && size(pivot).is_finite()) {
            return Err(k);
        }
        least = least.min(size(pivot) / columns[k]);
        if pivot != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            rhs.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            (k + 1..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
            rhs[i] -= factor * rhs[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * rhs[j]).sum();
        rhs[k] = (rhs[k] - known) / matrix[k * n + k];
    }
    Ok(least)
}
