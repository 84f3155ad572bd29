//! Intervals [lo, hi] that enclose: every operation rounds outward, so that the result contains the exact value for
//! all arguments. A bound over a box is then a fact, not a sample.
//!
//! IEEE basic operations are widened by one unit in the last place, elementary functions by [`WIDEN`] of them, more
//! than the error of any implementation in use. Undefined results become the whole line, never an empty set.

use super::Real;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Units in the last place by which an elementary function's result is widened.
const WIDEN: usize = 4;

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Interval {
    /// The whole line.
    pub const WHOLE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// [lo, hi]; the whole line if either is NaN or they are in the wrong order.
    pub fn new(lo: f64, hi: f64) -> Self {
        if lo <= hi { Self { lo, hi } } else { Self::WHOLE }
    }

    /// hi − lo.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// A finite point inside; 0 of the whole line.
    pub fn middle(self) -> f64 {
        match (self.lo.is_finite(), self.hi.is_finite()) {
            (true, true) => 0.5 * self.lo + 0.5 * self.hi,
            (true, false) => self.lo.max(0.0),
            (false, true) => self.hi.min(0.0),
            (false, false) => 0.0,
        }
    }

    /// max |x|.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Whether both ends are finite.
    pub fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// x·x, for both factors the same number.
    #[must_use]
    pub fn square(self) -> Self {
        let size = Real::abs(self);
        size * size
    }

    /// Whether x lies inside.
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// The common part, if there is one.
    pub fn meet(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Self { lo, hi })
    }

    /// Whether it is the number 0: sums and products with it are exact.
    fn is_zero(self) -> bool {
        self.lo == 0.0 && self.hi == 0.0
    }

    /// The common part; `self` if there is none (which only rounding of a point can cause).
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Self { lo, hi } } else { self }
    }

    fn widened(lo: f64, hi: f64, units: usize) -> Self {
        let down = (0..units).fold(lo, |x, _| x.next_down());
        let up = (0..units).fold(hi, |x, _| x.next_up());
        Self::new(down, up)
    }

    /// An increasing function, defined on `domain`.
    fn increasing(self, domain: Self, f: fn(f64) -> f64) -> Self {
        if self.hi < domain.lo || self.lo > domain.hi {
            return Self::WHOLE;
        }
        let inside = self.intersect(domain);
        Self::widened(f(inside.lo), f(inside.hi), WIDEN)
    }

    /// Enclosure of a function of period 2π with values in [−1, 1] and its maximum at `peak`.
    fn periodic(self, f: fn(f64) -> f64, peak: f64) -> Self {
        if self.width().is_nan() || self.width() >= PI {
            return Self { lo: -1.0, hi: 1.0 };
        }
        // rounding of the reduced argument counts as part of the interval
        let slack = (self.lo.abs().max(self.hi.abs()) + TAU) * (8.0 * f64::EPSILON);
        let reaches = |place: f64| {
            let turn = ((self.lo - slack - place) / TAU).ceil();
            place + turn * TAU <= self.hi + slack
        };
        let ends = Self::widened(f(self.lo).min(f(self.hi)), f(self.lo).max(f(self.hi)), WIDEN);
        Self {
            lo: if reaches(peak + PI) { -1.0 } else { ends.lo.max(-1.0) },
            hi: if reaches(peak) { 1.0 } else { ends.hi.min(1.0) },
        }
    }
}

/// Wider by at least one unit in the last place on either side: |x| ε is one at least, and subnormal numbers are a whole one from zero.
#[inline]
fn wider(lo: f64, hi: f64) -> Interval {
    let more = |x: f64| x.abs() * f64::EPSILON + f64::MIN_POSITIVE;
    Interval::new(lo - more(lo), hi + more(hi))
}

/// The same around a sum, which is exact where it is subnormal: what is not negative stays so.
#[inline]
fn around_sum(lo: f64, hi: f64) -> Interval {
    Interval::new(lo - lo.abs() * f64::EPSILON, hi + hi.abs() * f64::EPSILON)
}

/// A product, or a quotient, within what the signs of both parts say.
#[inline]
fn signed(product: Interval, a: Interval, b: Interval) -> Interval {
    if (a.lo >= 0.0 && b.lo >= 0.0) || (a.hi <= 0.0 && b.hi <= 0.0) {
        return Interval { lo: product.lo.max(0.0), hi: product.hi };
    }
    if (a.lo >= 0.0 && b.hi <= 0.0) || (a.hi <= 0.0 && b.lo >= 0.0) {
        return Interval { lo: product.lo, hi: product.hi.min(0.0) };
    }
    product
}

