//! From the global to the local form: W = H M⁻¹ Hᵀ, q = w − H M⁻¹ f, and back: v = M⁻¹ (Hᵀr − f).

use super::block::BlockMatrix;
use super::error::ProblemError;
use super::factor::Cholesky;
use super::problem::{Global, Local};
use super::sparse::Sparse;
use crate::num::Tol;

/// A global problem in local form, with the factored mass matrix.
#[derive(Clone, Debug)]
pub struct Condensed {
    /// u = W r + q.
    pub local: Local,
    factor: Cholesky,
}

impl Condensed {
    /// Condenses a global problem.
    ///
    /// # Errors
    /// `Indefinite`.
    pub fn new(dim: usize, g: &Global) -> Result<Self, ProblemError> {
        let factor = Cholesky::new(&g.M)?;
        let symmetric = g.M.asymmetry() <= Tol::default().asymmetry_noise;
        let W = if symmetric { product(dim, &g.Ht, &factor) } else { refined(dim, g, &factor) };
        let mut q = g.w.clone();
        let free: Vec<f64> = factor.solve(&g.M, &g.f).iter().map(|x| -x).collect();
        g.Ht.transpose_mul_add(&free, &mut q);
        Ok(Self { local: Local { W, q }, factor })
    }

    /// v = M⁻¹ (Hᵀr − f).
    pub fn velocity(&self, g: &Global, r: &[f64]) -> Vec<f64> {
        let mut rhs: Vec<f64> = g.f.iter().map(|x| -x).collect();
        g.Ht.mul_add(r, &mut rhs);
        self.factor.solve(&g.M, &rhs)
    }
}

/// W = Yᵀ D⁻¹ Y with the sparse Y = L⁻¹ P Hᵀ.
fn product(dim: usize, Ht: &Sparse, factor: &Cholesky) -> BlockMatrix {
    let (n, m) = (factor.size(), Ht.ncols());
    let (mut work, mut mark) = (vec![0.0; n], vec![usize::MAX; n]);
    let Y: Vec<Vec<(usize, f64)>> =
        (0..m).map(|j| factor.half_solve(Ht.column(j), &mut work, &mut mark, j)).collect();
    let mut start = vec![0];
    Y.iter().for_each(|c| start.push(start[start.len() - 1] + c.len()));
    let (rows, vals) = Y.iter().flatten().copied().unzip();
    let Y = Sparse::from_parts(n, start, rows, vals);
    let Yt = Y.transpose();
    let d = factor.pivots();
    columns_to_blocks(dim, m, |j, column| {
        for (k, y) in Y.column(j) {
            Yt.column(k).for_each(|(i, x)| column.add(i, x * y / d[k]));
        }
    })
}

/// W by columns H M⁻¹ hⱼ, with M as given (unsymmetric).
fn refined(dim: usize, g: &Global, factor: &Cholesky) -> BlockMatrix {
    let H = g.Ht.transpose();
    columns_to_blocks(dim, g.Ht.ncols(), |j, column| {
        let mut h = vec![0.0; factor.size()];
        g.Ht.column(j).for_each(|(i, x)| h[i] = x);
        for (k, &x) in factor.solve(&g.M, &h).iter().enumerate().filter(|(_, x)| x.abs() > 0.0) {
            H.column(k).for_each(|(i, a)| column.add(i, a * x));
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
    let (mut start, mut rows, mut vals) = (vec![0], Vec::new(), Vec::new());
    let mut column = Column { vals: vec![0.0; m], used: vec![false; m], rows: Vec::new() };
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
