//! Intervals whose ends round outward: a result contains the exact value for all arguments inside.
//!
//! What is undefined for some argument, unbounded, or beyond the range of exponents is [`Interval::Whole`], and so is whatever is made of it:
//! bounded ends say that every operation so far is defined.

use crate::float::{Float, LIMIT, Toward};
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
    pub fn new(lo: Float, hi: Float) -> Self {
        if lo <= hi { Self::limited(lo, hi) } else { Whole }
    }

    /// [lo, hi] of ends in order; `Whole` if they are beyond the range of exponents.
    fn limited(lo: Float, hi: Float) -> Self {
        let is_within = |x: Float| x.parts().2.abs() <= LIMIT;
        if is_within(lo) && is_within(hi) { Ends(lo, hi) } else { Whole }
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
    pub fn hull(self, other: Self) -> Self {
        self.both(other, |a, b, c, d| Ends(a.min(c), b.max(d)))
    }

    /// Whether all numbers are above 0.
    pub fn is_positive(self) -> bool {
        matches!(self, Ends(lo, _) if lo.sign() > 0)
    }

    /// Whether no number is below 0.
    pub fn is_nonnegative(self) -> bool {
        matches!(self, Ends(lo, _) if lo.sign() >= 0)
    }

    /// Whether it has ends, and 0 is beyond them.
    pub fn is_apart_from_zero(self) -> bool {
        self.is_positive() || (-self).is_positive()
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl FnOnce(Float, Float, Float, Float) -> Self) -> Self {
        match (self, other) {
            (Ends(a, b), Ends(c, d)) => f(a, b, c, d),
            _ => Whole,
        }
    }

    /// Image under an increasing function that is enclosed at points.
    pub(crate) fn increasing(self, f: impl Fn(Float) -> Self) -> Self {
        match self {
            Ends(a, b) if a == b => f(a),
            Ends(a, b) => f(a).hull(f(b)),
            Whole => Whole,
        }
    }

    /// One of its numbers, near the middle.
    pub(crate) fn middle(self) -> Self {
        let half = Float::new(1, -1);
        self.both(self, |a, b, _, _| Self::point(a.add(b, Down).mul(half, Down)))
    }

    /// x·x, for both factors the same number.
    pub fn square(self) -> Self {
        let size = self.abs();
        size * size
    }

    /// √x; `Whole` if a number is below 0.
    pub fn sqrt(self) -> Self {
        if self.is_nonnegative() { self.increasing(|x| Self::new(x.sqrt(Down), x.sqrt(Up))) } else { Whole }
    }

    /// |x|.
    pub fn abs(self) -> Self {
        self.both(self, |a, b, _, _| Ends(a.max(b.negated()).max(Float::ZERO), b.max(a.negated())))
    }

    /// −1, 0 or 1.
    pub fn signum(self) -> Self {
        self.increasing(|x| Self::integer(x.sign()))
    }

    /// The lesser of two numbers.
    pub fn min(self, other: Self) -> Self {
        self.both(other, |a, b, c, d| Ends(a.min(c), b.min(d)))
    }

    /// The other where these are above 0, else 0, whether or not the other is defined there.
    pub fn where_positive(self, other: Self) -> Self {
        match self {
            Ends(lo, _) if lo.sign() > 0 => other,
            Ends(_, hi) if hi.sign() <= 0 => Self::ZERO,
            Ends(..) => other.hull(Self::ZERO),
            Whole => Whole,
        }
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        self.both(self, |a, b, _, _| Ends(b.negated(), a.negated()))
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| Self::limited(a.add(c, Down), b.add(d, Up)))
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| {
            if b.sign() <= 0 && a.sign() < 0 {
                return -(-self * o);
            }
            if d.sign() <= 0 && c.sign() < 0 {
                return -(self * -o);
            }
            // no upper end is below 0
            let (is_mixed, is_turned) = (a.sign() < 0 || c.sign() < 0, a.sign() < 0 && c.sign() < 0);
            let lo = if is_mixed { a.mul(d, Down).min(b.mul(c, Down)) } else { a.mul(c, Down) };
            let hi = b.mul(d, Up);
            Self::limited(lo, if is_turned { hi.max(a.mul(c, Up)) } else { hi })
        })
    }
}

impl Div for Interval {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        self.both(o, |a, b, c, d| {
            if d.sign() < 0 {
                return -self / -o;
            }
            if c.sign() <= 0 {
                return Whole;
            }
            let lo = a.div(if a.sign() < 0 { c } else { d }, Down);
            Self::limited(lo, b.div(if b.sign() < 0 { d } else { c }, Up))
        })
    }
}
