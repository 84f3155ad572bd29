//! Balls: a middle and a radius around it, whose results contain those of all arguments within.
//!
//! f(m ± r) lies within |f′| r of f(m), with the largest |f′| of the ball. Radii count what arguments spread, not the rounding of
//! floating point: what a ball shows, it shows to rounding. Where a function is not defined everywhere in a ball, the radius is infinite or
//! NaN. Generic over the inner number so that its functions are those of [`Real`].

use super::real::repeated_squaring;
use super::{Interval, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// All numbers within `rad` of `mid`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<T = f64> {
    /// Its middle.
    pub mid: T,
    /// Its radius.
    pub rad: T,
}

impl Ball {
    /// Around an interval.
    pub fn around(x: Interval) -> Self {
        let mid = x.middle();
        Self { mid, rad: (x.hi - mid).max(mid - x.lo) }
    }

    /// From its least to its greatest number; the whole line if it has no bounds.
    pub fn range(self) -> Interval {
        Interval::new(self.mid - self.rad, self.mid + self.rad)
    }

    /// Whether it has bounds, and 0 is beyond them.
    pub fn is_apart_from_zero(self) -> bool {
        self.mid.abs() > self.rad
    }
}

impl<T: Real> Ball<T> {
    /// Middle and radius.
    pub fn new(mid: T, rad: T) -> Self {
        Self { mid, rad }
    }

    /// A function whose slope is at most `slope` within.
    fn within(self, mid: T, slope: T) -> Self {
        Self { mid, rad: slope * self.rad }
    }
}

impl<T: Real> Add for Ball<T> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { mid: self.mid + o.mid, rad: self.rad + o.rad }
    }
}

impl<T: Real> Sub for Ball<T> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self { mid: self.mid - o.mid, rad: self.rad + o.rad }
    }
}

impl<T: Real> Mul for Ball<T> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        let rad = self.mid.abs() * o.rad + self.rad * (o.mid.abs() + o.rad);
        Self { mid: self.mid * o.mid, rad }
    }
}

impl<T: Real> Div for Ball<T> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let mid = self.mid / o.mid;
        // of a negative number there is no root: not bounded
        let nearest = (o.mid.abs() - o.rad).sqrt();
        Self { mid, rad: (self.rad + mid.abs() * o.rad) / (nearest * nearest) }
    }
}

impl<T: Real> Neg for Ball<T> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { mid: -self.mid, rad: self.rad }
    }
}

impl<T: Real> Real for Ball<T> {
    fn from_f64(x: f64) -> Self {
        Self { mid: T::from_f64(x), rad: T::from_f64(0.0) }
    }

    fn value(self) -> f64 {
        self.mid.value()
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.mid.sin_cos();
        let (one, half) = (T::from_f64(1.0), T::from_f64(0.5));
        // |sin″|, |cos″| ≤ 1, and what lies beyond ±1 is none
        let wave = |value: T, slope: T| {
            let (rad, most) = (self.rad * (slope.abs() + half * self.rad), one + value.abs());
            Self { mid: value, rad: half * (rad + most - (rad - most).abs()) }
        };
        (wave(sin, cos), wave(cos, sin))
    }

    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }

    fn asin(self) -> Self {
        self.within(self.mid.asin(), steepest_arc(self))
    }

    fn acos(self) -> Self {
        self.within(self.mid.acos(), steepest_arc(self))
    }

    fn atan(self) -> Self {
        Self { mid: self.mid.atan(), rad: self.rad }
    }

    fn atan2(self, x: Self) -> Self {
        let number = T::from_f64;
        // the slope is one over the distance to the origin; across the negative axis there is a turn
        let nearest = (self.mid * self.mid + x.mid * x.mid).sqrt() - (self.rad + x.rad);
        let root = nearest.sqrt();
        let reaches = |x: T| number(1.0) - x.signum();
        let turns = reaches(x.mid - x.rad) * reaches(self.mid.abs() - self.rad);
        let rad = (self.rad + x.rad) / (root * root) + number(std::f64::consts::TAU) * turns;
        Self { mid: self.mid.atan2(x.mid), rad }
    }

    fn sinh(self) -> Self {
        self.within(self.mid.sinh(), (self.mid.abs() + self.rad).cosh())
    }

    fn cosh(self) -> Self {
        self.within(self.mid.cosh(), (self.mid.abs() + self.rad).sinh())
    }

    fn tanh(self) -> Self {
        Self { mid: self.mid.tanh(), rad: self.rad }
    }

    fn sqrt(self) -> Self {
        let mid = self.mid.sqrt();
        Self { mid, rad: self.rad / (mid + (self.mid - self.rad).sqrt()) }
    }

    fn exp(self) -> Self {
        let mid = self.mid.exp();
        Self { mid, rad: mid * (self.rad.exp() - T::from_f64(1.0)) }
    }

    fn ln(self) -> Self {
        let mid = self.mid.ln();
        Self { mid, rad: mid - (self.mid - self.rad).ln() }
    }

    fn abs(self) -> Self {
        Self { mid: self.mid.abs(), rad: self.rad }
    }

    fn signum(self) -> Self {
        Self { mid: self.mid.signum(), rad: T::from_f64(1.0) - (self.mid.abs() - self.rad).signum() }
    }

    fn lesser(self, other: Self) -> Self {
        Self { mid: self.mid.lesser(other.mid), rad: -(-self.rad).lesser(-other.rad) }
    }

    fn where_positive(self, c: Self) -> Self {
        // 0 where the condition is known to be positive, or not to be
        let open = T::from_f64(1.0) - (c.mid.abs() - c.rad).signum();
        Self { mid: self.mid.where_positive(c.mid), rad: self.rad + (self.mid.abs() + self.rad) * open }
    }

    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }

    fn powf(self, y: Self) -> Self {
        (y * self.ln()).exp()
    }
}

