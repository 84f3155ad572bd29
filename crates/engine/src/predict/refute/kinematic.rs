//! Refutation without forces: the motion m·y that a node measures is excluded if m + Σ zₖ hₖ + Σ yⱼ eⱼ vanishes on all motions of the mechanism for
//! some z ≥ 0, where hₖ·y ≥ 0 and eⱼ·y = 0 are the conditions of the node: then m·y ≤ 0.
//!
//! A node with a leader measures the leader's motion. In one without, y = D λ + τ c with τ = 1: the mechanism has one more motion, along c, and τ itself
//! is measured. It is excluded where conditions contradict each other whatever the forces, as those of contacts that stick to surfaces which move apart.
//!
//! The least ‖m + Σ zₖ hₖ + Σ yⱼ eⱼ‖ in the metric of D = W M⁻¹ Wᵀ, with τ of D + c cᵀ, is found by the active sets of Lawson and Hanson (*Solving least
//! squares problems*, 1974, chapter 23); rows count as dependent as everywhere, up to `Tol::dependent` of their squared size.

use super::node::{Node, Options, Row};
use crate::num::{Interval, Real, Tol};
use crate::predict::contacts::Contacts;
use nalgebra::{DMatrix, DVector};
use std::borrow::Cow;

/// Whether a node is excluded whatever the forces.
pub(super) fn is_blocked(options: &Options<'_>, node: &Node, tol: &Tol) -> bool {
    let basis = options.contacts.basis(&node.held(), tol.dependent);
    let (contacts, measure) = match node.measure() {
        Some(measure) => (Cow::Borrowed(options.contacts), measure),
        None if options.contacts.contradiction(&basis, tol).is_some() => return true,
        None => {
            let one = Interval::from_f64(1.0);
            (Cow::Owned(along_the_load(options.contacts)), vec![(options.contacts.c.len(), one)])
        }
    };
    let Some(reduced) = contacts.reduced(&basis.rows) else { return false };
    let rows: Vec<Row> = std::iter::once(measure).chain(node.above(options)).collect();
    let product = |one: &Row, other: &Row, gain: &dyn Fn(usize, usize) -> f64| {
        one.iter()
            .map(|(i, x)| other.iter().map(|(j, y)| x.value() * y.value() * gain(*i, *j)).sum::<f64>())
            .sum::<f64>()
    };
    let size = |row: &Row| product(row, row, &|i, j| contacts.D[(i, j)]);
    let n = rows.len();
    let gram = DMatrix::from_fn(n, n, |i, j| product(&rows[i], &rows[j], &|i, j| reduced.gain(i, j)));
    let sizes: Vec<f64> = rows.iter().map(size).collect();
    distance(&gram, &sizes, tol) <= tol.dependent * sizes[0]
}

/// The contacts with one more motion of the mechanism, that along c in units of the load; its τ is the last row of D.
fn along_the_load(contacts: &Contacts) -> Contacts {
    let load = contacts.load.max(f64::MIN_POSITIVE);
    let along: Vec<f64> = contacts.c.iter().map(|c| c / load).chain([1.0]).collect();
    let n = contacts.c.len();
    let own = |i: usize, j: usize| if i < n && j < n { contacts.D[(i, j)] } else { 0.0 };
    let D = DMatrix::from_fn(n + 1, n + 1, |i, j| own(i, j) + along[i] * along[j]);
    Contacts { D, ..contacts.clone() }
}

/// min over z ≥ 0 of ‖m + Σ zₖ hₖ‖² from the Gram matrix of m, h₁, h₂, …; rows that vanish on all motions are left out.
fn distance(gram: &DMatrix<f64>, sizes: &[f64], tol: &Tol) -> f64 {
    let rows: Vec<usize> = (1..sizes.len()).filter(|&k| gram[(k, k)] > tol.dependent * sizes[k]).collect();
    let mut z = vec![0.0; rows.len()];
    let mut active: Vec<usize> = Vec::new();
    let slope = |z: &[f64], k: usize| {
        gram[(rows[k], 0)] + rows.iter().zip(z).map(|(&j, z)| gram[(rows[k], j)] * z).sum::<f64>()
    };
    let value = |z: &[f64]| {
        let own: f64 = (0..rows.len()).map(|k| z[k] * (gram[(rows[k], 0)] + slope(z, k))).sum();
        gram[(0, 0)] + own
    };
    let mut refused: Vec<usize> = Vec::new();
    for _ in 0..10 * rows.len() {
        let candidates = (0..rows.len()).filter(|k| !active.contains(k) && !refused.contains(k));
        let steepness = |k: &usize| -slope(&z, *k) / gram[(rows[*k], rows[*k])].sqrt();
        let Some(next) = candidates.max_by(|i, j| steepness(i).total_cmp(&steepness(j))) else { break };
        if steepness(&next) <= tol.dependent * gram[(0, 0)].sqrt() {
            break;
        }
        active.push(next);
        if !settle(gram, &rows, &mut active, &mut z) {
            refused.push(next);
        }
    }
    value(&z)
}

