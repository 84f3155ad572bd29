//! Numbers as they are written in a certificate: exact fractions, and rational multiples of π.

use crate::elementary::PI;
use crate::float::{Float, Toward};
use crate::interval::Interval::{self, Ends};
use num_bigint::BigInt;
use serde::Deserialize;
use std::fmt;

/// Digits of a number at most, and greatest exponent of 2 or 10.
const DIGITS: usize = 2000;
const EXPONENT: i32 = 5000;

/// A fraction, perhaps times π.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Number {
    /// As it is written.
    text: String,
    over: BigInt,
    /// Above 0.
    under: BigInt,
    pi: bool,
}

impl TryFrom<String> for Number {
    type Error = &'static str;

    /// `12`, `1/3`, `0.1`, `2.5e-3`, `m*2^e`, `pi`, `-17*pi/36`.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let size = text.strip_prefix('-').unwrap_or(&text);
        let (over, under) = multiple_of_pi(size).or_else(|| fraction(size)).ok_or("this is not a number")?;
        let over = if size.len() < text.len() { -over } else { over };
        let pi = text.contains("pi") && over != BigInt::ZERO;
        Ok(Self { text, over, under, pi })
    }
}

impl Number {
    /// The fraction that it is, over a positive number.
    pub(crate) fn fraction(&self) -> Option<(BigInt, BigInt)> {
        (!self.pi).then(|| (self.over.clone(), self.under.clone()))
    }

    /// The least interval of floats around a fraction; of a multiple of π, one that is a little wider.
    pub(crate) fn enclosure(&self) -> Interval {
        let fraction = quotient(&self.over, &self.under);
        if self.pi { fraction * PI } else { fraction }
    }

    /// How far the other one is above it.
    fn to(&self, other: &Self) -> Interval {
        match self.common(other) {
            Some((a, b)) => quotient(&(b - a), &(&self.under * &other.under)) * self.unit(other),
            None => other.enclosure() - self.enclosure(),
        }
    }

    /// Whether it is proven not to be above the other.
    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        self.to(other).is_nonnegative()
    }

    /// π if either is a multiple of it.
    fn unit(&self, other: &Self) -> Interval {
        if self.pi || other.pi { PI } else { Interval::ONE }
    }

    /// Both in units of the same positive number; `None` of a fraction and a multiple of π.
    fn common(&self, other: &Self) -> Option<(BigInt, BigInt)> {
        let is_alike = self.pi == other.pi || self.over == BigInt::ZERO || other.over == BigInt::ZERO;
        is_alike.then(|| (&self.over * &other.under, &other.over * &self.under))
    }
}

/// `pi`, `2*pi`, `pi/3`, `2*pi/3`, without what stands for π.
fn multiple_of_pi(text: &str) -> Option<(BigInt, BigInt)> {
    let (before, after) = text.split_once("pi")?;
    let over = if before.is_empty() { 1.into() } else { digits(before.strip_suffix('*')?)? };
    let under = if after.is_empty() { 1.into() } else { positive(after.strip_prefix('/')?)? };
    Some((over, under))
}

/// A number without sign, as a fraction.
fn fraction(text: &str) -> Option<(BigInt, BigInt)> {
    if let Some((over, under)) = text.split_once('/') {
        return Some((digits(over)?, positive(under)?));
    }
    if let Some((m, e)) = text.split_once("*2^") {
        return Some(scaled(digits(m)?, 2, exponent(e)?));
    }
    let (decimal, e) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let e = exponent(e.strip_prefix('+').unwrap_or(e))?;
    match decimal.split_once('.') {
        Some(("", _) | (_, "")) => None,
        Some((whole, part)) => Some(scaled(digits(&format!("{whole}{part}"))?, 10, e - part.len() as i32)),
        None => Some(scaled(digits(decimal)?, 10, e)),
    }
}

/// m·base^e.
fn scaled(m: BigInt, base: i32, e: i32) -> (BigInt, BigInt) {
    let power = BigInt::from(base).pow(e.unsigned_abs());
    if e >= 0 { (m * power, 1.into()) } else { (m, power) }
}

fn exponent(text: &str) -> Option<i32> {
    let size = text.strip_prefix('-').unwrap_or(text);
    let e = i32::try_from(digits(size)?).ok().filter(|&e| e <= EXPONENT)?;
    Some(if size.len() < text.len() { -e } else { e })
}

fn digits(text: &str) -> Option<BigInt> {
    let is_integer = !text.is_empty() && text.len() <= DIGITS && text.bytes().all(|c| c.is_ascii_digit());
    if is_integer { BigInt::parse_bytes(text.as_bytes(), 10) } else { None }
}

fn positive(text: &str) -> Option<BigInt> {
    digits(text).filter(|n| *n != BigInt::ZERO)
}

