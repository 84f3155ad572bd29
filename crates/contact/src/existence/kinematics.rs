//! What the existence assumptions see of a problem: u = H v + w and the friction coefficients, and nothing of
//! M and f [ACLM11 5.5]. H is stored by rows; a contact has `dim` rows, the normal one first.
//!
//! A local problem u = W r + q enters with W in the place of H and q in the place of w: if W = H M⁻¹ Hᵀ with M
//! symmetric positive definite, then Im W = Im H, Ker W = Ker Hᵀ and q = w − H M⁻¹ f differs from w by an element of
//! Im H, so that all assumptions are the same sets. For an M with positive definite symmetric part the three
//! statements still hold (x·W x = 0 forces Hᵀ x = 0), and with them every *kinematic* verdict; the theorems that
//! conclude existence are stated for symmetric M only.

use crate::coulomb::{Form, Global, Local, Problem};
use crate::linear::BlockMatrix;
use crate::num::{Dyadic, InOrder, ScaledVector};

/// Rows of a sparse matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Number of columns.
    pub columns: usize,
    /// Where each row starts in `index` and `value`; one longer than the number of rows.
    pub start: Vec<usize>,
    /// Column of each entry, increasing within a row.
    pub index: Vec<usize>,
    /// Value of each entry.
    pub value: Vec<f64>,
}

impl Rows {
    /// Rows from (row, column, value) triplets; entries at the same place are added, zeros dropped.
    #[must_use]
    pub fn from_triplets(rows: usize, columns: usize, triplets: &[(usize, usize, f64)]) -> Self {
        let mut sorted: Vec<_> = triplets.iter().filter(|t| t.2 != 0.0).copied().collect();
        sorted.put_in_order_of(|&(i, j, _)| (i, j));
        let mut matrix = Self { columns, start: vec![0; rows + 1], index: Vec::new(), value: Vec::new() };
        let mut last = None;
        for (i, j, x) in sorted {
            match (last == Some((i, j)), matrix.value.last_mut()) {
                (true, Some(previous)) => *previous += x,
                _ => matrix.push(i, j, x),
            }
            last = Some((i, j));
        }
        (0..rows).for_each(|i| matrix.start[i + 1] += matrix.start[i]);
        matrix
    }

    /// Rows of a dense matrix given row by row.
    #[must_use]
    pub fn from_dense(rows: &[Vec<f64>], columns: usize) -> Self {
        let entries =
            |(i, row): (usize, &Vec<f64>)| row.iter().enumerate().map(move |(j, &x)| (i, j, x)).collect();
        let triplets: Vec<_> = rows.iter().enumerate().flat_map(|row| -> Vec<_> { entries(row) }).collect();
        Self::from_triplets(rows.len(), columns, &triplets)
    }

    /// Rows given one by one, columns ascending and no zeros.
    fn from_rows(columns: usize, rows: impl Iterator<Item = Vec<(usize, f64)>>) -> Self {
        let mut matrix = Self { columns, start: vec![0], index: Vec::new(), value: Vec::new() };
        for row in rows {
            matrix.index.extend(row.iter().map(|entry| entry.0));
            matrix.value.extend(row.iter().map(|entry| entry.1));
            matrix.start.push(matrix.index.len());
        }
        matrix
    }

    fn push(&mut self, i: usize, j: usize, x: f64) {
        self.index.push(j);
        self.value.push(x);
        self.start[i + 1] += 1;
    }

    /// Number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// The entries (column, value) of row i.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[i]..self.start[i + 1];
        self.index[range.clone()].iter().copied().zip(self.value[range].iter().copied())
    }

    /// The product with a vector of `columns` entries.
    #[must_use]
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.count()).map(|i| self.row(i).map(|(j, a)| a * x[j]).sum()).collect()
    }
}

/// Row i of W, without zeros.
fn delassus_row(dim: usize, W: &BlockMatrix, i: usize) -> Vec<(usize, f64)> {
    let entries = |k: usize| (0..dim).map(move |j| (W.column(k) * dim + j, W.block(k)[(i % dim) * dim + j]));
    W.row(i / dim).flat_map(entries).filter(|entry| entry.1 != 0.0).collect()
}

/// The kinematics u = H v + w of the contacts, with their friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Kinematics {
    /// 2 in the plane, 3 in space: rows of a contact.
    pub dim: usize,
    /// H, `dim` rows for each contact, normal first.
    pub H: Rows,
    /// w, as long as H has rows, m/s.
    pub w: Vec<f64>,
    /// Friction coefficient of each contact, ≥ 0.
    pub mu: Vec<f64>,
}

