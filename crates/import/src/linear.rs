//! Expressions that are linear in coordinates: where a joint puts a frame, and by which angle it turns it.

use std::collections::BTreeMap;

/// A number and multiples of coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    pub(super) constant: f64,
    /// Coordinates by number, with factors that are not zero.
    pub(super) terms: BTreeMap<usize, f64>,
}

impl Linear {
    pub(super) fn constant(constant: f64) -> Linear {
        Linear { constant, terms: BTreeMap::new() }
    }

    pub(super) fn coordinate(index: usize) -> Linear {
        Linear { constant: 0.0, terms: BTreeMap::from([(index, 1.0)]) }
    }

    pub(super) fn scaled(&self, factor: f64) -> Linear {
        if factor == 0.0 {
            return Linear::default();
        }
        let terms = self.terms.iter().map(|(&k, x)| (k, factor * x)).collect();
        Linear { constant: factor * self.constant, terms }
    }

    pub(super) fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += other.constant;
        for (&k, x) in &other.terms {
            *sum.terms.entry(k).or_default() += x;
        }
        sum.terms.retain(|_, x| *x != 0.0);
        sum
    }

    /// The value at given coordinates.
    pub(super) fn at(&self, values: &[f64]) -> f64 {
        self.constant + self.terms.iter().map(|(&k, x)| x * values[k]).sum::<f64>()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.constant == 0.0 && self.terms.is_empty()
    }
}
