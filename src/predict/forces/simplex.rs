//! Small linear programs max c·x over A x = b, x ≥ 0, by the simplex method on a dense tableau: found in floating point,
//! then solved once more at the basis that was found without rounding ([`exact`](super::exact)), where the signs are read.

use super::exact::{AtBasis, at_basis};
use crate::num::Tol;

/// The feasible points of A x = b, x ≥ 0.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Rows [A | b], b ≥ 0.
    rows: Vec<Vec<f64>>,
    columns: usize,
}

/// A basis of a feasible program, from which any objective can be optimised.
#[derive(Clone, Debug)]
pub(super) struct Feasible<'p> {
    program: &'p Program,
    /// Rows B⁻¹[A | 1 | b].
    table: Vec<Vec<f64>>,
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
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Most {
    /// Attained at a point.
    At(f64, Vec<f64>),
    /// None.
    Unbounded,
    /// The pivots did not end, or the exact solution contradicts them.
    Unknown,
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

impl Program {
    /// From rows of A with their right-hand sides.
    pub(super) fn new(rows: Vec<Vec<f64>>) -> Self {
        let columns = rows.first().map_or(0, |row| row.len() - 1);
        let positive = |mut row: Vec<f64>| {
            if row[columns] < 0.0 {
                row.iter_mut().for_each(|x| *x = -*x);
            }
            row
        };
        Self { rows: rows.into_iter().map(positive).collect(), columns }
    }

    /// The artificial columns as basis.
    fn start(&self) -> Feasible<'_> {
        let (m, n) = (self.rows.len(), self.columns);
        let wide = |(i, row): (usize, &Vec<f64>)| {
            let unit = (0..m).map(move |k| if k == i { 1.0 } else { 0.0 });
            row[..n].iter().copied().chain(unit).chain([row[n]]).collect()
        };
        Feasible {
            program: self,
            table: self.rows.iter().enumerate().map(wide).collect(),
            basic: (n..n + m).collect(),
        }
    }

    /// A first point; artificial columns that cannot leave stay at zero in rows that say nothing.
    pub(super) fn solve(&self) -> Found<'_> {
        let (m, n) = (self.rows.len(), self.columns);
        let mut start = self.start();
        let size = self.rows.iter().map(|row| row[n]).fold(0.0, f64::max);
        // − Σ artificials
        let objective: Vec<f64> = (0..n + m).map(|j| if j < n { 0.0 } else { -1.0 }).collect();
        match start.climb(&objective, n + m) {
            Some(Top::Basis(value)) if -value > Tol::default().marginal * size => {
                match start.checked(&objective, n + m) {
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

impl Feasible<'_> {
    /// The largest value of an objective of the columns, without rounding at the basis that was found: that proves that the point
    /// satisfies the equations, too.
    pub(super) fn maximise(&mut self, objective: &[f64]) -> Most {
        let n = self.program.columns;
        match self.climb(objective, n) {
            Some(Top::Basis(_)) => self.checked(objective, n).unwrap_or(Most::Unknown),
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
            let size = |&row: &usize| fresh.table[row][column].abs();
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
        let last = self.table.first().map_or(0, |row| row.len() - 1);
        let size = self.table.iter().fold(0.0_f64, |size, row| size.max(row[last].abs()));
        let noise = Tol::default().marginal * size;
        let is_own = |j: usize| j < self.program.columns;
        self.basic
            .iter()
            .zip(&self.table)
            .all(|(&j, row)| row[last] >= -noise && (is_own(j) || row[last] <= noise))
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
            price.iter_mut().zip(&self.table[row]).for_each(|(p, x)| *p -= factor * x);
        }
        None
    }

    /// The objective at the basis.
    fn value(&self, objective: &[f64]) -> f64 {
        let cost = |j: usize| objective.get(j).copied().unwrap_or(0.0);
        let last = self.table.first().map_or(0, |row| row.len() - 1);
        self.basic.iter().zip(&self.table).map(|(&j, row)| cost(j) * row[last]).sum()
    }

    /// c − c_B B⁻¹A, and minus the value.
    fn prices(&self, objective: &[f64]) -> Vec<f64> {
        let cost = |j: usize| objective.get(j).copied().unwrap_or(0.0);
        let width = self.table.first().map_or(0, Vec::len);
        let column = |j: usize| {
            let basic = self.basic.iter().zip(&self.table).map(|(&b, row)| cost(b) * row[j]).sum::<f64>();
            if j + 1 < width { cost(j) - basic } else { -basic }
        };
        (0..width).map(column).collect()
    }

    fn leaving(&self, column: usize) -> Option<usize> {
        let (tol, last) = (Tol::default().relaxed, self.table[0].len() - 1);
        let room = |i: usize| {
            let entry = self.table[i][column];
            // which zero the larger of -0 and 0 is depends on the optimisation, and the order below tells them apart
            (entry > tol).then(|| (i, (self.table[i][last] / entry).max(0.0) + 0.0))
        };
        let rows = (0..self.table.len()).filter_map(room);
        rows.min_by(|a, b| a.1.total_cmp(&b.1).then(self.basic[a.0].cmp(&self.basic[b.0])))
            .map(|found| found.0)
    }

    fn exchange(&mut self, row: usize, column: usize) {
        let pivot = self.table[row][column];
        self.table[row].iter_mut().for_each(|x| *x /= pivot);
        let lead = std::mem::take(&mut self.table[row]);
        for other in self.table.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column];
            if factor.abs() > 0.0 {
                other.iter_mut().zip(&lead).for_each(|(x, l)| *x -= factor * l);
                other[column] = 0.0;
            }
        }
        self.table[row] = lead;
        self.basic[row] = column;
    }

    /// Artificial columns at zero leave the basis where a column can take their place.
    fn drive_out(&mut self) {
        let (n, tol) = (self.program.columns, Tol::default().relaxed);
        for row in 0..self.table.len() {
            if self.basic[row] >= n {
                let best =
                    (0..n).max_by(|&i, &j| self.table[row][i].abs().total_cmp(&self.table[row][j].abs()));
                if let Some(column) = best.filter(|&j| self.table[row][j].abs() > tol) {
                    self.exchange(row, column);
                }
            }
        }
    }

    /// The value at the basis without rounding: the point is feasible and no column raises the objective, up to what
    /// counts as zero.
    fn checked(&self, objective: &[f64], allowed: usize) -> Option<Most> {
        let AtBasis { x, value, prices } = at_basis(&self.program.rows, objective, &self.basic)?;
        let size = x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let tol = Tol::default();
        let cost = objective.iter().fold(0.0_f64, |size, c| size.max(c.abs()));
        let feasible = x.iter().all(|x| *x >= -tol.marginal * size);
        let best =
            prices[..allowed.min(prices.len())].iter().all(|p| *p <= tol.relaxed * 10.0 * cost.max(1.0));
        (feasible && best).then(|| {
            let mut point = vec![0.0; self.program.columns];
            let own = self.basic.iter().zip(&x).filter(|(j, _)| **j < self.program.columns);
            own.for_each(|(&j, x)| point[j] = *x);
            Most::At(value, point)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Most, Program};

    #[test]
    fn the_largest_sum_over_a_triangle_is_at_a_corner() {
        // x + 2y + s = 4, 3x + y + t = 6: corners (0, 2), (2, 0), (8/5, 6/5)
        let program = Program::new(vec![vec![1.0, 2.0, 1.0, 0.0, 4.0], vec![3.0, 1.0, 0.0, 1.0, 6.0]]);
        let Found::Feasible(mut found) = program.solve() else { panic!("it has points") };
        let Most::At(value, point) = found.maximise(&[1.0, 1.0]) else { panic!("it is bounded") };
        assert!(
            (value - 2.8).abs() < 1e-15 && (point[0] - 1.6).abs() < 1e-15 && (point[1] - 1.2).abs() < 1e-15
        );
        assert_eq!(found.maximise(&[-1.0, -1.0]), Most::At(0.0, found_zero(&mut found)));
    }

    fn found_zero(found: &mut super::Feasible<'_>) -> Vec<f64> {
        match found.maximise(&[-1.0, -1.0]) {
            Most::At(_, point) => point,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn contradictions_and_rays_are_recognised() {
        let none = Program::new(vec![vec![1.0, 1.0, -1.0], vec![1.0, 0.0, 0.5]]);
        assert!(matches!(none.solve(), Found::Empty));
        let ray = Program::new(vec![vec![1.0, -1.0, 1.0]]);
        let Found::Feasible(mut found) = ray.solve() else { panic!("it has points") };
        assert_eq!(found.maximise(&[1.0, 0.0]), Most::Unbounded);
    }

    /// Rows that repeat up to rounding leave an artificial column at zero, and change nothing.
    #[test]
    fn a_row_twice_says_nothing_new() {
        let row = vec![0.1, 0.2, 0.3];
        let twice = vec![0.1 * (1.0 + f64::EPSILON), 0.2, 0.3];
        let program = Program::new(vec![row, twice]);
        let Found::Feasible(mut found) = program.solve() else { panic!("it has points") };
        let Most::At(value, _) = found.maximise(&[1.0, 0.0]) else { panic!("it is bounded") };
        assert!((value - 3.0).abs() < 1e-9);
    }
}
