//! Exact numbers m·2ᵉ. Every finite `f64` is one, and sums and products of such numbers are such numbers, so
//! that the sign of a polynomial in given floating-point data is decided without any rounding and without
//! greatest common divisors. Quotients are deliberately left out: vectors carry one common denominator.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::gcd;

/// The exact number mantissa·2^exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// The value of `x`, exactly; none if `x` is not finite.
    #[must_use]
    pub fn from_f64(x: f64) -> Option<Self> {
        let (mantissa, exponent, sign) = num_traits::float::FloatCore::integer_decode(x);
        x.is_finite().then(|| Self::new(BigInt::from(mantissa) * BigInt::from(sign), i64::from(exponent)))
    }

    /// The integer `x`.
    #[must_use]
    pub fn from_integer(x: BigInt) -> Self {
        Self::new(x, 0)
    }

    /// mantissa·2^exponent, brought to an odd mantissa so that equal numbers have equal parts.
    fn new(mantissa: BigInt, exponent: i64) -> Self {
        match mantissa.trailing_zeros() {
            None => Self { mantissa, exponent: 0 },
            Some(0) => Self { mantissa, exponent },
            Some(k) => {
                let shifted = mantissa >> k;
                Self { mantissa: shifted, exponent: exponent.saturating_add_unsigned(k) }
            }
        }
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { mantissa: BigInt::zero(), exponent: 0 }
    }

    /// One.
    #[must_use]
    pub fn one() -> Self {
        Self { mantissa: BigInt::one(), exponent: 0 }
    }

    /// The mantissa, odd or zero, and the exponent.
    pub fn parts(&self) -> (&BigInt, i64) {
        (&self.mantissa, self.exponent)
    }

    /// Whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// Whether the number is greater than zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.mantissa.sign() == Sign::Plus
    }

    /// Whether the number is less than zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.mantissa.sign() == Sign::Minus
    }

    /// The square.
    #[must_use]
    pub fn squared(&self) -> Self {
        self * self
    }

    /// The exponent of the leading binary digit, 0 for zero.
    #[must_use]
    pub fn magnitude(&self) -> i64 {
        if self.is_zero() {
            0
        } else {
            self.exponent + i64::try_from(self.mantissa.bits()).unwrap_or(i64::MAX)
        }
    }

    /// The number times 2^exponent.
    #[must_use]
    pub fn scaled(&self, exponent: i64) -> Self {
        match self.is_zero() {
            true => Self::zero(),
            false => Self { mantissa: self.mantissa.clone(), exponent: self.exponent + exponent },
        }
    }

    /// The same number as a fraction.
    #[must_use]
    pub fn to_rational(&self) -> BigRational {
        let power = BigInt::one() << self.exponent.unsigned_abs();
        match self.exponent >= 0 {
            true => BigRational::from_integer(&self.mantissa * power),
            // an odd number over a power of two is in lowest terms
            false => BigRational::new_raw(self.mantissa.clone(), power),
        }
    }

    /// A nearby `f64`, for display only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let excess = i64::try_from(self.mantissa.bits()).unwrap_or(i64::MAX) - 64;
        let (head, shift) = match excess > 0 {
            true => (&self.mantissa >> excess.unsigned_abs(), excess),
            false => (self.mantissa.clone(), 0),
        };
        let exponent = i32::try_from(self.exponent.saturating_add(shift)).unwrap_or(i32::MAX);
        // In two halves: 2^exponent alone may underflow where the product does not.
        head.to_f64().unwrap_or(f64::NAN) * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    }

    /// Decimal digits of the integer, or `m*2^e` where it is none: the text form of certificates.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self.exponent >= 0 {
            true => (&self.mantissa << self.exponent.unsigned_abs()).to_string(),
            false => format!("{}*2^{}", self.mantissa, self.exponent),
        }
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let (low, high) = if self.exponent <= other.exponent { (self, other) } else { (other, self) };
        let shift = high.exponent.abs_diff(low.exponent);
        Dyadic::new((&high.mantissa << shift) + &low.mantissa, low.exponent)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        // A product of odd mantissas is odd.
        match self.is_zero() || other.is_zero() {
            true => Dyadic::zero(),
            false => Dyadic {
                mantissa: &self.mantissa * &other.mantissa,
                exponent: self.exponent + other.exponent,
            },
        }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -&self.mantissa, exponent: self.exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Sum for Dyadic {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::zero(), |total, term| &total + &term)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        (self - other).mantissa.cmp(&BigInt::zero())
    }
}

