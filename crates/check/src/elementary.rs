//! sin, cos, tan, atan, exp and ln: arguments are reduced to a short interval around 0, where the beginning of a series and a bound of its rest
//! are summed in integers.
//!
//! Over an interval a function is enclosed at both ends, and at the extremes that may lie between them.

use crate::fixed::Fixed;
use crate::float::{Float, Toward};
use crate::interval::Interval::{self, Ends, Whole};

/// 24 bits of π/2, and what is left.
const QUARTER_HIGH: Float = Float::of_bits(0xC90F_DA00_0000_0000, -63);
const QUARTER_LOW: Interval = between(0xA221_68C2_34C4_C662, -87);
/// 2/π, to choose a multiple by.
const TWO_OVER_PI: Float = Float::of_bits(0xA2F9_836E_4E44_1529, -64);
/// 32 bits of ln 2, and what is left.
const LN_2_HIGH: Float = Float::of_bits(0xB172_17F7_0000_0000, -64);
const LN_2_LOW: Interval = between(0xD1CF_79AB_C9E3_B398, -96);
/// 1/ln 2, to choose a multiple by.
const OVER_LN_2: Float = Float::of_bits(0xB8AA_3B29_5C17_F0BB, -63);
/// Bits of arguments of the periodic functions that are reduced.
const PERIODIC_BITS: i32 = 40;
/// Bits of arguments of the exponential function.
const EXP_BITS: i32 = 27;
/// √2 − 1 = tan(π/8) and √2, where reductions change; any number near does.
const EIGHTH: Float = Float::of_bits(0xD413_CCCF_E779_9211, -65);
const ROOT_2: u64 = 0xB504_F333_F9DE_6484;

/// m·2^e ≤ x ≤ (m + 1)·2^e.
const fn between(m: u64, e: i32) -> Interval {
    Ends(Float::of_bits(m, e), Float::of_bits(m + 1, e))
}

/// π.
pub(crate) const PI: Interval = between(0xC90F_DAA2_2168_C234, -62);

/// Functions of period 2π by the quarter in which they are greatest; they are least two quarters on.
#[derive(Clone, Copy)]
enum Wave {
    Cos = 0,
    Sin = 1,
}

/// x = n·π/2 + r.
#[derive(Clone, Copy)]
struct Reduced {
    n: i64,
    r: Interval,
}

impl Reduced {
    /// |r| is at most a little above π/4; `None` if x has too many bits before the point.
    fn of(x: Float) -> Option<Self> {
        let n = nearest(x.mul(TWO_OVER_PI, Toward::Down), PERIODIC_BITS)?;
        if n == 0 {
            return Some(Self { n, r: Interval::point(x) });
        }
        // exact: 40 bits times 24
        let high = Interval::integer(n) * Interval::point(QUARTER_HIGH);
        Some(Self { n, r: Interval::point(x) - high - Interval::integer(n) * QUARTER_LOW })
    }

    /// A quarter in which x may lie, none being before it.
    fn first_quarter(self) -> i64 {
        self.n - i64::from(!self.r.is_nonnegative())
    }

    /// A quarter in which x may lie, none being behind it.
    fn last_quarter(self) -> i64 {
        self.n - i64::from((-self.r).is_positive())
    }

    fn wave(self, wave: Wave) -> Interval {
        match (wave as i64 - self.n).rem_euclid(4) {
            0 => cos_near_zero(self.r),
            1 => sin_near_zero(self.r),
            2 => -cos_near_zero(self.r),
            _ => -sin_near_zero(self.r),
        }
    }

    fn tan(self) -> Interval {
        self.wave(Wave::Sin) / self.wave(Wave::Cos)
    }
}

/// An integer near x, if it has at most these bits.
fn nearest(x: Float, bits: i32) -> Option<i64> {
    let size = x.magnitude();
    if size >= Float::of_parts(1, bits) {
        return None;
    }
    let half_up = size.integer(1, Toward::Down)?.div_ceil(2) as i64;
    Some(if x.is_negative() { -half_up } else { half_up })
}

fn sin_near_zero(r: Interval) -> Interval {
    r * Fixed::of(r.square()).map_or(Whole, |z| z.sin_ratio().interval())
}

fn cos_near_zero(r: Interval) -> Interval {
    Fixed::of(r.square()).map_or(Whole, |z| z.cos_root().interval())
}