/// The least interval of floats around a fraction over a positive number.
fn quotient(over: &BigInt, under: &BigInt) -> Interval {
    // a quotient of 64 or 65 bits, and the sign of what is left
    let shift = 64 + under.bits() as i64 - over.bits() as i64;
    let (over, under) = (over << shift.max(0), under << (-shift).max(0));
    let whole = &over / &under;
    let rest = over.cmp(&(&whole * under)) as i128;
    let Ok(whole) = i128::try_from(whole) else { return Interval::Whole };
    let end = |to| Float::rounded(2 * whole + rest, -1 - shift as i32, to);
    Interval::new(end(Toward::Down), end(Toward::Up))
}

/// Parts of a side that a box may have at least: halving goes 62 times deep.
pub(crate) const PARTS: u64 = 1 << 62;

/// All numbers from one to another, by fractions u of the way: (from + width·u)·unit.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Range {
    pub(crate) lo: Number,
    pub(crate) hi: Number,
    from: Interval,
    width: Interval,
    unit: Interval,
}

/// A range as it is written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, as a text, or a pair of numbers, the lower one first")]
enum Written {
    One(Number),
    Two([Number; 2]),
}

impl TryFrom<Written> for Range {
    type Error = &'static str;

    /// Numerators over a common denominator are enclosed, so that in [−1/10, 1/10] half the way is 0.
    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let [lo, hi] = match written {
            Written::One(number) => [number.clone(), number],
            Written::Two(ends) => ends,
        };
        let whole = |n: &BigInt| quotient(n, &1.into());
        let (from, width, unit) = match lo.common(&hi) {
            _ if !lo.is_at_most(&hi) => return Err("expected a lower end that is not above the upper"),
            Some((a, b)) => (whole(&a), whole(&(b - a)), lo.unit(&hi) / whole(&(&lo.under * &hi.under))),
            None => (lo.enclosure(), lo.to(&hi), Interval::ONE),
        };
        Ok(Self { lo, hi, from, width, unit })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "= {}", number.text),
            None => write!(f, "in [{}, {}]", self.lo.text, self.hi.text),
        }
    }
}

impl Range {
    /// From 0 to 1.
    pub(crate) fn share() -> Self {
        let number = |n: i32| Number { text: n.to_string(), over: n.into(), under: 1.into(), pi: false };
        let [lo, hi] = [0, 1].map(number);
        Self { lo, hi, from: Interval::ZERO, width: Interval::ONE, unit: Interval::ONE }
    }

    /// The number that is all of it.
    pub(crate) fn number(&self) -> Option<&Number> {
        self.hi.is_at_most(&self.lo).then_some(&self.lo)
    }

    /// How far a number is on the way: from the lower end, and from the upper, so that it is exact at both.
    pub(crate) fn share_of(&self, x: &Number) -> Interval {
        let width = self.lo.to(&self.hi);
        match (self.lo.to(x) / width, Interval::ONE - x.to(&self.hi) / width) {
            (Ends(a, b), Ends(c, d)) => Interval::new(a.max(c).max(Float::ZERO), b.min(d).min(Float::ONE)),
            _ => Interval::ZERO.hull(Interval::ONE),
        }
    }

    /// All its numbers.
    pub(crate) fn all(&self) -> Interval {
        self.lo.enclosure().hull(self.hi.enclosure())
    }

    /// The numbers between two places, in parts of the way.
    pub(crate) fn between(&self, [a, b]: [u64; 2]) -> Interval {
        let part = |u: u64| Interval::point(Float::new(u as i64, -62));
        let at = |u: u64| (self.from + self.width * part(u)) * self.unit;
        at(a).hull(at(b))
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, PARTS, Range, Written};
    use crate::{Float, Interval, Toward};

    fn read(text: &str) -> Number {
        Number::try_from(text.to_owned()).unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    fn between(lo: &str, hi: &str) -> Range {
        Range::try_from(Written::Two([read(lo), read(hi)])).unwrap_or_else(|why| panic!("{lo} {hi}: {why}"))
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
            assert!(!read(a).to(&read(b)).is_apart_from_zero());
        }
        assert!(!read("3.2").is_at_most(&read("22/7")) && !read("22/7").is_at_most(&read("pi")));
        assert!(!read("pi").is_at_most(&read("333/106")) && !read("22/7").is_at_most(&read("pi")));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let huge = "9".repeat(3000);
        let none = [
            "", "-", "--1", "+1", "1/0", "1/-2", "1.", ".5", "1e", "1e99999", "1*2^", "1*2^9999", "inf",
            "NaN", "0x1", "1 ", "pi/0", "2pi", "1.5*pi", "pi*2", "1/2*pi", "pipi", "1_000", "١", &huge,
        ];
        for text in none {
            assert!(Number::try_from(text.to_owned()).is_err(), "{text}");
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
            let range = between(&format!("-{end}"), end);
            assert_eq!(range.between([PARTS / 2; 2]), Interval::ZERO);
        }
        let mixed = between("1", "pi");
        let at = |u: u64| mixed.between([u; 2]);
        let is_below = |x: Interval, y: Interval| (y - x).is_positive();
        assert!(is_below(at(PARTS / 2), at(PARTS)) && is_below(at(0), at(1 << 60)));
    }
}
