//! Sparse factorisation of the mass matrix, P M Pᵀ = L D Lᵀ, with a fill-reducing order.
//!
//! The symmetric part is factored; [`Cholesky::solve`] corrects for the small asymmetry of recorded matrices by
//! iterative refinement with M as given.

use super::error::ProblemError;
use super::sparse::Sparse;
use crate::num::Tol;

/// L D Lᵀ of a positive definite sparse matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    order: Vec<usize>,
    inverse: Vec<usize>,
    start: Vec<usize>,
    rows: Vec<usize>,
    vals: Vec<f64>,
    pivots: Vec<f64>,
    parent: Vec<usize>,
}

const ROOT: usize = usize::MAX;

impl Cholesky {
    /// Factors the symmetric part of `M`.
    ///
    /// # Errors
    /// `Indefinite` with the coordinate whose pivot is not positive.
    pub fn new(M: &Sparse) -> Result<Self, ProblemError> {
        let order = fill_reducing_order(M);
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &j)| inverse[j] = k);
        let upper = permuted_upper(M, &order, &inverse);
        let (parent, counts) = elimination_tree(&upper);
        let mut start = vec![0];
        counts.iter().for_each(|c| start.push(start[start.len() - 1] + c));
        let fill = start[start.len() - 1];
        let mut out = Self {
            order,
            inverse,
            start,
            rows: vec![0; fill],
            vals: vec![0.0; fill],
            pivots: vec![0.0; M.ncols()],
            parent,
        };
        out.numeric(&upper)?;
        Ok(out)
    }

    /// Up-looking factorisation: row k of L from the rows above it (Davis, Direct Methods for Sparse Linear
    /// Systems, section 4.7, without square roots).
    fn numeric(&mut self, upper: &Sparse) -> Result<(), ProblemError> {
        let n = self.pivots.len();
        let mut filled = self.start.clone();
        let mut row = vec![0.0; n];
        let mut mark = vec![ROOT; n];
        let mut pattern = Vec::with_capacity(n);
        for k in 0..n {
            let mut pivot = 0.0;
            pattern.clear();
            mark[k] = k;
            for (i, a) in upper.column(k) {
                if i == k {
                    pivot = a;
                } else {
                    row[i] += a;
                    reach(i, k, &self.parent, &mut mark, &mut pattern);
                }
            }
            let diagonal = pivot;
            pattern.sort_unstable();
            for &i in &pattern {
                let x = std::mem::take(&mut row[i]);
                for p in self.start[i]..filled[i] {
                    row[self.rows[p]] -= self.vals[p] * x;
                }
                let l = x / self.pivots[i];
                pivot -= l * x;
                self.rows[filled[i]] = k;
                self.vals[filled[i]] = l;
                filled[i] += 1;
            }
            if pivot.is_nan() || pivot <= diagonal.abs() * Tol::default().pivot {
                let pivot = if diagonal > 0.0 { pivot / diagonal } else { diagonal };
                return Err(ProblemError::Indefinite { coordinate: self.order[k], pivot });
            }
            self.pivots[k] = pivot;
        }
        Ok(())
    }

    /// Size of the matrix.
    pub fn size(&self) -> usize {
        self.pivots.len()
    }

    /// x ← Mₛ⁻¹ x with the symmetric part Mₛ of M.
    pub fn solve_symmetric(&self, x: &mut [f64]) {
        let mut y: Vec<f64> = self.order.iter().map(|&j| x[j]).collect();
        for j in 0..y.len() {
            let yj = y[j];
            (self.start[j]..self.start[j + 1]).for_each(|p| y[self.rows[p]] -= self.vals[p] * yj);
        }
        y.iter_mut().zip(&self.pivots).for_each(|(y, d)| *y /= d);
        for j in (0..y.len()).rev() {
            let sum: f64 = (self.start[j]..self.start[j + 1]).map(|p| self.vals[p] * y[self.rows[p]]).sum();
            y[j] -= sum;
        }
        self.order.iter().zip(&y).for_each(|(&j, y)| x[j] = *y);
    }

    /// M⁻¹ b with M as given, by refinement; `M` must be the matrix that was factored.
    pub fn solve(&self, M: &Sparse, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        self.solve_symmetric(&mut x);
        for _ in 0..REFINEMENTS {
            let mut rest = vec![0.0; b.len()];
            M.mul_add(&x, &mut rest);
            rest.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            self.solve_symmetric(&mut rest);
            x.iter_mut().zip(&rest).for_each(|(x, r)| *x += r);
        }
        x
    }

    /// The sparse vector y = L⁻¹ P b, as ascending (row, value) pairs: with D it gives H M⁻¹ Hᵀ = Yᵀ D⁻¹ Y.
    /// `work` has the size of the matrix and is zero before and after.
    pub(crate) fn half_solve(
        &self,
        b: impl Iterator<Item = (usize, f64)>,
        work: &mut [f64],
        mark: &mut [usize],
        tag: usize,
    ) -> Vec<(usize, f64)> {
        let mut pattern = Vec::new();
        for (i, x) in b {
            let mut k = self.inverse[i];
            work[k] += x;
            while k != ROOT && mark[k] != tag {
                mark[k] = tag;
                pattern.push(k);
                k = self.parent[k];
            }
        }
        pattern.sort_unstable();
        let mut out = Vec::with_capacity(pattern.len());
        for &j in &pattern {
            let yj = std::mem::take(&mut work[j]);
            (self.start[j]..self.start[j + 1]).for_each(|p| work[self.rows[p]] -= self.vals[p] * yj);
            out.push((j, yj));
        }
        out
    }

    /// The pivots D, in the permuted order of [`Cholesky::half_solve`].
    pub(crate) fn pivots(&self) -> &[f64] {
        &self.pivots
    }
}

