//! Strips: a curve of degree 3 over s ∈ [−1, 1] and a radius around it, which contain a number at every s.
//!
//! What two numbers have in common along a stretch of a motion stays in their curves, so that it cancels where they do; only what is beyond degree 3
//! goes into the radius: f(c + δ) = f(c) + f′ δ + f″ δ²/2 + f‴ δ³/6 and at most |f⁗| |δ|⁴/24. As with balls the rounding of
//! floating point is not counted, a radius is infinite or NaN where a function is not defined.

use super::real::repeated_squaring;
use super::{Ball, Interval, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// All numbers within `rad` of c₀ + c₁ s + c₂ s² + c₃ s³, at each s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip<T = f64> {
    /// The coefficients of the curve.
    pub curve: [T; 4],
    /// The radius.
    pub rad: T,
}

impl Strip {
    /// Of a polynomial of degree 5, and a radius: what is beyond degree 3 is spread as little as it can be.
    pub fn of([c0, c1, c2, c3, c4, c5]: [f64; 6], rad: f64) -> Self {
        // s⁴ is within 1/8 of s² − 1/8, and s⁵ within 1/16 of 5/4 s³ − 5/16 s (Chebyshev)
        let curve = [c0 - 0.125 * c4, c1 - 0.3125 * c5, c2 + c4, c3 + 1.25 * c5];
        Self { curve, rad: rad + 0.125 * c4.abs() + 0.0625 * c5.abs() }
    }

    /// Its least and greatest numbers, or beyond: those of Bernstein's coefficients.
    pub fn range(self) -> Interval {
        let [c0, c1, c2, c3] = self.curve;
        let (even, odd) = (c0 + c2, c1 + c3);
        let (inner, bend) = (c0 - c2 / 3.0, c1 / 3.0 - c3);
        let all = [even - odd, inner - bend, inner + bend, even + odd];
        let lo = all.iter().copied().fold(f64::INFINITY, f64::min) - self.rad;
        let hi = all.iter().copied().fold(f64::NEG_INFINITY, f64::max) + self.rad;
        Interval::new(lo, hi)
    }

    /// A bound of all its numbers' absolute values.
    #[inline]
    pub fn size(self) -> f64 {
        self.curve[0].abs() + self.spread()
    }

    /// What it is beyond c₀.
    #[inline]
    pub fn without_middle(self) -> Self {
        let [_, one, two, three] = self.curve;
        Self { curve: [0.0, one, two, three], rad: self.rad }
    }

    /// Whether it is one number at every s.
    #[inline]
    pub fn is_fixed(self) -> bool {
        self.spread() <= 0.0
    }

    /// The product, for less where one of the two is fixed.
    #[inline]
    pub fn times(self, o: Self) -> Self {
        if self.is_fixed() {
            o.scaled(self.curve[0])
        } else if o.is_fixed() {
            self.scaled(o.curve[0])
        } else {
            self * o
        }
    }
}

impl<T: Real> Strip<T> {
    /// How far an angle may be from its middle.
    const NARROW: f64 = 2.0;

    fn number(x: f64) -> T {
        T::from_f64(x)
    }

    /// A ball at every s.
    pub fn of_ball(ball: Ball<T>) -> Self {
        let zero = Self::number(0.0);
        Self { curve: [ball.mid, zero, zero, zero], rad: ball.rad }
    }

    /// The largest |δ|.
    #[inline]
    fn spread(self) -> T {
        let [_, one, two, three] = self.curve;
        one.abs() + two.abs() + three.abs() + self.rad
    }

    /// The ball that it lies in.
    fn ball(self) -> Ball<T> {
        Ball::new(self.curve[0], self.spread())
    }

    /// Times a number.
    #[inline]
    pub fn scaled(self, by: T) -> Self {
        Self { curve: self.curve.map(|c| by * c), rad: by.abs() * self.rad }
    }

    /// Σ fₖ δᵏ, and at most `rest` times |δ|⁴ more.
    fn composed(self, [f0, f1, f2, f3]: [T; 4], rest: T) -> Self {
        let [_, one, two, three] = self.curve;
        let delta = Self { curve: [Self::number(0.0), one, two, three], rad: self.rad };
        let square = delta * delta;
        let mut sum = delta.scaled(f1) + square.scaled(f2) + (square * delta).scaled(f3);
        sum.curve[0] = sum.curve[0] + f0;
        let spread = self.spread();
        let most = spread * spread;
        sum.rad = sum.rad + rest * (most * most);
        sum
    }