/// The least squares over the active rows, leaving out those whose weight would turn negative; false if the new row depends on the others.
fn settle(gram: &DMatrix<f64>, rows: &[usize], active: &mut Vec<usize>, z: &mut [f64]) -> bool {
    let newest = active.last().copied();
    loop {
        let n = active.len();
        if n == 0 {
            return true;
        }
        let G = DMatrix::from_fn(n, n, |i, j| gram[(rows[active[i]], rows[active[j]])]);
        let b = DVector::from_fn(n, |i, _| -gram[(rows[active[i]], 0)]);
        let Some(new) =
            G.cholesky().map(|factor| factor.solve(&b)).filter(|x| x.iter().all(|x| x.is_finite()))
        else {
            active.retain(|k| Some(*k) != newest);
            return false;
        };
        if new.iter().all(|x| *x >= 0.0) {
            active.iter().zip(new.iter()).for_each(|(&k, x)| z[k] = *x);
            return true;
        }
        // as far towards the new weights as none is negative
        let way = |i: usize| if new[i] < 0.0 { z[active[i]] / (z[active[i]] - new[i]) } else { 1.0 };
        let most = (0..n).map(way).fold(1.0, f64::min);
        let gone: Vec<usize> =
            (0..n).filter(|&i| new[i] < 0.0 && way(i) <= most).map(|i| active[i]).collect();
        active.iter().zip(new.iter()).for_each(|(&k, x)| z[k] += most * (x - z[k]));
        gone.iter().for_each(|&k| z[k] = 0.0);
        active.retain(|k| !gone.contains(k));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Friction, Laws};
    use crate::predict::refute::node::Slot;
    use crate::predict::{ClosedContact, Mode, Motion, Sized};

    /// A point of mass 1 on a floor and at a wall, whose rows see z, x, y and x, y, z of its velocity: velocities without forces are those of w, and d beside them.
    fn point(w: [f64; 3], d: [f64; 6]) -> Contacts {
        let axes = [2, 0, 1, 0, 1, 2];
        let laws = Laws { friction: Friction::new(2.0).unwrap(), ..Laws::default() };
        let closed = vec![ClosedContact { laws, motion: Motion::Resting }; 2];
        let D: Vec<f64> = (0..36).map(|k| f64::from(u8::from(axes[k / 6] == axes[k % 6]))).collect();
        let c: Vec<f64> = (0..6).map(|i| w[axes[i]] + d[i]).collect();
        Contacts::new(closed, Sized { values: &D, sizes: &[] }, Sized { values: &c, sizes: &[] })
    }

    fn blocked(contacts: &Contacts, other: Slot) -> bool {
        let modes: Vec<Vec<Mode>> = (0..2).map(|i| contacts.modes(i)).collect();
        let node = Node { slots: vec![Slot::Is(Mode::STICK), other], leader: None };
        is_blocked(&Options { contacts, modes: &modes }, &node, &Tol::default())
    }

    /// A point that sticks to the floor does at the wall what d says: nothing, or a slip in one direction, or what its gap forbids.
    #[test]
    fn a_point_that_sticks_has_one_motion() {
        let w = [-0.3, 0.8, -1.1];
        let (none, slip, gap) = ([0.0; 6], [0.0, 0.0, 0.0, 0.0, 0.2, 0.1], [0.0, 0.0, 0.0, 1e-4, 0.2, 0.1]);
        let sticks = Slot::Is(Mode::STICK);
        assert!(!blocked(&point(w, none), sticks));
        assert!(blocked(&point(w, slip), sticks) && blocked(&point(w, gap), sticks));
        // the slip has the direction arctan ½
        for (low, high, holds) in
            [(0.3, 0.6, true), (0.4636, 0.4637, true), (0.47, 1.2, false), (-2.7, -2.6, false)]
        {
            let leaves = Slot::Leaves(Interval::new(low, high), 1.0);
            assert_eq!(blocked(&point(w, slip), leaves), !holds, "{low} {high}");
            assert!(blocked(&point(w, gap), leaves));
        }
    }

    /// The same point has one line of slip while both gaps stay closed, the edge, and all directions while one does.
    #[test]
    fn a_point_at_two_walls_slips_along_their_edge() {
        let (point, tol) = (point([-0.3, -0.8, 0.2], [0.0; 6]), Tol::default());
        let [floor, wall] = [0, 1].map(|contact| point.line(&[0, 3], contact, &tol).unwrap());
        assert!(
            floor[0].abs() < 1e-12 && floor[1].abs() > 0.999 && wall[1].abs() < 1e-12,
            "{floor:?} {wall:?}"
        );
        assert!(point.line(&[0], 0, &tol).is_none());
        assert_eq!(point.line(&[0, 1, 2, 3], 1, &tol), Some([0.0; 2]));
    }
}
