//! Linear systems A x = y of numbers that enclose. C is the inverse of the middle of A.

use super::kernel::{Enclosing, Moving};
use crate::num::{Ball, Real, Strip, Tol};
use std::cmp::Ordering;

/// A square matrix, or the part of another that has its rank, and the inverse of its middle.
#[derive(Clone, Debug)]
pub(super) struct System<T> {
    /// By rows.
    matrix: Vec<T>,
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
        self.fill(entry)
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
        let ([m, n], Self { rows, columns, work: left, .. }) = (sizes, &mut *self);
        rows.clear();
        columns.clear();
        left.clear();
        left.extend((0..m * n).map(|at| entry(at / n, at % n).value() / weight(at / n)));
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
        self.rows.len() == rank && self.fill(entry)
    }

    fn fill(&mut self, entry: impl Fn(usize, usize) -> T) -> bool {
        let Self { matrix, rows, columns, .. } = self;
        matrix.clear();
        matrix.extend(
            rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j))).map(|(i, j)| entry(i, j)),
        );
        self.invert()
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

/// Solutions along a curve: x ← x + C (y − A x), as often as a curve has degrees, and what is left in the radius: |C A − 1| < 1 of the last
/// change.
impl Solved for Strip {
    fn solve(system: &mut System<Self>) {
        let y = std::mem::take(&mut system.right);
        let mut x = std::mem::take(&mut system.spare);
        x.clear();
        x.resize(y.len(), Strip::from_f64(0.0));
        let mut change = 0.0;
        for _ in 0..=DEGREES {
            let mut left = std::mem::take(&mut system.left);
            left.clear();
            left.extend(y.iter().enumerate().map(|(row, &y)| {
                system.places().fold(y, |sum, place| sum - system.at(row, place) * x[place])
            }));
            change = 0.0;
            for place in 0..x.len() {
                let step = weighted(system.inverse(place), left.iter().copied());
                x[place] = x[place] + step;
                change = larger(change, step.range().magnitude());
            }
            system.left = left;
        }
        let defect = largest(system.places().map(|place| {
            let sizes = system.places().map(|other| {
                let product = weighted(system.inverse(place), (0..y.len()).map(|row| system.at(row, other)));
                let one = Strip::from_f64(f64::from(u8::from(place == other)));
                (product - one).range().magnitude()
            });
            sizes.sum::<f64>()
        }));
        let more = change * (defect / room(1.0 - defect));
        x.iter_mut().for_each(|x| x.rad += more);
        (system.right, system.spare) = (x, y);
    }
}

/// Degrees of a strip's curve.
const DEGREES: usize = 3;

