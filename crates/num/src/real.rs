//! The number type of every kernel: `f64` now, dual numbers for directional derivatives, later intervals and
//! vector lanes.

use super::trig;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that a tape or a small dense kernel can compute with.
pub trait Real:
    Copy
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The constant `x`.
    fn from_f64(x: f64) -> Self;
    /// The value, without derivatives.
    fn value(self) -> f64;
    /// (sin x, cos x).
    fn sin_cos(self) -> (Self, Self);
    /// tan x.
    fn tan(self) -> Self;
    /// asin x.
    fn asin(self) -> Self;
    /// acos x.
    fn acos(self) -> Self;
    /// atan x.
    fn atan(self) -> Self;
    /// atan2(self, x): the angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
    /// sinh x.
    fn sinh(self) -> Self;
    /// cosh x.
    fn cosh(self) -> Self;
    /// tanh x.
    fn tanh(self) -> Self;
    /// √x.
    fn sqrt(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// ln x.
    fn ln(self) -> Self;
    /// |x|; the derivative at 0 is taken as 0.
    fn abs(self) -> Self;
    /// Sign of x: −1, 0 or 1, with zero derivative.
    fn signum(self) -> Self;
    /// The smaller of two numbers; NaN if one is.
    fn lesser(self, other: Self) -> Self;
    /// x where c > 0, and 0, whatever x is, where c ≤ 0.
    fn where_positive(self, c: Self) -> Self;
    /// xⁿ.
    fn powi(self, n: i32) -> Self;
    /// xʸ.
    fn powf(self, y: Self) -> Self;

    /// The slice itself where the numbers are `f64`: what machine code writes to.
    #[inline(always)]
    fn plain_mut(_numbers: &mut [Self]) -> Option<&mut [f64]> {
        None
    }
    /// The way back: what machine code reads from.
    #[inline(always)]
    fn of_plain_mut(_numbers: &mut [f64]) -> Option<&mut [Self]> {
        None
    }
}

impl Real for f64 {
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        trig::sin_cos(self)
    }
    fn tan(self) -> Self {
        f64::tan(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan(self) -> Self {
        f64::atan(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn signum(self) -> Self {
        // unlike f64::signum, 0 at 0
        f64::from(i8::from(self > 0.0) - i8::from(self < 0.0))
    }
    fn lesser(self, other: Self) -> Self {
        if self < other || self.is_nan() { self } else { other }
    }
    fn where_positive(self, c: Self) -> Self {
        if c > 0.0 {
            self
        } else if c <= 0.0 {
            0.0
        } else {
            f64::NAN
        }
    }
    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }
    fn powf(self, y: Self) -> Self {
        f64::powf(self, y)
    }
    #[inline(always)]
    fn plain_mut(numbers: &mut [Self]) -> Option<&mut [f64]> {
        Some(numbers)
    }
    #[inline(always)]
    fn of_plain_mut(numbers: &mut [f64]) -> Option<&mut [Self]> {
        Some(numbers)
    }
}

/// xⁿ in a fixed order of products; the standard library leaves its order, and thereby the last bits, open.
pub(crate) fn repeated_squaring<T: Real>(x: T, n: i32) -> T {
    let one = T::from_f64(1.0);
    let (mut power, mut square, mut rest) = (None, x, n.unsigned_abs());
    while rest > 0 {
        if rest & 1 == 1 {
            power = Some(power.map_or(square, |p| p * square));
        }
        rest >>= 1;
        if rest > 0 {
            square = square * square;
        }
    }
    let power = power.unwrap_or(one);
    if n < 0 { one / power } else { power }
}

/// Every operation, for tests of number types.
#[cfg(test)]
pub(crate) mod every {
    use super::Real;

    pub(crate) const OPERATIONS: usize = 22;

    pub(crate) fn apply<T: Real>(which: usize, a: T, b: T) -> T {
        match which {
            0 => a + b,
            1 => a - b,
            2 => a * b,
            3 => a / b,
            4 => a.powf(b),
            5 => a.atan2(b),
            6 => -a,
            7 => a.sin_cos().0,
            8 => a.sin_cos().1,
            9 => a.tan(),
            10 => a.asin(),
            11 => a.acos(),
            12 => a.atan(),
            13 => a.sinh(),
            14 => a.cosh(),
            15 => a.tanh(),
            16 => a.sqrt(),
            17 => a.exp(),
            18 => a.ln(),
            19 => a.abs(),
            20 => a.lesser(b),
            21 => b.where_positive(a),
            _ => a.signum(),
        }
    }
}
