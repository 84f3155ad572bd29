//! A number that remembers the size of what it was made of: the value as `f64` computes it, and the sum of the
//! magnitudes of the terms that were added to form it.
//!
//! With every input and every operation known up to a relative error ε, f is known up to ε times its magnitude, to first
//! order in ε: |x + y| has the magnitude |x| + |y| of both, a product that of its factors each times the other, and f(x)
//! that of x times |f′|, at least |f|. Sine and cosine have at least 1: that is what they are made of, also where they
//! vanish. So l·sin(θ) at θ = 0 is "zero against l", and 0.1 + 0.2 − 0.3 is "zero against 0.6".

use super::Real;
use super::real::repeated_squaring;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and the sum of the magnitudes of its terms: |value| ≤ size up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    /// The number; the same bits as without its size.
    pub value: f64,
    /// Σ |terms|, in the unit of the number.
    pub size: f64,
}

impl Magnitude {
    /// A number of a given size; its own magnitude if that is larger.
    pub fn new(value: f64, size: f64) -> Self {
        Self { value, size: size.max(value.abs()) }
    }

    /// f(x) with f′(x) = `slope`.
    fn chain(self, value: f64, slope: f64) -> Self {
        // a fixed argument does not move, whatever the slope there
        let moved = if self.size > 0.0 { slope.abs() * self.size } else { 0.0 };
        Self::new(value, moved)
    }
}

impl Add for Magnitude {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { value: self.value + o.value, size: self.size + o.size }
    }
}

impl Sub for Magnitude {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self { value: self.value - o.value, size: self.size + o.size }
    }
}

impl Mul for Magnitude {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        let (x, y) = (self.value.abs(), o.value.abs());
        // (x ± δx)(y ± δy) − xy, where δ is what a size exceeds its value by
        let excess = x * (o.size - y).max(0.0) + y * (self.size - x).max(0.0);
        Self { value: self.value * o.value, size: x * y + excess }
    }
}

impl Div for Magnitude {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let (value, below) = (self.value / o.value, o.value.abs());
        let excess = value.abs() * (o.size - below).max(0.0);
        Self { value, size: (self.size + excess) / below }
    }
}

impl Neg for Magnitude {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { value: -self.value, size: self.size }
    }
}

impl Real for Magnitude {
    fn from_f64(x: f64) -> Self {
        Self { value: x, size: x.abs() }
    }
    fn value(self) -> f64 {
        self.value
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        let bounded = |value: f64, slope: f64| Self::new(value, (slope.abs() * self.size).max(1.0));
        (bounded(s, c), bounded(c, s))
    }
    fn tan(self) -> Self {
        let t = Real::tan(self.value);
        self.chain(t, 1.0 + t * t)
    }
    fn asin(self) -> Self {
        self.chain(Real::asin(self.value), 1.0 / root_one_minus_square(self.value))
    }
    fn acos(self) -> Self {
        self.chain(Real::acos(self.value), 1.0 / root_one_minus_square(self.value))
    }
    fn atan(self) -> Self {
        self.chain(Real::atan(self.value), 1.0 / (1.0 + self.value * self.value))
    }
    fn atan2(self, x: Self) -> Self {
        let radius = self.value * self.value + x.value * x.value;
        let moved = (x.value.abs() * self.size + self.value.abs() * x.size) / radius;
        Self::new(Real::atan2(self.value, x.value), moved)
    }
    fn sinh(self) -> Self {
        self.chain(Real::sinh(self.value), Real::cosh(self.value))
    }
    fn cosh(self) -> Self {
        self.chain(Real::cosh(self.value), Real::sinh(self.value))
    }
    fn tanh(self) -> Self {
        let t = Real::tanh(self.value);
        self.chain(t, 1.0 - t * t)
    }
    fn sqrt(self) -> Self {
        let root = Real::sqrt(self.value);
        // at 0 the slope is infinite, but √(x + δ) ≤ √x + √δ
        let moved =
            if root > 0.0 { (0.5 * self.size / root).min(self.size.sqrt()) } else { self.size.sqrt() };
        Self::new(root, moved)
    }
    fn exp(self) -> Self {
        let e = Real::exp(self.value);
        self.chain(e, e)
    }
    fn ln(self) -> Self {
        self.chain(Real::ln(self.value), 1.0 / self.value)
    }
    fn abs(self) -> Self {
        Self { value: self.value.abs(), size: self.size }
    }
    fn signum(self) -> Self {
        Self::from_f64(Real::signum(self.value))
    }
    fn lesser(self, other: Self) -> Self {
        Self { value: self.value.lesser(other.value), size: self.size.max(other.size) }
    }
    fn where_positive(self, c: Self) -> Self {
        Self { value: self.value.where_positive(c.value), size: self.size.where_positive(c.value) }
    }
    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }
    fn powf(self, y: Self) -> Self {
        let p = Real::powf(self.value, y.value);
        let base = if self.value.abs() > 0.0 { y.value * self.size / self.value } else { 0.0 };
        let exponent = if self.value > 0.0 { self.value.ln() * y.size } else { 0.0 };
        Self::new(p, p.abs() * (base.abs().max(exponent.abs())))
    }
}

