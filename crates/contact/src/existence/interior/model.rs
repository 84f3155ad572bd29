//! What the interior point method solves with again and again: G by contacts, and the factorisation of Gᵀ W⁻² G.

use super::super::kinematics::Kinematics;
use super::super::scaling::{Scaling, Vector, dot};
use crate::coulomb::METHODS;
use crate::linear::cholesky::{Cholesky, Symbolic};

/// What the diagonal of Gᵀ W⁻² G is enlarged by, relatively: velocities that move no contact would be rounding over rounding.
const REGULAR: f64 = METHODS.margin_regular;

/// The matrix G by contacts: the columns that each touches, and three numbers for each.
pub(in crate::existence) struct Contacts {
    start: Vec<usize>,
    cols: Vec<u32>,
    vals: Vec<Vector>,
    pub(super) columns: usize,
}

impl Contacts {
    pub(in crate::existence) fn of(problem: &Kinematics) -> Self {
        let mut out =
            Self { start: vec![0], cols: Vec::new(), vals: Vec::new(), columns: problem.velocities() };
        for i in 0..problem.contacts() {
            let first = out.cols.len();
            let mut entries: Vec<(usize, usize, f64)> = Vec::new();
            for k in 0..if problem.mu[i] > 0.0 { problem.dim } else { 1 } {
                let factor = if k == 0 { 1.0 } else { problem.mu[i] };
                entries.extend(problem.H.row(i * problem.dim + k).map(|(j, a)| (j, k, factor * a)));
            }
            entries.sort_unstable_by_key(|&(j, k, _)| (j, k));
            for (j, k, a) in entries {
                if out.cols.len() == first || out.cols.last() != Some(&(j as u32)) {
                    out.cols.push(j as u32);
                    out.vals.push([0.0; 3]);
                }
                if let Some(last) = out.vals.last_mut() {
                    last[k] = a;
                }
            }
            out.start.push(out.cols.len());
        }
        out
    }

    pub(super) fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// Σ over the contacts of the squared numbers of columns: the cost of assembling Gᵀ D G.
    pub(in crate::existence) fn couplings(&self) -> usize {
        self.start.windows(2).map(|w| (w[1] - w[0]).pow(2)).sum()
    }

    fn entries(&self, i: usize) -> impl Iterator<Item = (u32, &Vector)> {
        let range = self.start[i]..self.start[i + 1];
        self.cols[range.clone()].iter().copied().zip(&self.vals[range])
    }

    /// G v.
    pub(super) fn times(&self, v: &[f64]) -> Vec<Vector> {
        let sum = |i: usize| {
            let add = |z: Vector, (j, a): (u32, &Vector)| [0, 1, 2].map(|k| z[k] + a[k] * v[j as usize]);
            self.entries(i).fold([0.0; 3], add)
        };
        (0..self.count()).map(sum).collect()
    }

    /// Gᵀ r.
    pub(super) fn transposed(&self, r: &[Vector]) -> Vec<f64> {
        let mut p = vec![0.0; self.columns];
        for (i, r) in r.iter().enumerate() {
            self.entries(i).for_each(|(j, a)| p[j as usize] += dot(a, r));
        }
        p
    }
}

/// What is solved again and again: the matrix, its symbolic factorisation, and where each product of entries goes.
pub(in crate::existence) struct Model {
    pub(super) contacts: Contacts,
    pub(super) symbolic: Symbolic,
    /// For each contact the places of the products of its columns a ≥ b in the permuted lower triangle.
    places: Vec<u32>,
}

impl Model {
    pub(in crate::existence) fn new(contacts: Contacts) -> Self {
        let cliques: Vec<&[u32]> = contacts.start.windows(2).map(|w| &contacts.cols[w[0]..w[1]]).collect();
        let symbolic = Symbolic::new(contacts.columns, &cliques);
        let mut places = Vec::new();
        for clique in cliques {
            for (a, &i) in clique.iter().enumerate() {
                for &j in &clique[..=a] {
                    let (i, j) = (symbolic.place[i as usize], symbolic.place[j as usize]);
                    places.push(symbolic.lower.position(i.max(j), i.min(j)) as u32);
                }
            }
        }
        Self { contacts, symbolic, places }
    }

    /// Gᵀ W⁻² G, factored.
    pub(super) fn factor(&self, scalings: &[Scaling]) -> Cholesky {
        let mut values = vec![0.0; self.symbolic.lower.rows.len()];
        let mut places = self.places.iter();
        for (i, scaling) in scalings.iter().enumerate() {
            let vals = &self.contacts.vals[self.contacts.start[i]..self.contacts.start[i + 1]];
            for (a, x) in vals.iter().enumerate() {
                let weighed = scaling.weigh(x);
                vals[..=a].iter().zip(&mut places).for_each(|(y, &p)| values[p as usize] += dot(y, &weighed));
            }
        }
        let diagonal = |j: usize| self.symbolic.lower.start[j];
        (0..self.contacts.columns).for_each(|j| values[diagonal(j)] *= 1.0 + REGULAR);
        Cholesky::new(&self.symbolic, &values, METHODS.margin_pivot)
    }
}
