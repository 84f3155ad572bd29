//! Linear systems A x = y over boxes, and the rates of their solutions along a motion, A ẋ = ẏ − Ȧ x.
//!
//! With C the inverse of the middle of A, the solutions lie around C y by e, |e| ≤ |C| (rad y + rad A |C y|) + |C| rad A |e|. Where rows follow
//! from others, the largest pivots choose those that are solved, and unknowns without a pivot keep a value that is given.

use super::kernel::Moving;
use crate::num::{Ball, Real, Tol};

/// A square matrix over a box, and the inverse of its middle.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    n: usize,
    /// By rows.
    matrix: Vec<Moving>,
    /// The rows and columns that are solved.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// C.
    inverse: Vec<f64>,
    /// Columns before it are known.
    first: usize,
    work: Vec<f64>,
    right: Vec<Ball>,
    rates: Vec<Ball>,
    residual: Vec<f64>,
}

impl System {
    /// With memory for so many unknowns.
    pub(super) fn with_size(n: usize) -> Self {
        let (numbers, places) = (|length: usize| Vec::with_capacity(length), || Vec::with_capacity(n));
        Self {
            matrix: Vec::with_capacity(n * n),
            rows: places(),
            columns: places(),
            inverse: numbers(n * n),
            work: numbers(2 * n * n),
            right: Vec::with_capacity(n),
            rates: Vec::with_capacity(n),
            residual: numbers(2 * n),
            ..Self::default()
        }
    }

    /// Takes a matrix of which so many rows follow from others; false if its middle has another rank.
    pub(super) fn take(&mut self, n: usize, implied: usize, entry: impl Fn(usize, usize) -> Moving) -> bool {
        self.n = n;
        self.matrix.clear();
        self.matrix.extend((0..n * n).map(|at| entry(at / n, at % n)));
        self.find_pivots(implied);
        self.rows.len() + implied == n && self.invert()
    }

    /// Independent rows and columns: all, or those of the largest pivots.
    fn find_pivots(&mut self, implied: usize) {
        let Self { n, matrix, rows, columns, work: left, .. } = self;
        let n = *n;
        rows.clear();
        columns.clear();
        if implied == 0 {
            rows.extend(0..n);
            columns.extend(0..n);
            return;
        }
        left.clear();
        left.extend(matrix.iter().map(|x| x.value()));
        let largest = left.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for _ in 0..n {
            let open = (0..n * n).filter(|at| !rows.contains(&(at / n)) && !columns.contains(&(at % n)));
            let best = open.max_by(|&a, &b| left[a].abs().total_cmp(&left[b].abs()));
            let Some(best) = best.filter(|&at| left[at].abs() > Tol::default().dependent * largest) else {
                break;
            };
            let (row, column) = (best / n, best % n);
            for i in (0..n).filter(|i| *i != row && !rows.contains(i)) {
                let factor = left[i * n + column] / left[best];
                (0..n).for_each(|j| left[i * n + j] -= factor * left[row * n + j]);
            }
            rows.push(row);
            columns.push(column);
        }
    }

