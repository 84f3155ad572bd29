//! Bilateral constraints J x + j = 0 on the unknowns of a problem: the dependent ones from the independent ones,
//! x = N y + p.

use super::table::Table;
use crate::num::{Tol, dense};

/// Bilateral constraints J x + j = 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// [J | j]: one row of n + 1 per constraint.
    pub rows: Table,
}

/// x = N y + p: all unknowns from the independent ones, which are entries of x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motions {
    /// N, n rows, one column per independent unknown.
    pub(super) basis: Table,
    /// p.
    pub(super) offset: Vec<f64>,
    pivots: Vec<usize>,
    free: Vec<usize>,
    leading: Vec<f64>,
}

impl Motions {
    /// All unknowns, from the independent ones.
    #[must_use]
    pub fn expand(&self, y: &[f64]) -> Vec<f64> {
        self.all(y).collect()
    }

    /// The independent unknowns among all.
    pub(super) fn independent(&self, x: &[f64]) -> impl Iterator<Item = f64> {
        self.free.iter().map(move |&k| x[k])
    }

    pub(super) fn all(&self, y: &[f64]) -> impl Iterator<Item = f64> {
        self.basis.rows().zip(&self.offset).map(move |(row, p)| dense::dot(row, y) + p)
    }

    /// The motions that n unknowns under constraints have. Rows that others imply are passed over.
    #[must_use]
    pub fn new(n: usize, constraints: &Constraints) -> Self {
        let mut out = Self::default();
        out.set(n, &mut constraints.clone());
        out
    }

    /// The same in the memory that is there; the constraints become their reduced form.
    pub(super) fn set(&mut self, n: usize, constraints: &mut Constraints) {
        self.reduce(n, &mut constraints.rows);
        let Self { basis, offset, pivots, free, .. } = self;
        free.clear();
        free.extend((0..n).filter(|k| !pivots.contains(k)));
        basis.clear(free.len());
        offset.clear();
        for k in 0..n {
            match pivots.iter().position(|&pivot| pivot == k) {
                None => {
                    basis.push(free.iter().map(|&f| if f == k { 1.0 } else { 0.0 }));
                    offset.push(0.0);
                }
                Some(at) => {
                    let row = constraints.rows.row(at);
                    basis.push(free.iter().map(|&f| -row[f]));
                    offset.push(-row[n]);
                }
            }
        }
    }

    /// [J | j] in reduced row echelon form by complete pivoting, and the column of each row's pivot.
    fn reduce(&mut self, n: usize, rows: &mut Table) {
        let largest = rows.rows().flat_map(|r| &r[..n]).fold(0.0, |m: f64, x| m.max(x.abs()));
        let negligible = Tol::default().singular * largest;
        self.pivots.clear();
        while self.pivots.len() < rows.len() {
            let done = self.pivots.len();
            let places = (done..rows.len()).flat_map(|i| (0..n).map(move |k| (i, k)));
            let size = |&(i, k): &(usize, usize)| rows.row(i)[k].abs();
            let best =
                places.filter(|place| size(place) > negligible).max_by(|a, b| size(a).total_cmp(&size(b)));
            let Some((i, k)) = best else { break };
            rows.swap(done, i);
            self.eliminate(rows, done, k);
            self.pivots.push(k);
        }
        rows.truncate(self.pivots.len());
    }

    /// Makes column k that of a unit vector, with the one at `pivot`.
    fn eliminate(&mut self, rows: &mut Table, pivot: usize, k: usize) {
        let scale = rows.row(pivot)[k];
        rows.row_mut(pivot).iter_mut().for_each(|x| *x /= scale);
        self.leading.clear();
        self.leading.extend_from_slice(rows.row(pivot));
        for i in (0..rows.len()).filter(|i| *i != pivot) {
            let row = rows.row_mut(i);
            let factor = row[k];
            row.iter_mut().zip(&self.leading).for_each(|(x, l)| *x -= factor * l);
        }
    }
}
