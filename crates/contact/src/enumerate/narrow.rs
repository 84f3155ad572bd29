//! Whether the row of a basic variable contradicts the bounds, of rows of doubles that are taken as they are: the same as without rounding, from
//! numbers to about twice the digits of a double with their bounds. These tell signs of what is left where rows depend on each other up to rounding.

use super::relax::{Bound, Relaxation};
use crate::num::bounds::{NARROW, Twofold, UP, distance, is_inverse, solved};
use nalgebra::DMatrix;
use std::cmp::Ordering;

/// The row, as v = own − Σ αₖ uₖ in the velocities that are not basic.
struct Row {
    /// The velocities with their multipliers, each a sum of two numbers, up to `error`.
    known: Vec<(usize, [f64; 2])>,
    error: f64,
}

/// None where the bounds do not tell.
pub(super) fn contradicts(rows: &[Vec<f64>], relaxation: &Relaxation, v: usize) -> Option<bool> {
    let (c, bound) = (relaxation.weights(), |z: usize| relaxation.bounds[z]);
    let own = |z: usize| match v.checked_sub(c) {
        Some(k) => rows[k][z],
        None => f64::from(u8::from(z == v)),
    };
    let row = Row::of(rows, relaxation, own)?;
    let entry = |z: usize| row.entry(rows, own(z), z);
    let below = match (bound(v), entry(c)) {
        (Bound::Free, _) => return Some(false),
        (_, None) => return None,
        (Bound::NonNegative, Some(sign)) => (sign == Ordering::Less).then_some(true),
        (Bound::NonPositive, Some(sign)) => (sign == Ordering::Greater).then_some(false),
        (Bound::Zero, Some(sign)) => (sign != Ordering::Equal).then_some(sign == Ordering::Less),
    };
    let Some(below) = below else { return Some(false) };
    // no term may bring the row to the other side of its constant
    let side = |sign: Ordering| if below { sign } else { sign.reverse() };
    let eliminated = |z: &usize| relaxation.basic.contains(z);
    let weights = (0..c).filter(|z| bound(*z) != Bound::Zero && *z != v && !eliminated(z));
    let weights = weights.map(|z| entry(z).map(|sign| side(sign) != Ordering::Greater));
    let velocities = row.known.iter().enumerate().map(|(k, (u, _))| {
        // the multiplier of the velocity itself is −α
        let sign = || row.multiplier(k).map(|sign| side(sign).reverse());
        match bound(c + u) {
            Bound::Zero => Some(true),
            Bound::NonNegative => sign().map(|sign| sign != Ordering::Less),
            Bound::NonPositive => sign().map(|sign| sign != Ordering::Greater),
            Bound::Free => sign().map(|sign| sign == Ordering::Equal),
        }
    });
    let found: Vec<Option<bool>> = weights.chain(velocities).collect();
    match found.contains(&Some(false)) {
        true => Some(false),
        false => found.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
    }
}

impl Row {
    fn of(rows: &[Vec<f64>], relaxation: &Relaxation, own: impl Fn(usize) -> f64) -> Option<Self> {
        let c = relaxation.weights();
        let eliminated: Vec<usize> = relaxation.basic.iter().copied().filter(|z| *z < c).collect();
        let known: Vec<usize> = relaxation.nonbasic.iter().filter_map(|z| z.checked_sub(c)).collect();
        let m = eliminated.len();
        let B = |l: usize, k: usize| rows[known[k]][eliminated[l]];
        let inverse = DMatrix::from_fn(m, m, B).try_inverse()?;
        let R = |i: usize, l: usize| inverse[(i, l)];
        if !is_inverse(m, R, B) {
            return None;
        }
        let right: Vec<f64> = eliminated.iter().map(|&z| own(z)).collect();
        let (multipliers, left) = solved(&right, B, R, NARROW);
        Some(Self { known: known.into_iter().zip(multipliers).collect(), error: distance(&left, R) })
    }

    /// The sign of own − Σ αₖ rowₖ in a column.
    fn entry(&self, rows: &[Vec<f64>], own: f64, column: usize) -> Option<Ordering> {
        let terms = self.known.iter().flat_map(|(k, alpha)| alpha.map(|alpha| (alpha, -rows[*k][column])));
        let sum = terms.fold(Twofold::default().plus(1.0, own), |sum, (a, b)| sum.plus(a, b));
        let size: f64 = self.known.iter().map(|(k, _)| rows[*k][column].abs()).sum();
        if own.abs() <= 0.0 && size <= 0.0 {
            return Some(Ordering::Equal);
        }
        sign(
            sum.value(),
            (sum.most() - sum.value().abs() + f64::EPSILON * sum.value().abs() + self.error * size) * UP,
        )
    }

    fn multiplier(&self, k: usize) -> Option<Ordering> {
        let [high, low] = self.known[k].1;
        sign(high + low, self.error + f64::EPSILON * (high + low).abs())
    }
}

/// The sign of a number up to an error; none if that does not tell.
fn sign(value: f64, error: f64) -> Option<Ordering> {
    let side = if value > 0.0 { Ordering::Greater } else { Ordering::Less };
    (value.abs() > error).then_some(side)
}
