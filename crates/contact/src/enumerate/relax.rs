//! What the decided modes leave possible, as a linear program in floating point: a dictionary that expresses basic
//! variables by the others, from `u = W r + q` with r in the generators' weights. Modes only narrow the bounds of its
//! variables, so that every branch goes on from the dictionary above it, by the dual simplex method without objective.
//!
//! Nothing here is believed: that a branch is empty counts only once [`super::farkas`] has confirmed it.

use std::sync::Arc;

use crate::num::Tol;

/// Where a variable may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Anywhere.
    Free,
    /// At zero or above it.
    NonNegative,
    /// At zero or below it.
    NonPositive,
    /// At zero.
    Zero,
}

impl Bound {
    /// Whether the variable may take values of this sign.
    fn allows(self, positive: bool) -> bool {
        match self {
            Self::Free => true,
            Self::NonNegative => positive,
            Self::NonPositive => !positive,
            Self::Zero => false,
        }
    }
}

/// How a relaxation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// A point was found, or nothing can be said.
    Open,
    /// The row of this variable contradicts the bounds.
    Empty(usize),
}

/// Variables 0 .. c are the weights of the generators, c .. c + 2n the velocities.
#[derive(Clone, Debug)]
pub struct Relaxation {
    /// Rows of the basic variables, one after the other: coefficients of the others, then the constant.
    table: Vec<f64>,
    /// Variables of the rows.
    pub basic: Vec<usize>,
    /// Those of the columns.
    pub nonbasic: Vec<usize>,
    /// Where each variable may be.
    pub bounds: Vec<Bound>,
    /// What the columns of the weights and the constant were divided by.
    columns: Arc<[f64]>,
}

/// Pivots with the largest entry; after these, by the least index, which cannot cycle.
const QUICK: usize = 50;
/// Pivots after which nothing is said.
const MOST: usize = 500;

impl Relaxation {
    /// From the velocities' rows (weights, then the constant), weights ≥ 0, normal velocities ≥ 0.
    pub fn new(rows: &[Vec<f64>]) -> Self {
        let c = rows.first().map_or(0, |row| row.len() - 1);
        let normal = |k: usize| if k.is_multiple_of(2) { Bound::NonNegative } else { Bound::Free };
        let weights = (0..c).map(|_| Bound::NonNegative);
        let (table, columns) = equilibrated(rows);
        Self {
            table: table.concat(),
            columns: columns.into(),
            basic: (c..c + rows.len()).collect(),
            nonbasic: (0..c).collect(),
            bounds: weights.chain((0..rows.len()).map(normal)).collect(),
        }
    }

    /// Number of the weights.
    pub(crate) fn weights(&self) -> usize {
        self.bounds.len() - self.basic.len()
    }

    /// The value of a basic variable, up to a positive factor.
    pub(crate) fn value(&self, v: usize) -> f64 {
        self.basic.iter().position(|z| *z == v).map_or(0.0, |row| self.constant(row))
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.table[row * (self.nonbasic.len() + 1) + column]
    }

    fn constant(&self, row: usize) -> f64 {
        self.entry(row, self.nonbasic.len())
    }

    /// Whether the variable `v` is positive (or negative) where the variables that are not basic are zero.
    pub fn is(&self, v: usize, positive: bool) -> bool {
        let value = self.value(v);
        value.abs() > Tol::default().relaxed && (value > 0.0) == positive
    }

    /// The weights of the point at which the variables that are not basic are zero.
    pub(crate) fn point(&self) -> Vec<f64> {
        let c = self.weights();
        let weight = |z: usize| self.value(z).max(0.0) * self.columns[c] / self.columns[z];
        (0..c).map(|z| if self.bounds[z] == Bound::Zero { 0.0 } else { weight(z) }).collect()
    }

    /// Pivots until a point is found or a row shows that there is none.
    pub fn solve(&mut self) -> Feasibility {
        for count in 0..MOST {
            let Some((row, up)) = self.violated() else { return Feasibility::Open };
            let Some(column) = self.entering(row, up, count < QUICK) else {
                return Feasibility::Empty(self.basic[row]);
            };
            self.exchange(row, column);
        }
        Feasibility::Open
    }

