//! Exact numbers of statements: fractions, and rational multiples of π.

use crate::num::{Dyadic, Interval, Real};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::f64::consts::PI;
use std::fmt;

/// r, or r π.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    rational: BigRational,
    of_pi: bool,
}

impl Exact {
    /// A fraction.
    pub fn rational(rational: BigRational) -> Self {
        Exact { rational, of_pi: false }
    }

    /// A multiple of π.
    pub fn of_pi(rational: BigRational) -> Self {
        let of_pi = !rational.is_zero();
        Exact { rational, of_pi }
    }

    /// The number that is printed for a double: the shortest decimal that is nearest to it. Zero of what is not finite.
    pub fn shown(x: f64) -> Self {
        Self::rational(decimal(&format!("{x:e}")).unwrap_or_else(BigRational::zero))
    }

    /// A double, to its last bit. Zero of what is not finite.
    pub fn double(x: f64) -> Self {
        Self::rational(Dyadic::from_f64(x).map_or_else(BigRational::zero, |x| x.to_rational()))
    }

    /// The fraction, if it is one.
    pub fn as_rational(&self) -> Option<&BigRational> {
        (!self.of_pi).then_some(&self.rational)
    }

    /// The number, enclosed.
    pub fn enclosed(&self) -> Interval {
        let fraction = fraction(&self.rational);
        // the double nearest to π lies below it
        if self.of_pi { fraction * Interval { lo: PI, hi: PI.next_up() } } else { fraction }
    }

    /// The point of the range from one number to another at a share of it; none if only one of them is a multiple of π.
    pub fn between(lo: &Exact, hi: &Exact, share: f64) -> Option<Exact> {
        let alike = lo.of_pi == hi.of_pi || lo.rational.is_zero() || hi.rational.is_zero();
        let share = Dyadic::from_f64(share)?.to_rational();
        let rational = &lo.rational + (&hi.rational - &lo.rational) * share;
        let of_pi = (lo.of_pi || hi.of_pi) && !rational.is_zero();
        alike.then_some(Exact { rational, of_pi })
    }

    /// How it compares, if that is decided by enclosures.
    pub fn compare(&self, other: &Exact) -> Option<Ordering> {
        if self.of_pi == other.of_pi {
            return Some(self.rational.cmp(&other.rational));
        }
        let (a, b) = (self.enclosed(), other.enclosed());
        match (a.hi < b.lo, b.hi < a.lo) {
            (true, _) => Some(Ordering::Less),
            (_, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

/// `3`, `-1/3`, `pi/2`, `-17*pi/36`: as a certificate has it.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = (self.rational.numer(), self.rational.denom());
        match (self.of_pi, numerator.abs().is_one()) {
            (false, _) => write!(f, "{numerator}")?,
            (true, true) => write!(f, "{}pi", if numerator.is_negative() { "-" } else { "" })?,
            (true, false) => write!(f, "{numerator}*pi")?,
        }
        if denominator.is_one() { Ok(()) } else { write!(f, "/{denominator}") }
    }
}

/// A fraction between neighbouring doubles.
fn fraction(x: &BigRational) -> Interval {
    let near = x.to_f64().unwrap_or(f64::NAN);
    match Dyadic::from_f64(near).map(|near| near.to_rational().cmp(x)) {
        Some(Ordering::Equal) => Interval::from_f64(near),
        Some(Ordering::Less) => Interval::new(near, near.next_up()),
        Some(Ordering::Greater) => Interval::new(near.next_down(), near),
        None => Interval::WHOLE,
    }
}

/// `-1.25e-3`.
fn decimal(text: &str) -> Option<BigRational> {
    let (digits, exponent) = text.split_once('e')?;
    let (whole, parts) = digits.split_once('.').unwrap_or((digits, ""));
    let numerator: BigInt = format!("{whole}{parts}").parse().ok()?;
    let exponent: i64 = exponent.parse::<i64>().ok()? - i64::try_from(parts.len()).ok()?;
    let power = BigInt::from(10).pow(u32::try_from(exponent.unsigned_abs()).ok()?);
    Some(if exponent >= 0 { (numerator * power).into() } else { BigRational::new(numerator, power) })
}
