//! A problem with dense numbers, before it is checked, and what bilateral constraints make of it: with J x + j = 0 the
//! dependent unknowns are eliminated, x = N y + p, and y obeys NᵀM N y + Nᵀ(f + M p) = (H N)ᵀ r, u = H N y + w + H p:
//! the same problem in fewer unknowns, its mass matrix still symmetric positive definite.

use super::constraints::Motions;
use super::table::Table;
use crate::coulomb::{Draft, Problem, ProblemError};
use crate::linear::Sparse;
use crate::num::dense::dot;

/// M x + f = Hᵀ r, u = H x + w, dense; `dim` rows of H for each friction coefficient, normal first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DenseProblem {
    /// 2 in the plane, 3 in space.
    pub dim: usize,
    /// Friction coefficients.
    pub mu: Vec<f64>,
    /// n rows of n.
    pub M: Table,
    /// n.
    pub f: Vec<f64>,
    /// dim·nc rows of n.
    pub H: Table,
    /// dim·nc.
    pub w: Vec<f64>,
}

/// Memory of an elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    product: Table,
    half: Table,
    f: Vec<f64>,
}

impl DenseProblem {
    /// The problem of these numbers.
    ///
    /// # Errors
    /// As [`Problem::global`].
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        let mut draft = Draft::default();
        self.write(&mut draft);
        Problem::global(draft.dim, draft.mu, draft.global)
    }

    /// Writes it as the next problem of a session; zeros are left out.
    pub(super) fn write(&self, draft: &mut Draft) {
        let Draft { dim, mu, global, .. } = draft;
        *dim = self.dim;
        mu.clone_from(&self.mu);
        global.f.clone_from(&self.f);
        global.w.clone_from(&self.w);
        let n = self.f.len();
        global.M.clear(self.M.len());
        (0..n).for_each(|j| column(&mut global.M, self.M.rows().map(|row| row[j])));
        global.Ht.clear(n);
        self.H.rows().for_each(|row| column(&mut global.Ht, row.iter().copied()));
    }

    /// Becomes the same problem for the independent unknowns of `motions`.
    pub(super) fn restrict(&mut self, motions: &Motions, memory: &mut Halves) {
        let (basis, p) = (&motions.basis, &motions.offset);
        let Halves { product, half, f } = memory;
        self.f.iter_mut().zip(self.M.rows()).for_each(|(f, row)| *f += dot(row, p));
        self.w.iter_mut().zip(self.H.rows()).for_each(|(w, row)| *w += dot(row, p));
        product.product(&self.M, basis);
        half.transpose(product);
        product.product(half, basis);
        self.M.transpose(product);
        f.clear();
        f.extend((0..basis.columns()).map(|k| {
            let terms = self.f.iter().zip(basis.rows()).map(|(f, row)| f * row[k]);
            terms.sum::<f64>()
        }));
        std::mem::swap(&mut self.f, f);
        product.product(&self.H, basis);
        std::mem::swap(&mut self.H, product);
    }
}

/// Adds a column to a matrix, without its zeros.
fn column(matrix: &mut Sparse, entries: impl Iterator<Item = f64>) {
    for (row, x) in entries.enumerate().filter(|(_, x)| x.abs() > 0.0 || x.is_nan()) {
        matrix.push(row, x);
    }
    matrix.end_column();
}
