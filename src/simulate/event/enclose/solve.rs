//! Linear systems A x = y of numbers that enclose. C is the inverse of the middle of A.

use super::kernel::{Enclosing, Moving};
use crate::num::{Ball, Real, Strip, Tol};
use std::cmp::Ordering;

/// A square matrix, or the part of another that has its rank, and the inverse of its middle.
#[derive(Clone, Debug)]
pub(super) struct System<T> {
    /// By rows.
    matrix: Vec<T>,
    /// The middle of the whole of which a part was taken last, and how many rows and columns it has.
    whole: Vec<f64>,
    shape: [usize; 2],
    /// The rows and columns of the whole that it is made of, the largest pivots first.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// C.
    inverse: Vec<f64>,
    work: Vec<f64>,
    /// Right-hand sides of the rows, then the unknowns of the columns.
    right: Vec<T>,
    spare: Vec<T>,
    left: Vec<T>,
    residual: Vec<f64>,
}

/// A number of which systems are solved.
pub(super) trait Solved: Enclosing {
    /// Replaces the right-hand sides by the unknowns.
    fn solve(system: &mut System<Self>);
}

impl<T: Solved> Default for System<T> {
    fn default() -> Self {
        Self::with_size(0)
    }
}

impl<T: Solved> System<T> {
    /// With memory for so many unknowns.
    pub(super) fn with_size(n: usize) -> Self {
        let (numbers, places) = (|length: usize| Vec::with_capacity(length), || Vec::with_capacity(n));
        Self {
            matrix: Vec::with_capacity(n * n),
            whole: numbers(n * n),
            shape: [0; 2],
            rows: places(),
            columns: places(),
            inverse: numbers(n * n),
            work: numbers(n * n),
            right: Vec::with_capacity(n),
            spare: Vec::with_capacity(n),
            left: Vec::with_capacity(n),
            residual: numbers(2 * n),
        }
    }

    /// Takes a square matrix; false if its middle has no inverse.
    pub(super) fn take(&mut self, n: usize, entry: impl Fn(usize, usize) -> T) -> bool {
        self.rows.clear();
        self.rows.extend(0..n);
        self.columns.clear();
        self.columns.extend(0..n);
        self.whole.clear();
        self.fill(entry);
        self.invert()
    }

    /// Takes of a matrix with `sizes` of rows and columns as many of both as it has rank, those of the largest pivots where each row
    /// is measured by its weight; false if its middle has another rank.
    pub(super) fn take_part(
        &mut self,
        sizes: [usize; 2],
        rank: usize,
        entry: impl Fn(usize, usize) -> T,
        weight: impl Fn(usize) -> f64,
    ) -> bool {
        let [m, n] = sizes;
        let middles = (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| entry(i, j).value());
        // what forces do is often the same at every state
        let same = |(x, old): (f64, &f64)| x.to_bits() == old.to_bits();
        let known = self.shape == sizes && self.rows.len() == rank && self.whole.len() == m * n;
        if known && middles.clone().zip(&self.whole).all(same) {
            self.fill(entry);
            return true;
        }
        self.shape = sizes;
        self.whole.clear();
        self.whole.extend(middles);
        self.find_part(weight);
        let found = self.rows.len() == rank && {
            self.fill(entry);
            self.invert()
        };
        if !found {
            self.whole.clear();
        }
        found
    }

