//! The closed contacts of a mechanism at an instant: accelerations u̇ = c + D λ with a row N and one or two rows T for each contact
//! [CV16 (8), (9)], bilateral constraints being part of D and c.
//!
//! Every row is divided by a unit and every force multiplied by it: √D of the row, along the surface the larger one of the contact, so
//! that friction cones stay round. No number of the search has then a unit of length or mass: what is small is small for micrometres and
//! for kilometres.

use crate::contact::{Friction, Hold, Laws};
use crate::num::Tol;
use crate::num::dense::norm;
use nalgebra::DMatrix;

/// What a closed contact that does not approach is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// The gap opens with a rate that is not zero: no force acts, whatever the acceleration.
    Parting,
    /// It slips along this unit vector; in the plane (±1, 0).
    Slipping([f64; 2]),
    /// It is at rest.
    Resting,
}

impl Motion {
    /// Of a slip with one or two components that is not zero.
    pub fn along(slip: &[f64]) -> Self {
        let speed = norm(slip);
        let part = |k: usize| slip.get(k).map_or(0.0, |u| u / speed);
        Self::Slipping([part(0), part(1)])
    }
}

/// A closed contact that does not approach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedContact {
    /// Its laws.
    pub laws: Laws,
    /// What it is doing.
    pub motion: Motion,
}

/// Numbers with the sizes of their terms.
#[derive(Clone, Copy, Debug)]
pub struct Sized<'a> {
    /// The numbers.
    pub values: &'a [f64],
    /// Σ |terms| of each; at least the number itself is taken.
    pub sizes: &'a [f64],
}

impl Sized<'_> {
    fn size(&self, i: usize) -> f64 {
        self.sizes.get(i).copied().unwrap_or(0.0).max(self.values[i].abs())
    }
}

/// Closed contacts, in the plane or in space.
#[derive(Clone, Debug)]
pub struct Contacts {
    pub(crate) contacts: Vec<ClosedContact>,
    /// Directions along the surface of each contact.
    pub(crate) tangents: usize,
    /// D in the units of the rows; a row that cannot move is zero.
    pub(crate) D: DMatrix<f64>,
    /// Accelerations without contact forces.
    pub(crate) c: Vec<f64>,
    /// Sizes of their terms.
    pub(crate) sizes: Vec<f64>,
    /// The units of the rows.
    pub(crate) unit: Vec<f64>,
    /// The largest acceleration that the terms could make: what forces and accelerations are compared with.
    pub(crate) load: f64,
    /// How much larger than √(Dᵢᵢ Dⱼⱼ) the terms of an entry are.
    pub(crate) cancellation: f64,
    /// Whether bounds of each force that is not unique are sought.
    pub(crate) bounds_forces: bool,
}

impl Contacts {
    /// From D by rows and c, with N and one or two T of each contact.
    ///
    /// # Panics
    /// If there are other numbers than the contacts ask for.
    pub fn new(contacts: Vec<ClosedContact>, D: Sized<'_>, c: Sized<'_>) -> Self {
        let m = c.values.len();
        let tangents = m.checked_div(contacts.len()).map_or(1, |dim| dim.saturating_sub(1));
        assert!(
            D.values.len() == m * m && m == contacts.len() * (1 + tangents),
            "D and c are those of the contacts"
        );
        // what is left of a row that cannot move is rounding
        let moves = |i: usize| D.values[i * m + i] > Tol::default().singular * D.size(i * m + i);
        let own = |i: usize| if moves(i) { D.values[i * m + i].sqrt() } else { 0.0 };
        let first = |i: usize| i - i % (1 + tangents);
        let unit = |i: usize| match i % (1 + tangents) {
            0 => own(i),
            _ => (1..=tangents).map(|k| own(first(i) + k)).fold(0.0, f64::max),
        };
        let units: Vec<f64> = (0..m).map(unit).collect();
        let over = |i: usize| if own(i) > 0.0 { 1.0 / units[i] } else { 0.0 };
        let entry =
            |i: usize, j: usize| 0.5 * (D.values[i * m + j] + D.values[j * m + i]) * over(i) * over(j);
        let spread = |i: usize, j: usize| D.size(i * m + j) * over(i) * over(j);
        let unit_or_one = |i: usize| if units[i] > 0.0 { units[i] } else { 1.0 };
        let sizes: Vec<f64> = (0..m).map(|i| c.size(i) / unit_or_one(i)).collect();
        Self {
            contacts,
            tangents,
            D: DMatrix::from_fn(m, m, entry),
            c: (0..m).map(|i| c.values[i] / unit_or_one(i)).collect(),
            load: sizes.iter().copied().fold(0.0, f64::max),
            cancellation: (0..m * m).map(|k| spread(k / m, k % m)).fold(1.0, f64::max),
            sizes,
            unit: (0..m).map(unit_or_one).collect(),
            bounds_forces: true,
        }
    }