    /// 1/x.
    fn inverse(self) -> Self {
        let [middle, ..] = self.curve;
        let (one, per) = (Self::number(1.0), Self::number(1.0) / middle);
        // of a negative number there is no root: not bounded
        let nearest = (middle.abs() - self.spread()).sqrt();
        let square = per * per;
        self.composed(
            [per, -square, square * per, -(square * square)],
            square * square * (one / (nearest * nearest)),
        )
    }
}

impl<T: Real> Add for Strip<T> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { curve: std::array::from_fn(|k| self.curve[k] + o.curve[k]), rad: self.rad + o.rad }
    }
}

impl<T: Real> Sub for Strip<T> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl<T: Real> Mul for Strip<T> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.curve, o.curve);
        let curve =
            [a0 * b0, a0 * b1 + a1 * b0, a0 * b2 + a1 * b1 + a2 * b0, a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0];
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.curve.map(T::abs), o.curve.map(T::abs));
        let beyond = a1 * b3 + a2 * (b2 + b3) + a3 * (b1 + b2 + b3);
        let rad = beyond + (a0 + a1 + a2 + a3) * o.rad + self.rad * (b0 + b1 + b2 + b3 + o.rad);
        Self { curve, rad }
    }
}

impl<T: Real> Div for Strip<T> {
    type Output = Self;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "x/y = x y⁻¹")]
    fn div(self, o: Self) -> Self {
        self * o.inverse()
    }
}

impl<T: Real> Neg for Strip<T> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { curve: self.curve.map(|c| -c), rad: self.rad }
    }
}

impl<T: Real> Real for Strip<T> {
    fn from_f64(x: f64) -> Self {
        Self::of_ball(Ball::from_f64(x))
    }

