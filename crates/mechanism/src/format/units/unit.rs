//! A unit: kg^a m^b s^c rad^d deg^e times a scale 10^j 6^k, all exponents exact. Every scale that units have is such a
//! product, the minute being 10·6 s and the hour 100·36 s; products and roots of units stay exact.

use num_rational::{BigRational, Ratio};
use num_traits::{Signed, ToPrimitive, Zero};

/// An exponent.
pub(super) type Exponent = Ratio<i64>;

/// Largest numerator and denominator of an exponent; what multiplies them stays far inside an `i64`.
const LARGEST: i64 = 1000;

/// What a unit is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Mass,
    Length,
    Time,
    Radian,
    Degree,
    Ten,
    Six,
}

impl Part {
    const COUNT: usize = 7;
}

/// A product of powers of SI units, radians and degrees, with its scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    powers: [Exponent; Part::COUNT],
}

impl Unit {
    /// The unit of pure numbers.
    pub fn one() -> Self {
        Self { powers: [Exponent::zero(); Part::COUNT] }
    }

    /// A product of powers.
    pub(super) fn of(powers: &[(Part, i64)]) -> Self {
        let mut unit = Self::one();
        for (part, power) in powers {
            unit.powers[*part as usize] += power;
        }
        unit
    }

    /// The exponent of a part.
    pub(super) fn exponent(&self, part: Part) -> Exponent {
        self.powers[part as usize]
    }

    /// The same without a part.
    pub(super) fn without(mut self, part: Part) -> Self {
        self.powers[part as usize] = Exponent::zero();
        self
    }

    fn bounded(self) -> Option<Self> {
        let fits = |x: &Exponent| x.numer().abs() <= LARGEST && *x.denom() <= LARGEST;
        self.powers.iter().all(fits).then_some(self)
    }

    /// The product; none if an exponent is beyond what anybody writes.
    pub fn times(&self, other: &Unit) -> Option<Unit> {
        let powers = std::array::from_fn(|i| self.powers[i] + other.powers[i]);
        Unit { powers }.bounded()
    }

    /// The quotient; none if an exponent is beyond what anybody writes.
    pub fn over(&self, other: &Unit) -> Option<Unit> {
        let powers = std::array::from_fn(|i| self.powers[i] - other.powers[i]);
        Unit { powers }.bounded()
    }

    /// A power; none if an exponent is beyond what anybody writes.
    pub(super) fn power(&self, exponent: Exponent) -> Option<Unit> {
        Unit { powers: self.powers.map(|x| x * exponent) }.bounded()
    }

    /// Whether a sum of the two has a meaning: equal but for radians, which are pure numbers.
    pub fn fits(&self, other: &Unit) -> bool {
        (0..Part::COUNT).all(|i| i == Part::Radian as usize || self.powers[i] == other.powers[i])
    }

    /// Whether two units differ by a factor only.
    pub(super) fn is_multiple_of(&self, other: &Unit) -> bool {
        let bare = |unit: &Unit| unit.clone().without(Part::Ten).without(Part::Six);
        bare(self).fits(&bare(other))
    }

    /// How many of the other unit one of this is; none if they measure different things.
    pub fn per(&self, other: &Unit) -> Option<f64> {
        self.is_multiple_of(other).then(|| self.factor(other))
    }

    /// How many of the other one this is, if they are of one dimension.
    pub(super) fn factor(&self, other: &Unit) -> f64 {
        let difference = |part: Part| (self.exponent(part) - other.exponent(part)).to_f64();
        let [ten, six] = [Part::Ten, Part::Six].map(|part| difference(part).unwrap_or(f64::NAN));
        10f64.powf(ten) * 6f64.powf(six)
    }

    /// Whether it measures one thing, once: a mass, a length, a time or an angle.
    pub(super) fn is_of_one_part(&self) -> bool {
        let parts = [Part::Mass, Part::Length, Part::Time, Part::Radian, Part::Degree];
        let powers = parts.map(|part| self.exponent(part)).into_iter().filter(|power| !power.is_zero());
        powers.collect::<Vec<_>>() == [Exponent::from_integer(1)]
    }

    /// Whether it is one of pure numbers or of angles in radians.
    pub fn is_number(&self) -> bool {
        self.fits(&Unit::one())
    }
}

/// An exponent that stands in an expression; none if it is beyond what anybody writes.
pub(super) fn exponent(value: &BigRational) -> Option<Exponent> {
    let small = |x: &num_bigint::BigInt| x.to_i64().filter(|x| x.abs() <= LARGEST);
    Some(Exponent::new(small(value.numer())?, small(value.denom())?))
}

/// An exponent from its parts.
pub(super) fn fraction(numerator: i64, denominator: i64) -> Option<Exponent> {
    let fits = denominator > 0 && numerator.abs() <= LARGEST && denominator <= LARGEST;
    fits.then(|| Exponent::new(numerator, denominator))
}
