//! Where M is nearly singular: which coordinate moves the mechanism nearly as others do, and by which coordinates that is so. Angles that do
//! not determine an attitude are such (Euler angles near a pole); steps of a length that is not short against the distance from there fail.

use super::mechanics::{Mechanics, Point};
use crate::model::Output;
use crate::num::{Dual, Tol, dense};

/// A coordinate that others nearly replace.
#[derive(Clone, Debug, PartialEq)]
pub struct Weak {
    /// Its index.
    pub coordinate: usize,
    /// What is left of its diagonal entry of M where the coordinates before it may move freely, relative to that.
    pub left: f64,
    /// The coordinates that move the mechanism alike.
    pub alike: Vec<usize>,
    /// The coordinates on which the entries of M depend that say so.
    pub at: Vec<usize>,
}

impl Mechanics<'_> {
    /// The weakest coordinate at a point, if M is nearly singular there.
    pub fn weak(&self, point: &Point) -> Option<Weak> {
        let mass: Vec<f64> = self.mass(point, None).iter().map(|entry| entry.re).collect();
        let left = |i: &usize| left(&mass, *i);
        let coordinate = (0..point.q.len()).min_by(|i, j| left(i).0.total_cmp(&left(j).0))?;
        let (least, shares) = left(&coordinate);
        let tol = Tol::default();
        if least.is_nan() || least > tol.weak {
            return None;
        }
        let alike: Vec<usize> = (0..coordinate).filter(|j| shares[*j].powi(2) > tol.weak).collect();
        let depends = |k: &usize| {
            let entries = self.mass(point, Some(*k));
            alike.iter().any(|j| entries[dense::packed_len(coordinate) + j].eps.abs() > 0.0)
        };
        let at = (0..point.q.len()).filter(depends).collect();
        Some(Weak { coordinate, left: least, alike, at })
    }

    /// M with its derivative by a coordinate.
    fn mass(&self, point: &Point, by: Option<usize>) -> Vec<Dual> {
        let kernel = self.forces_kernel();
        let numbers = std::iter::once(&point.t).chain(&point.q).chain(&point.v).chain(self.parameters());
        let mut inputs: Vec<Dual> = numbers.map(|&x| Dual::fixed(x)).collect();
        if let Some(k) = by {
            inputs[1 + k].eps = 1.0;
        }
        let mut values = kernel.values::<Dual>();
        kernel.evaluate(&inputs, &mut values);
        kernel.block(&values, Output::MassMatrix).to_vec()
    }
}

/// What the coordinates before it leave of a diagonal entry, and their shares in its motion, in units of the roots of diagonal entries.
fn left(mass: &[f64], i: usize) -> (f64, Vec<f64>) {
    let row = &mass[dense::packed_len(i)..dense::packed_len(i) + i];
    let diagonal = |j: usize| mass[dense::packed_len(j) + j];
    let mut factor = mass[..dense::packed_len(i)].to_vec();
    let mut shares = row.to_vec();
    if dense::cholesky(&mut factor, i, 0.0).is_err() {
        return (f64::INFINITY, shares);
    }
    dense::solve(&factor, &mut shares);
    let left = 1.0 - dense::dot(row, &shares) / diagonal(i);
    shares.iter_mut().enumerate().for_each(|(j, share)| *share *= (diagonal(j) / diagonal(i)).sqrt());
    (left, shares)
}
