//! Small dense symmetric positive definite systems in place: M = L Lᵀ, without allocation.
//!
//! Matrices are lower triangles packed by rows, M₀₀, M₁₀, M₁₁, M₂₀, …; generic over the number, so that duals
//! give the derivative of a solution.

use super::Real;

/// A pivot of the factorisation that is not positive: the matrix is singular or indefinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PivotError {
    /// Row of the pivot.
    pub index: usize,
    /// Its value: what is left of the diagonal entry.
    pub pivot: f64,
    /// The diagonal entry it is left of.
    pub diagonal: f64,
}

impl std::fmt::Display for PivotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { index, pivot, diagonal } = self;
        write!(f, "matrix is not positive definite: pivot {index} is {pivot:e}, diagonal entry {diagonal:e}")
    }
}

impl std::error::Error for PivotError {}

/// Number of entries of a packed lower triangle.
pub const fn packed_len(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Replaces the packed M by L with M = L Lᵀ. A pivot of at most `singular` times its diagonal entry is taken as
/// zero (see [`Tol::singular`](super::Tol)).
///
/// # Errors
/// The first pivot that is not positive; the triangle is then left half done.
///
/// # Panics
/// If `m` is shorter than n(n + 1)/2.
#[inline]
pub fn cholesky<T: Real>(m: &mut [T], n: usize, singular: f64) -> Result<(), PivotError> {
    let m = &mut m[..packed_len(n)];
    for i in 0..n {
        let (above, row) = m.split_at_mut(packed_len(i));
        for j in 0..i {
            let other = &above[packed_len(j)..packed_len(j) + j + 1];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let diagonal = row[i];
        let pivot = diagonal - dot(&row[..i], &row[..i]);
        let positive = pivot.value() > singular * diagonal.value().abs(); // false for NaN
        if !(positive && pivot.value().is_finite()) {
            return Err(PivotError { index: i, pivot: pivot.value(), diagonal: diagonal.value() });
        }
        row[i] = pivot.sqrt();
    }
    Ok(())
}

/// Replaces b by L⁻¹ b.
#[inline]
pub fn forward<T: Real>(l: &[T], b: &mut [T]) {
    for i in 0..b.len() {
        let row = &l[packed_len(i)..packed_len(i) + i + 1];
        b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
    }
}

/// Replaces b by L⁻ᵀ b.
#[inline]
pub fn backward<T: Real>(l: &[T], b: &mut [T]) {
    for i in (0..b.len()).rev() {
        let row = &l[packed_len(i)..packed_len(i) + i + 1];
        let x = b[i] / row[i];
        b[i] = x;
        for (b, &l) in b[..i].iter_mut().zip(row) {
            *b = *b - l * x;
        }
    }
}

/// Replaces b by M⁻¹ b, from the factor L.
#[inline]
pub fn solve<T: Real>(l: &[T], b: &mut [T]) {
    forward(l, b);
    backward(l, b);
}

/// Replaces several right-hand sides of length n, one after the other in `b`, by their solutions.
pub fn solve_many<T: Real>(l: &[T], n: usize, b: &mut [T]) {
    b.chunks_exact_mut(n.max(1)).for_each(|b| solve(l, b));
}

/// aᵀ b, summed from the first entry.
#[inline(always)]
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let mut terms = a.iter().zip(b).map(|(&a, &b)| a * b);
    let first = terms.next();
    first.map_or(T::from_f64(0.0), |first| terms.fold(first, |sum, term| sum + term))
}

/// Eigenvalues of a packed symmetric matrix, smallest first.
///
/// # Panics
/// If `m` is shorter than n(n + 1)/2.
pub fn symmetric_eigenvalues(m: &[f64], n: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| m[packed_len(i.max(j)) + i.min(j)];
    let full = nalgebra::DMatrix::from_fn(n, n, entry);
    let mut values: Vec<f64> = full.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}
