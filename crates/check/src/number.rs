//! Numbers as they are written in a certificate: exact fractions, and rational multiples of π.

use crate::elementary::PI;
use crate::float::{Float, Toward};
use crate::interval::Interval;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// Digits of a number at most, and greatest exponent of 2 or 10.
const DIGITS: usize = 2000;
const EXPONENT: u32 = 5000;

/// A fraction, perhaps times π.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    over: BigInt,
    /// Not 0.
    under: BigUint,
    pi: bool,
}

impl Number {
    /// `12`, `1/3`, `0.1`, `2.5e-3`, `m*2^e`, `pi`, `-17*pi/36`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (factor, pi, divisor) = match text.split_once("pi") {
            Some((before, after)) => (factor(before)?, true, after),
            None => (text, false, ""),
        };
        let (over, under) = fraction(factor)?;
        if pi && factor.bytes().any(|c| !c.is_ascii_digit()) {
            return None;
        }
        let under = match divisor.strip_prefix('/') {
            Some(divisor) => under * positive(divisor)?,
            None => divisor.is_empty().then_some(under)?,
        };
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Some(Self { over: BigInt::from_biguint(sign, over), under, pi })
    }

    /// The fraction that it is, over a positive number.
    pub(crate) fn fraction(&self) -> Option<(BigInt, BigInt)> {
        let is_one = !self.pi || self.over == BigInt::ZERO;
        is_one.then(|| (self.over.clone(), self.under.clone().into()))
    }

    /// The least interval of floats around a fraction; of a multiple of π, one that is a little wider.
    pub(crate) fn enclosure(&self) -> Interval {
        let fraction = quotient(&self.over, &self.under);
        if self.pi { fraction * PI } else { fraction }
    }

    /// Whether it is proven to be below the other.
    pub(crate) fn is_below(&self, other: &Self) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// Whether it is proven not to be above the other.
    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// `None` of a fraction and a multiple of π that are too near.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        if let Some((a, b)) = self.common(other) {
            return Some(a.cmp(&b));
        }
        match self.enclosure() - other.enclosure() {
            x if x.is_positive() => Some(Ordering::Greater),
            x if (-x).is_positive() => Some(Ordering::Less),
            _ => None,
        }
    }

    /// Both in units of the same positive number; `None` of a fraction and a multiple of π.
    fn common(&self, other: &Self) -> Option<(BigInt, BigInt)> {
        let is_alike = self.pi == other.pi || self.over == BigInt::ZERO || other.over == BigInt::ZERO;
        let product = |x: &Self, y: &Self| &x.over * BigInt::from(y.under.clone());
        is_alike.then(|| (product(self, other), product(other, self)))
    }
}

/// What stands before π: nothing, or digits and a `*`.
fn factor(text: &str) -> Option<&str> {
    if text.is_empty() { Some("1") } else { text.strip_suffix('*') }
}

/// A number without sign, as a fraction.
fn fraction(text: &str) -> Option<(BigUint, BigUint)> {
    let one = BigUint::from(1u8);
    if let Some((over, under)) = text.split_once('/') {
        return Some((digits(over)?, positive(under)?));
    }
    if let Some((m, e)) = text.split_once("*2^") {
        return Some(scaled(digits(m)?, 2, exponent(e)?));
    }
    let (decimal, e) = match text.split_once(['e', 'E']) {
        Some((decimal, e)) => (decimal, exponent(e.strip_prefix('+').unwrap_or(e))?),
        None => (text, 0),
    };
    match decimal.split_once('.') {
        Some((whole, part)) => {
            let places = i32::try_from(part.len()).ok().filter(|_| !whole.is_empty() && !part.is_empty())?;
            Some(scaled(digits(&format!("{whole}{part}"))?, 10, e - places))
        }
        None if e == 0 => Some((digits(decimal)?, one)),
        None => Some(scaled(digits(decimal)?, 10, e)),
    }
}

/// m·base^e.
fn scaled(m: BigUint, base: u8, e: i32) -> (BigUint, BigUint) {
    let power = BigUint::from(base).pow(e.unsigned_abs());
    if e >= 0 { (m * power, BigUint::from(1u8)) } else { (m, power) }
}

fn exponent(text: &str) -> Option<i32> {
    let (negative, size) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let size = u32::try_from(digits(size)?).ok().filter(|&size| size <= EXPONENT)? as i32;
    Some(if negative { -size } else { size })
}

fn digits(text: &str) -> Option<BigUint> {
    let is_integer = !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|c| c.is_ascii_digit());
    if is_integer { BigUint::parse_bytes(text.as_bytes(), 10) } else { None }
}

fn positive(text: &str) -> Option<BigUint> {
    digits(text).filter(|n| *n != BigUint::ZERO)
}

/// The least interval of floats around a fraction.
fn quotient(over: &BigInt, under: &BigUint) -> Interval {
    // a quotient of 64 or 65 bits, and whether anything is left
    let size = over.magnitude();
    let shift = 64 + under.bits() as i64 - size.bits() as i64;
    let (a, b) = if shift >= 0 { (size << shift, under.clone()) } else { (size.clone(), under << -shift) };
    let rest = i128::from(&a % &b != BigUint::ZERO);
    let Ok(whole) = i128::try_from(a / b) else { return Interval::Whole };
    let wide = if over.sign() == Sign::Minus { -(2 * whole + rest) } else { 2 * whole + rest };
    let end = |to| Float::rounded(wide, -1 - shift as i32, to);
    Interval::new(end(Toward::Down), end(Toward::Up))
}