    /// The inverse of the middles, by Gauss and Jordan with partial pivoting; false without a pivot.
    fn invert(&mut self) -> bool {
        let Self { n, matrix, rows, columns, inverse, work, .. } = self;
        let rank = rows.len();
        let at = |i: usize, j: usize| &matrix[rows[i] * *n + columns[j]];
        work.clear();
        work.extend((0..rank * rank).map(|place| at(place / rank, place % rank).value()));
        inverse.clear();
        inverse.extend((0..rank * rank).map(|at| f64::from(u8::from(at / rank == at % rank))));
        for k in 0..rank {
            let size = |i: usize| work[i * rank + k].abs();
            let row = (k..rank).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let pivot = work[row * rank + k];
            if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                return false;
            }
            for j in 0..rank {
                for half in [&mut *work, &mut *inverse] {
                    half.swap(row * rank + j, k * rank + j);
                    half[k * rank + j] /= pivot;
                }
            }
            for i in (0..rank).filter(|i| *i != k) {
                let factor = work[i * rank + k];
                if factor.abs() > 0.0 {
                    (0..rank).for_each(|j| {
                        work[i * rank + j] -= factor * work[k * rank + j];
                        inverse[i * rank + j] -= factor * inverse[k * rank + j];
                    });
                }
            }
        }
        true
    }

    /// Replaces a right-hand side by the solution and its rate. Unknowns without a pivot are `given`. Where the first unknowns are `known`, the
    /// others follow from the first rows; the rows after these say nothing of them.
    pub(super) fn solve(&mut self, x: &mut [Moving], known: &[Moving], given: impl Fn(usize) -> f64) {
        let n = self.n;
        let Self { matrix, rows, columns, right, rates, .. } = self;
        for (right, rate) in [(&mut *right, false), (&mut *rates, true)] {
            right.clear();
            right.extend(rows.iter().map(|&i| {
                let own = if known.is_empty() || i < known.len() { x[i] } else { Moving::from_f64(0.0) };
                if rate { own.eps } else { own.re }
            }));
        }
        let fixed = |j: usize| match known.get(j) {
            Some(&x) => Some(x),
            None => (columns.len() < n && !columns.contains(&j)).then(|| Moving::from_f64(given(j))),
        };
        for j in 0..n {
            let Some(value) = fixed(j) else { continue };
            x[j] = value;
            for ((&i, right), rate) in rows.iter().zip(right.iter_mut()).zip(rates.iter_mut()) {
                if known.is_empty() || i < known.len() {
                    let part = matrix[i * n + j] * value;
                    (*right, *rate) = (*right - part.re, *rate - part.eps);
                }
            }
        }
        self.first = known.len();
        self.solve_plain(false);
        let Self { matrix, rows, columns, right, rates, first, .. } = self;
        for (&j, &solved) in columns.iter().zip(right.iter()).filter(|(j, _)| **j >= *first) {
            x[j].re = solved;
            for (&i, rate) in rows.iter().zip(rates.iter_mut()) {
                *rate = *rate - matrix[i * n + j].eps * solved;
            }
        }
        self.solve_plain(true);
        for (&j, &rate) in self.columns.iter().zip(&self.rates).filter(|(j, _)| **j >= self.first) {
            x[j].eps = rate;
        }
    }

    /// Replaces the right-hand side of the rows that are solved, or its rate, by the unknowns that are.
    fn solve_plain(&mut self, rate: bool) {
        let Self { n, matrix, rows, columns, inverse, work, right, rates, residual, first, .. } = self;
        let right = if rate { rates } else { right };
        let rank = rows.len();
        let is_open = |place: usize| columns[place] >= *first;
        work.clear();
        let middle = |row: &[f64]| row.iter().zip(right.iter()).map(|(c, y)| c * y.mid).sum::<f64>();
        work.extend(inverse.chunks_exact(rank.max(1)).map(middle));
        let radius = |i: usize, place: usize| matrix[i * *n + columns[place]].re.rad;
        let open = || (0..rank).filter(|&place| is_open(place));
        residual.clear();
        residual.extend(
            rows.iter()
                .zip(right.iter())
                .map(|(&i, y)| y.rad + open().map(|place| radius(i, place) * work[place].abs()).sum::<f64>()),
        );
        let radii = rows.iter().map(|&i| open().map(|place| radius(i, place)).sum::<f64>());
        residual.extend(radii);
        let (residual, radii) = residual.split_at(rank);
        let reaches = |radii: &[f64]| {
            let rows = inverse.chunks_exact(rank.max(1)).enumerate();
            let largest = rows.filter(|(place, _)| is_open(*place)).map(|(_, row)| reach(row, radii));
            // NaN is the largest of all
            largest.fold(0.0_f64, |largest, x| if largest.is_nan() || x <= largest { largest } else { x })
        };
        let left = 1.0 - reaches(radii);
        let farthest = if left > 0.0 { reaches(residual) / left } else { f64::INFINITY };
        for (place, row) in inverse.chunks_exact(rank.max(1)).enumerate() {
            right[place] = Ball::new(work[place], reach(row, residual) + reach(row, radii) * farthest);
        }
    }
}

/// Σ |c| r.
fn reach(row: &[f64], radii: &[f64]) -> f64 {
    row.iter().zip(radii).map(|(c, r)| c.abs() * r).sum()
}

#[cfg(test)]
mod tests {
    use super::System;
    use crate::num::random::uniform;
    use crate::num::{Ball, Dual};

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
            let mut system = System::with_size(n);
            assert!(system.take(n, 0, entry));
            let mut found: Vec<_> = (0..n).map(side).collect();
            system.solve(&mut found, &[], |_| 0.0);
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
            let mut system = System::with_size(2);
            assert!(system.take(2, 0, |i, j| if i == j { diagonal } else { still(0.0, 0.6) }));
            let mut rhs = [still(1.0, 0.0); 2];
            system.solve(&mut rhs, &[], |_| 0.0);
            assert_eq!(rhs.iter().all(|x| x.re.range().is_bounded()), bounded, "{rhs:?}");
        }
        assert!(!System::with_size(2).take(2, 0, |_, _| still(1.0, 0.0)));
    }

    /// m v̇ = F + κ, v̇ = 0: with v̇ known the force is, whatever the second row is like.
    #[test]
    fn what_is_known_decides_what_is_not() {
        let mut system = System::with_size(2);
        let entries = [still(2.0, 0.1), still(-1.0, 0.0), still(1.0, 0.5), still(0.0, 0.0)];
        assert!(system.take(2, 0, |i, j| entries[2 * i + j]));
        let mut x = [still(3.0, 0.2), still(0.0, 0.0)];
        system.solve(&mut x, &[still(0.5, 0.1)], |_| 0.0);
        let [least, most] = [1.9 * 0.4 - 3.2, 2.1 * 0.6 - 2.8];
        let force = x[1].re.range();
        assert!(force.lo <= least && most <= force.hi && force.width() < 1.2 * (most - least), "{x:?}");
    }

    #[test]
    fn what_rows_leave_open_keeps_what_is_given() {
        // two feet that carry 10 together
        let mut system = System::with_size(2);
        let ones = |_: usize, _: usize| still(1.0, 0.0);
        assert!(!system.take(2, 0, ones) && system.take(2, 1, ones));
        let mut rhs = [still(10.0, 0.1); 2];
        system.solve(&mut rhs, &[], |foot| [4.0, 6.0][foot]);
        let sum = (rhs[0] + rhs[1]).re;
        assert!(sum.range().contains(9.9) && sum.range().contains(10.1), "{sum:?}");
        assert!(rhs.iter().any(|x| x.re.range().contains(4.0) && x.re.rad < 0.3), "{rhs:?}");
    }
}
