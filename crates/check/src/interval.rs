//! Intervals whose ends round outward: a result contains the exact value for all arguments inside.
//!
//! What is undefined for some argument, unbounded, or beyond the range of exponents is [`Interval::Whole`], and so is whatever is made of it:
//! bounded ends say that every operation so far is defined.

use crate::float::{Float, Toward};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// All numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Nothing is known, not even that there is a value.
    Whole,
    /// Lower and upper end.
    Ends(Float, Float),
}

use Interval::{Ends, Whole};
use Toward::{Down, Up};

impl Interval {
    /// 0.
    pub const ZERO: Self = Ends(Float::ZERO, Float::ZERO);
    /// 1.
    pub const ONE: Self = Ends(Float::ONE, Float::ONE);
    /// [−1, 1].
    pub const UNIT: Self = Ends(Float::MINUS_ONE, Float::ONE);

    /// [lo, hi]; `Whole` if the ends are in the wrong order or beyond the range of exponents.
    #[inline]
    pub fn new(lo: Float, hi: Float) -> Self {
        if lo <= hi { Self::limited(lo, hi) } else { Whole }
    }

    /// [lo, hi] of ends in order; `Whole` if they are beyond the range of exponents.
    #[inline]
    fn limited(lo: Float, hi: Float) -> Self {
        if lo.is_within_limit() & hi.is_within_limit() { Ends(lo, hi) } else { Whole }
    }

    /// A number.
    pub fn integer(n: i64) -> Self {
        Self::point(Float::new(n, 0))
    }

    /// A number.
    pub(crate) fn point(x: Float) -> Self {
        Ends(x, x)
    }

    /// From the least to the greatest number of both.
    #[must_use]
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        self.both(other, |a, b, c, d| Ends(a.min(c), b.max(d)))
    }

    /// Whether all numbers are above 0.
    #[inline]
    pub fn is_positive(self) -> bool {
        matches!(self, Ends(lo, _) if lo.is_positive())
    }

    /// Whether no number is below 0.
    #[inline]
    pub fn is_nonnegative(self) -> bool {
        matches!(self, Ends(lo, _) if !lo.is_negative())
    }

    /// Whether it has ends, and 0 is beyond them.
    #[inline]
    pub fn is_apart_from_zero(self) -> bool {
        self.is_positive() || (-self).is_positive()
    }

    /// Whether no number is above any of the other.
    pub fn is_at_most(self, other: Self) -> bool {
        matches!((self, other), (Ends(_, hi), Ends(lo, _)) if hi <= lo)
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl FnOnce(Float, Float, Float, Float) -> Self) -> Self {
        match (self, other) {
            (Ends(a, b), Ends(c, d)) => f(a, b, c, d),
            _ => Whole,
        }
    }

    /// Image under an increasing function that is enclosed at points.
    #[inline]
    pub(crate) fn increasing(self, f: impl Fn(Float) -> Self) -> Self {
        match self {
            Ends(a, b) if a == b => f(a),
            Ends(a, b) => f(a).hull(f(b)),
            Whole => Whole,
        }
    }

    /// x·2^k.
    #[must_use]
    pub(crate) fn scaled(self, k: i32) -> Self {
        self.increasing(|x| Self::new(x.scaled(k), x.scaled(k)))
    }

    /// x·x, for both factors the same number.
    #[must_use]
    #[inline]
    pub fn square(self) -> Self {
        match self.abs() {
            Ends(a, b) => Self::limited(a.mul(a, Down), b.mul(b, Up)),
            Whole => Whole,
        }
    }

    /// √x; `Whole` if a number is below 0.
    #[must_use]
    pub fn sqrt(self) -> Self {
        match self {
            Ends(a, b) if !a.is_negative() => Self::new(a.sqrt(Down), b.sqrt(Up)),
            _ => Whole,
        }
    }

    /// |x|.
    #[must_use]
    #[inline]
    pub fn abs(self) -> Self {
        match self {
            Ends(a, b) if a.is_negative() && b.is_positive() => Ends(Float::ZERO, b.max(a.negated())),
            Ends(_, b) if !b.is_positive() => -self,
            other => other,
        }
    }

    /// −1, 0 or 1.
    #[must_use]
    pub fn signum(self) -> Self {
        let sign = |x: Float| match (x.is_negative(), x.is_zero()) {
            (true, _) => Float::MINUS_ONE,
            (_, true) => Float::ZERO,
            _ => Float::ONE,
        };
        match self {
            Ends(a, b) => Ends(sign(a), sign(b)),
            Whole => Whole,
        }
    }

    /// The lesser of two numbers.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        self.both(other, |a, b, c, d| Ends(a.min(c), b.min(d)))
    }

    /// The other where these are above 0, else 0, whether or not the other is defined there.
    #[must_use]
    pub fn where_positive(self, other: Self) -> Self {
        match self {
            Ends(lo, _) if lo.is_positive() => other,
            Ends(_, hi) if !hi.is_positive() => Self::ZERO,
            Ends(..) => other.hull(Self::ZERO),
            Whole => Whole,
        }
    }
}

impl Neg for Interval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        match self {
            Ends(a, b) => Ends(b.negated(), a.negated()),
            Whole => Whole,
        }
    }
}

impl Add for Interval {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| Self::limited(a.add(c, Down), b.add(d, Up)))
    }
}

impl Sub for Interval {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| Self::limited(a.sub(d, Down), b.sub(c, Up)))
    }
}

impl Mul for Interval {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| {
            // the factors of the least and of the greatest product, by the signs of the ends
            let (least, greatest) = if !a.is_negative() {
                ((if c.is_negative() { b } else { a }, c), (if d.is_positive() { b } else { a }, d))
            } else if !b.is_positive() {
                ((if d.is_positive() { a } else { b }, d), (if c.is_negative() { a } else { b }, c))
            } else if !c.is_negative() {
                ((a, d), (b, d))
            } else if !d.is_positive() {
                ((b, c), (a, c))
            } else {
                let lo = a.mul(d, Down).min(b.mul(c, Down));
                return Self::limited(lo, a.mul(c, Up).max(b.mul(d, Up)));
            };
            Self::limited(least.0.mul(least.1, Down), greatest.0.mul(greatest.1, Up))
        })
    }
}

impl Div for Interval {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| {
            if c.is_positive() {
                let lo = a.div(if a.is_negative() { c } else { d }, Down);
                Self::limited(lo, b.div(if b.is_negative() { d } else { c }, Up))
            } else if d.is_negative() {
                -self / -o
            } else {
                Whole
            }
        })
    }
}