/// Two corrections bring an asymmetry of 1e-5 below rounding.
const REFINEMENTS: usize = 3;

/// Approximate minimum degree order of the pattern of M; the natural order for a diagonal matrix.
fn fill_reducing_order(M: &Sparse) -> Vec<usize> {
    let n = M.ncols();
    let natural: Vec<usize> = (0..n).collect();
    if M.coordinates().all(|(i, j, _)| i == j) {
        return natural;
    }
    let mut start = vec![0];
    let mut rows = Vec::with_capacity(M.nnz());
    for j in 0..n {
        rows.extend(M.column(j).map(|(i, _)| i));
        start.push(rows.len());
    }
    match amd::order(n, &start, &rows, &amd::Control::default()) {
        Ok((order, _, _)) => order,
        Err(_) => natural,
    }
}

/// Upper triangle (diagonal included) of the symmetric part of P M Pᵀ, by columns.
fn permuted_upper(M: &Sparse, order: &[usize], inverse: &[usize]) -> Sparse {
    let n = order.len();
    let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for (i, j, a) in M.coordinates() {
        let (i, j) = (inverse[i], inverse[j]);
        let half = if i == j { a } else { a / 2.0 };
        columns[i.max(j)].push((i.min(j), half));
    }
    let (mut start, mut rows, mut vals) = (vec![0], Vec::new(), Vec::new());
    for column in &mut columns {
        column.sort_by_key(|&(i, _)| i);
        for &(i, a) in column.iter() {
            if rows.len() > start[start.len() - 1] && rows.last() == Some(&i) {
                if let Some(last) = vals.last_mut() {
                    *last += a;
                }
            } else {
                rows.push(i);
                vals.push(a);
            }
        }
        start.push(rows.len());
    }
    Sparse::from_parts(n, start, rows, vals)
}

/// Parent of every column in the elimination tree, and the number of entries of every column of L.
fn elimination_tree(upper: &Sparse) -> (Vec<usize>, Vec<usize>) {
    let n = upper.ncols();
    let (mut parent, mut counts, mut mark) = (vec![ROOT; n], vec![0; n], vec![ROOT; n]);
    for k in 0..n {
        mark[k] = k;
        for (mut i, _) in upper.column(k) {
            while i < k && mark[i] != k {
                if parent[i] == ROOT {
                    parent[i] = k;
                }
                counts[i] += 1;
                mark[i] = k;
                i = parent[i];
            }
        }
    }
    (parent, counts)
}

/// Adds to `pattern` the columns between `i` and the part of the tree already marked for row `k`.
fn reach(mut i: usize, k: usize, parent: &[usize], mark: &mut [usize], pattern: &mut Vec<usize>) {
    while i != ROOT && i < k && mark[i] != k {
        mark[i] = k;
        pattern.push(i);
        i = parent[i];
    }
}
