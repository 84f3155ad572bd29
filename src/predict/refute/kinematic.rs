//! Refutation without forces: the leader's motion m·y is excluded if m + Σ zₖ hₖ + Σ yⱼ eⱼ vanishes on all motions of the mechanism for some z ≥ 0, where
//! hₖ·y ≥ 0 and eⱼ·y = 0 are the conditions of the node: then m·y ≤ 0.
//!
//! The least ‖m + Σ zₖ hₖ + Σ yⱼ eⱼ‖ in the metric of D = W M⁻¹ Wᵀ is found by the active sets of Lawson and Hanson (*Solving least squares problems*, 1974,
//! chapter 23); rows count as dependent as everywhere, up to `Tol::dependent` of their squared size.

use super::node::{Node, Options, Row};
use crate::num::{Real, Tol};
use nalgebra::{DMatrix, DVector};

/// Whether the leader of a node cannot move at all.
pub(super) fn is_blocked(options: &Options<'_>, node: &Node, tol: &Tol) -> bool {
    let Some(measure) = node.measure() else { return false };
    let contacts = options.contacts;
    let held = contacts.basis(&node.held(), tol.dependent).rows;
    let Some(reduced) = contacts.reduced(&held) else { return false };
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