    /// The same for who asks whether forces are unique, and not how far each may differ.
    pub fn without_force_bounds(self) -> Self {
        Self { bounds_forces: false, ..self }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Rows of a contact.
    pub(crate) fn dim(&self) -> usize {
        1 + self.tangents
    }

    /// The row of a contact's gap.
    pub(crate) fn normal(&self, contact: usize) -> usize {
        contact * self.dim()
    }

    /// The contact of a row.
    pub(crate) fn contact_of(&self, row: usize) -> usize {
        row / self.dim()
    }

    pub(crate) fn is_unilateral(&self, contact: usize) -> bool {
        self.contacts[contact].laws.hold == Hold::Unilateral
    }

    pub(crate) fn laws_of(&self, contact: usize) -> Laws {
        self.contacts[contact].laws
    }

    /// Its friction.
    pub fn friction(&self, contact: usize) -> Friction {
        self.contacts[contact].laws.friction
    }

    pub(crate) fn motion(&self, contact: usize) -> Motion {
        self.contacts[contact].motion
    }

    /// Whether a contact is at rest.
    pub(crate) fn rests(&self, contact: usize) -> bool {
        self.motion(contact) == Motion::Resting
    }

    /// n and t of the cone n|λ_T| ≤ t λ_N in the units of the rows, of length one.
    pub(crate) fn cone(&self, contact: usize) -> [f64; 2] {
        let (n, t) = self.friction(contact).parts();
        let row = self.normal(contact);
        let (n, t) = (n * self.unit[row], t * self.unit[row + 1]);
        let size = n.hypot(t);
        [n / size, t / size]
    }

    /// The force (n, −t û) of a slip in the units of the rows: n = 1 and t = μ, or of infinite friction 0 and 1.
    pub(crate) fn slope(&self, contact: usize) -> [f64; 2] {
        match self.cone(contact) {
            [n, t] if n > 0.0 => [1.0, t / n],
            _ => [0.0, 1.0],
        }
    }

    /// Accelerations under forces, with the sizes of their terms.
    pub(crate) fn accelerations(&self, forces: &[f64], force_sizes: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let row = |i: usize| {
            let terms = forces.iter().zip(force_sizes).enumerate();
            terms.fold((self.c[i], self.sizes[i]), |(sum, size), (j, (x, s))| {
                (sum + self.D[(i, j)] * x, size + (self.D[(i, j)] * s).abs())
            })
        };
        (0..self.c.len()).map(row).unzip()
    }

    /// The same contacts without loads.
    pub(super) fn unloaded(&self) -> Self {
        Self { c: vec![0.0; self.c.len()], sizes: vec![0.0; self.c.len()], ..self.clone() }
    }

    /// Rows that span the others, the largest first; and how each other one follows from them.
    pub(crate) fn basis(&self, rows: &[usize], dependent: f64) -> Basis {
        let own = |i: usize, j: usize| self.D[(rows[i], rows[j])];
        let found = independent(own, rows.len(), dependent * self.cancellation);
        Basis {
            rows: found.rows.iter().map(|&i| rows[i]).collect(),
            others: found.others.into_iter().map(|(i, multipliers)| (rows[i], multipliers)).collect(),
        }
    }

    /// How many rows do not follow from others.
    pub fn rank(&self, dependent: f64) -> usize {
        let all: Vec<usize> = (0..self.dim() * self.len()).collect();
        self.basis(&all, dependent).rows.len()
    }

    /// The largest acceleration that the loads make at a contact, in the mechanism's units.
    pub fn largest_load(&self) -> f64 {
        self.c.iter().zip(&self.unit).fold(0.0, |size, (c, unit)| size.max((c * unit).abs()))
    }

    /// A row of D x in the mechanism's units.
    pub fn row_under(&self, row: usize, x: &[f64]) -> f64 {
        let sum: f64 = x.iter().enumerate().map(|(j, x)| self.D[(row, j)] * self.unit[j] * x).sum();
        sum * self.unit[row]
    }

    /// What is left of the acceleration of a row by those of rows that it follows from, and the size of its terms.
    pub(crate) fn left_of(&self, row: usize, basis: &[usize], multipliers: &[f64]) -> (f64, f64) {
        // a coefficient that is zero but for rounding is rounded as the largest is
        let largest = multipliers.iter().fold(1.0_f64, |size, a| size.max(a.abs()));
        basis.iter().zip(multipliers).fold((self.c[row], self.sizes[row]), |(sum, size), (&i, a)| {
            (sum - a * self.c[i], size + largest * self.sizes[i])
        })
    }
}

/// A maximal set of independent rows, and the others as combinations of them.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    /// Indices of the independent rows.
    pub(crate) rows: Vec<usize>,
    /// Each dependent row with its multipliers of the independent ones.
    pub(crate) others: Vec<(usize, Vec<f64>)>,
}

