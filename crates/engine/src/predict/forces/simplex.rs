//! Small linear programs max c·x over A x = b, x ≥ 0, by the simplex method on a dense tableau: found in floating point,
//! then read once more at the basis that was found, within bounds of the rounding ([`near`](super::near)) or where these do not tell without
//! any ([`exact`](super::exact)).

use super::exact::{AtBasis, at_basis};
use super::near::NearBasis;
use crate::num::Tol;
use crate::num::bounds::NARROW;

/// The feasible points of A x = b, x ≥ 0.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Rows [A | 1 | b], b ≥ 0, the artificial columns behind those of A.
    rows: Table,
    columns: usize,
}

/// Rows of numbers, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Table {
    numbers: Vec<f64>,
    width: usize,
}

/// A basis of a feasible program, from which any objective can be optimised.
#[derive(Clone, Debug)]
pub(super) struct Feasible<'p> {
    program: &'p Program,
    /// Rows B⁻¹[A | 1 | b].
    table: Table,
    basic: Vec<usize>,
}

/// What a program has.
#[derive(Clone, Debug)]
pub(super) enum Found<'p> {
    /// Points.
    Feasible(Feasible<'p>),
    /// None: the equations miss them.
    Empty,
    /// The pivots did not end, or the exact solution contradicts them.
    Unknown,
}

/// The largest value of an objective.
#[derive(Clone, Debug)]
pub(super) enum Most<'p> {
    /// Attained at a point.
    At(Peak<'p>),
    /// None.
    Unbounded,
    /// The pivots did not end, or the exact solution contradicts them.
    Unknown,
}

/// A feasible basis at which no column raises an objective, up to what counts as zero.
#[derive(Clone, Debug)]
pub(super) struct Peak<'p> {
    at: Feasible<'p>,
    objective: Vec<f64>,
    /// Bounds of the value.
    value: [f64; 2],
}

/// Where the pivots ended.
enum Top {
    /// At a basis with this value.
    Basis(f64),
    /// On a ray along which the objective grows without end.
    Ray,
}

/// Pivots with the largest gain; after these by the least index, which cannot cycle.
const QUICK: usize = 200;
/// Pivots after which nothing is said.
const MOST: usize = 2000;
/// How often the table is made anew for a range before nothing is said.
const RENEWALS: usize = 8;

impl Table {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.numbers[row * self.width + column]
    }

    /// The right-hand side of a row.
    fn right(&self, row: usize) -> f64 {
        self.at(row, self.width - 1)
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.width..][..self.width]
    }

    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.numbers.chunks_exact(self.width)
    }

    /// Makes a column that of a row's unit vector.
    fn eliminate(&mut self, row: usize, column: usize) {
        let (before, rest) = self.numbers.split_at_mut(row * self.width);
        let (lead, after) = rest.split_at_mut(self.width);
        let pivot = lead[column];
        lead.iter_mut().for_each(|x| *x /= pivot);
        for other in before.chunks_exact_mut(self.width).chain(after.chunks_exact_mut(self.width)) {
            let factor = other[column];
            if factor.abs() > 0.0 {
                other.iter_mut().zip(&*lead).for_each(|(x, l)| *x -= factor * l);
                other[column] = 0.0;
            }
        }
    }
}

impl Program {
    /// From rows of A with their right-hand sides.
    pub(super) fn new(rows: &[Vec<f64>]) -> Self {
        let (m, columns) = (rows.len(), rows.first().map_or(0, |row| row.len() - 1));
        let width = columns + m + 1;
        let mut numbers = vec![0.0; m * width];
        for (i, (row, wide)) in rows.iter().zip(numbers.chunks_exact_mut(width)).enumerate() {
            let sign = if row[columns] < 0.0 { -1.0 } else { 1.0 };
            wide.iter_mut().zip(&row[..columns]).for_each(|(wide, x)| *wide = sign * x);
            wide[columns + i] = 1.0;
            wide[width - 1] = sign * row[columns];
        }
        Self { rows: Table { numbers, width }, columns }
    }

    #[cfg(test)]
    pub(super) fn parts(&self) -> (&Table, usize) {
        (&self.rows, self.columns)
    }

