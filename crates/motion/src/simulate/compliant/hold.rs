//! Contacts that stick: the rows that are held, and the forces that hold them.
//!
//! Rows of feet of one body follow from each other: A = D_TT of all that stick is then singular up to the square of how far
//! the feet lie from one plane, which their penetrations change. Held are the independent rows P alone, A_P x = −c_P, with a
//! pivot above the share [`DEPENDENT`]; of the forces that do, x is the one that uses the same part of each cone, x = G A_Pᵀ y,
//! A_P G A_Pᵀ y = −c_P, G by the widths of the cones. Which of them acts does not matter: what A_P x = 0 leaves moves nothing.

use super::field::{Evaluated, Field, Regime, row_acceleration};
use super::places::Places;
use super::tolerance::{DEPENDENT, SHARE};
use crate::model::Kernel;
use crate::num::{Real, dense};
use crate::simulate::smooth::{ContactMotion, SmoothError, rank};

/// The independent ones of the rows that stick, and the memory of finding them.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// Contact rows.
    pub(super) rows: Vec<usize>,
    order: Vec<usize>,
    left: Vec<f64>,
    factor: Vec<f64>,
}

impl Held {
    pub(super) fn new(tangents: usize) -> Self {
        Self {
            rows: Vec::with_capacity(tangents),
            order: Vec::with_capacity(tangents),
            left: vec![0.0; tangents],
            factor: vec![0.0; tangents * tangents],
        }
    }
}

impl Field<'_> {
    /// Chooses the independent rows of those that stick at a point whose blocks are evaluated, unless as many as now still are:
    /// between the two shares of [`DEPENDENT`] a row stays what it was. Whether there is a change.
    pub(super) fn renew(&mut self) -> bool {
        let mut sticks = std::mem::take(&mut self.now.stuck);
        self.regime.sticking(self.places, &mut sticks);
        let [least, most] = DEPENDENT.map(|share| self.rank(&sticks, share));
        let held = &mut self.regime.held;
        let now = held.rows.len().clamp(least, most);
        let change = now != held.rows.len();
        if change {
            held.rows.clear();
            held.rows.extend(held.order[..now].iter().map(|&i| sticks[i]));
        }
        self.now.stuck = sticks;
        change
    }

    /// The number of rows that are independent to a share of their diagonal entries of D_TT; `order` has them first.
    fn rank(&mut self, sticks: &[usize], share: f64) -> usize {
        let Self { kernel, now, regime, .. } = self;
        let Held { order, left, factor, .. } = &mut regime.held;
        let gain = |i: usize, j: usize| kernel.delassus(&now.values, sticks[i], sticks[j]);
        rank((sticks.len(), share), gain, (order, left, factor))
    }

    /// Whether the tangential rows of a contact follow from those of others.
    pub(super) fn follows(&mut self, contact: usize, others: &[usize]) -> bool {
        if others.is_empty() {
            return false;
        }
        let places = self.places;
        let rows = |contact: &usize| places.rows(*contact).skip(1);
        let mut rows: Vec<usize> = others.iter().chain([&contact]).flat_map(rows).collect();
        let all = self.rank(&rows, DEPENDENT[0]);
        rows.truncate(rows.len() - places.d);
        all == self.rank(&rows, DEPENDENT[0])
    }

    /// Whether the forces of what sticks are not unique.
    pub(super) fn is_shared(&self) -> bool {
        self.regime.held.rows.len() < self.now.stuck.len()
    }
}

impl Regime<'_> {
    /// The rows of what sticks without a spring.
    pub(super) fn sticking(&self, places: Places, rows: &mut Vec<usize>) {
        rows.clear();
        for (contact, &motion) in self.motions.iter().enumerate() {
            if motion == ContactMotion::Sticks && self.spring(contact).is_none() {
                rows.extend(places.rows(contact).skip(1));
            }
        }
    }
}

/// The tangential forces that keep what sticks from slipping, from the other forces.
pub(super) fn stick<T: Real>(
    kernel: &Kernel,
    places: Places,
    regime: &Regime<'_>,
    work: &mut Evaluated<T>,
) -> Result<(), SmoothError> {
    let held = &regime.held.rows;
    let size = held.len();
    let unique = size == work.stuck.len();
    if !unique {
        weigh(kernel, places, regime, work);
    }
    for i in 0..size {
        for j in 0..=i {
            let entry = if unique {
                kernel.delassus(&work.values, held[i], held[j])
            } else {
                let of = |row: usize, at: usize| kernel.delassus(&work.values, row, work.stuck[at]);
                let term = |at: usize| of(held[i], at) * T::from_f64(work.parts[at]) * of(held[j], at);
                (0..work.stuck.len()).fold(T::from_f64(0.0), |sum, at| sum + term(at))
            };
            work.matrix[dense::packed_len(i) + j] = entry;
        }
    }
    let matrix = &mut work.matrix[..dense::packed_len(size)];
    dense::cholesky(matrix, size, 0.0)
        .map_err(|error| SmoothError::Forces { contact: held[error.index] / (1 + places.d) })?;
    for _ in 0..if unique { 1 } else { SHARE.refinements } {
        for i in 0..size {
            work.rhs[i] = -row_acceleration(kernel, work, held[i]);
        }
        dense::solve(&work.matrix[..dense::packed_len(size)], &mut work.rhs[..size]);
        if unique {
            held.iter().zip(&work.rhs).for_each(|(&row, &force)| work.forces[row] = force);
            continue;
        }
        for (at, &row) in work.stuck.iter().enumerate() {
            let term = |i: usize| kernel.delassus(&work.values, held[i], row) * work.rhs[i];
            let pull = (0..size).fold(T::from_f64(0.0), |sum, i| sum + term(i));
            work.forces[row] = work.forces[row] + T::from_f64(work.parts[at]) * pull;
        }
    }
    Ok(())
}

/// G: the part of all cones that each is, over how much its row moves.
fn weigh<T: Real>(kernel: &Kernel, places: Places, regime: &Regime<'_>, work: &mut Evaluated<T>) {
    let width = |row: usize| {
        let contact = row / (1 + places.d);
        let mu = regime.laws[contact].friction.mu();
        let normal = work.forces[places.rows(contact).start].value().abs();
        if mu.is_finite() { mu * normal } else { normal }
    };
    let all: f64 = work.stuck.iter().map(|&row| width(row)).sum();
    work.parts.clear();
    work.parts.extend(work.stuck.iter().map(|&row| {
        let part = (width(row) / all).max(SHARE.least);
        part / kernel.delassus(&work.values, row, row).value()
    }));
}
