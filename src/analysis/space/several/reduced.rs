//! Contacts some of whose rows are held or eliminated.

use super::system::{System, Ways};
use crate::num::Tol;

/// The accelerations of all rows under the forces of some rows that keep these without acceleration.
pub(super) struct Reduced<'a> {
    system: &'a System,
    held: Vec<usize>,
    /// D_hh⁻¹.
    inverse: nalgebra::DMatrix<f64>,
}

impl System {
    /// Some independent rows held; none where D of them cannot be factored.
    pub(super) fn reduced(&self, held: &[usize]) -> Option<Reduced<'_>> {
        let n = held.len();
        let D = nalgebra::DMatrix::from_fn(n, n, |i, j| self.D[held[i]][held[j]]);
        Some(Reduced { system: self, held: held.to_vec(), inverse: D.cholesky()?.inverse() })
    }
}

impl Reduced<'_> {
    /// D_rh D_hh⁻¹ x_h, and the size of its terms.
    fn through(&self, row: usize, x: impl Fn(usize) -> f64) -> (f64, f64) {
        let n = self.held.len();
        let weight =
            |j: usize| (0..n).map(|i| self.system.D[row][self.held[i]] * self.inverse[(i, j)]).sum::<f64>();
        (0..n).fold((0.0, 0.0), |(sum, size), j| {
            let term = weight(j) * x(self.held[j]);
            (sum + term, size + term.abs())
        })
    }

    /// (D_hh⁻¹ x_h) of the k-th held row.
    pub(super) fn force(&self, k: usize, x: impl Fn(usize) -> f64) -> f64 {
        self.held.iter().enumerate().map(|(j, &row)| self.inverse[(k, j)] * x(row)).sum()
    }

    /// Acceleration of a row per unit force on another one.
    pub(super) fn gain(&self, row: usize, other: usize) -> f64 {
        self.system.D[row][other] - self.through(row, |held| self.system.D[held][other]).0
    }

    /// Acceleration of a row without other forces.
    pub(super) fn free(&self, row: usize) -> f64 {
        self.system.free[row] - self.through(row, |held| self.system.free[held]).0
    }

    /// The size of its terms.
    pub(super) fn free_size(&self, row: usize) -> f64 {
        self.system.sizes[row] + self.through(row, |held| self.system.free[held]).1
    }
}

impl System {
    /// The same contacts where some of infinite friction stick, whose tangential forces are eliminated: they have no tangential rows left.
    pub(super) fn without_tangents(&self, contacts: &[usize], tol: &Tol) -> Option<Self> {
        let all: Vec<usize> = contacts.iter().flat_map(|&i| [3 * i + 1, 3 * i + 2]).collect();
        let reduced = self.reduced(&self.span(&all, tol))?;
        let gone = |row: usize| all.contains(&row);
        let n = self.free.len();
        let gain = |i: usize, j: usize| if gone(i) || gone(j) { 0.0 } else { reduced.gain(i, j) };
        let free = |i: usize| if gone(i) { 0.0 } else { reduced.free(i) };
        let size = |i: usize| if gone(i) { 0.0 } else { reduced.free_size(i) };
        let mut system = Self {
            D: (0..n).map(|i| (0..n).map(|j| gain(i, j)).collect()).collect(),
            free: (0..n).map(free).collect(),
            sizes: (0..n).map(size).collect(),
            ..self.clone()
        };
        for &i in contacts {
            (system.mu[i], system.ways[i]) = (0.0, Ways::Sticking);
        }
        Some(system)
    }
}