    /// The artificial columns as basis.
    fn start(&self) -> Feasible<'_> {
        let basic = (self.columns..self.rows.width - 1).collect();
        Feasible { program: self, table: self.rows.clone(), basic }
    }

    /// A first point; artificial columns that cannot leave stay at zero in rows that say nothing.
    pub(super) fn solve(&self) -> Found<'_> {
        let mut start = self.start();
        let (m, n) = (start.basic.len(), self.columns);
        let size = (0..m).map(|row| self.rows.right(row)).fold(0.0, f64::max);
        // − Σ artificials
        let objective: Vec<f64> = (0..n + m).map(|j| if j < n { 0.0 } else { -1.0 }).collect();
        match start.climb(&objective, n + m) {
            Some(Top::Basis(value)) if -value > Tol::default().marginal * size => {
                match start.peak(&objective, n + m) {
                    Some(_) => Found::Empty,
                    None => Found::Unknown,
                }
            }
            Some(Top::Basis(_)) => {
                start.drive_out();
                Found::Feasible(start)
            }
            Some(Top::Ray) | None => Found::Unknown,
        }
    }
}

impl Peak<'_> {
    /// Whether the value, rounded once, is above a number.
    pub(super) fn exceeds(&self, limit: f64) -> bool {
        let [low, high] = self.value;
        low > limit
            || (high > limit || high.is_nan()) && self.exact().is_some_and(|found| found.value > limit)
    }

    /// The point, rounded once: bounds of its numbers.
    pub(super) fn within(&self) -> [Vec<f64>; 2] {
        let near = NearBasis::of(&self.at, &self.objective, 0, NARROW);
        let own =
            |row: usize| near.as_ref().map_or([f64::NEG_INFINITY, f64::INFINITY], |near| near.within(row));
        [0, 1].map(|end| self.at.point(|row| own(row)[end]))
    }

    /// The same without bounds.
    pub(super) fn point(&self) -> Option<Vec<f64>> {
        let x = self.exact()?.x;
        Some(self.at.point(|row| x[row]))
    }

    fn exact(&self) -> Option<AtBasis> {
        at_basis(&self.at.program.rows, &self.objective, &self.at.basic)
    }
}

