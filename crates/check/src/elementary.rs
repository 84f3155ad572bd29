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

/// A number n u + r of a unit u, where |r| is at most a little above u/2.
#[derive(Clone, Copy)]
struct Multiple {
    n: i64,
    r: Interval,
}

impl Unit {
    /// `None` if n has more bits than it may have.
    fn multiple(&self, x: Float) -> Option<Multiple> {
        let Ends(unit, _) = self.whole else { return None };
        let n = (x.div(unit, Toward::Down).units(1, Toward::Down)? + 1) >> 1;
        let (x, times) = (Interval::point(x), Interval::integer(n));
        let rest = || x - times * Interval::point(self.first) - times * self.rest;
        (n.unsigned_abs() >> self.bits == 0).then(|| Multiple { n, r: if n == 0 { x } else { rest() } })
    }
}

/// Terms of series are summed as integers in units of 2⁻⁶³.
const ONE: i128 = 1 << 63;

/// 1/n, rounded down and up.
fn reciprocal(n: i128) -> [i128; 2] {
    [ONE / n, (ONE + n - 1) / n]
}

type Series = LazyLock<Vec<[i128; 2]>>;

/// 1/k! of a step of 2 from 1 or 0 on, and of all k.
static SIN: Series = LazyLock::new(|| (0..11).map(|k| reciprocal((1..=2 * k + 1).product())).collect());
static COS: Series = LazyLock::new(|| (0..11).map(|k| reciprocal((1..=2 * k).product())).collect());
static EXP: Series = LazyLock::new(|| (0..18).map(|k| reciprocal((1..=k).product())).collect());
/// 1/(2 k + 1): of z = −t², atan(t)/t; of z = t², artanh(t)/t.
static ARC: Series = LazyLock::new(|| (0..26).map(|k| reciprocal(2 * k + 1)).collect());

/// c₀ + z (c₁ + z (c₂ + …)) of |z| ≤ 3/4, from the end on, where coefficients are positive and fall. The last one stands for all that follow: they
/// are summed to at least 0 and at most 4 times the first of them or, if signs alternate, once. Rounded outward at each step.
fn series(z: Interval, coefficients: &[[i128; 2]]) -> Interval {
    let Ends(a, b) = z else { return Whole };
    let (Some(a), Some(b)) = (a.units(63, Toward::Down), b.units(63, Toward::Up)) else { return Whole };
    let Some(([_, last], terms)) = coefficients.split_last().filter(|_| b.max(-a) <= 3 << 61) else {
        return Whole;
    };
    let (a, b) = (i128::from(a), i128::from(b));
    let mut sum = [0, last * if b > 0 { 4 } else { 1 }];
    for [lo, hi] in terms.iter().rev() {
        // no sum is below 0
        let least = a * if a < 0 { sum[1] } else { sum[0] };
        let most = b * if b < 0 { sum[0] } else { sum[1] };
        sum = [lo + (least >> 63), hi - (-most >> 63)];
    }
    Interval::new(Float::rounded(sum[0], -63, Toward::Down), Float::rounded(sum[1], -63, Toward::Up))
}

/// Of a multiple of π/2.
impl Multiple {
    /// Its sine after so many quarter turns.
    fn sin(self, more: i64) -> Interval {
        let (n, z) = (self.n + more, -self.r.square());
        let size = if n % 2 == 0 { self.r * series(z, &SIN) } else { series(z, &COS) };
        if n.rem_euclid(4) < 2 { size } else { -size }
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
    let (Some(from), Some(to)) = (QUARTER.multiple(a), QUARTER.multiple(b)) else { return Interval::UNIT };
    let ends = if a == b { from.sin(more) } else { from.sin(more).hull(to.sin(more)) };
    let Ends(lo, hi) = ends else { return Interval::UNIT };
    let lo = if from.may_pass(to, 3 - more, 4) { Float::MINUS_ONE } else { lo.max(Float::MINUS_ONE) };
    let hi = if from.may_pass(to, 1 - more, 4) { Float::ONE } else { hi.min(Float::ONE) };
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
        match (QUARTER.multiple(a), QUARTER.multiple(b)) {
            (Some(from), Some(to)) if !from.may_pass(to, 1, 2) => {
                (from.sin(0) / from.sin(1)).hull(to.sin(0) / to.sin(1))
            }
            _ => Whole,
        }
    }

    /// atan x.
    pub fn atan(self) -> Self {
        self.increasing(|x| if x.sign() < 0 { -atan(x.negated()) } else { atan(x) })
    }

    /// eˣ.
    pub fn exp(self) -> Self {
        // x = n ln 2 + r, eˣ = 2ⁿ eʳ
        let power = |n: i64| Self::point(Float::new(1, n as i32));
        let of_multiple = |Multiple { n, r }| power(n) * series(r, &EXP);
        self.increasing(|x| LN_2.multiple(x).map_or(Whole, of_multiple))
    }

    /// ln x; `Whole` if a number is not above 0.
    pub fn ln(self) -> Self {
        if self.is_positive() { self.increasing(ln) } else { Whole }
    }
}

/// atan x = π/4 + atan((x − 1)/(x + 1)) = π/2 − atan(1/x), of x ≥ 0.
fn atan(size: Float) -> Interval {
    let (x, one) = (Interval::point(size), Interval::ONE);
    let small = |t: Interval| t * series(-t.square(), &ARC);
    if size <= EIGHTH {
        small(x)
    } else if Float::ONE.div(size, Toward::Up) <= EIGHTH {
        QUARTER.whole - small(one / x)
    } else {
        PI / Interval::integer(4) + small((x - one) / (x + one))
    }
}

/// ln(2ⁿ y) = n ln 2 + 2 artanh t, t = (y − 1)/(y + 1), of y between 1/√2 and √2.
fn ln(x: Float) -> Interval {
    let (_, m, e) = x.parts();
    let n = e + 62 + i32::from(m > ROOT_2);
    let (y, one) = (Interval::point(Float::of_bits(m as i64, e - n)), Interval::ONE);
    let t = (y - one) / (y + one);
    let small = t * series(t.square(), &ARC);
    Interval::integer(n.into()) * LN_2.whole + small + small
}

#[cfg(test)]
mod tests;
