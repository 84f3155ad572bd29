//! Sparse factorisation of the mass matrix, P M Pᵀ = L D Lᵀ, with a fill-reducing order.
//!
//! Recorded matrices may be slightly unsymmetric; they are factored as given, P M Pᵀ = L D U, on the pattern of
//! M + Mᵀ. Pivots stay on the diagonal: M is positive definite up to that asymmetry.

use super::MatrixError;
use super::elimination::{ROOT, elimination_tree, minimum_degree};
use super::sparse::Sparse;
use crate::num::Tol;

/// L D U of a positive definite sparse matrix, U = Lᵀ when it is symmetric.
#[derive(Clone, Debug)]
pub struct Ldu {
    order: Vec<usize>,
    inverse: Vec<usize>,
    start: Vec<usize>,
    rows: Vec<usize>,
    /// Columns of L, and of Uᵀ; the latter empty when M is symmetric.
    lower: Vec<f64>,
    upper: Vec<f64>,
    pivots: Vec<f64>,
    parent: Vec<usize>,
}

impl Ldu {
    /// Factors `M`.
    ///
    /// # Errors
    /// `Indefinite` with the coordinate whose pivot is not positive.
    pub fn new(M: &Sparse) -> Result<Self, MatrixError> {
        let order = fill_reducing_order(M);
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &j)| inverse[j] = k);
        let symmetric = M.asymmetry() <= Tol::default().asymmetry_noise;
        let (upper, lower) = if symmetric {
            (permuted_upper(M, &inverse), None)
        } else {
            let part = |side| permuted_part(M, &inverse, side);
            (part(Triangle::Upper), Some(part(Triangle::Lower)))
        };
        let (parent, counts) = elimination_tree(upper.ncols(), |k| upper.column(k).map(|(i, _)| i));
        let mut start = vec![0];
        counts.iter().for_each(|c| start.push(start[start.len() - 1] + c));
        let fill = start[start.len() - 1];
        let mut out = Self {
            order,
            inverse,
            start,
            rows: vec![0; fill],
            lower: vec![0.0; fill],
            upper: vec![0.0; if symmetric { 0 } else { fill }],
            pivots: vec![0.0; M.ncols()],
            parent,
        };
        out.numeric(&upper, lower.as_ref())?;
        Ok(out)
    }

    /// Up-looking factorisation: row k of L and column k of U from those before (Davis, Direct Methods for Sparse
    /// Linear Systems, section 4.7, without square roots). `above` and `below` hold the columns of the upper
    /// triangles of M and of Mᵀ, on one pattern; the latter only when they differ.
    fn numeric(&mut self, above: &Sparse, below: Option<&Sparse>) -> Result<(), MatrixError> {
        let n = self.pivots.len();
        let mut filled = self.start.clone();
        let (mut row, mut column) = (vec![0.0; n], vec![0.0; n]);
        let mut mark = vec![ROOT; n];
        let mut pattern = Vec::with_capacity(n);
        for k in 0..n {
            pattern.clear();
            mark[k] = k;
            for (i, a) in above.column(k) {
                column[i] = a;
                reach(i, k, &self.parent, &mut mark, &mut pattern);
            }
            below.into_iter().flat_map(|below| below.column(k)).for_each(|(i, b)| row[i] = b);
            let diagonal = std::mem::take(&mut column[k]);
            row[k] = 0.0;
            let mut pivot = diagonal;
            for &i in pattern.iter().rev() {
                pivot -= self.eliminate(i, &mut row, &mut column, filled[i]);
                self.rows[filled[i]] = k;
                filled[i] += 1;
            }
            if pivot.is_nan() || pivot <= diagonal.abs() * Tol::default().singular {
                let pivot = if diagonal > 0.0 { pivot / diagonal } else { diagonal };
                return Err(MatrixError::Indefinite { row: self.order[k], pivot });
            }
            self.pivots[k] = pivot;
        }
        Ok(())
    }

    /// Entry i of the current row of L and column of U, stored at `at`; what it takes from the pivot.
    fn eliminate(&mut self, i: usize, row: &mut [f64], column: &mut [f64], at: usize) -> f64 {
        let (y, z) = (std::mem::take(&mut row[i]), std::mem::take(&mut column[i]));
        let before = self.start[i]..at;
        if self.upper.is_empty() {
            for p in before {
                column[self.rows[p]] -= self.lower[p] * z;
            }
            let l = z / self.pivots[i];
            self.lower[at] = l;
            return l * z;
        }
        for p in before {
            column[self.rows[p]] -= self.lower[p] * z;
            row[self.rows[p]] -= self.upper[p] * y;
        }
        self.lower[at] = y / self.pivots[i];
        self.upper[at] = z / self.pivots[i];
        self.lower[at] * z
    }

    /// Columns of Uᵀ.
    fn upper(&self) -> &[f64] {
        if self.upper.is_empty() { &self.lower } else { &self.upper }
    }

    /// Size of the matrix.
    pub fn size(&self) -> usize {
        self.pivots.len()
    }

    /// x ← M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_with(x, &mut vec![0.0; x.len()]);
    }

    /// The same with the memory for a vector.
    fn solve_with(&self, x: &mut [f64], y: &mut [f64]) {
        y.iter_mut().zip(&self.order).for_each(|(y, &j)| *y = x[j]);
        for j in 0..y.len() {
            let yj = y[j];
            (self.start[j]..self.start[j + 1]).for_each(|p| y[self.rows[p]] -= self.lower[p] * yj);
        }
        y.iter_mut().zip(&self.pivots).for_each(|(y, d)| *y /= d);
        let upper = self.upper();
        for j in (0..y.len()).rev() {
            let sum: f64 = (self.start[j]..self.start[j + 1]).map(|p| upper[p] * y[self.rows[p]]).sum();
            y[j] -= sum;
        }
        self.order.iter().zip(y).for_each(|(&j, y)| x[j] = *y);
    }

    /// M⁻¹ b with one step of iterative refinement; `M` must be the matrix that was factored.
    pub fn solve_refined(&self, M: &Sparse, b: &[f64]) -> Vec<f64> {
        let (mut x, mut memory) = (b.to_vec(), vec![0.0; 2 * b.len()]);
        let (rest, y) = memory.split_at_mut(b.len());
        self.solve_with(&mut x, y);
        M.mul_add(&x, rest);
        rest.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
        self.solve_with(rest, y);
        x.iter_mut().zip(rest).for_each(|(x, r)| *x += *r);
        x
    }

    /// The columns Y = L⁻¹ P B or Z = U⁻ᵀ P B of a sparse B: with them Bᵀ M⁻¹ B = Zᵀ D⁻¹ Y.
    pub(crate) fn half_solve(&self, B: &Sparse, side: Triangle) -> Sparse {
        let factor = match side {
            Triangle::Lower => &self.lower,
            Triangle::Upper => self.upper(),
        };
        let n = self.size();
        let (mut work, mut mark, mut pattern) = (vec![0.0; n], vec![ROOT; n], Vec::new());
        let (mut rows, mut vals) = (Vec::with_capacity(B.nnz()), Vec::with_capacity(B.nnz()));
        let mut start = Vec::with_capacity(B.ncols() + 1);
        start.push(0);
        for column in 0..B.ncols() {
            pattern.clear();
            for (i, x) in B.column(column) {
                work[self.inverse[i]] += x;
                reach_all(self.inverse[i], column, &self.parent, &mut mark, &mut pattern);
            }
            pattern.sort_unstable();
            for &j in &pattern {
                let yj = std::mem::take(&mut work[j]);
                (self.start[j]..self.start[j + 1]).for_each(|p| work[self.rows[p]] -= factor[p] * yj);
                rows.push(j);
                vals.push(yj);
            }
            start.push(rows.len());
        }
        Sparse::from_parts(n, start, rows, vals)
    }

    /// Whether U = Lᵀ.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.upper.is_empty()
    }

    /// The pivots D, in the permuted order of [`Ldu::half_solve`].
    pub(crate) fn pivots(&self) -> &[f64] {
        &self.pivots
    }
}