/// The largest slope of asin and acos in a ball.
fn steepest_arc<T: Real>(x: Ball<T>) -> T {
    let (one, far) = (T::from_f64(1.0), x.mid.abs() + x.rad);
    one / ((one - far) * (one + far)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::Ball;
    use crate::random::uniform;
    use crate::real::every::{OPERATIONS, apply};
    use crate::{Dual, Real};

    /// Values and rates of every operation at arguments within lie within the results; where all of these exist, most are bounded.
    #[test]
    fn results_contain_those_of_all_arguments_within() {
        let mut bounded = 0;
        for op in 0..=OPERATIONS {
            for run in 0..200 {
                let draw = |name: &str| uniform(11, run, &format!("{op} {name}"));
                let ball = |name: &str| {
                    let part = |k: &str| {
                        let (mid, rad) = (draw(&format!("{name}{k}m")), draw(&format!("{name}{k}r")));
                        Ball::new(2.0 * mid - 0.7, 0.3 * rad * rad)
                    };
                    Dual::new(part("x"), part("v"))
                };
                let (a, b) = (ball("a"), ball("b"));
                let found = apply(op, a, b);
                bounded += usize::from(found.eps.range().is_bounded());
                for k in 0..20 {
                    let at = |x: Ball, name: &str| {
                        x.mid + x.rad * (2.0 * uniform(k, run, &format!("{op}/{name}")) - 1.0)
                    };
                    let number =
                        |x: Dual<Ball>, name: &str| Dual::new(at(x.re, name), at(x.eps, &format!("{name}'")));
                    let exact = apply(op, number(a, "a"), number(b, "b"));
                    for (exact, found) in [(exact.re, found.re), (exact.eps, found.eps)] {
                        if exact.is_nan() {
                            continue;
                        }
                        let (range, room) = (found.range(), 1e-12 * exact.abs().max(1.0));
                        let inside = range.lo - room <= exact && exact <= range.hi + room;
                        assert!(inside, "{op}({a:?}, {b:?}): {exact} {range:?}");
                    }
                }
            }
        }
        assert!(bounded > 21 * 100, "{bounded}");
    }

    #[test]
    fn what_is_not_defined_within_has_no_bounds() {
        let wide = Ball::new(0.1, 0.2);
        for found in [wide.sqrt(), wide.ln(), Ball::from_f64(1.0) / wide, wide.atan2(Ball::new(0.05, 0.1))] {
            assert!(!found.range().is_bounded(), "{found:?}");
        }
        assert!(wide.signum().range().contains(-1.0) && !wide.is_apart_from_zero());
        let turned = Ball::new(0.0, 0.1).atan2(Ball::new(-1.0, 0.1)).range();
        assert!(turned.contains(3.1) && turned.contains(-3.1));
    }
}
