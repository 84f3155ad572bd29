//! From the global to the local form: W = H M⁻¹ Hᵀ, q = w − H M⁻¹ f, and back: v = M⁻¹ (Hᵀr − f).

use super::error::ProblemError;
use super::problem::{Form, Global, Local, Problem};
use crate::linear::{BlockMatrix, Ldu, Sparse, Triangle};

/// A global problem in local form, with the factored mass matrix.
#[derive(Clone, Debug)]
pub struct Condensed {
    /// u = W r + q.
    pub local: Local,
    factor: Ldu,
}

impl Condensed {
    /// Condenses a global problem.
    ///
    /// # Errors
    /// `Indefinite`.
    pub fn new(dim: usize, g: &Global) -> Result<Self, ProblemError> {
        let factor = Ldu::new(&g.M)?;
        let W = product(dim, &g.Ht, &factor);
        let mut q = g.w.clone();
        let free: Vec<f64> = factor.solve_refined(&g.M, &g.f).iter().map(|x| -x).collect();
        g.Ht.transpose_mul_add(&free, &mut q);
        Ok(Self { local: Local { W, q }, factor })
    }

    /// v = M⁻¹ (Hᵀr − f).
    pub fn velocity(&self, g: &Global, r: &[f64]) -> Vec<f64> {
        let mut rhs: Vec<f64> = g.f.iter().map(|x| -x).collect();
        g.Ht.mul_add(r, &mut rhs);
        self.factor.solve_refined(&g.M, &rhs)
    }
}

impl Problem {
    /// v = M⁻¹ (Hᵀr − f) of a global problem; empty for a local one, which has no generalized velocities.
    ///
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub fn generalized_velocity(&self, r: &[f64]) -> Result<Vec<f64>, ProblemError> {
        match self.form() {
            Form::Local { .. } => Ok(Vec::new()),
            Form::Global(global) => Ok(Condensed::new(self.dim(), global)?.velocity(global, r)),
        }
    }
}

/// W = Zᵀ D⁻¹ Y with the sparse Y = L⁻¹ P Hᵀ and Z = U⁻ᵀ P Hᵀ (Z = Y when M is symmetric).
fn product(dim: usize, Ht: &Sparse, factor: &Ldu) -> BlockMatrix {
    let Y = factor.half_solve(Ht, Triangle::Lower);
    let Zt = if factor.is_symmetric() {
        Y.transpose()
    } else {
        factor.half_solve(Ht, Triangle::Upper).transpose()
    };
    let d = factor.pivots();
    columns_to_blocks(dim, Ht.ncols(), |j, column| {
        for (k, y) in Y.column(j) {
            Zt.column(k).for_each(|(i, z)| column.add(i, z * y / d[k]));
        }
    })
}

/// A column that is being summed up.
struct Column {
    vals: Vec<f64>,
    used: Vec<bool>,
    rows: Vec<usize>,
}

impl Column {
    fn add(&mut self, i: usize, x: f64) {
        if !self.used[i] {
            self.used[i] = true;
            self.rows.push(i);
        }
        self.vals[i] += x;
    }
}

fn columns_to_blocks(dim: usize, m: usize, mut fill: impl FnMut(usize, &mut Column)) -> BlockMatrix {
    // at least the diagonal blocks
    let (mut rows, mut vals) = (Vec::with_capacity(dim * m), Vec::with_capacity(dim * m));
    let mut start = Vec::with_capacity(m + 1);
    start.push(0);
    let mut column = Column { vals: vec![0.0; m], used: vec![false; m], rows: Vec::with_capacity(m) };
    for j in 0..m {
        fill(j, &mut column);
        column.rows.sort_unstable();
        for i in column.rows.drain(..) {
            rows.push(i);
            vals.push(std::mem::take(&mut column.vals[i]));
            column.used[i] = false;
        }
        start.push(rows.len());
    }
    BlockMatrix::from_sparse(dim, &Sparse::from_parts(m, start, rows, vals))
}