/// Parts of a side that a box may have at least: halving goes 62 times deep.
pub(crate) const PARTS: u64 = 1 << 62;

/// From one number to another, by fractions u of the way: (from + width·u)·unit.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The ends.
    pub(crate) lo: Number,
    pub(crate) hi: Number,
    ends: [Interval; 2],
    from: Interval,
    width: Interval,
    unit: Interval,
}

impl Range {
    /// Ends whose numerators over a common denominator are enclosed, so that in [−1/10, 1/10] half the way is 0.
    pub(crate) fn new(lo: Number, hi: Number) -> Self {
        let ends = [lo.enclosure(), hi.enclosure()];
        let one = BigUint::from(1u8);
        let (from, width, under) = match lo.common(&hi) {
            Some((a, b)) => {
                let under = BigInt::from(&lo.under * &hi.under);
                (quotient(&a, &one), quotient(&(b - a), &one), quotient(&under, &one))
            }
            None => (ends[0], ends[1] - ends[0], Interval::ONE),
        };
        let is_turned = lo.common(&hi).is_some() && (lo.pi || hi.pi);
        let unit = if is_turned { PI } else { Interval::ONE } / under;
        Self { lo, hi, ends, from, width, unit }
    }

    /// From 0 to 1.
    pub(crate) fn share() -> Self {
        let whole = |n: u8| Number { over: n.into(), under: BigUint::from(1u8), pi: false };
        Self::new(whole(0), whole(1))
    }

    /// How far numbers are on the way; exactly at its ends.
    pub(crate) fn share_of(&self, lo: &Number, hi: &Number) -> Interval {
        let is_end = |end: &Number| end.is_at_most(lo) && hi.is_at_most(end);
        match (is_end(&self.lo), is_end(&self.hi)) {
            (true, _) => Interval::ZERO,
            (_, true) => Interval::ONE,
            _ => {
                let place = lo.enclosure().hull(hi.enclosure());
                match (place - self.ends[0]) / (self.ends[1] - self.ends[0]) {
                    Interval::Ends(a, b) => Interval::new(a.max(Float::ZERO), b.min(Float::ONE)),
                    Interval::Whole => Interval::ZERO.hull(Interval::ONE),
                }
            }
        }
    }

    /// The number at u, in parts of the way.
    pub(crate) fn at(&self, u: u64) -> Interval {
        match u {
            0 => self.ends[0],
            PARTS => self.ends[1],
            _ => {
                let u = Interval::point(Float::new(u as i64, -62));
                (self.from + self.width * u) * self.unit
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, PARTS, Range};
    use crate::{Float, Interval, Toward};

    fn read(text: &str) -> Number {
        Number::read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn texts_are_exactly_what_they_say() {
        let same = [
            ("0.1", "1/10"),
            ("2.5e-3", "1/400"),
            ("-3*2^-2", "-0.75"),
            ("12E+2", "1200"),
            ("2*pi", "4*pi/2"),
            ("-0", "0*pi"),
            ("6004799503160661*2^-54", "6004799503160661/18014398509481984"),
        ];
        for (a, b) in same {
            assert!(read(a).is_at_most(&read(b)) && read(b).is_at_most(&read(a)), "{a} {b}");
            assert!(!read(a).is_below(&read(b)));
        }
        assert!(read("22/7").is_below(&read("3.2")) && read("pi").is_below(&read("22/7")));
        assert!(read("333/106").is_below(&read("pi")) && !read("22/7").is_at_most(&read("pi")));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let huge = "9".repeat(3000);
        let none = [
            "", "-", "--1", "+1", "1/0", "1/-2", "1.", ".5", "1e", "1e99999", "1*2^", "1*2^9999", "inf",
            "NaN", "0x1", "1 ", "pi/0", "2pi", "1.5*pi", "pi*2", "1/2*pi", "pipi", "1_000", "١", &huge,
        ];
        for text in none {
            assert!(Number::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn fractions_are_enclosed_by_neighbours() {
        for (p, q) in [(1, 3), (-1, 10), (2, 7), (-22, 7), (1, 1 << 40), (0, 5), (i64::MAX, 3), (3, i64::MAX)]
        {
            let quotient = Interval::integer(p) / Interval::integer(q);
            assert_eq!(read(&format!("{p}/{q}")).enclosure(), quotient);
        }
        // 2⁶⁵ + 1
        let long = Interval::new(Float::new(1, 65), Float::new(1, 65).add(Float::new(1, 2), Toward::Up));
        assert_eq!(read("36893488147419103233").enclosure(), long);
    }

    #[test]
    fn half_the_way_between_opposite_numbers_is_zero() {
        for end in ["0.1", "pi/3", "17/19"] {
            let range = Range::new(read(&format!("-{end}")), read(end));
            assert_eq!(range.at(PARTS / 2), Interval::ZERO);
        }
        let mixed = Range::new(read("1"), read("pi"));
        assert!(mixed.at(PARTS / 2).is_at_most(mixed.at(PARTS)) && mixed.at(0).is_at_most(mixed.at(1 << 60)));
    }
}
