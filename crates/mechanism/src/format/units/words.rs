//! What a unit measures, in words: `a length`, `an angle`.

use super::unit::{Exponent, Part, Unit};
use num_traits::Zero;

/// Exponents of mass, length and time, and the word.
#[rustfmt::skip]
const WORDS: [([i64; 3], &str); 24] = [
    ([0, 0, 0], "a number"),          ([1, 0, 0], "a mass"),           ([0, 1, 0], "a length"),
    ([0, 2, 0], "an area"),           ([0, 3, 0], "a volume"),         ([0, -1, 0], "a curvature"),
    ([0, 0, 1], "a time"),            ([0, 0, -1], "a frequency"),     ([0, 0, -2], "a squared frequency"),
    ([0, 1, -1], "a velocity"),       ([0, 2, -2], "a squared velocity"), ([0, 1, -2], "an acceleration"),
    ([1, 1, -2], "a force"),          ([1, 2, -2], "a torque or energy"), ([1, 2, 0], "a moment of inertia"),
    ([1, 0, -2], "a stiffness"),      ([1, 0, -1], "a damping"),       ([1, 1, -1], "an impulse"),
    ([1, 2, -1], "an angular momentum"), ([1, 2, -3], "a power"),      ([1, -1, -2], "a pressure"),
    ([1, -3, 0], "a density"),        ([1, -1, 0], "a mass per length"), ([1, 1, 0], "a mass times a length"),
];

/// Exponents of time beside one of angle, and the word.
const ANGULAR: [(i64, &str); 3] =
    [(0, "an angle"), (-1, "an angular velocity"), (-2, "an angular acceleration")];

impl Unit {
    /// What it measures, whatever its scale: `a length`.
    pub(super) fn words(&self) -> String {
        let [mass, length, time] = [Part::Mass, Part::Length, Part::Time].map(|p| self.exponent(p));
        let one = Exponent::from_integer(1);
        if !self.exponent(Part::Degree).is_zero() {
            let alone = self.clone().without(Part::Degree).is_number() && self.exponent(Part::Degree) == one;
            return if alone { "an angle in degrees".to_owned() } else { format!("a quantity in {self}") };
        }
        let is = |x: Exponent, n: i64| x == Exponent::from_integer(n);
        if mass.is_zero()
            && length.is_zero()
            && self.exponent(Part::Radian) == one
            && let Some((_, word)) = ANGULAR.iter().find(|(n, _)| is(time, *n))
        {
            return (*word).to_owned();
        }
        let found = WORDS.iter().find(|([m, l, t], _)| is(mass, *m) && is(length, *l) && is(time, *t));
        found.map_or_else(|| format!("a quantity in {self}"), |(_, word)| (*word).to_owned())
    }
}