/// Which of the two factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangle {
    /// L.
    Lower,
    /// U.
    Upper,
}

/// Approximate minimum degree order of the pattern of M; the natural order for a diagonal matrix.
fn fill_reducing_order(M: &Sparse) -> Vec<usize> {
    let n = M.ncols();
    let natural: Vec<usize> = (0..n).collect();
    if M.is_diagonal() {
        return natural;
    }
    let mut start = vec![0];
    let mut rows = Vec::with_capacity(M.nnz());
    for j in 0..n {
        rows.extend(M.column(j).map(|(i, _)| i));
        start.push(rows.len());
    }
    minimum_degree(&start, &rows)
}

/// Columns of the upper triangle (diagonal included) of P M Pᵀ for a symmetric M.
fn permuted_upper(M: &Sparse, inverse: &[usize]) -> Sparse {
    sorted_columns(M, |i, j, a| {
        let (i, j) = (inverse[i], inverse[j]);
        (i <= j).then_some((i, j, a))
    })
}

/// Columns of the upper triangle (diagonal included) of P M Pᵀ, or of its transpose for the lower one; both on
/// the pattern of M + Mᵀ.
fn permuted_part(M: &Sparse, inverse: &[usize], side: Triangle) -> Sparse {
    sorted_columns(M, |i, j, a| {
        let (i, j) = (inverse[i], inverse[j]);
        let wanted = match side {
            Triangle::Upper => i <= j,
            Triangle::Lower => j <= i,
        };
        Some((i.min(j), i.max(j), if wanted { a } else { 0.0 }))
    })
}