    fn value(self) -> f64 {
        self.curve[0].value()
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.curve[0].sin_cos();
        let [half, sixth, rest] = [-0.5, -1.0 / 6.0, 1.0 / 24.0].map(Self::number);
        let sine = self.composed([sin, cos, half * sin, sixth * cos], rest);
        let cosine = self.composed([cos, -sin, half * cos, -(sixth * sin)], rest);
        // over wider angles only that they are within ±1
        let apart = (Self::number(Self::NARROW) - self.spread()).signum();
        let follows = Self::number(0.5) + Self::number(0.5) * apart;
        let kept = |x: Self| {
            let x = x.scaled(follows);
            Self { rad: x.rad + (Self::number(1.0) - follows), ..x }
        };
        (kept(sine), kept(cosine))
    }

    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }

    fn asin(self) -> Self {
        Self::of_ball(self.ball().asin())
    }

    fn acos(self) -> Self {
        Self::of_ball(self.ball().acos())
    }

    fn atan(self) -> Self {
        Self::of_ball(self.ball().atan())
    }

    fn atan2(self, x: Self) -> Self {
        Self::of_ball(self.ball().atan2(x.ball()))
    }

    fn sinh(self) -> Self {
        Self::of_ball(self.ball().sinh())
    }

    fn cosh(self) -> Self {
        Self::of_ball(self.ball().cosh())
    }

    fn tanh(self) -> Self {
        Self::of_ball(self.ball().tanh())
    }

    fn sqrt(self) -> Self {
        let number = Self::number;
        let (root, per) = (self.curve[0].sqrt(), number(1.0) / self.curve[0]);
        let least = (self.curve[0] - self.spread()).sqrt();
        let cube = least * least * least;
        // f⁗/24 = −5/128 x^(−7/2)
        let rest = number(5.0 / 128.0) / (cube * cube * least);
        let first = number(0.5) * (root * per);
        let second = number(-0.25) * (first * per);
        self.composed([root, first, second, number(-0.5) * (second * per)], rest)
    }

    fn exp(self) -> Self {
        let e = self.curve[0].exp();
        let [half, sixth, rest] = [0.5, 1.0 / 6.0, 1.0 / 24.0].map(Self::number);
        self.composed([e, e, half * e, sixth * e], rest * e * self.spread().exp())
    }

    fn ln(self) -> Self {
        let number = Self::number;
        let per = number(1.0) / self.curve[0];
        let least = (self.curve[0] - self.spread()).sqrt();
        let square = least * least;
        let second = per * per;
        let terms = [self.curve[0].ln(), per, number(-0.5) * second, number(1.0 / 3.0) * (second * per)];
        self.composed(terms, number(0.25) / (square * square * square * square))
    }

    fn abs(self) -> Self {
        let [middle, ..] = self.curve;
        let spread = self.spread();
        let apart = (middle.abs() - spread).signum();
        let mut size = self.scaled(middle.signum());
        size.rad = size.rad + (Self::number(1.0) - apart) * spread;
        // of zero the sign is zero
        size.rad = size.rad + (Self::number(1.0) - middle.signum().abs()) * spread;
        size
    }

    fn signum(self) -> Self {
        Self::of_ball(self.ball().signum())
    }

    fn lesser(self, other: Self) -> Self {
        // the one that is less by more than both are spread; else the ball of both
        let less = other.curve[0] - self.curve[0];
        let apart = (less.abs() - self.spread() - other.spread()).signum();
        let (number, half) = (Self::number, Self::number(0.5));
        let known = half + half * apart;
        let chosen = |x: T, y: T| x.where_positive(less) + y.where_positive(half - less.signum());
        let ball = self.ball().lesser(other.ball());
        let curve: [T; 4] = std::array::from_fn(|k| chosen(self.curve[k], other.curve[k]));
        let of_ball = Self::of_ball(ball).scaled(number(1.0) - known);
        Self { curve, rad: chosen(self.rad, other.rad) }.scaled(known) + of_ball
    }

    fn where_positive(self, c: Self) -> Self {
        let open = Self::number(1.0) - (c.curve[0].abs() - c.spread()).signum();
        let mut kept = Self {
            curve: self.curve.map(|x| x.where_positive(c.curve[0])),
            rad: self.rad.where_positive(c.curve[0]),
        };
        kept.rad = kept.rad + (self.curve[0].abs() + self.spread()) * open;
        kept
    }

    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }

    fn powf(self, y: Self) -> Self {
        (y * self.ln()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::Strip;
    use crate::Real;
    use crate::random::uniform;
    use crate::real::every::{OPERATIONS, apply};

    fn at(x: &Strip, s: f64, share: f64) -> f64 {
        let [c0, c1, c2, c3] = x.curve;
        c0 + s * (c1 + s * (c2 + s * c3)) + share * x.rad
    }

    /// What an operation makes of curves within strips lies within the result, at every s.
    #[test]
    fn results_contain_those_of_all_curves_within() {
        let mut bounded = 0;
        for op in 0..=OPERATIONS {
            for run in 0..200 {
                let draw = |name: String| uniform(12, run, &format!("{op} {name}"));
                let strip = |name: &str| {
                    let part = |k: i32| 0.4_f64.powi(k) * (2.0 * draw(format!("{name}{k}")) - 0.8);
                    Strip { curve: [0, 1, 2, 3].map(part), rad: 0.02 * draw(format!("{name}r")) }
                };
                let (a, b) = (strip("a"), strip("b"));
                let found = apply(op, a, b);
                bounded += usize::from(found.range().is_bounded());
                for k in 0..40 {
                    let any = |name: &str| 2.0 * uniform(k, run, &format!("{op}/{name}")) - 1.0;
                    let s = any("s");
                    let exact = apply(op, at(&a, s, any("a")), at(&b, s, any("b")));
                    if exact.is_nan() || !found.range().is_bounded() {
                        continue;
                    }
                    let room = 1e-12 * exact.abs().max(1.0);
                    let [lo, hi] = [-1.0, 1.0].map(|side| at(&found, s, side) + side * room);
                    assert!(lo <= exact && exact <= hi, "{op}({a:?}, {b:?}) at {s}: {exact} {lo} {hi}");
                    let range = found.range();
                    assert!(range.lo - room <= exact && exact <= range.hi + room, "{exact} {range:?}");
                }
            }
        }
        assert!(bounded > 21 * 80, "{bounded}");
    }

    /// sin² + cos² − 1 and x/x − 1 vanish along a curve but for what is beyond its degree.
    #[test]
    fn what_numbers_have_in_common_cancels() {
        let x = Strip { curve: [0.7, 0.1, -0.02, 0.001], rad: 1e-9 };
        let (sin, cos) = x.sin_cos();
        for rest in [sin * sin + cos * cos - Strip::from_f64(1.0), x / x - Strip::from_f64(1.0)] {
            // the terms vary by 0.24 and 0.4
            assert!(rest.range().width() < 2e-2, "{rest:?}");
            assert!(rest.range().contains(0.0));
        }
    }

    #[test]
    fn polynomials_of_degree_5_lie_in_their_strips() {
        let c = [0.3, -0.2, 0.5, 0.1, -0.4, 0.7];
        let strip = Strip::of(c, 0.0);
        for i in 0..=200 {
            let s = f64::from(i) / 100.0 - 1.0;
            let value = c.iter().rev().fold(0.0, |sum, c| sum * s + c);
            assert!((value - at(&strip, s, 0.0)).abs() <= strip.rad + 1e-15, "{s}");
        }
    }
}