fn weighted(weights: &[f64], numbers: impl Iterator<Item = Strip>) -> Strip {
    let parts = weights
        .iter()
        .zip(numbers)
        .map(|(&c, x)| Strip { curve: x.curve.map(|k| c * k), rad: c.abs() * x.rad });
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
mod tests {
    use super::{Moving, System};
    use crate::num::random::uniform;
    use crate::num::{Ball, Dual, Strip};

    /// Solutions of random systems within the radii of their entries, and their rates, lie in what is enclosed.
    #[test]
    fn solutions_of_all_systems_within_are_enclosed() {
        let n = 3;
        for run in 0..300 {
            let draw = |name: String| 2.0 * uniform(3, run, &name) - 1.0;
            let ball = |name: String, more: f64| Ball::new(draw(name) + more, 0.02);
            let entry = |i: usize, j: usize| {
                let more = if i == j { 2.5 } else { 0.0 };
                Dual::new(ball(format!("{i},{j}"), more), ball(format!("{i},{j}'"), 0.0))
            };
            let side = |i: usize| Dual::new(ball(format!("{i}"), 0.0), ball(format!("{i}'"), 0.0));
            let mut system = System::<Moving>::with_size(n);
            assert!(system.take(n, entry));
            system.solve(side);
            let found = system.right;
            for k in 0..20 {
                let at = |x: Ball, name: String| x.mid + x.rad * (2.0 * uniform(k, run, &name) - 1.0);
                let matrix = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j).re, format!("{i}/{j}")));
                let rates = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j).eps, format!("{i}/{j}'")));
                let rhs = nalgebra::Vector3::from_fn(|i, _| at(side(i).re, format!("{i}/")));
                let pace = nalgebra::Vector3::from_fn(|i, _| at(side(i).eps, format!("{i}/'")));
                let x = matrix.lu().solve(&rhs).unwrap();
                let xdot = matrix.lu().solve(&(pace - rates * x)).unwrap();
                for (i, found) in found.iter().enumerate() {
                    assert!(found.re.range().contains(x[i]), "{run} {x} {found:?}");
                    assert!(found.eps.range().contains(xdot[i]), "{run} {xdot} {found:?}");
                    assert!(found.re.rad < 0.5, "{found:?}");
                }
            }
        }
    }

    fn still(mid: f64, rad: f64) -> Dual<Ball> {
        Dual::fixed(Ball::new(mid, rad))
    }

    #[test]
    fn what_may_be_singular_has_no_bounds() {
        for (diagonal, bounded) in
            [(still(1.0, 0.6), false), (still(1.0, f64::INFINITY), false), (still(1.0, 0.1), true)]
        {
            let mut system = System::<Moving>::with_size(2);
            assert!(system.take(2, |i, j| if i == j { diagonal } else { still(0.0, 0.6) }));
            system.solve(|_| still(1.0, 0.0));
            let x = system.right;
            assert_eq!(x.iter().all(|x| x.re.range().is_bounded()), bounded, "{x:?}");
        }
        assert!(!System::<Moving>::with_size(2).take(2, |_, _| still(1.0, 0.0)));
    }

    /// Three equations of two unknowns, one of which says nothing: what is solved is the part with the largest pivots.
    #[test]
    fn the_part_of_the_largest_pivots_is_solved() {
        let mut system = System::<Moving>::with_size(2);
        let rows = [[1e-3, 1.0], [0.0, 0.0], [1.0, 1.0]];
        let entry = |i: usize, j: usize| still(rows[i][j], 0.0);
        assert!(!system.take_part([3, 2], 1, entry, |_| 1.0));
        assert!(system.take_part([3, 2], 2, entry, |_| 1.0));
        system.solve(|i| still(rows[i][0] * 4.0 + rows[i][1] * 6.0, 0.1));
        for (column, x) in system.unknowns() {
            assert!(x.re.range().contains([4.0, 6.0][column]) && x.re.rad < 0.3, "{x:?}");
        }
        // two feet side by side: one of them is solved
        assert!(system.take_part([1, 2], 1, |_, _| still(1.0, 0.0), |_| 1.0));
        assert_eq!(system.columns().len(), 1);
    }

    /// Solutions along curves lie in what is enclosed of them, at every s, and closer the shorter the curves are.
    #[test]
    fn solutions_along_curves_are_enclosed() {
        let (n, mut widths) = (3, [0.0_f64; 2]);
        for run in 0..100 {
            for (k, bend) in [0.2, 0.1].into_iter().enumerate() {
                let draw = |name: String| 2.0 * uniform(5, run, &name) - 1.0;
                let strip = |name: String, more: f64| {
                    let mut curve = [0, 1, 2, 3].map(|k| f64::powi(bend, k) * draw(format!("{name} {k}")));
                    curve[0] += more;
                    Strip { curve, rad: 0.0 }
                };
                let entry = |i: usize, j: usize| strip(format!("{i},{j}"), if i == j { 2.5 } else { 0.0 });
                let side = |i: usize| strip(format!("{i}"), 0.0);
                let mut system = System::<Strip>::with_size(n);
                assert!(system.take(n, entry));
                system.solve(side);
                let found = system.right;
                for s in [-1.0, -0.7, -0.3, 0.0, 0.4, 0.8, 1.0] {
                    let at = |x: Strip| x.curve.iter().rev().fold(0.0, |sum, c| sum * s + c);
                    let matrix = nalgebra::Matrix3::from_fn(|i, j| at(entry(i, j)));
                    let x = matrix.lu().solve(&nalgebra::Vector3::from_fn(|i, _| at(side(i)))).unwrap();
                    for (x, found) in x.iter().zip(&found) {
                        assert!((x - at(*found)).abs() <= found.rad + 1e-12, "{run} {s}: {x} {found:?}");
                        widths[k] = widths[k].max(found.rad);
                    }
                }
            }
        }
        assert!(widths[0] < 0.25 && widths[1] < widths[0] / 8.0, "{widths:?}");
    }
}
