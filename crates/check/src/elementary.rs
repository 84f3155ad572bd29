//! sin, cos, tan, atan, exp and ln: arguments are reduced to a short interval around 0, where the beginning of a series is summed, with a bound
//! of its rest.
//!
//! Over an interval a function is enclosed at both ends, and at the extremes that may lie between them.

use crate::float::{Float, Toward};
use crate::interval::Interval::{self, Ends, Whole};
use std::sync::LazyLock;

/// A number, and its two parts, of which the first has so few bits that its products with integers are exact.
/// Multiples have at most so many bits.
struct Unit {
    bits: i32,
    whole: Interval,
    first: Float,
    rest: Interval,
}

/// π/2 and ln 2, with 23 and 32 bits first.
const QUARTER: Unit = Unit {
    bits: 40,
    whole: between(0x6487_ED51_10B4_611A, -62),
    first: Float::of_bits(0xC9_0FDA << 39, -62),
    rest: between(0x5110_B461_1A62_6331, -86),
};
const LN_2: Unit = Unit {
    bits: 27,
    whole: between(0x58B9_0BFB_E8E7_BCD5, -63),
    first: Float::of_bits(0xB172_17F7 << 31, -63),
    rest: between(0x68E7_BCD5_E4F1_D9CC, -95),
};
/// √2 − 1 = tan(π/8) and √2, where reductions change; any number near does.
const EIGHTH: Float = Float::of_bits(0x6A09_E667_F3BC_C908, -64);
const ROOT_2: u64 = 0x5A82_7999_FCEF_3242;

/// m·2^e ≤ x ≤ (m + 1)·2^e.
const fn between(m: i64, e: i32) -> Interval {
    Ends(Float::of_bits(m, e), Float::of_bits(m + 1, e))
}

/// π.
pub(crate) const PI: Interval = between(0x6487_ED51_10B4_611A, -61);

impl Unit {
    /// Of x, a multiple n that is near, and what is left; `None` if n has more bits.
    fn multiple(&self, x: Float) -> Option<(i64, Interval)> {
        let Ends(unit, _) = self.whole else { return None };
        let n = (x.div(unit, Toward::Down).units(1, Toward::Down)? + 1) >> 1;
        if n.unsigned_abs() >> self.bits > 0 {
            return None;
        }
        let (x, times) = (Interval::point(x), Interval::integer(n));
        if n == 0 {
            return Some((n, x));
        }
        Some((n, x - times * Interval::point(self.first) - times * self.rest))
    }
}

/// Terms of series are summed as integers in units of 2⁻⁶³.
const ONE: i128 = 1 << 63;

/// 1/n, rounded down and up.
fn reciprocal(n: i128) -> [i128; 2] {
    [ONE / n, (ONE + n - 1) / n]
}

/// 1/k! and 1/(2 k + 1) for k = 0, 1, 2, …
static FACTORIALS: LazyLock<Vec<[i128; 2]>> =
    LazyLock::new(|| (0..24).map(|k| reciprocal((1..=k).product())).collect());
static ODD: LazyLock<Vec<[i128; 2]>> = LazyLock::new(|| (0..26).map(|k| reciprocal(2 * k + 1)).collect());

/// c₀ + z (c₁ + z (c₂ + …)) of |z| ≤ 3/4, from the end on, where coefficients are positive and fall. Those from `last` on are summed to at least 0
/// and at most 4 times the first of them or, if signs alternate, once. Rounded outward at each step.
fn series(z: Interval, last: usize, coefficient: impl Fn(usize) -> [i128; 2]) -> Interval {
    let Ends(a, b) = z else { return Whole };
    let (Some(a), Some(b)) = (a.units(63, Toward::Down), b.units(63, Toward::Up)) else { return Whole };
    let (a, b) = (i128::from(a), i128::from(b));
    if b.max(-a) > 3 << 61 {
        return Whole;
    }
    let mut sum = [0, coefficient(last)[1] * if b > 0 { 4 } else { 1 }];
    for k in (0..last).rev() {
        // no sum is below 0
        let least = a * if a < 0 { sum[1] } else { sum[0] };
        let most = b * if b < 0 { sum[0] } else { sum[1] };
        let [lo, hi] = coefficient(k);
        sum = [lo + (least >> 63), hi - (-most >> 63)];
    }
    Interval::new(Float::rounded(sum[0], -63, Toward::Down), Float::rounded(sum[1], -63, Toward::Up))
}

/// atan t of t² = −z, or artanh t of t² = z, for |t| up to √2 − 1 and a little more.
fn arc(t: Interval, z: Interval) -> Interval {
    t * series(z, 25, |k| ODD[k])
}

