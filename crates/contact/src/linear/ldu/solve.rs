//! Solutions with the factors.

use super::super::elimination::ROOT;
use super::super::sparse::Sparse;
use super::Ldu;

/// Memory of [`Ldu::half_solve`].
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfSolve {
    values: Vec<f64>,
    mark: Vec<usize>,
    pattern: Vec<usize>,
}

/// Which of the two factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangle {
    /// L.
    Lower,
    /// U.
    Upper,
}

impl Ldu {
    /// Columns of Uᵀ.
    fn upper(&self) -> &[f64] {
        if self.is_symmetric() { &self.factors.lower } else { &self.factors.upper }
    }

    /// The entries of column j of L or Uᵀ, whose numbers are `values`, with their rows; none of the unit matrix, which has none.
    #[inline]
    fn column<'a>(&'a self, values: &'a [f64], j: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
        let range =
            if values.is_empty() { 0..0 } else { self.analysis.columns[j]..self.analysis.columns[j + 1] };
        self.factors.rows[range.clone()].iter().copied().zip(values[range].iter().copied())
    }

    /// x ← M⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_with(x, &mut vec![0.0; x.len()]);
    }

    /// The same with the memory for a vector.
    fn solve_with(&self, x: &mut [f64], y: &mut [f64]) {
        let (lower, upper, pivots) = (&self.factors.lower, self.upper(), &self.factors.pivots);
        if lower.is_empty() && upper.is_empty() {
            return x.iter_mut().zip(pivots).for_each(|(x, d)| *x /= d);
        }
        y.iter_mut().zip(&self.analysis.order).for_each(|(y, &j)| *y = x[j]);
        if !lower.is_empty() {
            for j in 0..y.len() {
                let yj = y[j];
                self.column(lower, j).for_each(|(i, l)| y[i] -= l * yj);
            }
        }
        y.iter_mut().zip(pivots).for_each(|(y, d)| *y /= d);
        if !upper.is_empty() {
            for j in (0..y.len()).rev() {
                let sum: f64 = self.column(upper, j).map(|(i, u)| u * y[i]).sum();
                y[j] -= sum;
            }
        }
        self.analysis.order.iter().zip(y).for_each(|(&j, y)| x[j] = *y);
    }

    /// x ← M⁻¹ x with one step of iterative refinement, in the memory that is given; `M` must be the matrix that was
    /// factored.
    pub(crate) fn refined_in(&self, M: &Sparse, x: &mut [f64], memory: &mut Vec<f64>) {
        let n = x.len();
        if self.factors.lower.is_empty() && self.factors.upper.is_empty() {
            // every quotient is rounded once
            return self.solve_with(x, &mut []);
        }
        memory.clear();
        memory.resize(3 * n, 0.0);
        let (b, memory) = memory.split_at_mut(n);
        let (rest, y) = memory.split_at_mut(n);
        b.copy_from_slice(x);
        self.solve_with(x, y);
        M.mul_add(x, rest);
        rest.iter_mut().zip(b).for_each(|(r, b)| *r = *b - *r);
        self.solve_with(rest, y);
        x.iter_mut().zip(rest).for_each(|(x, r)| *x += *r);
    }

    /// Puts the columns Y = L⁻¹ P B or Z = U⁻ᵀ P B of a sparse B into `out`: with them Bᵀ M⁻¹ B = Zᵀ D⁻¹ Y.
    pub(crate) fn half_solve(&self, B: &Sparse, side: Triangle, work: &mut HalfSolve, out: &mut Sparse) {
        let factor = match side {
            Triangle::Lower => &self.factors.lower,
            Triangle::Upper => self.upper(),
        };
        let (n, HalfSolve { values, mark, pattern }) = (self.size(), work);
        values.clear();
        values.resize(n, 0.0);
        mark.clear();
        mark.resize(n, ROOT);
        out.clear(n);
        for column in 0..B.ncols() {
            pattern.clear();
            for (i, x) in B.column(column) {
                let i = self.analysis.inverse[i];
                values[i] += x;
                if factor.is_empty() {
                    pattern.push(i);
                } else {
                    reach_all(i, column, self.analysis.parent(), mark, pattern);
                }
            }
            pattern.sort_unstable();
            for &j in &*pattern {
                let yj = std::mem::take(&mut values[j]);
                self.column(factor, j).for_each(|(i, l)| values[i] -= l * yj);
                out.push(j, yj);
            }
            out.end_column();
        }
    }

    /// Whether U = Lᵀ.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.factors.symmetric
    }

    /// Whether M is diagonal.
    pub(crate) fn is_diagonal(&self) -> bool {
        self.factors.symmetric && self.factors.lower.is_empty()
    }

    /// The entry of coordinate k of a diagonal M.
    #[inline]
    pub(crate) fn pivot(&self, k: usize) -> f64 {
        self.factors.pivots[self.analysis.inverse[k]]
    }

    /// The pivots D, in the permuted order of [`Ldu::half_solve`].
    pub(crate) fn pivots(&self) -> &[f64] {
        &self.factors.pivots
    }
}

/// Adds to `pattern` the columns between `i` and the root or the part of the tree already marked with `tag`.
fn reach_all(mut i: usize, tag: usize, parent: &[usize], mark: &mut [usize], pattern: &mut Vec<usize>) {
    while i != ROOT && mark[i] != tag {
        mark[i] = tag;
        pattern.push(i);
        i = parent[i];
    }
}
