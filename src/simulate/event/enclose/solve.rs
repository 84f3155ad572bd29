//! Small linear systems of numbers that enclose.
//!
//! The middles are eliminated with full pivoting; the inverse of what the pivots' rows and columns have in common makes the system nearly
//! that of the identity, which is then eliminated with the numbers themselves. Unknowns without a pivot, where rows follow from
//! others, keep a value that is given.

use super::field::Enclosing;
use crate::num::Tol;

/// Memory of a solution.
#[derive(Clone, Debug)]
pub(super) struct System<T> {
    /// By rows, and the right-hand side.
    pub(super) matrix: Vec<T>,
    pub(super) rhs: Vec<T>,
    /// What is given of the unknowns.
    pub(super) given: Vec<f64>,
    middles: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    inverse: Vec<f64>,
    square: Vec<T>,
    change: Vec<T>,
}

impl<T> Default for System<T> {
    fn default() -> Self {
        Self::for_unknowns(0)
    }
}

impl<T> System<T> {
    /// With memory for a number of unknowns.
    pub(super) fn for_unknowns(n: usize) -> Self {
        Self {
            matrix: Vec::with_capacity(n * n),
            rhs: Vec::with_capacity(n),
            given: Vec::with_capacity(n),
            middles: Vec::with_capacity(n * n),
            rows: Vec::with_capacity(n),
            columns: Vec::with_capacity(n),
            inverse: Vec::with_capacity(n * n),
            square: Vec::with_capacity(n * n),
            change: Vec::with_capacity(n),
        }
    }
}

impl<T: Enclosing> System<T> {
    /// An empty system.
    pub(super) fn clear(&mut self) {
        self.matrix.clear();
        self.rhs.clear();
        self.given.clear();
    }

    /// Replaces the right-hand side by a solution; false if a pivot may be zero, or there are not as many rows that others imply as are
    /// known to be.
    pub(super) fn solve(&mut self, implied: usize) -> bool {
        if implied == 0
            && let ([entry], [rhs]) = (&self.matrix[..], &mut self.rhs[..])
        {
            *rhs = *rhs / *entry;
            return !entry.range().contains(0.0);
        }
        self.find_pivots();
        if self.rows.len() + implied != self.rhs.len() {
            return false;
        }
        self.invert_common();
        self.reduce();
        if !eliminate(&mut self.square, &mut self.change) {
            return false;
        }
        for (x, &given) in self.rhs.iter_mut().zip(&self.given) {
            *x = T::from_f64(given);
        }
        for (&j, &change) in self.columns.iter().zip(&self.change) {
            self.rhs[j] = self.rhs[j] + change;
        }
        true
    }