/// √(1 − x²), without cancellation near |x| = 1.
fn root_one_minus_square(x: f64) -> f64 {
    ((1.0 - x) * (1.0 + x)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::Magnitude;
    use crate::Real;

    fn number(x: f64) -> Magnitude {
        Magnitude::from_f64(x)
    }

    #[test]
    fn what_cancels_keeps_its_size() {
        let rest = number(0.1) + number(0.2) - number(0.3);
        assert!(rest.value.abs() < 1e-16 && (rest.size - 0.6).abs() < 1e-15);
        // a small number of its own is no cancellation
        let small = number(1e-17) * number(3.0) / number(2.0);
        assert!((small.size - small.value).abs() <= f64::EPSILON * small.value);
    }

    #[test]
    fn a_lever_arm_has_its_length_also_where_its_sine_vanishes() {
        let lever = number(2.5) * number(0.0).sin_cos().0;
        assert!(lever.value == 0.0 && (lever.size - 2.5).abs() < 1e-15);
    }

    /// The size bounds what a relative error of every input can do, to first order.
    #[test]
    fn the_size_bounds_the_effect_of_relative_errors() {
        let f = |x: [Magnitude; 3]| {
            let [a, b, c] = x;
            let angle = a - b;
            (angle.sin_cos().0 * c - (a * a + b).sqrt() / (c - b)).powi(3)
                + (a * c).exp() * angle.tan().atan2(c)
                - a.powf(b) * c.acos()
                + b.tanh() * c.ln().abs()
        };
        let x = [0.83, 0.79, 0.31];
        let here = f(x.map(number));
        for eps in [1e-7, -1e-7] {
            for signs in 0..8 {
                let moved = std::array::from_fn(|i| {
                    number(x[i] * (1.0 + if signs >> i & 1 == 1 { eps } else { -eps }))
                });
                let change = (f(moved).value - here.value).abs();
                // inputs that occur several times move together; the size counts every occurrence
                assert!(change <= 1.001 * 1e-7 * 3.0 * here.size, "{change:e} {here:?}");
            }
        }
        assert!(here.size < 100.0 * here.value.abs(), "{here:?} says nothing");
    }

    #[test]
    fn values_are_those_of_plain_numbers() {
        fn f<T: Real>(x: T, y: T) -> T {
            (x * y - y.powi(5) / x).sqrt() + x.sin_cos().1 * y.sinh() - (x.cosh() - y.asin()).signum()
        }
        for (x, y) in [(2.0, 0.4), (3.7, -0.2), (0.9, 0.6)] {
            let sized = f(number(x), number(y));
            assert_eq!(sized.value.to_bits(), f(x, y).to_bits());
            assert!(sized.size >= sized.value.abs() || sized.value.is_nan());
        }
    }
}
