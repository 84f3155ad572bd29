//! The closed contacts of a planar mechanism at a state: u̇ = c + D λ with a row N and a row T for each contact   [CV16 (8), (9)],
//! bilateral constraints being part of D and c.
//!
//! Every row is divided by √Dᵢᵢ and every force multiplied by it, so that D has a unit diagonal and no number of the
//! search has a unit of length or mass: what is small is small for micrometres and for kilometres.

use crate::analysis::planar::{Hold, Laws};
use crate::contact::Slip;
use nalgebra::DMatrix;

/// What a closed contact is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// The gap opens with a rate that is not zero: no force acts, whatever the acceleration.
    Parting,
    /// It slides.
    Sliding(Slip),
    /// It is at rest.
    Resting,
}

/// A closed contact that does not approach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Its laws.
    pub laws: Laws,
    /// What it is doing.
    pub going: Going,
}

/// Numbers with the sizes of their terms.
#[derive(Clone, Copy, Debug)]
pub struct Sized<'a> {
    /// The numbers.
    pub values: &'a [f64],
    /// Σ |terms| of each; at least the number itself is taken.
    pub sizes: &'a [f64],
}

/// Several closed contacts of the plane.
#[derive(Clone, Debug)]
pub struct Contacts {
    pub(super) touches: Vec<Touch>,
    /// D with unit diagonal; a row that cannot move is zero.
    pub(super) D: DMatrix<f64>,
    /// Accelerations without contact forces.
    pub(super) c: Vec<f64>,
    /// Sizes of their terms.
    pub(super) sizes: Vec<f64>,
    /// √Dᵢᵢ.
    pub(super) unit: Vec<f64>,
    /// The largest acceleration that the terms could make: what forces and accelerations are compared with.
    pub(super) load: f64,
    /// How much larger than √(Dᵢᵢ Dⱼⱼ) the terms of an entry are.
    pub(super) cancellation: f64,
}

impl Contacts {
    /// From D (2n×2n by rows, N and T of each contact) and c.
    ///
    /// # Panics
    /// If there are other numbers than the contacts ask for.
    pub fn new(touches: Vec<Touch>, D: Sized<'_>, c: Sized<'_>) -> Self {
        let m = 2 * touches.len();
        assert!(D.values.len() == m * m && c.values.len() == m, "D and c are those of the contacts");
        let size = |x: Sized<'_>, i: usize| x.sizes.get(i).copied().unwrap_or(0.0).max(x.values[i].abs());
        let unit: Vec<f64> = (0..m)
            .map(|i| {
                let own = D.values[i * m + i];
                // what is left of a row that cannot move is rounding
                if own > crate::num::Tol::default().singular * size(D, i * m + i) { own.sqrt() } else { 0.0 }
            })
            .collect();
        let over = |i: usize| if unit[i] > 0.0 { 1.0 / unit[i] } else { 0.0 };
        let entry =
            |i: usize, j: usize| 0.5 * (D.values[i * m + j] + D.values[j * m + i]) * over(i) * over(j);
        let spread = |i: usize, j: usize| size(D, i * m + j) * over(i) * over(j);
        let unit_or_one = |i: usize| if unit[i] > 0.0 { unit[i] } else { 1.0 };
        let sizes: Vec<f64> = (0..m).map(|i| size(c, i) / unit_or_one(i)).collect();
        Self {
            touches,
            D: DMatrix::from_fn(m, m, entry),
            c: (0..m).map(|i| c.values[i] / unit_or_one(i)).collect(),
            load: sizes.iter().copied().fold(0.0, f64::max),
            cancellation: (0..m * m).map(|k| spread(k / m, k % m)).fold(1.0, f64::max),
            sizes,
            unit: (0..m).map(unit_or_one).collect(),
        }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.touches.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.touches.is_empty()
    }

    pub(super) fn is_unilateral(&self, contact: usize) -> bool {
        self.touches[contact].laws.hold == Hold::Unilateral
    }

    /// Accelerations under forces, with the sizes of their terms.
    pub(super) fn accelerations(&self, forces: &[f64], force_sizes: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let row = |i: usize| {
            let terms = forces.iter().zip(force_sizes).enumerate();
            terms.fold((self.c[i], self.sizes[i]), |(sum, size), (j, (x, s))| {
                (sum + self.D[(i, j)] * x, size + (self.D[(i, j)] * s).abs())
            })
        };
        (0..self.c.len()).map(row).unzip()
    }

    /// Rows that span the others, the largest first; and how each other one follows from them.
    pub(super) fn basis(&self, rows: &[usize], dependent: f64) -> Basis {
        let k = rows.len();
        let (mut left, mut order, mut factor) = (vec![0.0; k], Vec::new(), DMatrix::zeros(k, k));
        (0..k).for_each(|i| left[i] = self.D[(rows[i], rows[i])]);
        while order.len() < k {
            let candidates = (0..k).filter(|i| !order.contains(i));
            let Some(pivot) = candidates.max_by(|&i, &j| left[i].total_cmp(&left[j]).then(j.cmp(&i))) else {
                break;
            };
            if left[pivot] <= dependent * self.cancellation {
                break;
            }
            let (root, column) = (left[pivot].sqrt(), order.len());
            for i in (0..k).filter(|i| !order.contains(i)) {
                let known: f64 = (0..column).map(|l| factor[(i, l)] * factor[(pivot, l)]).sum();
                factor[(i, column)] = (self.D[(rows[i], rows[pivot])] - known) / root;
                left[i] -= factor[(i, column)] * factor[(i, column)];
            }
            order.push(pivot);
        }
        Basis::new(rows, &order, &factor)
    }
}

/// A maximal set of independent rows, and the others as combinations of them.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// Indices of the independent rows.
    pub(super) rows: Vec<usize>,
    /// Each dependent row with its multipliers of the independent ones.
    pub(super) others: Vec<(usize, Vec<f64>)>,
}

impl Basis {
    /// From the columns of a Cholesky factor: L_other = α L_basis, L_basis being lower triangular.
    fn new(rows: &[usize], order: &[usize], factor: &DMatrix<f64>) -> Self {
        let r = order.len();
        let multipliers = |i: usize| {
            let mut alpha = vec![0.0; r];
            for l in (0..r).rev() {
                let known: f64 = (l + 1..r).map(|k| alpha[k] * factor[(order[k], l)]).sum();
                alpha[l] = (factor[(i, l)] - known) / factor[(order[l], l)];
            }
            (rows[i], alpha)
        };
        Self {
            rows: order.iter().map(|&i| rows[i]).collect(),
            others: (0..rows.len()).filter(|i| !order.contains(i)).map(multipliers).collect(),
        }
    }
}
