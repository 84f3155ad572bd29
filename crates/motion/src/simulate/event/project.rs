//! Closed contacts and bilateral constraints are kept: after a step, what their positions and velocities miss is taken away
//! along M⁻¹Rᵀ, the shortest way in the metric of M.
//!
//! The motion obeys the constraints on the level of accelerations, so that a step misses them by no more than its own
//! error; the correction is of that size and leaves the order of the method.

use super::mechanics::Mechanics;
use crate::model::{Block, Output};
use crate::num::dense;
use crate::predict::Mode;
use crate::simulate::trajectory::Drift;

/// What is kept, and the memory of a correction.
#[derive(Clone, Debug, Default)]
pub(super) struct Keeper {
    rows: Vec<Row>,
    /// n numbers of each row.
    jacobian: Vec<f64>,
    response: Vec<f64>,
    mass: Vec<f64>,
    gram: Vec<f64>,
    misses: Vec<f64>,
    /// Sizes of the terms of the misses.
    sizes: Vec<f64>,
}

/// A row that is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    Gap(usize),
    /// A tangent of a contact that sticks: its velocity alone.
    Tangent(usize, usize),
    Constraint(usize),
}

impl Row {
    /// The derivative of its velocity by v.
    fn jacobian<'m>(&self, mechanics: &'m Mechanics<'_>) -> &'m [f64] {
        match *self {
            Self::Gap(c) => mechanics.jacobian(mechanics.row(c)),
            Self::Tangent(c, k) => mechanics.jacobian(mechanics.row(c) + 1 + k),
            Self::Constraint(c) => {
                let n = mechanics.layout().coordinates;
                &mechanics.block(Output::ConstraintJacobian)[c * n..(c + 1) * n]
            }
        }
    }

    /// What it misses in position and velocity.
    fn misses(&self, mechanics: &Mechanics<'_>) -> [f64; 2] {
        match *self {
            Self::Gap(c) => [mechanics.gap(c), mechanics.gap_rate(c)],
            Self::Tangent(c, k) => [0.0, mechanics.slip(c)[k]],
            Self::Constraint(c) => {
                [mechanics.block(Output::Constraint)[c], mechanics.block(Block::ConstraintVelocity)[c]]
            }
        }
    }
}

/// Misses below this share of their terms are left as they are: well within what constraints are kept to, and not worth another
/// evaluation.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Pivots below this share of their diagonal entry are zero: rows that others imply.
const DEPENDENT: f64 = 4096.0 * f64::EPSILON;

impl Keeper {
    /// What contacts that do this keep, and all bilateral constraints.
    pub(super) fn keep(&mut self, doing: &[Mode], mechanics: &Mechanics<'_>) {
        self.rows.clear();
        self.rows.extend((0..mechanics.layout().constraints).map(Row::Constraint));
        for (contact, doing) in doing.iter().enumerate() {
            if doing.is_closed() {
                self.rows.push(Row::Gap(contact));
            }
            if matches!(doing, Mode::Stick { .. }) {
                self.rows.extend((0..mechanics.layout().tangents).map(|k| Row::Tangent(contact, k)));
            }
        }
    }

    /// The gap of a contact that has just closed is taken from q, with what else is kept.
    pub(super) fn close(&mut self, contact: usize, q: &mut [f64], mechanics: &Mechanics<'_>) {
        self.rows.push(Row::Gap(contact));
        self.measure(Level::Position, q, 0.0, mechanics);
        self.shift(q, true, mechanics);
    }

    /// The positions of all that is kept are taken to it together, where one misses it by more than rounding; whether one did.
    pub(super) fn settle(&mut self, q: &mut [f64], mechanics: &Mechanics<'_>) -> bool {
        self.measure(Level::Position, q, 0.0, mechanics);
        self.shift(q, self.beyond_rounding(), mechanics)
    }

    /// Takes the misses of the state (q, v) that was evaluated last, after a step of h, from it. Where none of them is beyond
    /// rounding, the largest of position and velocity are what it misses.
    pub(super) fn correct(
        &mut self,
        (q, v): (&mut [f64], &mut [f64]),
        h: f64,
        mechanics: &Mechanics<'_>,
    ) -> Option<[f64; 2]> {
        if self.rows.is_empty() {
            return Some([0.0; 2]);
        }
        let gap = self.measure(Level::Position, q, h, mechanics);
        let moved = self.shift(q, self.beyond_rounding(), mechanics);
        let rate = self.measure(Level::Velocity, v, h, mechanics);
        let turned = self.shift(v, self.beyond_rounding(), mechanics);
        (!moved && !turned).then_some([gap, rate])
    }

    /// Notes what the state (q, v) that was evaluated last misses.
    pub(super) fn note(&mut self, (q, v): (&[f64], &[f64]), mechanics: &Mechanics<'_>, drift: &mut Drift) {
        if !self.rows.is_empty() {
            let gap = self.measure(Level::Position, q, 0.0, mechanics);
            let rate = self.measure(Level::Velocity, v, 0.0, mechanics);
            drift.include(gap, rate);
        }
    }

