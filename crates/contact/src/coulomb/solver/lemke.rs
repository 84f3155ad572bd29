//! Lemke's complementary pivoting for planar problems, the one method that is proven to end at a solution when an
//! existence criterion holds [AC11 4.1]. Coulomb's law in the plane is a linear complementarity problem in
//! (λ, β₊, β₋, γ) per contact, r = (λ, β₊ − β₋):
//!
//! ```text
//! 0 ≤ u_N ⊥ λ ≥ 0,  0 ≤ γ + u_T ⊥ β₊ ≥ 0,  0 ≤ γ − u_T ⊥ β₋ ≥ 0,  0 ≤ μλ − β₊ − β₋ ⊥ γ ≥ 0.
//! ```
//!
//! Ties are broken lexicographically, so that no basis comes back. Ending on a ray is an answer (nothing follows from it
//! here, since the matrix need not be copositive), not an error.

use super::{Options, Solver, Task, Workspace};
use crate::coulomb::residual::local_residual;
use crate::num::Tol;

/// Contacts above which the dense tableau (512 n² bytes) is not begun.
pub const CONTACTS: usize = 1000;

/// Lemke's method. Problems in space, and those with more than [`CONTACTS`], are left as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lemke;

/// How the pivoting ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Forces that solve the problem up to rounding.
    Solution(Vec<f64>),
    /// No basic variable blocks the entering one.
    Ray,
    /// The limit of pivots was reached.
    Limit,
    /// Not a planar problem.
    Space,
    /// More than [`CONTACTS`].
    TooLarge,
}

impl Solver for Lemke {
    fn name(&self) -> &'static str {
        "lemke"
    }

    fn refusal(&self, dim: usize, contacts: usize) -> Option<String> {
        match (dim, contacts) {
            (2, 0..=CONTACTS) => None,
            (2, _) => {
                Some(format!("{contacts} contacts are more than {CONTACTS}, the most for its dense tableau"))
            }
            _ => Some("Lemke's method is for the plane, and the problem is in space".to_string()),
        }
    }

    fn solve(&self, task: &Task<'_>, options: &Options, _: &mut Workspace, r: &mut [f64]) -> usize {
        let (ending, pivots) = self.pivot(task, options.iterations);
        if let Ending::Solution(found) = ending {
            let mut u = vec![0.0; r.len()];
            let measure = |r: &[f64], u: &mut [f64]| local_residual(task.local, task.mu, r, u).relative;
            if measure(&found, &mut u) < measure(r, &mut u) {
                r.copy_from_slice(&found);
            }
        }
        pivots
    }
}

impl Lemke {
    /// Pivots from the free motion; the ending and the number of pivots.
    #[must_use]
    pub fn pivot(&self, task: &Task<'_>, limit: usize) -> (Ending, usize) {
        if task.local.W.block_size() != 2 {
            return (Ending::Space, 0);
        }
        if task.mu.len() > CONTACTS {
            return (Ending::TooLarge, 0);
        }
        let mut tableau = Tableau::new(task);
        let mut entering = match tableau.start() {
            Some(entering) => entering,
            None => return (Ending::Solution(tableau.forces()), 0),
        };
        for pivots in 1..=limit {
            let Some(row) = tableau.leaving_row(entering) else { return (Ending::Ray, pivots) };
            let left = tableau.exchange(row, entering);
            if left == tableau.artificial() {
                return (Ending::Solution(tableau.forces()), pivots);
            }
            entering = tableau.complement(left);
        }
        (Ending::Limit, limit)
    }
}

/// Dictionary w − M z − d z₀ = q in the columns w, z, z₀, q: the columns of w are the inverse of the basis.
struct Tableau {
    rows: Vec<Vec<f64>>,
    /// The basic variable of each row; variables are numbered by their column.
    basis: Vec<usize>,
    size: usize,
    scale: f64,
}

