//! The linear part of a search: which variables the equations determine near a point, and what an enclosed linear
//! system leaves of a box.

use crate::num::{Interval, Real};
use crate::tape::Enclosure;
use nalgebra::DMatrix;

/// Variables that the equations determine near a point (the others being given), and the inverse of their columns of J.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// One variable per equation.
    pub(super) columns: Vec<usize>,
    inverse: DMatrix<f64>,
}

impl Basis {
    /// By elimination with full pivoting on J, columns weighted by the `widths` of the variables; none if J has not full
    /// rank there.
    pub(super) fn new(jacobian: &[Vec<f64>], widths: &[f64]) -> Option<Self> {
        Self::on(&pivots(jacobian, widths)?, jacobian)
    }

    /// The same for variables that are chosen already.
    pub(super) fn on(columns: &[usize], jacobian: &[Vec<f64>]) -> Option<Self> {
        let square = DMatrix::from_fn(jacobian.len(), columns.len(), |i, j| jacobian[i][columns[j]]);
        let inverse = square.try_inverse()?;
        inverse.iter().all(|x| x.is_finite()).then_some(Basis { columns: columns.to_vec(), inverse })
    }

    /// The change of the basic variables that removes the residuals `h` to first order.
    pub(super) fn correction(&self, h: &[f64]) -> Vec<f64> {
        let m = h.len();
        (0..m).map(|i| -(0..m).map(|j| self.inverse[(i, j)] * h[j]).sum::<f64>()).collect()
    }

    /// λ with (∇φ + Σ λᵢ ∇hᵢ) = 0 in the basic variables.
    pub(super) fn multipliers(&self, gradient: &[f64]) -> Vec<f64> {
        let m = self.columns.len();
        let entry = |i: usize| (0..m).map(|j| self.inverse[(j, i)] * gradient[self.columns[j]]).sum::<f64>();
        (0..m).map(|i| -entry(i)).collect()
    }

    /// Rows of the inverse times enclosed rows: any such combination of equations vanishes where they do.
    pub(super) fn combined(&self, rows: &[LinearRow]) -> Vec<LinearRow> {
        let combine = |k: usize| {
            let weight = |j: usize| Interval::from_f64(self.inverse[(k, j)]);
            let sum = |part: &dyn Fn(&LinearRow) -> Interval| {
                rows.iter().enumerate().fold(ZERO, |sum, (j, row)| sum + weight(j) * part(row))
            };
            let slopes = (0..rows[0].slopes.len()).map(|l| sum(&|row: &LinearRow| row.slopes[l])).collect();
            LinearRow { value: sum(&|row: &LinearRow| row.value), slopes }
        };
        (0..rows.len()).map(combine).collect()
    }
}

const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };

/// Columns of the pivots.
fn pivots(jacobian: &[Vec<f64>], widths: &[f64]) -> Option<Vec<usize>> {
    let scaled = |row: &Vec<f64>| -> Vec<f64> {
        let row: Vec<f64> = row.iter().zip(widths).map(|(x, w)| x * w).collect();
        let size = row.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        row.iter().map(|x| x / size).collect()
    };
    let mut rows: Vec<Vec<f64>> = jacobian.iter().map(scaled).collect();
    let mut columns = vec![0; rows.len()];
    for done in 0..rows.len() {
        let places = (done..rows.len()).flat_map(|i| (0..widths.len()).map(move |j| (i, j)));
        let size = |(i, j): &(usize, usize)| rows[*i][*j].abs();
        let (i, j) = places.max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let usable = rows[i][j].is_finite() && rows[i][j] != 0.0;
        if !usable {
            return None;
        }
        rows.swap(done, i);
        columns[done] = j;
        let pivot = rows[done].clone();
        for row in &mut rows[done + 1..] {
            let factor = row[j] / pivot[j];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            row[j] = 0.0;
        }
    }
    Some(columns)
}

/// value + Σ slopesⱼ (xⱼ − middleⱼ) over a box: an enclosure of a function around the middle.
#[derive(Clone, Debug)]
pub(super) struct LinearRow {
    /// The function at the middle.
    pub(super) value: Interval,
    /// Its derivatives over the box.
    pub(super) slopes: Vec<Interval>,
}

impl LinearRow {
    /// slopeⱼ (Xⱼ − middleⱼ).
    fn term(&self, j: usize, sides: &[Interval], middle: &[f64]) -> Interval {
        self.slopes[j] * (sides[j] - Interval::from_f64(middle[j]))
    }

