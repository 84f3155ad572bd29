use super::{EIGHTH, LN_2_HIGH, LN_2_LOW, OVER_LN_2, PI, QUARTER_HIGH, QUARTER_LOW, ROOT_2, TWO_OVER_PI};
use crate::{Float, Interval};
use num_bigint::BigUint;

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
    is_tight(QUARTER_LOW, &(&half - units(QUARTER_HIGH)));
    assert_eq!(QUARTER_HIGH.parts().1.trailing_zeros(), 41);
    let over: BigUint = (one() << (BITS + 1)) / pi;
    assert_eq!(units(TWO_OVER_PI) >> (BITS - 64), over >> (BITS - 64));
}

#[test]
fn ln_2_is_that_of_the_series() {
    let ln_2 = arc(3, false) * 2u32;
    is_tight(LN_2_LOW, &(&ln_2 - units(LN_2_HIGH)));
    assert_eq!(LN_2_HIGH.parts().1.trailing_zeros(), 32);
    let over: BigUint = (one() << BITS) / ln_2;
    assert_eq!(units(OVER_LN_2) >> (BITS - 63), over >> (BITS - 63));
}

#[test]
fn reductions_change_at_roots_of_two() {
    let root = (one() << (BITS + 1)).sqrt();
    assert_eq!(BigUint::from(ROOT_2), &root >> (BITS - 63));
    assert_eq!(units(EIGHTH) >> (BITS - 65), (root - one()) >> (BITS - 65));
}