impl Tableau {
    fn new(task: &Task<'_>) -> Self {
        let n = task.mu.len();
        let size = 4 * n;
        let mut rows = vec![vec![0.0; 2 * size + 2]; size];
        for i in 0..n {
            for j in 0..n {
                let w = |a: usize, b: usize| task.local.W.get(2 * i + a, 2 * j + b);
                let block = [[w(0, 0), w(0, 1), -w(0, 1)], [w(1, 0), w(1, 1), -w(1, 1)]];
                for (b, factor) in (0..3).map(|b| (b, [block[0][b], block[1][b], -block[1][b]])) {
                    factor.iter().enumerate().for_each(|(a, x)| rows[4 * i + a][size + 4 * j + b] = -x);
                }
            }
            let (normal, tangent) = (task.local.q[2 * i], task.local.q[2 * i + 1]);
            (rows[4 * i][2 * size + 1], rows[4 * i + 1][2 * size + 1], rows[4 * i + 2][2 * size + 1]) =
                (normal, tangent, -tangent);
            rows[4 * i + 1][size + 4 * i + 3] = -1.0;
            rows[4 * i + 2][size + 4 * i + 3] = -1.0;
            let friction = &mut rows[4 * i + 3];
            (friction[size + 4 * i], friction[size + 4 * i + 1], friction[size + 4 * i + 2]) =
                (-task.mu[i], 1.0, 1.0);
        }
        for (k, row) in rows.iter_mut().enumerate() {
            row[k] = 1.0;
            row[2 * size] = -1.0;
        }
        let scale = rows.iter().map(|row| row[2 * size + 1].abs()).fold(0.0, f64::max);
        Self { rows, basis: (0..size).collect(), size, scale }
    }

    fn artificial(&self) -> usize {
        2 * self.size
    }

    fn value(&self, row: usize) -> f64 {
        self.rows[row][2 * self.size + 1]
    }

    /// w ↔ z.
    fn complement(&self, variable: usize) -> usize {
        (variable + self.size) % (2 * self.size)
    }

    /// Brings z₀ in for the most negative w (the lexicographically least row); the first entering variable, none if
    /// q ≥ 0 already.
    fn start(&mut self) -> Option<usize> {
        let negative = |row: usize| self.value(row) < 0.0;
        (0..self.size).find(|&row| negative(row))?;
        let row = (0..self.size).reduce(|a, b| if self.is_less(b, -1.0, a, -1.0) { b } else { a })?;
        let left = self.exchange(row, self.artificial());
        Some(self.complement(left))
    }

    /// The row whose (value, inverse basis) / pivot is lexicographically least among those with a positive pivot.
    /// If z₀ ties on the value, it leaves.
    fn leaving_row(&self, entering: usize) -> Option<usize> {
        let largest = self.rows.iter().map(|row| row[entering].abs()).fold(0.0, f64::max);
        let positive = |row: &usize| self.rows[*row][entering] > Tol::default().lemke_pivot * largest;
        let less = |a: usize, b: usize| self.is_less(a, self.rows[a][entering], b, self.rows[b][entering]);
        let best = (0..self.size).filter(positive).reduce(|a, b| if less(b, a) { b } else { a })?;
        let artificial = (0..self.size).find(|&row| self.basis[row] == self.artificial()).filter(positive);
        let ratio = |row: usize| self.value(row) / self.rows[row][entering];
        let tie = |row: &usize| ratio(*row) - ratio(best) <= Tol::default().lemke_pivot * self.scale;
        artificial.filter(tie).or(Some(best))
    }

    fn is_less(&self, a: usize, by_a: f64, b: usize, by_b: f64) -> bool {
        let (x, y) = (&self.rows[a], &self.rows[b]);
        // For the first pivot both divisors are −1: compare the values themselves.
        let (by_a, by_b) = (by_a.abs(), by_b.abs());
        let columns = std::iter::once(2 * self.size + 1).chain(0..self.size);
        let differing = columns.map(|k| (x[k] / by_a).total_cmp(&(y[k] / by_b))).find(|order| order.is_ne());
        differing.is_some_and(std::cmp::Ordering::is_lt)
    }

    /// Makes `entering` basic in `row`; the variable that was.
    fn exchange(&mut self, row: usize, entering: usize) -> usize {
        let pivot = self.rows[row][entering];
        self.rows[row].iter_mut().for_each(|x| *x /= pivot);
        let lead = std::mem::take(&mut self.rows[row]);
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[entering];
            if factor.abs() > 0.0 {
                other.iter_mut().zip(&lead).for_each(|(x, l)| *x -= factor * l);
            }
        }
        self.rows[row] = lead;
        std::mem::replace(&mut self.basis[row], entering)
    }

    fn forces(&self) -> Vec<f64> {
        let mut r = vec![0.0; self.size / 2];
        for (row, &variable) in
            self.basis.iter().enumerate().filter(|(_, v)| (self.size..2 * self.size).contains(*v))
        {
            let (i, part) = ((variable - self.size) / 4, (variable - self.size) % 4);
            match part {
                0 => r[2 * i] += self.value(row),
                1 => r[2 * i + 1] += self.value(row),
                2 => r[2 * i + 1] -= self.value(row),
                _ => {}
            }
        }
        r
    }
}