/// The basis of k rows with these products, the squares of whose distances from others count as zero up to a bound: by Cholesky's factor with pivots.
pub(super) fn independent(product: impl Fn(usize, usize) -> f64, k: usize, zero: f64) -> Basis {
    let (mut left, mut order, mut factor) = (vec![0.0; k], Vec::new(), DMatrix::zeros(k, k));
    (0..k).for_each(|i| left[i] = product(i, i));
    while order.len() < k {
        let candidates = (0..k).filter(|i| !order.contains(i));
        let Some(pivot) = candidates.max_by(|&i, &j| left[i].total_cmp(&left[j]).then(j.cmp(&i))) else {
            break;
        };
        if left[pivot] <= zero {
            break;
        }
        let (root, column) = (left[pivot].sqrt(), order.len());
        for i in (0..k).filter(|i| !order.contains(i)) {
            let known: f64 = (0..column).map(|l| factor[(i, l)] * factor[(pivot, l)]).sum();
            factor[(i, column)] = (product(i, pivot) - known) / root;
            left[i] -= factor[(i, column)] * factor[(i, column)];
        }
        order.push(pivot);
    }
    Basis::new(&order, &factor)
}

impl Basis {
    /// From the columns of a Cholesky factor: L_other = α L_basis, L_basis being lower triangular.
    fn new(order: &[usize], factor: &DMatrix<f64>) -> Self {
        let r = order.len();
        let multipliers = |i: usize| {
            let mut alpha = vec![0.0; r];
            for l in (0..r).rev() {
                let known: f64 = (l + 1..r).map(|k| alpha[k] * factor[(order[k], l)]).sum();
                alpha[l] = (factor[(i, l)] - known) / factor[(order[l], l)];
            }
            (i, alpha)
        };
        let others = (0..factor.nrows()).filter(|i| !order.contains(i)).map(multipliers).collect();
        Self { rows: order.to_vec(), others }
    }
}