    /// The rows and columns of the largest pivots.
    fn find_part(&mut self, weight: impl Fn(usize) -> f64) {
        let ([m, n], Self { rows, columns, whole, work: left, .. }) = (self.shape, &mut *self);
        rows.clear();
        columns.clear();
        left.clear();
        for (i, row) in whole.chunks_exact(n.max(1)).enumerate() {
            let per = 1.0 / weight(i);
            left.extend(row.iter().map(|x| per * x));
        }
        let least = Tol::default().dependent * left.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        while rows.len() < m.min(n) {
            let open = (0..m * n).filter(|at| !rows.contains(&(at / n)) && !columns.contains(&(at % n)));
            let Some(best) = open.max_by(|&a, &b| left[a].abs().total_cmp(&left[b].abs())) else { break };
            if left[best].abs().partial_cmp(&least) != Some(Ordering::Greater) {
                break;
            }
            let (row, column) = (best / n, best % n);
            rows.push(row);
            columns.push(column);
            for i in (0..m).filter(|i| !rows.contains(i)) {
                let factor = left[i * n + column] / left[best];
                (0..n).for_each(|j| left[i * n + j] -= factor * left[row * n + j]);
            }
        }
    }

    fn fill(&mut self, entry: impl Fn(usize, usize) -> T) {
        let Self { matrix, rows, columns, .. } = self;
        matrix.clear();
        matrix.extend(
            rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j))).map(|(i, j)| entry(i, j)),
        );
    }

    /// The inverse of the middle, by Gauss and Jordan with partial pivoting; false without a pivot.
    fn invert(&mut self) -> bool {
        let Self { matrix, rows, inverse, work, .. } = self;
        let n = rows.len();
        work.clear();
        work.extend(matrix.iter().map(|x| x.value()));
        inverse.clear();
        inverse.extend((0..n * n).map(|at| f64::from(u8::from(at / n == at % n))));
        for k in 0..n {
            let size = |i: usize| work[i * n + k].abs();
            let row = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let pivot = work[row * n + k];
            if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                return false;
            }
            for j in 0..n {
                for half in [&mut *work, &mut *inverse] {
                    half.swap(row * n + j, k * n + j);
                    half[k * n + j] /= pivot;
                }
            }
            for i in (0..n).filter(|i| *i != k) {
                let factor = work[i * n + k];
                if factor.abs() > 0.0 {
                    (0..n).for_each(|j| {
                        work[i * n + j] -= factor * work[k * n + j];
                        inverse[i * n + j] -= factor * inverse[k * n + j];
                    });
                }
            }
        }
        true
    }

    /// The columns that are solved for.
    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Solves for the right-hand sides of the rows.
    pub(super) fn solve(&mut self, right: impl Fn(usize) -> T) {
        self.right.clear();
        self.right.extend(self.rows.iter().map(|&row| right(row)));
        T::solve(self);
    }

    /// What was found, of each column.
    pub(super) fn unknowns(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        self.columns.iter().copied().zip(self.right.iter().copied())
    }

    fn at(&self, row: usize, place: usize) -> T {
        self.matrix[row * self.rows.len() + place]
    }

    fn inverse(&self, place: usize) -> &[f64] {
        let rank = self.rows.len();
        &self.inverse[place * rank..(place + 1) * rank]
    }

    fn places(&self) -> std::ops::Range<usize> {
        0..self.rows.len()
    }
}

/// Solutions over a box, and their rates: A ẋ = ẏ − Ȧ x.
impl Solved for Moving {
    fn solve(system: &mut System<Self>) {
        let mut right = std::mem::take(&mut system.right);
        let mut values = std::mem::take(&mut system.spare);
        values.clear();
        values.extend_from_slice(&right);
        system.solve_box(&mut values, |x| &mut x.re);
        for (row, right) in right.iter_mut().enumerate() {
            let moved = system.places().map(|place| system.at(row, place).eps * values[place].re);
            right.eps = moved.fold(right.eps, |sum, part| sum - part);
        }
        system.solve_box(&mut right, |x| &mut x.eps);
        right.iter_mut().zip(&values).for_each(|(x, value)| x.re = value.re);
        (system.right, system.spare) = (right, values);
    }
}

