//! Ranges of numbers for which the file gives none, out of the mechanism's own sizes: an angle turns once; a length goes to some of its largest length L, a
//! speed to some √(g L), the rate of an angle to some √(g/L), and all of them as far as the file's states do.

use crate::format::{Mechanism, Units};
use std::f64::consts::PI;

/// How far a number goes, over its size.
const MANY: f64 = 2.0;

/// Where nothing has a size.
const USUAL: f64 = 1.0;

/// And where a parameter of no known size is zero.
const LOOSE: f64 = 5.0;

/// What angles are measured in.
const ANGLE: &str = "rad";

/// The sizes of a mechanism.
pub(super) struct Sizes<'m> {
    mechanism: &'m Mechanism,
    units: Option<Units>,
    /// The largest |q| and |v| of the file's states.
    q: Vec<f64>,
    v: Vec<f64>,
    length: f64,
    /// Of gravity; zero without one.
    gravity: f64,
}

impl<'m> Sizes<'m> {
    /// At the file's parameters.
    pub(super) fn of(mechanism: &'m Mechanism, parameters: &[f64]) -> Self {
        let n = mechanism.coordinates.len();
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        for state in mechanism.states.iter().filter_map(|spec| mechanism.resolve(spec, &[]).ok()) {
            q = larger(&q, &state.q);
            v = larger(&v, &state.v);
        }
        let units = Units::of(mechanism);
        let mut sizes = Self { mechanism, units, q, v, length: USUAL, gravity: 0.0 };
        let along = |x: &crate::expression::Expr| x.eval_parametric(parameters);
        let pull = mechanism.gravity.iter().map(along).fold(0.0, f64::hypot);
        let length = sizes.units.as_ref().and_then(|units| units.length.clone());
        let of = |unit: &str| largest(mechanism, parameters, unit);
        let own = length.as_deref().map_or(0.0, of);
        sizes.length = first([own, sizes.coordinates(|i| !sizes.is_angle(i), &sizes.q), USUAL]);
        let time = sizes.units.as_ref().map_or("", |units| units.time.as_str());
        let named = length.map_or(0.0, |length| of(&format!("{length}/{time}^2")));
        sizes.gravity = first([pull, named, 0.0]);
        sizes
    }

    /// Of a coordinate.
    pub(super) fn coordinate(&self, i: usize) -> [f64; 2] {
        if self.is_angle(i) {
            return [-PI, PI];
        }
        let length = if self.is_length(i) { self.length } else { 0.0 };
        both(first([length.max(self.alike(i, &self.q)), USUAL, USUAL]))
    }

    /// Of its rate.
    pub(super) fn rate(&self, i: usize) -> [f64; 2] {
        let own = self.alike(i, &self.v);
        let fall = if self.is_angle(i) { self.gravity / self.length } else { self.gravity * self.length };
        let still = if self.is_angle(i) { USUAL } else { self.length };
        both(first([fall.sqrt().max(own), still, USUAL]))
    }

    /// Of a parameter.
    pub(super) fn parameter(&self, value: f64, unit: Option<&str>) -> [f64; 2] {
        match unit {
            _ if value != 0.0 && value.is_finite() => [(MANY * value).min(0.0), (MANY * value).max(0.0)],
            Some(ANGLE) => [-PI, PI],
            Some(unit) if self.length_unit() == Some(unit) => both(self.length),
            _ => both(LOOSE),
        }
    }

    pub(super) fn is_angle(&self, i: usize) -> bool {
        self.mechanism.coordinates[i].unit.as_deref() == Some(ANGLE)
    }

    fn length_unit(&self) -> Option<&str> {
        self.units.as_ref()?.length.as_deref()
    }

    /// Without units what is no angle is a length.
    fn is_length(&self, i: usize) -> bool {
        self.length_unit().is_none_or(|unit| self.mechanism.coordinates[i].unit.as_deref() == Some(unit))
    }

    /// The largest value of the coordinates that have this one's unit.
    fn alike(&self, i: usize, values: &[f64]) -> f64 {
        let unit = |k: usize| self.mechanism.coordinates[k].unit.as_deref();
        self.coordinates(|k| unit(k) == unit(i), values)
    }

    fn coordinates(&self, counts: impl Fn(usize) -> bool, values: &[f64]) -> f64 {
        (0..values.len()).filter(|k| counts(*k)).map(|k| values[k]).fold(0.0, f64::max)
    }
}

/// The largest parameter with a unit.
fn largest(mechanism: &Mechanism, parameters: &[f64], unit: &str) -> f64 {
    let all = mechanism.parameters.iter().zip(parameters);
    let own = all.filter(|(p, value)| p.unit.as_deref() == Some(unit) && value.is_finite());
    own.map(|(_, value)| value.abs()).fold(0.0, f64::max)
}

fn larger(some: &[f64], others: &[f64]) -> Vec<f64> {
    let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
    some.iter().zip(others).map(|(one, other)| one.max(finite(*other))).collect()
}

/// The first that is a size.
fn first(sizes: [f64; 3]) -> f64 {
    sizes.into_iter().find(|x| *x > 0.0 && x.is_finite()).unwrap_or_default()
}

/// To both sides, up to a number that is easily read.
fn both(size: f64) -> [f64; 2] {
    let far = MANY * size;
    let digit = 10.0_f64.powf(far.log10().floor());
    let end = (far / digit).ceil() * digit;
    [-end, end]
}

#[cfg(test)]
mod tests {
    use super::both;

    #[test]
    fn ends_are_easily_read_and_far_enough() {
        assert_eq!(both(1.0).map(f64::to_bits), [-2.0_f64, 2.0].map(f64::to_bits));
        assert_eq!(both(3.13).map(f64::to_bits), [-7.0_f64, 7.0].map(f64::to_bits));
        assert_eq!(both(0.021).map(f64::to_bits), [-0.05_f64, 0.05].map(f64::to_bits));
        assert_eq!(both(450.0).map(f64::to_bits), [-900.0_f64, 900.0].map(f64::to_bits));
    }
}