    /// Independent rows and columns, the largest pivots first.
    fn find_pivots(&mut self) {
        let Self { matrix, rhs, middles: left, rows, columns, .. } = self;
        let n = rhs.len();
        left.clear();
        left.extend(matrix.iter().map(|x| x.value()));
        let largest = left.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        rows.clear();
        columns.clear();
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

    /// The inverse of the middles that the pivots' rows and columns have in common, by Gauss and Jordan in the order of the pivots.
    fn invert_common(&mut self) {
        let Self { matrix, rhs, rows, columns, inverse, .. } = self;
        let (n, rank) = (rhs.len(), rows.len());
        inverse.clear();
        let matrix = &*matrix;
        inverse.extend(rows.iter().flat_map(|i| columns.iter().map(move |j| matrix[i * n + j].value())));
        for k in 0..rank {
            let pivot = 1.0 / inverse[k * rank + k];
            inverse[k * rank + k] = 1.0;
            (0..rank).for_each(|j| inverse[k * rank + j] *= pivot);
            for i in (0..rank).filter(|i| *i != k) {
                let factor = std::mem::replace(&mut inverse[i * rank + k], 0.0);
                (0..rank).for_each(|j| inverse[i * rank + j] -= factor * inverse[k * rank + j]);
            }
        }
    }

    /// The rows of the pivots less what is given, times the inverse.
    fn reduce(&mut self) {
        let Self { matrix, rhs, given, rows, columns, inverse, square, change, .. } = self;
        let (n, rank) = (rhs.len(), rows.len());
        for &i in rows.iter() {
            let taken = given.iter().enumerate().filter(|(_, x)| x.abs() > 0.0);
            rhs[i] = taken.fold(rhs[i], |sum, (j, &x)| sum - matrix[i * n + j] * T::from_f64(x));
        }
        let times = |i: usize, of: &dyn Fn(usize) -> T| {
            (0..rank).fold(T::from_f64(0.0), |sum, k| sum + T::from_f64(inverse[i * rank + k]) * of(rows[k]))
        };
        square.clear();
        change.clear();
        for i in 0..rank {
            square.extend(columns.iter().map(|&j| times(i, &|row| matrix[row * n + j])));
            change.push(times(i, &|row| rhs[row]));
        }
    }
}

/// Elimination in the order of the rows; false if a pivot may be zero.
fn eliminate<T: Enclosing>(matrix: &mut [T], rhs: &mut [T]) -> bool {
    let n = rhs.len();
    for k in 0..n {
        if matrix[k * n + k].range().contains(0.0) {
            return false;
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            for j in k + 1..n {
                matrix[i * n + j] = matrix[i * n + j] - factor * matrix[k * n + j];
            }
            rhs[i] = rhs[i] - factor * rhs[k];
        }
    }
    for k in (0..n).rev() {
        let left = (k + 1..n).fold(rhs[k], |sum, j| sum - matrix[k * n + j] * rhs[j]);
        rhs[k] = left / matrix[k * n + k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::System;
    use crate::num::Interval;
    use crate::num::random::uniform;

    /// Solutions of random systems within the widths of their entries lie in what is enclosed.
    #[test]
    fn solutions_of_all_systems_within_are_enclosed() {
        let n = 3;
        for run in 0..300 {
            let draw = |name: &str| 2.0 * uniform(3, run, name) - 1.0;
            let place = |i: usize, j: usize| draw(&format!("{i},{j}")) + if i == j { 2.5 } else { 0.0 };
            let width = 0.02;
            let shifted =
                |k: u64, i: usize, j: usize| width * (2.0 * uniform(k, run, &format!("{i}/{j}")) - 1.0);
            let mut system = System::<Interval>::default();
            for i in 0..n {
                for j in 0..n {
                    system.matrix.push(Interval::new(place(i, j) - width, place(i, j) + width));
                }
                system.rhs.push(Interval::new(place(i, 9) - width, place(i, 9) + width));
                system.given.push(0.0);
            }
            assert!(system.solve(0));
            for k in 0..20 {
                let entry = |i: usize, j: usize| place(i, j) + shifted(k, i, j);
                let matrix = nalgebra::Matrix3::from_fn(entry);
                let rhs = nalgebra::Vector3::from_fn(|i, _| entry(i, 9));
                let x = matrix.lu().solve(&rhs).unwrap();
                for (x, enclosed) in x.iter().zip(&system.rhs) {
                    assert!(enclosed.contains(*x), "{run} {x} {enclosed:?}");
                    assert!(enclosed.width() < 1.0, "{enclosed:?}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_bounds_has_no_solution() {
        let mut system = System::<Interval>::default();
        system.matrix.extend([Interval::WHOLE; 4]);
        system.rhs.extend([Interval::new(1.0, 1.0); 2]);
        system.given.extend([0.0; 2]);
        assert!(!system.solve(0));
    }

    #[test]
    fn what_rows_leave_open_keeps_what_is_given() {
        // two feet that carry 10 together
        let mut system = System::<Interval>::default();
        system.matrix.extend([Interval::new(1.0, 1.0); 4]);
        system.rhs.extend([Interval::new(9.9, 10.1); 2]);
        system.given.extend([4.0, 6.0]);
        assert!(!system.solve(0) && system.solve(1));
        let sum = system.rhs[0] + system.rhs[1];
        assert!(sum.contains(9.9) && sum.contains(10.1), "{sum:?}");
        assert!(system.rhs.iter().any(|x| x.contains(4.0) && x.width() < 0.3), "{:?}", system.rhs);
    }
}
