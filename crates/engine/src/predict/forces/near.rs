//! What a basis of a linear program says, in floating point with bounds on its rounding: mostly they decide what is asked, and the numbers
//! without rounding ([`exact`](super::exact)) need not be computed.

use super::simplex::Feasible;
use crate::num::bounds::{Sum, UP, above, distance, is_inverse, larger, solved};

/// The numbers of [`AtBasis`](super::exact::AtBasis) within bounds.
#[derive(Clone, Debug)]
pub(super) struct NearBasis {
    /// The basic variables, each a sum of two numbers, up to `error`.
    x: Vec<[f64; 2]>,
    error: f64,
    /// Least and largest objective.
    pub(super) value: [f64; 2],
    /// What no gain of the objective per unit of an allowed column exceeds.
    price: f64,
}

impl NearBasis {
    /// After some steps; none if the approximate inverse is too far from one.
    pub(super) fn of(found: &Feasible<'_>, objective: &[f64], allowed: usize, steps: usize) -> Option<Self> {
        let m = found.basic().len();
        let cost = |j: usize| objective.get(j).copied().unwrap_or(0.0);
        let B = |l: usize, k: usize| found.entry(l, found.basic()[k]);
        let R = |i: usize, l: usize| found.inverse(i, l);
        if !is_inverse(m, R, B) {
            return None;
        }
        let right: Vec<f64> = (0..m).map(|l| found.right(l)).collect();
        let (x, left) = solved(&right, B, R, steps);
        let error = distance(&left, R);
        let costs: Vec<f64> = found.basic().iter().map(|&j| cost(j)).collect();
        let sum = Sum::of((0..m).flat_map(|i| x[i].map(|x| (costs[i], x))));
        let room = (sum.error() + costs.iter().map(|cost| cost.abs()).sum::<f64>() * error) * UP;
        let (y, left) = solved(&costs, |l, k| B(k, l), |i, l| R(l, i), steps);
        let off = 2.0 * UP * left.iter().sum::<f64>();
        let spread = |l: usize| (0..m).map(|i| R(i, l).abs()).fold(0.0, larger);
        let errors: Vec<f64> = (0..m).map(|l| off * spread(l) * UP + f64::MIN_POSITIVE).collect();
        let price = |j: usize| {
            let gain = Sum::of((0..m).flat_map(|l| y[l].map(|y| (y, -found.entry(l, j))))).plus(cost(j));
            let own = (0..m).map(|l| errors[l] * found.entry(l, j).abs()).sum::<f64>();
            above(gain.value, (gain.error() + own) * UP)
        };
        Some(Self {
            value: [-above(-sum.value, room), above(sum.value, room)],
            price: (0..allowed).map(price).fold(f64::NEG_INFINITY, larger),
            x,
            error,
        })
    }

    /// Least and largest of a basic variable, rounded once.
    pub(super) fn within(&self, row: usize) -> [f64; 2] {
        let [high, low] = self.x[row];
        [high - above(-low, self.error), high + above(low, self.error)]
    }

    /// Whether surely no basic variable is below minus this share of the largest one, and no gain above the other number.
    pub(super) fn is_best(&self, share: f64, gain: f64) -> bool {
        let ends = || (0..self.x.len()).map(|row| self.within(row));
        let size = ends().fold(0.0, |size, [low, high]| larger(size, low.max(-high)));
        ends().all(|[low, _]| low >= -share * size) && self.price <= gain
    }
}

#[cfg(test)]
mod tests;
