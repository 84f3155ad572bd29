//! Contacts some of whose rows are held or eliminated.

use crate::contact::Friction;
use crate::num::Tol;
use crate::predict::contacts::Contacts;
use nalgebra::DMatrix;

/// The accelerations of all rows under the forces of some rows that keep these without acceleration.
pub(crate) struct Reduced<'a> {
    contacts: &'a Contacts,
    held: Vec<usize>,
    /// D_hh⁻¹.
    inverse: DMatrix<f64>,
}

impl Contacts {
    /// Some independent rows held; none where D of them cannot be factored.
    pub(crate) fn reduced(&self, held: &[usize]) -> Option<Reduced<'_>> {
        let n = held.len();
        let D = DMatrix::from_fn(n, n, |i, j| self.D[(held[i], held[j])]);
        Some(Reduced { contacts: self, held: held.to_vec(), inverse: D.cholesky()?.inverse() })
    }

    /// The same contacts where some of infinite friction stick, whose tangential forces are eliminated: they have no tangential rows left,
    /// and no friction.
    pub(crate) fn without_tangents(&self, contacts: &[usize], tol: &Tol) -> Option<Self> {
        let rows = |&i: &usize| self.normal(i) + 1..self.normal(i) + self.dim();
        let all: Vec<usize> = contacts.iter().flat_map(rows).collect();
        let reduced = self.reduced(&self.basis(&all, tol.dependent).rows)?;
        let gone = |row: usize| all.contains(&row);
        let n = self.c.len();
        let gain = |i: usize, j: usize| if gone(i) || gone(j) { 0.0 } else { reduced.gain(i, j) };
        let mut found = Self {
            D: DMatrix::from_fn(n, n, gain),
            c: (0..n).map(|i| if gone(i) { 0.0 } else { reduced.free(i) }).collect(),
            sizes: (0..n).map(|i| if gone(i) { 0.0 } else { reduced.free_size(i) }).collect(),
            ..self.clone()
        };
        contacts.iter().for_each(|&i| found.contacts[i].laws.friction = Friction::ZERO);
        Some(found)
    }

    /// The same contacts without friction.
    pub(crate) fn smooth(&self) -> Self {
        let mut found = self.clone();
        found.contacts.iter_mut().for_each(|contact| contact.laws.friction = Friction::ZERO);
        found
    }
}

impl Reduced<'_> {
    /// D_rh D_hh⁻¹ for the j-th held row h.
    fn weight(&self, row: usize, j: usize) -> f64 {
        let held = self.held.iter().enumerate();
        held.map(|(i, &held)| self.contacts.D[(row, held)] * self.inverse[(i, j)]).sum()
    }

    /// D_rh D_hh⁻¹ x_h.
    fn through(&self, row: usize, x: impl Fn(usize) -> f64) -> f64 {
        self.held.iter().enumerate().map(|(j, &held)| self.weight(row, j) * x(held)).sum()
    }

    /// (D_hh⁻¹ x_h) of the k-th held row.
    pub(crate) fn force(&self, k: usize, x: impl Fn(usize) -> f64) -> f64 {
        self.held.iter().enumerate().map(|(j, &row)| self.inverse[(k, j)] * x(row)).sum()
    }

    /// Acceleration of a row per unit force on another one.
    pub(crate) fn gain(&self, row: usize, other: usize) -> f64 {
        self.contacts.D[(row, other)] - self.through(row, |held| self.contacts.D[(held, other)])
    }

    /// Acceleration of a row without other forces.
    pub(crate) fn free(&self, row: usize) -> f64 {
        self.contacts.c[row] - self.through(row, |held| self.contacts.c[held])
    }

    /// The size of its terms: a weight that is zero but for rounding is rounded as the largest is.
    pub(crate) fn free_size(&self, row: usize) -> f64 {
        let largest = (0..self.held.len()).map(|j| self.weight(row, j).abs()).fold(1.0, f64::max);
        self.contacts.sizes[row]
            + self.held.iter().map(|&held| largest * self.contacts.sizes[held]).sum::<f64>()
    }
}
