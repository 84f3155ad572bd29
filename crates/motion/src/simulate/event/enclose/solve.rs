//! Linear systems A x = y of numbers that enclose. C is the inverse of the middle of A.

use super::number::{Enclosing, Moving};
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
    /// Entries that are not the same everywhere, without their middles, by rows.
    varying: Vec<(usize, usize, T)>,
}

/// A number of which systems are solved.
pub(super) trait Solved: Enclosing {
    /// Replaces the right-hand sides by the unknowns; with fewer terms than [`DEGREES`] they may be enclosed less closely.
    fn solve(system: &mut System<Self>, terms: usize);
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
            varying: Vec::with_capacity(n * n),
        }
    }

    /// Forgets of which matrix a part was taken.
    pub(super) fn forget(&mut self) {
        self.whole.clear();
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

    /// The inverse of the middle, by Gauss and Jordan in place with partial pivoting; false without a pivot.
    fn invert(&mut self) -> bool {
        let Self { matrix, rows, inverse, work, .. } = self;
        let n = rows.len();
        inverse.clear();
        inverse.extend(matrix.iter().map(|x| x.value()));
        work.clear();
        for k in 0..n {
            let size = |i: usize| inverse[i * n + k].abs();
            let row = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let pivot = inverse[row * n + k];
            if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                return false;
            }
            work.push(row as f64);
            if row != k {
                (0..n).for_each(|j| inverse.swap(row * n + j, k * n + j));
            }
            let (before, rest) = inverse.split_at_mut(k * n);
            let (own, after) = rest.split_at_mut(n);
            own[k] = 1.0;
            let per = 1.0 / pivot;
            own.iter_mut().for_each(|x| *x *= per);
            for other in before.chunks_exact_mut(n).chain(after.chunks_exact_mut(n)) {
                let factor = std::mem::replace(&mut other[k], 0.0);
                if factor.abs() > 0.0 {
                    other.iter_mut().zip(&*own).for_each(|(x, own)| *x -= factor * own);
                }
            }
        }
        // rows that were exchanged are columns of the inverse
        for k in (0..n).rev() {
            let row = work[k] as usize;
            if row != k {
                (0..n).for_each(|i| inverse.swap(i * n + row, i * n + k));
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
        self.solve_by(DEGREES, right);
    }

    /// The same by so many terms after the first.
    pub(super) fn solve_by(&mut self, terms: usize, right: impl Fn(usize) -> T) {
        self.right.clear();
        self.right.extend(self.rows.iter().map(|&row| right(row)));
        T::solve(self, terms);
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
    fn solve(system: &mut System<Self>, _: usize) {
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
        let farthest = most(own) / positive_or_nan(1.0 - most(radii));
        for place in 0..rank {
            let row = self.inverse(place);
            *part(&mut right[place]) = Ball::new(work[place], reach(row, own) + reach(row, radii) * farthest);
        }
        (self.residual, self.work) = (residual, work);
    }
}

/// Solutions along a curve: with E = C (A − its middle) the sum of (−E)ᵏ C y, up to as many powers as a curve has degrees, and what is left
/// in the radius: |E| of the last term and of all that would follow it. Of a matrix that is the same at every s, C y is the solution.
impl Solved for Strip {
    fn solve(system: &mut System<Self>, terms: usize) {
        let y = std::mem::take(&mut system.right);
        let mut x = std::mem::take(&mut system.spare);
        x.clear();
        x.extend(system.places().map(|place| weighted(system.inverse(place), &y)));
        system.find_varying();
        if !system.varying.is_empty() {
            let share = system.share();
            let rest = share / positive_or_nan(1.0 - share);
            let mut term = y;
            term.copy_from_slice(&x);
            let mut size = largest(term.iter().map(|term| term.size()));
            for _ in 0..terms {
                size = system.next_term(&mut term);
                x.iter_mut().zip(&term).for_each(|(x, term)| *x = *x + *term);
            }
            x.iter_mut().for_each(|x| x.rad += size * rest);
            (system.right, system.spare) = (x, term);
        } else {
            (system.right, system.spare) = (x, y);
        }
    }
}

impl System<Strip> {
    fn find_varying(&mut self) {
        let Self { varying, matrix, rows, .. } = self;
        varying.clear();
        for (at, entry) in matrix.iter().enumerate().filter(|(_, entry)| !entry.is_fixed()) {
            varying.push((at / rows.len(), at % rows.len(), entry.without_middle()));
        }
    }

    /// At least the largest sum of a row of |E|.
    fn share(&mut self) -> f64 {
        let mut spreads = std::mem::take(&mut self.residual);
        spreads.clear();
        spreads.resize(self.rows.len(), 0.0);
        self.varying.iter().for_each(|(row, _, entry)| spreads[*row] += entry.size());
        let share = largest(self.places().map(|place| reach(self.inverse(place), &spreads)));
        self.residual = spreads;
        share
    }

    /// The next of the terms (−E)ᵏ C y, and its largest size.
    fn next_term(&mut self, term: &mut [Strip]) -> f64 {
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.resize(term.len(), Strip::from_f64(0.0));
        for &(row, place, entry) in &self.varying {
            left[row] = left[row] - entry * term[place];
        }
        let mut size = 0.0;
        for (place, term) in term.iter_mut().enumerate() {
            *term = weighted(self.inverse(place), &left);
            size = larger(size, term.size());
        }
        self.left = left;
        size
    }
}

/// Degrees of a strip's curve.
pub(super) const DEGREES: usize = 3;

fn weighted(weights: &[f64], numbers: &[Strip]) -> Strip {
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
fn positive_or_nan(left: f64) -> f64 {
    if left > 0.0 { left } else { f64::NAN }
}

/// Σ |c| r.
fn reach(row: &[f64], radii: &[f64]) -> f64 {
    row.iter().zip(radii).map(|(c, r)| c.abs() * r).sum()
}

#[cfg(test)]
mod tests;