    /// value + Σ of the terms but one.
    fn rest(&self, but: usize, sides: &[Interval], middle: &[f64]) -> Interval {
        let others = (0..sides.len()).filter(|&j| j != but);
        others.fold(self.value, |sum, j| sum + self.term(j, sides, middle))
    }

    /// Leaves of each side what can make the row meet `target`; none if nothing can.
    pub(super) fn narrow(&self, target: Interval, sides: &mut [Interval], middle: &[f64]) -> Option<()> {
        for l in 0..sides.len() {
            if self.slopes[l].contains(0.0) {
                continue;
            }
            let needed = target - self.rest(l, sides, middle);
            let moved = Interval::from_f64(middle[l]) + needed / self.slopes[l];
            sides[l] = sides[l].meet(moved)?;
        }
        Some(())
    }

    /// The largest value over a box, the middle of its monotone sides being at the better face.
    pub(super) fn highest(&self, corner: Interval, sides: &[Interval], middle: &[f64]) -> f64 {
        let free = (0..sides.len()).filter(|&j| self.monotone(j).is_none());
        free.fold(corner, |sum, j| sum + self.term(j, sides, middle)).hi
    }

    /// Whether the function grows (or falls) along a variable all over the box.
    pub(super) fn monotone(&self, j: usize) -> Option<Growth> {
        match self.slopes[j] {
            Interval { lo, .. } if lo >= 0.0 => Some(Growth::Up),
            Interval { hi, .. } if hi <= 0.0 => Some(Growth::Down),
            _ => None,
        }
    }
}

/// The way a function grows along a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    Up,
    Down,
}

impl Growth {
    /// The face of a side at which the function is largest.
    pub(super) fn face(self, side: Interval) -> Interval {
        Interval::from_f64(if self == Growth::Up { side.hi } else { side.lo })
    }
}

/// Where equations that are linear in the sides at some places are zero: h(U) = h(0) + J U, with the inverse C of the middle of J before it, so that
/// |U| is at most |C h(0)| / (1 − |1 − C J|). None where slopes are not bounded, or too wide.
pub(super) fn linear_bounds(
    enclosure: &mut Enclosure,
    sides: &[Interval],
    places: &[usize],
    equations: &[usize],
) -> Option<Vec<Interval>> {
    let (n, zero) = (places.len(), Interval::from_f64(0.0));
    enclosure.enclose(sides);
    let rows: Vec<Vec<Interval>> =
        equations.iter().map(|&e| enclosure.gradient(&[(e, Interval::from_f64(1.0))])).collect();
    let slope = |i: usize, j: usize| rows[i][places[j]];
    let middle = DMatrix::from_fn(n, n, |i, j| slope(i, j).middle());
    let inverse = middle.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()))?;
    let mut at_zero = sides.to_vec();
    places.iter().for_each(|&k| at_zero[k] = zero);
    enclosure.enclose(&at_zero);
    let values: Vec<Interval> = equations.iter().map(|&e| enclosure.output(e)).collect();
    let product = |i: usize, of: &dyn Fn(usize) -> Interval| {
        (0..n).fold(zero, |sum, k| sum + Interval::from_f64(inverse[(i, k)]) * of(k))
    };
    let shift: Vec<Interval> = (0..n).map(|i| -product(i, &|k| values[k])).collect();
    let unit = |i: usize, j: usize| Interval::from_f64(f64::from(u8::from(i == j)));
    let rest: Vec<Vec<Interval>> =
        (0..n).map(|i| (0..n).map(|j| unit(i, j) - product(i, &|k| slope(k, j))).collect()).collect();
    let norm = |row: &Vec<Interval>| row.iter().fold(zero, |sum, x| sum + Interval::from_f64(x.magnitude()));
    let largest = rest.iter().map(|row| norm(row).hi).fold(0.0, f64::max);
    let size = shift.iter().map(|x| x.magnitude()).fold(0.0, f64::max);
    let most = (Interval::from_f64(size) / (Interval::from_f64(1.0) - Interval::from_f64(largest))).hi;
    if !(largest < 1.0 && most.is_finite()) {
        return None;
    }
    let all = Interval::new(-most, most);
    let side = |i: usize| rest[i].iter().fold(shift[i], |sum, &x| sum + x * all);
    Some((0..n).map(side).collect())
}