/// Whether some integer that is `at` modulo `period` is above `after` and at most `last`.
fn is_passed(at: i64, period: i64, after: i64, last: i64) -> bool {
    (last - at).div_euclid(period) > (after - at).div_euclid(period)
}

fn periodic(x: Interval, wave: Wave) -> Interval {
    let Ends(a, b) = x else { return Whole };
    let (Some(first), Some(last)) = (Reduced::of(a), Reduced::of(b)) else { return Interval::UNIT };
    let ends = if a == b { first.wave(wave) } else { first.wave(wave).hull(last.wave(wave)) };
    let Ends(lo, hi) = ends else { return Interval::UNIT };
    let (after, until) = (first.first_quarter(), last.last_quarter());
    let greatest = is_passed(wave as i64, 4, after, until);
    let least = is_passed(wave as i64 + 2, 4, after, until);
    let lo = if least { Float::MINUS_ONE } else { lo.max(Float::MINUS_ONE) };
    Interval::new(lo, if greatest { Float::ONE } else { hi.min(Float::ONE) })
}

impl Interval {
    /// sin x.
    #[must_use]
    pub fn sin(self) -> Self {
        periodic(self, Wave::Sin)
    }

    /// cos x.
    #[must_use]
    pub fn cos(self) -> Self {
        periodic(self, Wave::Cos)
    }

    /// tan x; `Whole` if there may be a pole.
    #[must_use]
    pub fn tan(self) -> Self {
        let Ends(a, b) = self else { return Whole };
        let (Some(first), Some(last)) = (Reduced::of(a), Reduced::of(b)) else { return Whole };
        if is_passed(1, 2, first.first_quarter(), last.last_quarter()) {
            return Whole;
        }
        if a == b { first.tan() } else { first.tan().hull(last.tan()) }
    }

    /// atan x.
    #[must_use]
    pub fn atan(self) -> Self {
        self.increasing(|x| if x.is_negative() { -atan(x.negated()) } else { atan(x) })
    }

    /// eˣ.
    #[must_use]
    pub fn exp(self) -> Self {
        self.increasing(|x| exp(x).unwrap_or(Whole))
    }

    /// ln x; `Whole` if a number is not above 0.
    #[must_use]
    pub fn ln(self) -> Self {
        if self.is_positive() { self.increasing(ln) } else { Whole }
    }
}

/// atan x = π/4 + atan((x − 1)/(x + 1)) = π/2 − atan(1/x), of x ≥ 0.
fn atan(x: Float) -> Interval {
    let (x, one) = (Interval::point(x), Interval::ONE);
    let small = |t: Interval| t * Fixed::of(t.square()).map_or(Whole, |z| z.atan_ratio().interval());
    let eighth = Interval::point(EIGHTH);
    if x.is_at_most(eighth) {
        small(x)
    } else if (one / x).is_at_most(eighth) {
        PI.scaled(-1) - small(one / x)
    } else {
        PI.scaled(-2) + small((x - one) / (x + one))
    }
}

/// eˣ = 2ⁿ eʳ, x = n ln 2 + r with 0 ≤ r and at most a little above ln 2; `None` if x has too many bits before the point.
fn exp(x: Float) -> Option<Interval> {
    let n = nearest(x.mul(OVER_LN_2, Toward::Down), EXP_BITS)?;
    let rest = |n| {
        let high = Interval::integer(n) * Interval::point(LN_2_HIGH);
        Interval::point(x) - high - Interval::integer(n) * LN_2_LOW
    };
    let (n, r) = match rest(n) {
        r if r.is_nonnegative() => (n, r),
        _ => (n - 1, rest(n - 1)),
    };
    let small = Interval::ONE + r * Fixed::of(r)?.exp_slope().interval();
    Some(small.scaled(n as i32))
}

/// ln(2ⁿ y) = n ln 2 + 2 artanh t, t = (y − 1)/(y + 1), of y near 1.
fn ln(x: Float) -> Interval {
    let (_, mantissa, exponent) = x.parts();
    let n = exponent + 63 + i32::from(mantissa > ROOT_2);
    let (y, one) = (Interval::point(x.scaled(-n)), Interval::ONE);
    let t = (y - one) / (y + one);
    let small = t * Fixed::of(t.square()).map_or(Whole, |z| z.artanh_ratio().interval());
    let ln_2 = Interval::point(LN_2_HIGH) + LN_2_LOW;
    Interval::integer(i64::from(n)) * ln_2 + small.scaled(1)
}

#[cfg(test)]
mod tests;