/// The exact vector numerators/denominator, with one positive denominator for all entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledVector {
    /// Numerators.
    pub numerators: Vec<Dyadic>,
    /// The common denominator, greater than zero.
    pub denominator: Dyadic,
}

impl ScaledVector {
    /// The exact values of floating-point numbers; none if one of them is not finite.
    #[must_use]
    pub fn from_f64(x: &[f64]) -> Option<Self> {
        let numerators = x.iter().map(|&x| Dyadic::from_f64(x)).collect::<Option<_>>()?;
        Some(Self { numerators, denominator: Dyadic::one() })
    }

    /// Fractions brought to their least common denominator.
    #[must_use]
    pub fn from_rationals(x: &[BigRational]) -> Self {
        let (numerators, common) = integers(x);
        let numerators = numerators.into_iter().map(Dyadic::from_integer).collect();
        Self { numerators, denominator: Dyadic::from_integer(common) }
    }

    /// Nearby floating-point values, for display.
    #[must_use]
    pub fn to_f64(&self) -> Vec<f64> {
        let divide = |x: &Dyadic| match (x.is_zero(), self.denominator == Dyadic::one()) {
            (true, _) => 0.0,
            (false, true) => x.to_f64(),
            (false, false) => (x.to_rational() / self.denominator.to_rational()).to_f64().unwrap_or(f64::NAN),
        };
        self.numerators.iter().map(divide).collect()
    }
}

/// The row times the least common denominator of its entries, and that denominator.
fn integers(row: &[BigRational]) -> (Vec<BigInt>, BigInt) {
    let lcm = |a: &BigInt, b: &BigInt| a / gcd(a, b) * b;
    let common = row.iter().fold(BigInt::one(), |common, x| lcm(&common, x.denom()));
    (row.iter().map(|x| x.numer() * (&common / x.denom())).collect(), common)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "exactness is the claim")]
    use super::*;

    fn exact(x: f64) -> Dyadic {
        Dyadic::from_f64(x).unwrap()
    }

    #[test]
    fn a_tenth_is_not_exactly_a_tenth() {
        let sum = &(&exact(0.1) + &exact(0.2)) - &exact(0.3);
        assert!(sum.is_positive());
        assert_eq!(sum.to_f64(), 2f64.powi(-55));
    }

    #[test]
    fn squares_of_subnormal_numbers_do_not_vanish() {
        let tiny = exact(f64::from_bits(1));
        assert!(tiny.squared().is_positive());
        assert!(tiny.squared() < tiny);
    }

    #[test]
    fn values_survive_the_round_trip() {
        for x in [0.0, -0.1, 1e300, -1e-310, 12345.678, f64::MAX, f64::MIN_POSITIVE] {
            assert_eq!(exact(x).to_f64(), x);
        }
        assert!(Dyadic::from_f64(f64::NAN).is_none());
        assert!(Dyadic::from_f64(f64::INFINITY).is_none());
    }

    #[test]
    fn fractions_share_one_denominator() {
        let third = BigRational::new(1.into(), 3.into());
        let quarter = BigRational::new((-1).into(), 4.into());
        let x = ScaledVector::from_rationals(&[third, quarter]);
        assert_eq!(x.denominator.to_text(), "12");
        assert_eq!(x.to_f64(), vec![1.0 / 3.0, -0.25]);
    }
}