impl<'p> Feasible<'p> {
    /// The largest value of an objective of the columns, read at the basis that was found: that proves that the point satisfies the
    /// equations, too.
    pub(super) fn maximise(&mut self, objective: &[f64]) -> Most<'p> {
        let n = self.program.columns;
        match self.climb(objective, n) {
            Some(Top::Basis(_)) => self.peak(objective, n).map_or(Most::Unknown, Most::At),
            Some(Top::Ray) => Most::Unbounded,
            None => Most::Unknown,
        }
    }

    /// The same in floating point, of a program whose points are known to exist: infinite if there is no largest, none if the
    /// pivots did not end where the equations themselves, solved anew at the basis, say that the point is one and that no column
    /// raises the objective. After many pivots the table alone does not know.
    pub(super) fn bound(&mut self, objective: &[f64]) -> Option<f64> {
        for _ in 0..RENEWALS {
            if matches!(self.climb(objective, self.program.columns)?, Top::Ray) {
                return Some(f64::INFINITY);
            }
            if !self.renew() || !self.is_feasible() {
                match self.program.solve() {
                    Found::Feasible(again) => *self = again,
                    Found::Empty | Found::Unknown => return None,
                }
            } else if self.is_best(objective) {
                return Some(self.value(objective));
            }
        }
        None
    }

    /// The table of the same basis from the rows of the program, by elimination with the largest pivots; whether there is one.
    fn renew(&mut self) -> bool {
        let wanted = self.basic.clone();
        let mut fresh = self.program.start();
        let mut free: Vec<usize> = (0..wanted.len()).collect();
        // artificial columns that have to stay keep their rows
        for &column in wanted.iter().filter(|&&j| j < self.program.columns) {
            let size = |&row: &usize| fresh.table.at(row, column).abs();
            let kept = |row: &usize| !wanted.contains(&(self.program.columns + row));
            let best = free.iter().copied().filter(kept).max_by(|a, b| size(a).total_cmp(&size(b)));
            let Some(row) = best.filter(|row| size(row) > Tol::default().relaxed) else { return false };
            fresh.exchange(row, column);
            free.retain(|&other| other != row);
        }
        *self = fresh;
        true
    }

    /// Whether no weight is negative, and no artificial one differs from zero.
    fn is_feasible(&self) -> bool {
        let right = |row: usize| self.table.right(row);
        let size = (0..self.basic.len()).fold(0.0_f64, |size, row| size.max(right(row).abs()));
        let noise = Tol::default().marginal * size;
        let is_own = |j: usize| j < self.program.columns;
        let mut rows = self.basic.iter().enumerate();
        rows.all(|(row, &j)| right(row) >= -noise && (is_own(j) || right(row) <= noise))
    }

    fn is_best(&self, objective: &[f64]) -> bool {
        let tol = Tol::default().relaxed;
        self.prices(objective)[..self.program.columns].iter().all(|price| *price <= tol)
    }

    /// Pivots until no column below `allowed` raises the objective; none if that did not end.
    fn climb(&mut self, objective: &[f64], allowed: usize) -> Option<Top> {
        let tol = Tol::default().relaxed;
        let mut price = self.prices(objective);
        for count in 0..MOST {
            let useful = (0..allowed).filter(|&j| price[j] > tol);
            let entering = if count < QUICK {
                useful.max_by(|&i, &j| price[i].total_cmp(&price[j]).then(j.cmp(&i)))
            } else {
                useful.min()
            };
            let Some(column) = entering else { return Some(Top::Basis(self.value(objective))) };
            let Some(row) = self.leaving(column) else { return Some(Top::Ray) };
            self.exchange(row, column);
            let factor = price[column];
            price.iter_mut().zip(self.table.row(row)).for_each(|(p, x)| *p -= factor * x);
        }
        None
    }

    /// The objective at the basis.
    fn value(&self, objective: &[f64]) -> f64 {
        let cost = |j: usize| objective.get(j).copied().unwrap_or(0.0);
        self.basic.iter().enumerate().map(|(row, &j)| cost(j) * self.table.right(row)).sum()
    }

    /// c − c_B B⁻¹A, and minus the value.
    fn prices(&self, objective: &[f64]) -> Vec<f64> {
        let cost = |j: usize| objective.get(j).copied().unwrap_or(0.0);
        let mut prices: Vec<f64> = vec![0.0; self.table.width];
        for (&b, row) in self.basic.iter().zip(self.table.rows()).filter(|(b, _)| cost(**b).abs() > 0.0) {
            prices.iter_mut().zip(row).for_each(|(price, x)| *price += cost(b) * x);
        }
        let last = prices.len() - 1;
        prices[..last].iter_mut().enumerate().for_each(|(j, price)| *price = cost(j) - *price);
        prices[last] = -prices[last];
        prices
    }

    fn leaving(&self, column: usize) -> Option<usize> {
        let tol = Tol::default().relaxed;
        let room = |i: usize| {
            let entry = self.table.at(i, column);
            // which zero the larger of -0 and 0 is depends on the optimisation, and the order below tells them apart
            (entry > tol).then(|| (i, (self.table.right(i) / entry).max(0.0) + 0.0))
        };
        let rows = (0..self.basic.len()).filter_map(room);
        rows.min_by(|a, b| a.1.total_cmp(&b.1).then(self.basic[a.0].cmp(&self.basic[b.0])))
            .map(|found| found.0)
    }

    fn exchange(&mut self, row: usize, column: usize) {
        self.table.eliminate(row, column);
        self.basic[row] = column;
    }

    /// Artificial columns at zero leave the basis where a column can take their place.
    fn drive_out(&mut self) {
        let (n, tol) = (self.program.columns, Tol::default().relaxed);
        for row in 0..self.basic.len() {
            if self.basic[row] >= n {
                let size = |&j: &usize| self.table.at(row, j).abs();
                let best = (0..n).max_by(|i, j| size(i).total_cmp(&size(j)));
                if let Some(column) = best.filter(|j| size(j) > tol) {
                    self.exchange(row, column);
                }
            }
        }
    }

    /// The basis, if its point is feasible and no column raises the objective, up to what counts as zero.
    fn peak(&self, objective: &[f64], allowed: usize) -> Option<Peak<'p>> {
        let tol = Tol::default();
        let cost = objective.iter().fold(0.0_f64, |size, c| size.max(c.abs()));
        let gain = tol.relaxed * 10.0 * cost.max(1.0);
        let near = |steps: usize| {
            NearBasis::of(self, objective, allowed, steps).filter(|near| near.is_best(tol.marginal, gain))
        };
        let value = match near(0).or_else(|| near(NARROW)) {
            Some(near) => near.value,
            None => {
                let found = at_basis(&self.program.rows, objective, &self.basic)?;
                found.is_best(allowed, tol.marginal, gain).then_some([found.value; 2])?
            }
        };
        Some(Peak { at: self.clone(), objective: objective.to_vec(), value })
    }

    /// The point of the program with these basic variables.
    fn point(&self, own: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut point = vec![0.0; self.program.columns];
        let basic = self.basic.iter().enumerate().filter(|(_, j)| **j < self.program.columns);
        basic.for_each(|(row, &j)| point[j] = own(row));
        point
    }

    /// An entry of the columns of the program, or of the artificial ones behind them.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        self.program.rows.at(row, column)
    }

    /// The right-hand side of a row of the program.
    pub(super) fn right(&self, row: usize) -> f64 {
        self.program.rows.right(row)
    }

    /// The columns of the basis.
    pub(super) fn basic(&self) -> &[usize] {
        &self.basic
    }

    /// An entry of its inverse, as the pivots made it.
    pub(super) fn inverse(&self, row: usize, column: usize) -> f64 {
        self.table.at(row, self.program.columns + column)
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Most, Program};

    #[test]
    fn the_largest_sum_over_a_triangle_is_at_a_corner() {
        // x + 2y + s = 4, 3x + y + t = 6: corners (0, 2), (2, 0), (8/5, 6/5)
        let program = Program::new(&[vec![1.0, 2.0, 1.0, 0.0, 4.0], vec![3.0, 1.0, 0.0, 1.0, 6.0]]);
        let Found::Feasible(mut found) = program.solve() else { panic!("it has points") };
        let (value, point) = at(&found.maximise(&[1.0, 1.0]));
        assert!(
            (value - 2.8).abs() < 1e-15 && (point[0] - 1.6).abs() < 1e-15 && (point[1] - 1.2).abs() < 1e-15
        );
        let (value, point) = at(&found.maximise(&[-1.0, -1.0]));
        assert!(value == 0.0 && point[..2] == [0.0; 2]);
    }

    /// The value and the point without rounding, the value within its bounds.
    fn at(most: &Most<'_>) -> (f64, Vec<f64>) {
        let Most::At(peak) = most else { panic!("it is bounded: {most:?}") };
        let (value, [low, high]) = (peak.exact().unwrap().value, peak.value);
        assert!(low <= value && value <= high && high - low < 1e-12, "{value} in {low} to {high}");
        assert!(peak.exceeds(value - 1e-15) && !peak.exceeds(value));
        (value, peak.point().unwrap())
    }

    #[test]
    fn contradictions_and_rays_are_recognised() {
        let none = Program::new(&[vec![1.0, 1.0, -1.0], vec![1.0, 0.0, 0.5]]);
        assert!(matches!(none.solve(), Found::Empty));
        let ray = Program::new(&[vec![1.0, -1.0, 1.0]]);
        let Found::Feasible(mut found) = ray.solve() else { panic!("it has points") };
        assert!(matches!(found.maximise(&[1.0, 0.0]), Most::Unbounded));
    }

    /// Rows that repeat up to rounding leave an artificial column at zero, and change nothing.
    #[test]
    fn a_row_twice_says_nothing_new() {
        let row = vec![0.1, 0.2, 0.3];
        let twice = vec![0.1 * (1.0 + f64::EPSILON), 0.2, 0.3];
        let program = Program::new(&[row, twice]);
        let Found::Feasible(mut found) = program.solve() else { panic!("it has points") };
        let (value, _) = at(&found.maximise(&[1.0, 0.0]));
        assert!((value - 3.0).abs() < 1e-9);
    }
}
