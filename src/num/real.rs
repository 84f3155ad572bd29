//! The number type of every kernel: `f64` now, dual numbers for directional derivatives, later intervals and
//! vector lanes.

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
    /// xⁿ.
    fn powi(self, n: i32) -> Self;
    /// xʸ.
    fn powf(self, y: Self) -> Self;
}