    /// Whether the variable `v` of a dictionary without violations can be positive (or negative); also true if the
    /// pivots do not tell. If not, `v` is basic at the end, and its row says so.
    pub fn can_be(&mut self, v: usize, positive: bool) -> bool {
        for count in 0..QUICK {
            let Some(row) = self.basic.iter().position(|z| *z == v) else {
                let Some(column) = self.nonbasic.iter().position(|z| *z == v) else { return true };
                match self.blocking(column, positive) {
                    Some((row, room)) if room <= Tol::default().relaxed => self.exchange(row, column),
                    _ => return true,
                }
                continue;
            };
            if self.is(v, positive) {
                return true;
            }
            let Some(column) = self.entering(row, positive, count < QUICK / 2) else { return false };
            let up = (self.entry(row, column) > 0.0) == positive;
            match self.blocking(column, up) {
                Some((blocking, _)) if blocking != row => self.exchange(blocking, column),
                _ => return true,
            }
        }
        true
    }

    /// The row that stops the variable of this column from growing (or falling) first, and after how much.
    fn blocking(&self, column: usize, up: bool) -> Option<(usize, f64)> {
        let room = |row: usize| {
            let (entry, value) = (self.entry(row, column), self.constant(row));
            let rate = if up { entry } else { -entry };
            let stops = match self.bounds[self.basic[row]] {
                Bound::Free => false,
                Bound::Zero => true,
                Bound::NonNegative => rate < 0.0,
                Bound::NonPositive => rate > 0.0,
            };
            (stops && rate.abs() > Tol::default().relaxed).then(|| (row, value.abs() / rate.abs()))
        };
        (0..self.basic.len()).filter_map(room).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The violated basic variable of least index, and whether it must grow.
    fn violated(&self) -> Option<(usize, bool)> {
        let wrong = |row: usize| {
            let value = self.constant(row);
            let bound = self.bounds[self.basic[row]];
            let off = value.abs() > Tol::default().relaxed && !bound.allows(value > 0.0);
            off.then_some((row, value < 0.0))
        };
        (0..self.basic.len()).filter_map(wrong).min_by_key(|(row, _)| self.basic[*row])
    }

    /// A column whose variable may move so that the row's grows (or falls).
    fn entering(&self, row: usize, up: bool, largest: bool) -> Option<usize> {
        let entry = |column: usize| self.entry(row, column);
        let useful = |column: &usize| {
            let bound = self.bounds[self.nonbasic[*column]];
            entry(*column).abs() > Tol::default().relaxed && bound.allows((entry(*column) > 0.0) == up)
        };
        let columns = (0..self.nonbasic.len()).filter(useful);
        match largest {
            true => columns.max_by(|a, b| entry(*a).abs().total_cmp(&entry(*b).abs())),
            false => columns.min_by_key(|column| self.nonbasic[*column]),
        }
    }

    fn exchange(&mut self, row: usize, column: usize) {
        let width = self.nonbasic.len() + 1;
        let (before, rest) = self.table.split_at_mut(row * width);
        let (lead, after) = rest.split_at_mut(width);
        let pivot = std::mem::replace(&mut lead[column], -1.0);
        lead.iter_mut().for_each(|x| *x /= -pivot);
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = std::mem::take(&mut other[column]);
            if factor.abs() > 0.0 {
                other.iter_mut().zip(&*lead).for_each(|(x, l)| *x += factor * l);
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }
}

/// Rows, then columns, divided by their largest entries, and those of the columns: positive factors change no sign.
fn equilibrated(rows: &[Vec<f64>]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
    let mut table = rows.to_vec();
    for row in &mut table {
        let largest = or_one(row.iter().fold(0.0, |m, x| m.max(x.abs())));
        row.iter_mut().for_each(|x| *x /= largest);
    }
    let count = table.first().map_or(1, Vec::len);
    let largest = |column: usize| or_one(table.iter().fold(0.0, |m, row| m.max(row[column].abs())));
    let columns: Vec<f64> = (0..count).map(largest).collect();
    table.iter_mut().for_each(|row| row.iter_mut().zip(&columns).for_each(|(x, largest)| *x /= largest));
    (table, columns)
}