/// A number n π/2 + r, where |r| is at most a little above π/4.
#[derive(Clone, Copy)]
struct Turned {
    n: i64,
    r: Interval,
}

impl Turned {
    /// x and so many quarter turns; `None` if x has too many bits before the point.
    fn of(x: Float, more: i64) -> Option<Self> {
        QUARTER.multiple(x).map(|(n, r)| Self { n: n + more, r })
    }

    fn sin(self) -> Interval {
        let z = -self.r.square();
        let size = if self.n % 2 == 0 {
            self.r * series(z, 10, |k| FACTORIALS[2 * k + 1])
        } else {
            series(z, 10, |k| FACTORIALS[2 * k])
        };
        if self.n.rem_euclid(4) < 2 { size } else { -size }
    }

    fn tan(self) -> Interval {
        self.sin() / Self { n: self.n + 1, ..self }.sin()
    }

    /// Whether between this number and a greater one there may be n π/2 for an n that is `at` modulo `period`.
    fn may_pass(self, to: Self, at: i64, period: i64) -> bool {
        // a quarter that is not behind this number, and one that is not before the other
        let from = self.n - i64::from(!self.r.is_nonnegative());
        let to = to.n - i64::from((-to.r).is_positive());
        (to - at).div_euclid(period) > (from - at).div_euclid(period)
    }
}

/// sin x after so many quarter turns.
fn wave(x: Interval, more: i64) -> Interval {
    let Ends(a, b) = x else { return Whole };
    let (Some(from), Some(to)) = (Turned::of(a, more), Turned::of(b, more)) else { return Interval::UNIT };
    let ends = if a == b { from.sin() } else { from.sin().hull(to.sin()) };
    let Ends(lo, hi) = ends else { return Interval::UNIT };
    let lo = if from.may_pass(to, 3, 4) { Float::MINUS_ONE } else { lo.max(Float::MINUS_ONE) };
    let hi = if from.may_pass(to, 1, 4) { Float::ONE } else { hi.min(Float::ONE) };
    Interval::new(lo, hi)
}

impl Interval {
    /// sin x.
    pub fn sin(self) -> Self {
        wave(self, 0)
    }

    /// cos x.
    pub fn cos(self) -> Self {
        wave(self, 1)
    }

    /// tan x; `Whole` if there may be a pole.
    pub fn tan(self) -> Self {
        let Ends(a, b) = self else { return Whole };
        match (Turned::of(a, 0), Turned::of(b, 0)) {
            (Some(from), Some(to)) if !from.may_pass(to, 1, 2) => from.tan().hull(to.tan()),
            _ => Whole,
        }
    }

    /// atan x.
    pub fn atan(self) -> Self {
        self.increasing(|x| if x.sign() < 0 { -atan(x.negated()) } else { atan(x) })
    }

    /// eˣ.
    pub fn exp(self) -> Self {
        self.increasing(|x| exp(x).unwrap_or(Whole))
    }

    /// ln x; `Whole` if a number is not above 0.
    pub fn ln(self) -> Self {
        if self.is_positive() { self.increasing(ln) } else { Whole }
    }
}

/// atan x = π/4 + atan((x − 1)/(x + 1)) = π/2 − atan(1/x), of x ≥ 0.
fn atan(size: Float) -> Interval {
    let (x, one) = (Interval::point(size), Interval::ONE);
    let small = |t: Interval| arc(t, -t.square());
    if size <= EIGHTH {
        small(x)
    } else if Float::ONE.div(size, Toward::Up) <= EIGHTH {
        QUARTER.whole - small(one / x)
    } else {
        PI / Interval::integer(4) + small((x - one) / (x + one))
    }
}

/// eˣ = 2ⁿ eʳ, x = n ln 2 + r; `None` if x has too many bits before the point.
fn exp(x: Float) -> Option<Interval> {
    let (n, r) = LN_2.multiple(x)?;
    let power = Interval::point(Float::new(1, n as i32));
    Some(power * series(r, 17, |k| FACTORIALS[k]))
}

/// ln(2ⁿ y) = n ln 2 + 2 artanh t, t = (y − 1)/(y + 1), of y between 1/√2 and √2.
fn ln(x: Float) -> Interval {
    let (_, m, e) = x.parts();
    let n = e + 62 + i32::from(m > ROOT_2);
    let (y, one) = (Interval::point(Float::of_bits(m as i64, e - n)), Interval::ONE);
    let t = (y - one) / (y + one);
    let small = arc(t, t.square());
    Interval::integer(n.into()) * LN_2.whole + small + small
}

#[cfg(test)]
mod tests;