impl Kinematics {
    /// The kinematics of a problem: H and w of the global form, W and q of the local one.
    #[must_use]
    pub fn of(problem: &Problem) -> Self {
        let (H, w) = match problem.form() {
            Form::Global(Global { Ht, w, .. }) => {
                let column = |j| Ht.column(j).filter(|entry| entry.1 != 0.0).collect();
                (Rows::from_rows(Ht.nrows(), (0..Ht.ncols()).map(column)), w)
            }
            Form::Local(Local { W, q }) => {
                (Rows::from_rows(q.len(), (0..q.len()).map(|i| delassus_row(problem.dim(), W, i))), q)
            }
        };
        Self { dim: problem.dim(), H, w: w.clone(), mu: problem.mu().to_vec() }
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// Number of generalized velocities.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.H.columns
    }

    /// The same contacts without friction: assumption (4.5) is (4.4) of these [AC11 4.5.1].
    #[must_use]
    pub fn frictionless(&self) -> Self {
        Self { mu: vec![0.0; self.contacts()], ..self.clone() }
    }

    /// The same contacts with w = 0: what (5.1) is about [ACLM11 Thm 5.1].
    #[must_use]
    pub fn homogeneous(&self) -> Self {
        Self { w: vec![0.0; self.w.len()], ..self.clone() }
    }

    /// Some of the contacts, in the order given, with all velocities.
    #[must_use]
    pub(super) fn restricted(&self, contacts: &[usize]) -> Self {
        let rows = || contacts.iter().flat_map(|&i| i * self.dim..(i + 1) * self.dim);
        Self {
            dim: self.dim,
            H: Rows::from_rows(self.H.columns, rows().map(|k| self.H.row(k).collect())),
            w: rows().map(|k| self.w[k]).collect(),
            mu: contacts.iter().map(|&i| self.mu[i]).collect(),
        }
    }

    /// u = H v + w.
    #[must_use]
    pub fn relative_velocity(&self, v: &[f64]) -> Vec<f64> {
        self.H.times(v).iter().zip(&self.w).map(|(a, b)| a + b).collect()
    }

    /// Hᵀ r.
    #[must_use]
    pub fn generalized_force(&self, r: &[f64]) -> Vec<f64> {
        let mut p = vec![0.0; self.velocities()];
        for (i, x) in r.iter().enumerate() {
            self.H.row(i).for_each(|(j, a)| p[j] += a * x);
        }
        p
    }

    /// uᴺ − μ‖uᵀ‖ of contact i: its distance to leaving K_{1/μ}, in the units of u.
    #[must_use]
    pub fn clearance(&self, u: &[f64], i: usize) -> f64 {
        let block = &u[i * self.dim..(i + 1) * self.dim];
        block[0] - self.mu[i] * block[1..].iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// The largest |wⱼ|: the scale of the margin.
    #[must_use]
    pub fn speed_scale(&self) -> f64 {
        self.w.iter().fold(0.0, |scale: f64, x| scale.max(x.abs()))
    }

    /// δ·u for the exact v = n/δ: H n + δ w without rounding; none if a number of H or w is not finite.
    pub(super) fn exact_velocity(&self, v: &ScaledVector) -> Option<Vec<Dyadic>> {
        (0..self.H.count()).map(|i| self.exact_row(i, v)).collect()
    }

    fn exact_row(&self, i: usize, v: &ScaledVector) -> Option<Dyadic> {
        let offset = &Dyadic::from_f64(self.w[i])? * &v.denominator;
        self.H
            .row(i)
            .try_fold(offset, |total, (j, a)| Some(&total + &(&Dyadic::from_f64(a)? * &v.numerators[j])))
    }

    /// Hᵀ r without rounding.
    pub(super) fn exact_force(&self, r: &[Dyadic]) -> Option<Vec<Dyadic>> {
        let mut p = vec![Dyadic::zero(); self.velocities()];
        for (i, x) in r.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            for (j, a) in self.H.row(i) {
                p[j] = &p[j] + &(&Dyadic::from_f64(a)? * x);
            }
        }
        Some(p)
    }

    /// w·r without rounding.
    pub(super) fn exact_power(&self, r: &[Dyadic]) -> Option<Dyadic> {
        let term = |(w, r): (&f64, &Dyadic)| Some(&Dyadic::from_f64(*w)? * r);
        self.w.iter().zip(r).filter(|(_, r)| !r.is_zero()).map(term).sum()
    }
}
