//! Where a step begins, q and q̇ are moved by the least of kinetic energy, M⁻¹Wᵀx with D x = miss, so that the gaps and the rates
//! of pressed contacts are those that the motion carries as numbers of its own: both are integrated with errors of
//! their own.

use super::field::Field;
use super::tolerance::PROJECTED;
use crate::model::{Block, Output};
use crate::num::dense;
use crate::simulate::smooth::ContactMotion;

/// Memory of the projections.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    rows: Vec<usize>,
    misses: Vec<f64>,
    matrix: Vec<f64>,
}

impl Projection {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            rows: Vec::with_capacity(rows),
            misses: Vec::with_capacity(rows),
            matrix: vec![0.0; dense::packed_len(rows)],
        }
    }

    /// Moves q of a point that `field` is evaluated at to the gaps.
    pub(super) fn positions(&mut self, field: &Field<'_>, z: &mut [f64]) {
        let places = field.places;
        let gaps = field.kernel.block(&field.now.values, Block::Model(Output::Gap));
        self.clear();
        for contact in pressed(field) {
            self.want(places.rows(contact).start, z[places.y(contact)] - gaps[contact]);
        }
        self.apply(field, &mut z[..places.n]);
    }

    /// Moves q̇ of a point that `field` is evaluated at to the rates and slips.
    pub(super) fn velocities(&mut self, field: &Field<'_>, z: &mut [f64]) {
        let places = field.places;
        self.want_rates(field, z, |_| true);
        if self.apply(field, &mut z[places.n..2 * places.n]) && places.d > 1 {
            self.slips(field, z);
        }
    }

    /// Gives what slips the slips of q̇ as it was moved: those of feet of one body depend on each other, and what they miss of that,
    /// which no force changes, would turn the direction of those that end.
    fn slips(&self, field: &Field<'_>, z: &mut [f64]) {
        let places = field.places;
        let slips = field.kernel.block(&field.now.values, Block::Slip);
        for contact in pressed(field) {
            let slipping = matches!(field.regime.motions[contact], ContactMotion::Slips { .. });
            if !slipping || field.regime.spring(contact).is_some() {
                continue;
            }
            for (k, place) in places.slip(contact).enumerate() {
                let row = places.rows(contact).start + 1 + k;
                let moved = |(&other, size): (&usize, &f64)| {
                    field.kernel.delassus(&field.now.values, row, other) * size
                };
                let change: f64 = self.rows.iter().zip(&self.misses).map(moved).sum();
                z[place] = slips[contact * places.d + k] + change;
            }
        }
    }

    /// Moves q̇ onto the rates of a point that `field` is evaluated at, and onto those of its slips that are zero.
    pub(super) fn resting(&mut self, field: &Field<'_>, z: &[f64], qdot: &mut [f64]) {
        self.want_rates(field, z, |slip| slip.iter().all(|u| u.abs() <= 0.0));
        self.apply(field, qdot);
    }

    /// The rates of what is pressed, and those of its slips that are asked for.
    fn want_rates(&mut self, field: &Field<'_>, z: &[f64], asked: impl Fn(&[f64]) -> bool) {
        let places = field.places;
        let of = |block: Block| field.kernel.block(&field.now.values, block);
        self.clear();
        for contact in pressed(field) {
            let (row, slip) = (places.rows(contact).start, &z[places.slip(contact)]);
            self.want(row, z[places.ydot(contact)] - of(Block::GapVelocity)[contact]);
            let slips = slip.iter().zip(&of(Block::Slip)[contact * places.d..]).enumerate();
            for (k, (wanted, own)) in slips.filter(|_| asked(slip)) {
                self.want(row + 1 + k, wanted - own);
            }
        }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.misses.clear();
    }

    fn want(&mut self, row: usize, miss: f64) {
        self.rows.push(row);
        self.misses.push(miss);
    }

    /// `misses` are then the sizes of the moves along the rows; false where there are none.
    fn apply(&mut self, field: &Field<'_>, x: &mut [f64]) -> bool {
        let size = self.rows.len();
        for i in 0..size {
            for j in 0..=i {
                let entry = field.kernel.delassus(&field.now.values, self.rows[i], self.rows[j]);
                let ridge = if i == j { 1.0 + PROJECTED } else { 1.0 };
                self.matrix[dense::packed_len(i) + j] = ridge * entry;
            }
        }
        let matrix = &mut self.matrix[..dense::packed_len(size)];
        if dense::cholesky(matrix, size, 0.0).is_err() {
            return false; // a contact that nothing moves is where it is
        }
        dense::solve(matrix, &mut self.misses);
        let n = x.len();
        let response = field.kernel.block(&field.now.values, Block::Response);
        for (&row, size) in self.rows.iter().zip(&self.misses) {
            let column = &response[row * n..(row + 1) * n];
            x.iter_mut().zip(column).for_each(|(x, change)| *x += size * change);
        }
        true
    }
}

fn pressed<'f>(field: &'f Field<'_>) -> impl Iterator<Item = usize> + 'f {
    let motions = field.regime.motions.iter().enumerate();
    motions.filter(|(_, motion)| **motion != ContactMotion::Free).map(|(contact, _)| contact)
}