fn hull(values: [f64; 4]) -> Interval {
    if values.iter().any(|x| x.is_nan()) {
        return Interval::WHOLE;
    }
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    wider(lo, hi)
}

impl Add for Interval {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        match (self.is_zero(), o.is_zero()) {
            (true, _) => return o,
            (_, true) => return self,
            (false, false) => {}
        }
        around_sum(self.lo + o.lo, self.hi + o.hi)
    }
}

impl Sub for Interval {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        match (self.is_zero(), o.is_zero()) {
            (true, _) => return -o,
            (_, true) => return self,
            (false, false) => {}
        }
        around_sum(self.lo - o.hi, self.hi - o.lo)
    }
}

impl Mul for Interval {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        if self.is_zero() || o.is_zero() {
            return Self { lo: 0.0, hi: 0.0 };
        }
        let [a, b, c, d] = [self.lo * o.lo, self.lo * o.hi, self.hi * o.lo, self.hi * o.hi];
        if (a + b + c + d).is_finite() {
            return signed(wider(a.min(b).min(c.min(d)), a.max(b).max(c.max(d))), self, o);
        }
        // a zero factor gives zero even against an infinite end
        let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        hull([product(self.lo, o.lo), product(self.lo, o.hi), product(self.hi, o.lo), product(self.hi, o.hi)])
    }
}

impl Div for Interval {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        if o.contains(0.0) {
            return Self::WHOLE;
        }
        if self.is_zero() {
            return self;
        }
        let quotient = hull([self.lo / o.lo, self.lo / o.hi, self.hi / o.lo, self.hi / o.hi]);
        signed(quotient, self, o)
    }
}

impl Neg for Interval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }
}

impl Real for Interval {
    fn from_f64(x: f64) -> Self {
        Self::new(x, x)
    }

    fn value(self) -> f64 {
        self.middle()
    }

    fn sin_cos(self) -> (Self, Self) {
        (self.periodic(f64::sin, FRAC_PI_2), self.periodic(f64::cos, 0.0))
    }

    fn tan(self) -> Self {
        let (s, c) = self.sin_cos();
        if c.contains(0.0) {
            Self::WHOLE
        } else {
            Self::widened(self.lo.tan(), self.hi.tan(), WIDEN).intersect(s / c)
        }
    }

    fn asin(self) -> Self {
        self.increasing(Self::new(-1.0, 1.0), f64::asin)
    }

    fn acos(self) -> Self {
        Self::new(FRAC_PI_2.next_down(), FRAC_PI_2.next_up()) - self.asin()
    }

    fn atan(self) -> Self {
        self.increasing(Self::WHOLE, f64::atan)
    }

    fn atan2(self, x: Self) -> Self {
        if x.lo > 0.0 {
            return (self / x).atan();
        }
        let quarter = Self::new(FRAC_PI_2.next_down(), FRAC_PI_2.next_up());
        if self.lo > 0.0 {
            return quarter - (x / self).atan();
        }
        if self.hi < 0.0 {
            return -quarter - (x / self).atan();
        }
        Self::new(-PI.next_up(), PI.next_up())
    }

    fn sinh(self) -> Self {
        self.increasing(Self::WHOLE, f64::sinh)
    }

    fn cosh(self) -> Self {
        let size = self.abs();
        size.increasing(Self::WHOLE, f64::cosh)
    }

    fn tanh(self) -> Self {
        self.increasing(Self::WHOLE, f64::tanh)
    }

    fn sqrt(self) -> Self {
        self.increasing(Self::new(0.0, f64::INFINITY), f64::sqrt)
    }

    fn exp(self) -> Self {
        self.increasing(Self::WHOLE, f64::exp)
    }

    fn ln(self) -> Self {
        self.increasing(Self::new(0.0, f64::INFINITY), f64::ln)
    }

