//! Sine and cosine by one branch-free formula, so that scalar, batched and compiled evaluation agree bit for bit.
//!
//! x = n·π/2 + r + tail by a three-part reduction (Cody and Waite), then the minimax polynomials of fdlibm's
//! `__kernel_sin` and `__kernel_cos` (Sun Microsystems, 1993). No fused multiply-add, which would round
//! differently from machine to machine.

use crate::lanes::{Arch, NullaryFnOnce};

/// Largest |x| of the branch-free route; beyond it (and for NaN, ∞) the standard library answers.
/// n < 2¹⁷ keeps n·`PIO2_HI` and n·`PIO2_MID` exact.
pub const SIN_COS_LIMIT: f64 = 131_072.0;

const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// 1.5·2⁵²: adding it rounds to an integer, whose low bits are those of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// First 33 bits of π/2.
const PIO2_HI: f64 = 1.570_796_326_734_125_6;
/// Next 33 bits.
const PIO2_MID: f64 = 6.077_100_506_303_966e-11;
/// The rest, to 53 bits.
const PIO2_LO: f64 = 2.022_266_248_795_950_6e-21;

/// (sin x, cos x), to within one unit in the last place.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    if within(x) { sin_cos_reduced(x) } else { x.sin_cos() }
}

/// The branch-free route, right for |x| ≤ [`SIN_COS_LIMIT`] only; a loop over it vectorises.
#[inline(always)]
pub(crate) fn sin_cos_reduced(x: f64) -> (f64, f64) {
    let shifted = x * TWO_OVER_PI + ROUND;
    let (r, tail) = reduce(x, shifted - ROUND);
    turn(sin_kernel(r, tail), cos_kernel(r, tail), shifted.to_bits())
}

/// x − n·π/2 as an unevaluated sum.
#[inline(always)]
fn reduce(x: f64, n: f64) -> (f64, f64) {
    let t = x - n * PIO2_HI; // exact: the terms are within a factor 2, or n = 0
    let w = n * PIO2_MID; // exact: 33 + 17 bits
    let r = t - w;
    // the exact error of t − w: if |t| < |w|, the difference has no more than 50 bits and the error is 0
    let lost = (t - r) - w;
    (r, lost - n * PIO2_LO)
}

#[inline(always)]
fn sin_kernel(x: f64, tail: f64) -> f64 {
    let z = x * x;
    let r = 0.008_333_333_333_322_49
        + z * (-1.984_126_982_985_795e-4 + z * 2.755_731_370_707_006_8e-6)
        + z * (z * z) * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10);
    let v = z * x;
    x - ((z * (0.5 * tail - v * r) - tail) + v * 1.666_666_666_666_663_2e-1)
}

#[inline(always)]
fn cos_kernel(x: f64, tail: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let r = z * (4.166_666_666_666_66e-2 + z * (-1.388_888_888_887_411e-3 + z * 2.480_158_728_947_673e-5))
        + w * w
            * (-2.755_731_435_139_066_3e-7
                + z * (2.087_572_321_298_175e-9 - z * 1.135_964_755_778_819_5e-11));
    let half = 0.5 * z;
    let one = 1.0 - half;
    one + (((1.0 - one) - half) + (z * r - x * tail))
}

/// Swaps and negates by the quadrant in the last two bits of `n`.
#[inline(always)]
fn turn(sin: f64, cos: f64, n: u64) -> (f64, f64) {
    let swap = 0u64.wrapping_sub(n & 1);
    let (s, c) = (sin.to_bits(), cos.to_bits());
    let differ = (s ^ c) & swap;
    let sin_sign = (n & 2) << 62;
    let cos_sign = (n.wrapping_add(1) & 2) << 62;
    (f64::from_bits(s ^ differ ^ sin_sign), f64::from_bits(c ^ differ ^ cos_sign))
}

/// Sine and cosine of many numbers; the same bits as [`sin_cos`] of each. To be inlined where vector
/// instructions are enabled.
#[inline(always)]
pub fn sin_cos_lanes<const N: usize>(x: &[f64; N], sin: &mut [f64; N], cos: &mut [f64; N]) {
    let mut far = false;
    for k in 0..N {
        (sin[k], cos[k]) = sin_cos_reduced(x[k]);
        far |= !within(x[k]);
    }
    if far {
        for k in 0..N {
            (sin[k], cos[k]) = sin_cos(x[k]);
        }
    }
}

#[inline(always)]
fn within(x: f64) -> bool {
    x.abs() <= SIN_COS_LIMIT
}

/// Sine and cosine of many numbers by vector instructions; the same bits as [`sin_cos`] of each.
pub fn sin_cos_many(arch: Arch, x: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    if x.len() <= 1 {
        for ((x, s), c) in x.iter().zip(sin).zip(cos) {
            (*s, *c) = sin_cos(*x);
        }
    } else {
        arch.dispatch(Many { x, sin, cos });
    }
}

struct Many<'a> {
    x: &'a [f64],
    sin: &'a mut [f64],
    cos: &'a mut [f64],
}

impl NullaryFnOnce for Many<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        const WIDTH: usize = 4;
        for ((x, s), c) in
            self.x.chunks(WIDTH).zip(self.sin.chunks_mut(WIDTH)).zip(self.cos.chunks_mut(WIDTH))
        {
            let (mut lanes, mut sin, mut cos) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
            lanes[..x.len()].copy_from_slice(x);
            sin_cos_lanes(&lanes, &mut sin, &mut cos);
            s.copy_from_slice(&sin[..x.len()]);
            c.copy_from_slice(&cos[..x.len()]);
        }
    }
}