impl System<Moving> {
    /// Solutions around C y by e, |e| ≤ |C| (rad y + rad A |C y|) + |C| rad A |e|, of a part of the numbers.
    fn solve_box(&mut self, right: &mut [Moving], part: impl Fn(&mut Moving) -> &mut Ball) {
        let (mut residual, mut work) = (std::mem::take(&mut self.residual), std::mem::take(&mut self.work));
        let rank = right.len();
        work.clear();
        for place in 0..rank {
            let row = self.inverse(place).iter().zip(right.iter_mut());
            work.push(row.map(|(c, y)| c * part(y).mid).sum::<f64>());
        }
        residual.clear();
        for (row, y) in right.iter_mut().enumerate() {
            let spread = self.places().map(|place| self.at(row, place).re.rad * work[place].abs());
            residual.push(part(y).rad + spread.sum::<f64>());
        }
        let radii = (0..rank).map(|row| self.places().map(|place| self.at(row, place).re.rad).sum::<f64>());
        residual.extend(radii);
        let (own, radii) = residual.split_at(rank);
        let most = |of: &[f64]| largest(self.places().map(|place| reach(self.inverse(place), of)));
        let farthest = most(own) / room(1.0 - most(radii));
        for place in 0..rank {
            let row = self.inverse(place);
            *part(&mut right[place]) = Ball::new(work[place], reach(row, own) + reach(row, radii) * farthest);
        }
        (self.residual, self.work) = (residual, work);
    }
}

/// Solutions along a curve: x ← x + C (y − A x) from x = C y, as often as a curve has degrees, and what is left in the radius:
/// |C A − 1| < 1 of the last change. Of a matrix that is the same at every s, C y is the solution.
impl Solved for Strip {
    fn solve(system: &mut System<Self>) {
        let y = std::mem::take(&mut system.right);
        let mut x = std::mem::take(&mut system.spare);
        x.clear();
        x.extend(system.places().map(|place| weighted(system.inverse(place), y.iter().copied())));
        if !system.matrix.iter().all(|entry| entry.is_fixed()) {
            let change = (0..DEGREES).fold(0.0, |_, _| system.refine(&y, &mut x));
            let defect = system.defect();
            let more = change * (defect / room(1.0 - defect));
            x.iter_mut().for_each(|x| x.rad += more);
        }
        (system.right, system.spare) = (x, y);
    }
}

impl System<Strip> {
    /// x ← x + C (y − A x), and the largest change.
    fn refine(&mut self, y: &[Strip], x: &mut [Strip]) -> f64 {
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend(
            y.iter().enumerate().map(|(row, &y)| {
                self.places().fold(y, |sum, place| sum - self.at(row, place).times(x[place]))
            }),
        );
        let change = largest(x.iter_mut().enumerate().map(|(place, x)| {
            let step = weighted(self.inverse(place), left.iter().copied());
            *x = *x + step;
            step.range().magnitude()
        }));
        self.left = left;
        change
    }

    /// The largest sum of a row of |C A − 1|.
    fn defect(&self) -> f64 {
        largest(self.places().map(|place| {
            let sizes = self.places().map(|other| {
                let column = self.places().map(|row| self.at(row, other));
                let one = Strip::from_f64(f64::from(u8::from(place == other)));
                (weighted(self.inverse(place), column) - one).range().magnitude()
            });
            sizes.sum::<f64>()
        }))
    }
}

/// Degrees of a strip's curve.
const DEGREES: usize = 3;

fn weighted(weights: &[f64], numbers: impl Iterator<Item = Strip>) -> Strip {
    let parts = weights.iter().zip(numbers).map(|(&c, x)| x.scaled(c));
    parts.fold(Strip::from_f64(0.0), |sum, part| sum + part)
}

/// NaN is the larger.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, larger)
}

/// What is left to divide by; NaN if nothing is.
fn room(left: f64) -> f64 {
    if left > 0.0 { left } else { f64::NAN }
}

/// Σ |c| r.
fn reach(row: &[f64], radii: &[f64]) -> f64 {
    row.iter().zip(radii).map(|(c, r)| c.abs() * r).sum()
}

#[cfg(test)]
mod tests;
