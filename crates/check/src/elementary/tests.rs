use super::{ARC, EIGHTH, EXP, LN_2, PI, QUARTER, ROOT_2, series};
use crate::{Float, Interval};
use num_bigint::{BigInt, BigUint};
use std::cmp::Ordering;

const BITS: u32 = 320;

/// x·2^BITS, of a float that is a multiple of 2^−BITS.
fn units(x: Float) -> BigUint {
    let (_, m, e) = x.parts();
    BigUint::from(m) << (e + BITS as i32)
}

fn one() -> BigUint {
    BigUint::from(1u8) << BITS
}

/// Σ ±1/((2k + 1) nᵏ⁺¹ᐟ²): 2^BITS atan(1/n) or artanh(1/n), within a thousand.
fn arc(n: u32, is_alternating: bool) -> BigUint {
    let (mut plus, mut minus, mut power) = (BigUint::ZERO, BigUint::ZERO, one() / n);
    for k in 0u32.. {
        if power == BigUint::ZERO {
            break;
        }
        let term = &power / (2 * k + 1);
        *(if is_alternating && k % 2 == 1 { &mut minus } else { &mut plus }) += term;
        power /= n * n;
    }
    plus - minus
}

/// Whether an interval lies around a number of units and has neighbouring floats as ends.
fn is_tight(x: Interval, units_of_x: &BigUint) {
    let Interval::Ends(lo, hi) = x else { panic!("{x:?}") };
    let margin = BigUint::from(1u32 << 20);
    assert!(units(lo) + &margin < *units_of_x && *units_of_x < units(hi) - &margin);
    let ((_, m, e), (_, n, f)) = (lo.parts(), hi.parts());
    assert!(m + 1 == n && e == f);
}

#[test]
fn pi_is_that_of_machin() {
    let pi = arc(5, true) * 16u32 - arc(239, true) * 4u32;
    is_tight(PI, &pi);
    let half = &pi >> 1;
    is_tight(QUARTER.whole, &half);
    is_tight(QUARTER.rest, &(&half - units(QUARTER.first)));
    // 23 of 63 bits
    assert_eq!(QUARTER.first.parts().1.trailing_zeros(), 40);
}

#[test]
fn ln_2_is_that_of_the_series() {
    let ln_2 = arc(3, false) * 2u32;
    is_tight(LN_2.whole, &ln_2);
    is_tight(LN_2.rest, &(&ln_2 - units(LN_2.first)));
    // 32 of 63 bits
    assert_eq!(LN_2.first.parts().1.trailing_zeros(), 31);
}

#[test]
fn reductions_change_at_roots_of_two() {
    let root = (one() << (BITS + 1)).sqrt();
    assert_eq!(BigUint::from(ROOT_2), &root >> (BITS - 62));
    assert_eq!(units(EIGHTH) >> (BITS - 64), (root - one()) >> (BITS - 64));
}

/// The exact c₀ + z (c₁ + … z (cₙ rest)) of z in units and rest an integer, as a fraction.
fn exact_series(z: i64, last: usize, rest: i64, divisor: fn(i64) -> i64) -> [BigInt; 2] {
    let one = BigInt::from(1) << 63;
    let end = [BigInt::from(rest), BigInt::from(divisor(last as i64))];
    (0..last as i64).rev().fold(end, |[over, under], k| {
        // 1/d + z over/(2⁶³ under)
        let d = divisor(k);
        [&one * &under + over * z * d, &one * under * d]
    })
}

/// A bound that were rounded to the other side at any step of few would lie on the wrong side of the exact one, for most z.
#[test]
fn every_step_of_a_series_rounds_outward() {
    let divisors: [fn(i64) -> i64; 2] = [|k| 2 * k + 1, |k| (1..=k).product()];
    let mut z = 0x1234_5678_9ABC_DEF1_i64;
    for i in 0..4000 {
        z = z.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let (z, last, divisor) = (z >> (1 + i % 4), 1 + i % 3, divisors[i % 2]);
        if z.abs() > 3 << 61 {
            continue;
        }
        let table = if i % 2 == 0 { &ARC } else { &EXP };
        let Interval::Ends(lo, hi) = series(Interval::point(Float::new(z, -63)), &table[..=last]) else {
            panic!("{z}")
        };
        let below = |x: Float, [over, under]: [BigInt; 2]| {
            let (negative, m, e) = x.parts();
            let m = if negative { -BigInt::from(m) } else { BigInt::from(m) };
            (m * under).cmp(&(over << -e))
        };
        // the rest is 0 at least and, of a z below 0, once its first coefficient at most
        let most = if z > 0 { 4 } else { 1 };
        let ends = [0, most].map(|rest| exact_series(z, last, rest, divisor));
        let turned = z < 0 && last % 2 == 1;
        let [least, greatest] = if turned { [ends[1].clone(), ends[0].clone()] } else { ends };
        assert!(below(lo, least) != Ordering::Greater, "{z} {last} {lo:?}");
        assert!(below(hi, greatest) != Ordering::Less, "{z} {last} {hi:?}");
    }
}

#[test]
fn the_rest_of_a_short_series_is_enclosed() {
    let most: i64 = 3 << 61;
    for units in [most / 1000, most / 7, most / 2, -most / 1000, -most / 7, -most] {
        let z = Interval::point(Float::new(units, -63));
        for last in 1..4 {
            for (table, all) in [(&ARC, 25), (&EXP, 17)] {
                let [short, long] = [last, all].map(|last| series(z, &table[..=last]));
                let (Interval::Ends(a, b), Interval::Ends(c, d)) = (short, long) else { panic!("{z:?}") };
                assert!(a < c && d < b, "{units} {last} {short:?} {long:?}");
            }
        }
    }
}
