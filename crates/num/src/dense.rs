//! Small dense symmetric positive definite systems in place, without allocation: M = L D Lᵀ, the Cholesky
//! factorisation without square roots, which the pivots need not wait for.
//!
//! Matrices are lower triangles packed by rows, M₀₀, M₁₀, M₁₁, M₂₀, …; generic over the number, so that duals
//! give the derivative of a solution.

use super::Real;

/// A pivot of the factorisation that is not positive: the matrix is singular or indefinite.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("matrix is not positive definite: pivot {index} is {pivot:e}, diagonal entry {diagonal:e}")]
pub struct PivotError {
    /// Row of the pivot.
    pub index: usize,
    /// Its value: what is left of the diagonal entry.
    pub pivot: f64,
    /// The diagonal entry it is left of.
    pub diagonal: f64,
}

/// Number of entries of a packed lower triangle.
pub const fn packed_len(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Place of an entry of a symmetric matrix in its packed lower triangle.
#[inline]
pub const fn packed_place(i: usize, j: usize) -> usize {
    if i < j { packed_len(j) + i } else { packed_len(i) + j }
}

/// Replaces the packed M by its factor: L below the diagonal (its own diagonal is 1), 1/D on it. A pivot of at most
/// `singular` times its diagonal entry is taken as zero (see [`Tol::singular`](super::Tol)).
///
/// # Errors
/// The first pivot that is not positive; the triangle is then left half done.
///
/// # Panics
/// If `m` is shorter than n(n + 1)/2.
#[inline]
pub fn cholesky<T: Real>(m: &mut [T], n: usize, singular: f64) -> Result<(), PivotError> {
    // a size known to the compiler unrolls the loops
    match n {
        1 => factor(m, 1, singular),
        2 => factor(m, 2, singular),
        3 => factor(m, 3, singular),
        _ => factor(m, n, singular),
    }
}

#[inline(always)]
fn factor<T: Real>(m: &mut [T], n: usize, singular: f64) -> Result<(), PivotError> {
    let m = &mut m[..packed_len(n)];
    for i in 0..n {
        let (above, row) = m.split_at_mut(packed_len(i));
        let diagonal = row[i];
        let mut pivot = diagonal;
        for j in 0..i {
            // row[..j] holds L D so far, the rows above hold L
            let other = &above[packed_len(j)..packed_len(j) + j];
            row[j] = row[j] - dot(&row[..j], other);
        }
        for j in 0..i {
            let scaled = row[j];
            row[j] = scaled * above[packed_len(j) + j];
            pivot = pivot - scaled * row[j];
        }
        row[i] = inverse_pivot(i, pivot, diagonal, singular)?;
    }
    Ok(())
}

#[inline(always)]
fn inverse_pivot<T: Real>(index: usize, pivot: T, diagonal: T, singular: f64) -> Result<T, PivotError> {
    let (value, entry) = (pivot.value(), diagonal.value());
    let positive = value > singular * entry.abs(); // false for NaN
    if positive && value.is_finite() {
        Ok(T::from_f64(1.0) / pivot)
    } else {
        Err(PivotError { index, pivot: value, diagonal: entry })
    }
}

/// Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Replaces b by L⁻¹ b.
#[inline]
pub fn forward<T: Real>(factor: &[T], b: &mut [T]) {
    match b.len() {
        2 => substitute(factor, b, 2),
        3 => substitute(factor, b, 3),
        n => substitute(factor, b, n),
    }
}

#[inline(always)]
fn substitute<T: Real>(factor: &[T], b: &mut [T], n: usize) {
    let (factor, b) = (&factor[..packed_len(n)], &mut b[..n]);
    for i in 1..n {
        let row = &factor[packed_len(i)..packed_len(i) + i];
        b[i] = b[i] - dot(row, &b[..i]);
    }
}

/// Replaces b by L⁻ᵀ b.
#[inline]
pub fn backward<T: Real>(factor: &[T], b: &mut [T]) {
    for i in (1..b.len()).rev() {
        let row = &factor[packed_len(i)..packed_len(i) + i];
        let x = b[i];
        for (b, &l) in b[..i].iter_mut().zip(row) {
            *b = *b - l * x;
        }
    }
}

/// y₀ᵀ M⁻¹ z₀ from y = L⁻¹ y₀ and z = L⁻¹ z₀, as [`forward`] leaves them: Σ yᵢ zᵢ/Dᵢ.
#[inline]
pub fn inner<T: Real>(factor: &[T], y: &[T], z: &[T]) -> T {
    let term = |i: usize| y[i] * factor[packed_len(i) + i] * z[i];
    match y.len() {
        0 => T::from_f64(0.0),
        3 => term(0) + term(1) + term(2),
        n => (1..n).fold(term(0), |sum, i| sum + term(i)),
    }
}

/// Replaces b by M⁻¹ b, from the factor.
#[inline]
pub fn solve<T: Real>(factor: &[T], b: &mut [T]) {
    // as in `cholesky`
    match b.len() {
        1 => solve_sized(factor, &mut b[..1]),
        2 => solve_sized(factor, &mut b[..2]),
        3 => solve_sized(factor, &mut b[..3]),
        _ => solve_sized(factor, b),
    }
}

#[inline(always)]
fn solve_sized<T: Real>(factor: &[T], b: &mut [T]) {
    let factor = &factor[..packed_len(b.len())];
    forward(factor, b);
    for (i, b) in b.iter_mut().enumerate() {
        *b = *b * factor[packed_len(i) + i];
    }
    backward(factor, b);
}

/// Replaces several right-hand sides of length n, one after the other in `b`, by their solutions.
pub fn solve_many<T: Real>(factor: &[T], n: usize, b: &mut [T]) {
    b.chunks_exact_mut(n.max(1)).for_each(|b| solve(factor, b));
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
    let entry = |i: usize, j: usize| m[packed_place(i, j)];
    let full = nalgebra::DMatrix::from_fn(n, n, entry);
    let mut values: Vec<f64> = full.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}
