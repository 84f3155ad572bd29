//! The dense data of a problem before it is one, and what bilateral constraints make of them: with J x + j = 0 the
//! dependent unknowns are eliminated, x = N y + p, and y obeys NᵀM N y + Nᵀ(f + M p) = (H N)ᵀ r, u = H N y + w + H p:
//! the same problem in fewer unknowns, its mass matrix still symmetric positive definite.

use crate::coulomb::{Global, Problem, ProblemError};
use crate::linear::Sparse;
use crate::num::Tol;

/// M x + f = Hᵀ r, u = H x + w, dense; `dim` rows of H for each friction coefficient, normal first.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// 2 in the plane, 3 in space.
    pub dim: usize,
    /// Friction coefficients.
    pub mu: Vec<f64>,
    /// n rows of n.
    pub M: Vec<Vec<f64>>,
    /// n.
    pub f: Vec<f64>,
    /// dim·nc rows of n.
    pub H: Vec<Vec<f64>>,
    /// dim·nc.
    pub w: Vec<f64>,
}

/// Bilateral constraints J x + j = 0 on the unknowns of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraints {
    /// One row of n per constraint.
    pub J: Vec<Vec<f64>>,
    /// One offset per constraint.
    pub j: Vec<f64>,
}

/// x = N y + p: all unknowns from the independent ones, which are entries of x.
#[derive(Clone, Debug, PartialEq)]
pub struct Motions {
    /// N, n rows, one column per independent unknown.
    basis: Vec<Vec<f64>>,
    /// p.
    offset: Vec<f64>,
}

impl Motions {
    /// All unknowns, from the independent ones.
    #[must_use]
    pub fn expand(&self, y: &[f64]) -> Vec<f64> {
        self.basis.iter().zip(&self.offset).map(|(row, p)| dot(row, y) + p).collect()
    }

    /// The motions that n unknowns under constraints have. Rows that others imply are passed over.
    #[must_use]
    pub fn new(n: usize, constraints: &Constraints) -> Self {
        let (rows, pivots) = reduced(n, constraints);
        let free: Vec<usize> = (0..n).filter(|k| !pivots.contains(k)).collect();
        let unit = |k: usize| free.iter().map(|&f| if f == k { 1.0 } else { 0.0 }).collect::<Vec<_>>();
        let mut motions = Self { basis: (0..n).map(unit).collect(), offset: vec![0.0; n] };
        for (row, &pivot) in rows.iter().zip(&pivots) {
            motions.basis[pivot] = free.iter().map(|&f| -row[f]).collect();
            motions.offset[pivot] = -row[n];
        }
        motions
    }

    /// H N.
    fn project(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let columns = self.basis.first().map_or(0, Vec::len);
        let entry = |row: &[f64], k: usize| row.iter().zip(&self.basis).map(|(h, n)| h * n[k]).sum();
        rows.iter().map(|row| (0..columns).map(|k| entry(row, k)).collect()).collect()
    }
}

/// [J | j] in reduced row echelon form by complete pivoting, and the column of each row's pivot.
fn reduced(n: usize, constraints: &Constraints) -> (Vec<Vec<f64>>, Vec<usize>) {
    let join = |(row, j): (&Vec<f64>, &f64)| row.iter().copied().chain([*j]).collect::<Vec<_>>();
    let mut rows: Vec<Vec<f64>> = constraints.J.iter().zip(&constraints.j).map(join).collect();
    let largest = |rows: &[Vec<f64>]| rows.iter().flat_map(|r| &r[..n]).fold(0.0, |m: f64, x| m.max(x.abs()));
    let negligible = Tol::default().singular * largest(&rows);
    let mut pivots = Vec::new();
    while pivots.len() < rows.len() {
        let done = pivots.len();
        let places = (done..rows.len()).flat_map(|i| (0..n).map(move |k| (i, k)));
        let size = |&(i, k): &(usize, usize)| rows[i][k].abs();
        let best = places.filter(|place| size(place) > negligible).max_by(|a, b| size(a).total_cmp(&size(b)));
        let Some((i, k)) = best else { break };
        rows.swap(done, i);
        eliminate(&mut rows, done, k);
        pivots.push(k);
    }
    rows.truncate(pivots.len());
    (rows, pivots)
}

/// Makes column k that of a unit vector, with the one at `pivot`.
fn eliminate(rows: &mut [Vec<f64>], pivot: usize, k: usize) {
    let scale = rows[pivot][k];
    rows[pivot].iter_mut().for_each(|x| *x /= scale);
    let leading = rows[pivot].clone();
    for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
        let factor = row[k];
        row.iter_mut().zip(&leading).for_each(|(x, l)| *x -= factor * l);
    }
}

impl Parts {
    /// The problem of these data.
    ///
    /// # Errors
    /// As [`Problem::global`].
    pub fn problem(self) -> Result<Problem, ProblemError> {
        let n = self.f.len();
        let Ht = Sparse::from_dense("H", &self.H, n)?.transpose();
        let M = Sparse::from_dense("M", &self.M, n)?;
        Problem::global(self.dim, self.mu, Global { M, Ht, f: self.f, w: self.w })
    }

    /// The same problem for the independent unknowns of `motions`.
    #[must_use]
    pub fn along(self, motions: &Motions) -> Self {
        let shift = |rows: &[Vec<f64>], base: &[f64]| -> Vec<f64> {
            rows.iter().zip(base).map(|(row, b)| b + dot(row, &motions.offset)).collect()
        };
        let (f, w) = (shift(&self.M, &self.f), shift(&self.H, &self.w));
        let half = transposed(&motions.project(&self.M));
        let M = transposed(&motions.project(&half));
        let f = motions.project(&[f]).remove(0);
        Self { dim: self.dim, mu: self.mu, M, f, H: motions.project(&self.H), w }
    }
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