    fn abs(self) -> Self {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            -self
        } else {
            Self { lo: 0.0, hi: self.hi.max(-self.lo) }
        }
    }

    fn signum(self) -> Self {
        Self { lo: Real::signum(self.lo), hi: Real::signum(self.hi) }
    }

    fn lesser(self, other: Self) -> Self {
        Self { lo: self.lo.lesser(other.lo), hi: self.hi.lesser(other.hi) }
    }

    fn where_positive(self, c: Self) -> Self {
        if c.lo > 0.0 {
            self
        } else if c.hi <= 0.0 {
            Self { lo: 0.0, hi: 0.0 }
        } else {
            Self { lo: self.lo.lesser(0.0), hi: -(-self.hi).lesser(0.0) }
        }
    }

    fn powi(self, n: i32) -> Self {
        let magnitude = |x: Self, n: u32| {
            let power = |x: f64| (0..n).fold(1.0, |product, _| product * x);
            Self::widened(power(x.lo), power(x.hi), n as usize + 1)
        };
        let count = n.unsigned_abs();
        let power =
            if count.is_multiple_of(2) { magnitude(self.abs(), count) } else { magnitude(self, count) };
        if n >= 0 { power } else { Self::from_f64(1.0) / power }
    }

    fn powf(self, y: Self) -> Self {
        if self.lo > 0.0 { (y * self.ln()).exp() } else { Self::WHOLE }
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;
    use crate::Real;

    type Case = (fn(f64) -> f64, fn(Interval) -> Interval);

    const FUNCTIONS: [Case; 16] = [
        (f64::sin, |x| x.sin_cos().0),
        (f64::cos, |x| x.sin_cos().1),
        (f64::tan, Interval::tan),
        (f64::atan, Interval::atan),
        (f64::sinh, Interval::sinh),
        (f64::cosh, Interval::cosh),
        (f64::tanh, Interval::tanh),
        (f64::exp, Interval::exp),
        (f64::abs, Interval::abs),
        (|x| x * x * x, |x| x.powi(3)),
        (|x| x.powi(4), |x| x.powi(4)),
        (|x| 1.0 / x, |x| Interval::from_f64(1.0) / x),
        (|x| x.atan2(2.0), |x| x.atan2(Interval::from_f64(2.0))),
        (|x| f64::atan2(0.5, x), |x| Interval::from_f64(0.5).atan2(x)),
        (|x| f64::atan2(-0.5, x), |x| Interval::from_f64(-0.5).atan2(x)),
        (|x| x * x, Interval::square),
    ];

    #[test]
    fn images_of_inner_points_are_enclosed() {
        for (f, enclosure) in FUNCTIONS {
            for lo in -40..40 {
                for width in [0.0, 0.01, 0.4, 1.7, 5.0] {
                    let lo = 0.173 * f64::from(lo);
                    let image = enclosure(Interval::new(lo, lo + width));
                    for i in 0..=20 {
                        let x = lo + width * f64::from(i) / 20.0;
                        assert!(image.contains(f(x)), "{lo} {width} {x} {image:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn enclosures_of_thin_intervals_are_thin() {
        for (_, enclosure) in FUNCTIONS {
            let image = enclosure(Interval::new(0.7, 0.7 + 1e-9));
            assert!(image.width() < 1e-8, "{image:?}");
        }
    }

    #[test]
    fn zero_is_exact_and_unbounded_intervals_have_a_middle() {
        let zero = Interval::from_f64(0.0);
        let some = Interval::new(-0.3, 0.7);
        assert_eq!(
            (zero * some, zero + some, some - zero, zero / Interval::new(1.0, 2.0)),
            (zero, some, some, zero)
        );
        assert_eq!(zero * Interval::WHOLE, zero);
        for side in [Interval::WHOLE, Interval::new(3.0, f64::INFINITY), Interval::new(-f64::MAX, f64::MAX)] {
            assert!(side.middle().is_finite() && side.contains(side.middle()), "{side:?}");
        }
        assert_eq!(some.meet(Interval::new(0.8, 1.0)), None);
    }

    #[test]
    fn rounding_goes_outward() {
        let tenth = Interval::from_f64(0.1);
        let sum = (0..10).fold(Interval::from_f64(0.0), |sum, _| sum + tenth);
        assert!(sum.contains(1.0) && sum.width() > 0.0);
        assert!(Interval::new(-1.0, 1.0).sqrt().lo <= 0.0);
        assert!((Interval::from_f64(1.0) / Interval::new(-1.0, 2.0)).hi.is_infinite());
    }
}
