//! A basis of a linear program without rounding: the numbers are taken as the binary fractions they are, and what is found is
//! rounded once, so that its signs are exact. Elimination without fractions   [Bareiss 1968].

use super::simplex::Table;
use crate::enumerate::integral::{Integral, eliminate, quotient};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// What a basis says.
#[derive(Clone, Debug)]
pub(super) struct AtBasis {
    /// The basic variables, in the order of the basis.
    pub(super) x: Vec<f64>,
    /// The objective.
    pub(super) value: f64,
    /// Gains of the objective per unit of each column, artificial ones included.
    pub(super) prices: Vec<f64>,
}

impl AtBasis {
    /// Whether no basic variable is below minus this share of the largest one, and no gain of an allowed column above the other number.
    pub(super) fn is_best(&self, allowed: usize, share: f64, gain: f64) -> bool {
        let size = self.x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        self.x.iter().all(|x| *x >= -share * size)
            && self.prices[..allowed.min(self.prices.len())].iter().all(|p| *p <= gain)
    }
}

/// Of rows [A | 1 | b], the artificial columns behind those of A; none if the basis is singular.
pub(super) fn at_basis(rows: &Table, objective: &[f64], basis: &[usize]) -> Option<AtBasis> {
    let integers = |row: &[f64]| Some(Integral::of(row.iter().copied())?.x);
    let mut system = rows.rows().map(integers).collect::<Option<Vec<_>>>()?;
    let m = system.len();
    let n = system.first().map_or(0, |row| row.len() - 1 - m);
    let cost: Vec<f64> = (0..=n + m).map(|j| objective.get(j).copied().unwrap_or(0.0)).collect();
    let cost = Integral::of(cost.iter().copied())?;
    system.push(cost.x);
    let mut pivot = BigInt::one();
    let mut places = Vec::with_capacity(m);
    for &column in basis {
        let place = (0..m).find(|i| !places.contains(i) && !system[*i][column].is_zero())?;
        let lead = system[place].clone();
        let others = system.iter_mut().enumerate().filter(|(i, _)| *i != place);
        others.for_each(|(_, row)| eliminate(row, &lead, column, &pivot));
        pivot = lead[column].clone();
        places.push(place);
    }
    // every pivot row is the last pivot times the row of B⁻¹[A | 1 | b], the objective the same of c − c_B B⁻¹A
    let unit = &pivot * &cost.over;
    let last = &system[m];
    Some(AtBasis {
        x: places.iter().map(|&i| signed(&system[i][n + m], &pivot)).collect(),
        value: -signed(&last[n + m], &unit),
        prices: last[..n + m].iter().map(|p| signed(p, &unit)).collect(),
    })
}

/// x/over, rounded once.
fn signed(x: &BigInt, over: &BigInt) -> f64 {
    if over.is_negative() { quotient(&-x, &-over) } else { quotient(x, over) }
}
