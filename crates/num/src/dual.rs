//! Dual numbers x + εẋ, ε² = 0: the value and its exact derivative along one direction.
//!
//! f(x + εẋ) = f(x) + ε f′(x) ẋ. Generic over the inner number, so that `Dual<Dual<f64>>` gives second
//! derivatives.

use super::Real;
use super::real::repeated_squaring;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivative along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T = f64> {
    /// f(x).
    pub re: T,
    /// f′(x) ẋ.
    pub eps: T,
}

impl<T: Real> Dual<T> {
    /// The number `re` that moves at the rate `eps`.
    pub fn new(re: T, eps: T) -> Self {
        Self { re, eps }
    }

    /// A number that does not move.
    pub fn fixed(re: T) -> Self {
        Self { re, eps: T::from_f64(0.0) }
    }

    /// f(x) with f′(x) = `slope`.
    #[inline(always)]
    fn chain(self, value: T, slope: T) -> Self {
        Self { re: value, eps: slope * self.eps }
    }
}

impl<T: Real> Add for Dual<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, eps: self.eps + o.eps }
    }
}

impl<T: Real> Sub for Dual<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, eps: self.eps - o.eps }
    }
}

impl<T: Real> Mul for Dual<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re, eps: self.eps * o.re + self.re * o.eps }
    }
}

impl<T: Real> Div for Dual<T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let re = self.re / o.re;
        Self { re, eps: (self.eps - re * o.eps) / o.re }
    }
}

impl<T: Real> Neg for Dual<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { re: -self.re, eps: -self.eps }
    }
}

impl<T: Real> Real for Dual<T> {
    fn from_f64(x: f64) -> Self {
        Self::fixed(T::from_f64(x))
    }
    fn value(self) -> f64 {
        self.re.value()
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    fn tan(self) -> Self {
        let t = self.re.tan();
        self.chain(t, T::from_f64(1.0) + t * t)
    }
    fn asin(self) -> Self {
        self.chain(self.re.asin(), T::from_f64(1.0) / root_one_minus_square(self.re))
    }
    fn acos(self) -> Self {
        self.chain(self.re.acos(), -(T::from_f64(1.0) / root_one_minus_square(self.re)))
    }
    fn atan(self) -> Self {
        let one = T::from_f64(1.0);
        self.chain(self.re.atan(), one / (one + self.re * self.re))
    }
    fn atan2(self, x: Self) -> Self {
        let eps = (x.re * self.eps - self.re * x.eps) / (x.re * x.re + self.re * self.re);
        Self { re: self.re.atan2(x.re), eps }
    }
    fn sinh(self) -> Self {
        self.chain(self.re.sinh(), self.re.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.re.cosh(), self.re.sinh())
    }
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, T::from_f64(1.0) - t * t)
    }
    fn sqrt(self) -> Self {
        let r = self.re.sqrt();
        self.chain(r, T::from_f64(0.5) / r)
    }
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), T::from_f64(1.0) / self.re)
    }
    fn abs(self) -> Self {
        self.chain(self.re.abs(), self.re.signum())
    }
    fn signum(self) -> Self {
        Self::fixed(self.re.signum())
    }
    fn lesser(self, other: Self) -> Self {
        let less = other.re - self.re;
        let not = T::from_f64(0.5) - less.signum();
        let eps = self.eps.where_positive(less) + other.eps.where_positive(not);
        Self { re: self.re.lesser(other.re), eps }
    }
    fn where_positive(self, c: Self) -> Self {
        Self { re: self.re.where_positive(c.re), eps: self.eps.where_positive(c.re) }
    }
    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }
    fn powf(self, y: Self) -> Self {
        let p = self.re.powf(y.re);
        let base = y.re * self.re.powf(y.re - T::from_f64(1.0)) * self.eps;
        Self { re: p, eps: base + exponent_part(p, self.re, y.eps) }
    }
}

/// √(1 − x²), without cancellation near |x| = 1.
fn root_one_minus_square<T: Real>(x: T) -> T {
    let one = T::from_f64(1.0);
    ((one - x) * (one + x)).sqrt()
}

/// ∂(xʸ)/∂y · ẏ = xʸ ln x · ẏ; absent, not NaN, for a fixed exponent of a base that is not positive.
fn exponent_part<T: Real>(power: T, base: T, ydot: T) -> T {
    let fixed = ydot.value() == 0.0;
    if fixed && base.value() <= 0.0 { T::from_f64(0.0) } else { power * base.ln() * ydot }
}