/// The matrix of the entries that `entry` makes of those of M; those in one place are added. Sorted by counting,
/// rows first, then columns.
fn sorted_columns(M: &Sparse, entry: impl Fn(usize, usize, f64) -> Option<(usize, usize, f64)>) -> Sparse {
    let n = M.ncols();
    let (mut by_row, mut by_column) = (vec![0; n + 1], vec![0; n + 1]);
    for column in 0..n {
        for (i, j, _) in M.column(column).filter_map(|(row, a)| entry(row, column, a)) {
            by_row[i + 1] += 1;
            by_column[j + 1] += 1;
        }
    }
    for k in 0..n {
        by_row[k + 1] += by_row[k];
        by_column[k + 1] += by_column[k];
    }
    let mut sorted = vec![(0, 0, 0.0); by_row[n]];
    for column in 0..n {
        for e in M.column(column).filter_map(|(row, a)| entry(row, column, a)) {
            sorted[by_row[e.0]] = e;
            by_row[e.0] += 1;
        }
    }
    let (mut rows, mut vals) = (vec![0; sorted.len()], vec![0.0; sorted.len()]);
    let mut end = by_column.clone();
    for (i, j, a) in sorted {
        if end[j] > by_column[j] && rows[end[j] - 1] == i {
            vals[end[j] - 1] += a;
        } else {
            rows[end[j]] = i;
            vals[end[j]] = a;
            end[j] += 1;
        }
    }
    Sparse::from_ranges(n, by_column.iter().zip(&end).take(n).map(|(&a, &b)| a..b), &rows, &vals)
}

/// Adds to `pattern` the columns between `i` and the part of the tree already marked for row `k`, from the top down,
/// so that the whole pattern read backwards has every column before its parent.
fn reach(mut i: usize, k: usize, parent: &[usize], mark: &mut [usize], pattern: &mut Vec<usize>) {
    let begin = pattern.len();
    while i != ROOT && i < k && mark[i] != k {
        mark[i] = k;
        pattern.push(i);
        i = parent[i];
    }
    pattern[begin..].reverse();
}

/// Adds to `pattern` the columns between `i` and the root or the part of the tree already marked with `tag`.
fn reach_all(mut i: usize, tag: usize, parent: &[usize], mark: &mut [usize], pattern: &mut Vec<usize>) {
    while i != ROOT && mark[i] != tag {
        mark[i] = tag;
        pattern.push(i);
        i = parent[i];
    }
}