    /// Whether the gap of a contact does not accelerate as long as what is kept stays: its row follows from the rows of that, and what is
    /// left of its acceleration without forces is rounding.
    pub(super) fn implies(&mut self, contact: usize, rounding: f64, mechanics: &Mechanics<'_>) -> bool {
        self.rows.push(Row::Gap(contact));
        let last = self.rows.len() - 1;
        let factored = self.factor(mechanics);
        let free = mechanics.block(Block::FreeContactAcceleration);
        self.misses.clear();
        let mut size = 0.0;
        for row in &self.rows {
            let place = match *row {
                Row::Gap(c) => mechanics.row(c),
                Row::Tangent(c, k) => mechanics.row(c) + 1 + k,
                Row::Constraint(_) => {
                    self.misses.push(0.0);
                    continue;
                }
            };
            self.misses.push(free[place]);
            size += mechanics.acceleration_size(place);
        }
        self.rows.pop();
        eliminate(&mut self.gram, &mut self.misses, &mut self.sizes);
        factored
            && self.gram[last * (last + 1) + last] <= DEPENDENT * self.sizes[last]
            && self.misses[last].abs() <= rounding * size
    }

    /// The misses of velocity alone: where a slip has ended.
    pub(super) fn stop(&mut self, v: &mut [f64], mechanics: &Mechanics<'_>) {
        self.measure(Level::Velocity, v, 0.0, mechanics);
        self.shift(v, true, mechanics);
    }

    fn beyond_rounding(&self) -> bool {
        self.misses.iter().zip(&self.sizes).any(|(miss, size)| miss.abs() > ROUNDING * size)
    }

    /// Fills the misses and the sizes of their terms, those that come and go within h included; the largest miss.
    fn measure(&mut self, level: Level, x: &[f64], h: f64, mechanics: &Mechanics<'_>) -> f64 {
        self.misses.clear();
        self.sizes.clear();
        let n = mechanics.layout().coordinates;
        let (free, x) = (&mechanics.block(Block::FreeAcceleration)[..n], &x[..n]);
        let time = if level == Level::Position { h * h } else { h.abs() };
        for &row in &self.rows {
            let (line, [value, velocity]) = (&row.jacobian(mechanics)[..n], row.misses(mechanics));
            self.misses.push(if level == Level::Position { value } else { velocity });
            let (mut own, mut driven) = (0.0, 0.0);
            for i in 0..n {
                own += (line[i] * x[i]).abs();
                driven += (line[i] * free[i]).abs();
            }
            self.sizes.push(own + time * driven);
        }
        let held = self.rows.iter().zip(&self.misses);
        let counted = held.filter(|(row, _)| level == Level::Velocity || !matches!(row, Row::Tangent(..)));
        counted.map(|(_, miss)| miss.abs()).fold(0.0, f64::max)
    }

    /// x −= M⁻¹Rᵀ (R M⁻¹Rᵀ)⁻¹ misses.
    fn shift(&mut self, x: &mut [f64], needed: bool, mechanics: &Mechanics<'_>) -> bool {
        if !needed || self.rows.is_empty() || !self.factor(mechanics) {
            return false;
        }
        solve_semidefinite(&mut self.gram, &mut self.misses, &mut self.sizes);
        for (row, miss) in self.response.chunks_exact(x.len()).zip(&self.misses) {
            for (x, z) in x.iter_mut().zip(row) {
                let left = *x - miss * z;
                // of a number that is taken away whole nothing but rounding is left
                *x = if left.abs() <= ROUNDING * x.abs() || left.is_subnormal() { 0.0 } else { left };
            }
        }
        true
    }

    /// R M⁻¹Rᵀ of the rows; whether M could be factored.
    fn factor(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let (n, m) = (mechanics.layout().coordinates, self.rows.len());
        self.mass.clear();
        self.mass.extend_from_slice(mechanics.block(Output::MassMatrix));
        if dense::cholesky(&mut self.mass, n, 0.0).is_err() {
            return false;
        }
        self.jacobian.clear();
        self.rows.iter().for_each(|row| self.jacobian.extend_from_slice(row.jacobian(mechanics)));
        self.response.clear();
        self.response.extend_from_slice(&self.jacobian);
        dense::solve_many(&self.mass, n, &mut self.response);
        self.gram.clear();
        for i in 0..m {
            let row = &self.jacobian[i * n..(i + 1) * n];
            self.gram.extend((0..m).map(|j| dense::dot(row, &self.response[j * n..(j + 1) * n])));
        }
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

/// Replaces b by a solution of a symmetric semidefinite system, by rows; rows that others imply get zero.
fn solve_semidefinite(a: &mut [f64], b: &mut [f64], diagonal: &mut Vec<f64>) {
    let n = b.len();
    eliminate(a, b, diagonal);
    let is_pivot = |a: &[f64], k: usize| a[k * n + k] > DEPENDENT * diagonal[k];
    for k in (0..n).rev() {
        if !is_pivot(a, k) {
            b[k] = 0.0;
            continue;
        }
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
}

/// Brings a symmetric semidefinite system to triangular form; rows that others imply are left with what is left of them. `diagonal` is
/// that of the system.
fn eliminate(a: &mut [f64], b: &mut [f64], diagonal: &mut Vec<f64>) {
    let n = b.len();
    diagonal.clear();
    diagonal.extend((0..n).map(|i| a[i * n + i]));
    for k in 0..n {
        if a[k * n + k] <= DEPENDENT * diagonal[k] {
            continue;
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::solve_semidefinite;

    #[test]
    fn a_repeated_row_changes_nothing() {
        let mut a = vec![2.0, 1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0, 2.0];
        let mut b = vec![4.0, 7.0, 4.0];
        solve_semidefinite(&mut a, &mut b, &mut Vec::new());
        assert!((2.0 * (b[0] + b[2]) + b[1] - 4.0).abs() < 1e-14, "{b:?}");
        assert!((b[0] + b[2] + 3.0 * b[1] - 7.0).abs() < 1e-14, "{b:?}");
    }
}
