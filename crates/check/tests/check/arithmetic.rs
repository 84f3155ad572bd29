//! Every operation against exact fractions: a bound that is one unit too tight is below or above what it bounds, one that is a unit too wide is
//! not the neighbour of the other.

use crate::exact::{Fraction, is_at_most_root};
use mechan_check::{Float, Interval, Toward};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::cmp::Ordering::{Equal, Greater, Less};

/// Few bits and many, exponents near and far.
pub(crate) fn float() -> impl Strategy<Value = Float> {
    let mantissa = prop_oneof![
        any::<i64>(),
        -20i64..20,
        (0u32..63, -1i64..=1).prop_map(|(k, d)| (1i64 << k).wrapping_add(d)),
        (0u32..63, -1i64..=1).prop_map(|(k, d)| (-1i64 << k).wrapping_sub(d)),
    ];
    (mantissa, prop_oneof![Just(0), -70i32..70, -300i32..300]).prop_map(|(m, e)| Float::new(m, e))
}

fn interval() -> impl Strategy<Value = Interval> {
    (float(), float()).prop_map(|(a, b)| Interval::new(a.min(b), a.max(b)))
}

fn ends(x: Interval) -> [Float; 2] {
    let Interval::Ends(lo, hi) = x else { panic!("{x:?}") };
    [lo, hi]
}

/// The next float above.
fn next(x: Float) -> Float {
    let (negative, m, e) = x.parts();
    assert!(m != 0);
    let unit = if negative && m == 1 << 62 { Float::new(1, e - 1) } else { Float::new(1, e) };
    x.add(unit, Toward::Down)
}

/// Down and up are the exact number, or its two neighbours.
fn are_neighbours(down: Float, up: Float, compare: impl Fn(Float) -> Ordering) {
    match (compare(down), compare(up)) {
        (Equal, Equal) => assert_eq!(down, up),
        (Less, Greater) => assert_eq!(next(down), up, "{down:?} {up:?}"),
        wrong => panic!("{wrong:?}: {down:?} {up:?}"),
    }
}

fn rounds_to(f: impl Fn(Toward) -> Float, exact: &Fraction) {
    are_neighbours(f(Toward::Down), f(Toward::Up), |x| Fraction::of(x).compare(exact));
}

type Exact = fn(&Fraction, &Fraction) -> Fraction;

/// The ends of the image are those of the images of ends, rounded.
fn is_least(x: Interval, y: Interval, image: Interval, exact: Exact) {
    let products = ends(x).map(|a| ends(y).map(|b| exact(&Fraction::of(a), &Fraction::of(b))));
    let [lo, hi] = ends(image);
    let all = products.as_flattened();
    let least = all.iter().min_by(|a, b| a.compare(b)).unwrap();
    let greatest = all.iter().max_by(|a, b| a.compare(b)).unwrap();
    assert_ne!(Fraction::of(lo).compare(least), Greater);
    assert_ne!(Fraction::of(hi).compare(greatest), Less);
    let is_next = |x: Float, exact| Fraction::of(next(x)).compare(exact) == Greater;
    assert!(Fraction::of(lo).compare(least) == Equal || is_next(lo, least));
    let negated = Fraction { over: -&greatest.over, under: greatest.under.clone() };
    assert!(Fraction::of(hi).compare(greatest) == Equal || is_next(hi.negated(), &negated));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn sums_and_products_round_to_the_neighbours(x in float(), y in float()) {
        let (a, b) = (Fraction::of(x), Fraction::of(y));
        rounds_to(|to| x.add(y, to), &a.add(&b));
        rounds_to(|to| x.sub(y, to), &a.sub(&b));
        rounds_to(|to| x.mul(y, to), &a.mul(&b));
        prop_assert_eq!(x.cmp(&y), a.compare(&b));
    }

    #[test]
    fn differences_of_near_numbers_round_to_the_neighbours(m in any::<i64>(), d in -3i64..4, e in -130i32..2) {
        let (x, y) = (Float::new(m, 0), Float::new(m.wrapping_add(d), e));
        rounds_to(|to| x.sub(y, to), &Fraction::of(x).sub(&Fraction::of(y)));
        rounds_to(|to| y.sub(x, to), &Fraction::of(y).sub(&Fraction::of(x)));
    }

    #[test]
    fn quotients_round_to_the_neighbours(x in float(), y in float()) {
        prop_assume!(y.sign() != 0);
        rounds_to(|to| x.div(y, to), &Fraction::of(x).div(&Fraction::of(y)));
        // one that is exact
        let product = Float::new(i64::from(x.parts().1 as i32), 3).mul(Float::new(i64::from(y.parts().1 as u32 | 1), 0), Toward::Down);
        let factor = Float::new(i64::from(y.parts().1 as u32 | 1), 0);
        prop_assert_eq!(product.div(factor, Toward::Down), product.div(factor, Toward::Up));
    }

    #[test]
    fn roots_round_to_the_neighbours(x in float()) {
        let x = if x.sign() < 0 { x.negated() } else { x };
        let exact = Fraction::of(x);
        let (down, up) = (x.sqrt(Toward::Down), x.sqrt(Toward::Up));
        are_neighbours(down, up, |root| {
            let root = Fraction::of(root);
            if is_at_most_root(&root, &exact) { root.mul(&root).compare(&exact) } else { Greater }
        });
        let square = x.mul(x, Toward::Down);
        if square == x.mul(x, Toward::Up) {
            prop_assert_eq!((square.sqrt(Toward::Down), square.sqrt(Toward::Up)), (x, x));
        }
    }

    #[test]
    fn images_of_intervals_are_the_least(x in interval(), y in interval()) {
        is_least(x, y, x + y, Fraction::add);
        is_least(x, y, x - y, Fraction::sub);
        is_least(x, y, x * y, Fraction::mul);
        if y.is_apart_from_zero() {
            is_least(x, y, x / y, Fraction::div);
        } else {
            prop_assert_eq!(x / y, Interval::Whole);
        }
    }

    #[test]
    fn images_of_one_interval_contain_those_of_its_numbers(x in interval(), t in 0i64..=64) {
        let [lo, hi] = ends(x);
        let part = hi.sub(lo, Toward::Down).mul(Float::new(t, -6), Toward::Down);
        let inner = lo.add(part, Toward::Down).max(lo).min(hi);
        let is_inside = |image: Interval, y: Float| {
            let [a, b] = ends(image);
            a <= y && y <= b
        };
        let size = if inner.sign() < 0 { inner.negated() } else { inner };
        let sign = Float::new(inner.sign(), 0);
        prop_assert!(is_inside(x.abs(), size));
        prop_assert!(is_inside(x.signum(), sign));
        prop_assert!(is_inside(-x, inner.negated()));
        prop_assert!(is_inside(x.square(), inner.mul(inner, Toward::Down)) || is_inside(x.square(), inner.mul(inner, Toward::Up)));
        prop_assert!(!x.square().is_apart_from_zero() || x.is_apart_from_zero());
        let two = Interval::integer(2);
        prop_assert!(is_inside(x.min(two), inner.min(Float::new(2, 0))));
        let chosen = if inner.sign() > 0 { 2 } else { 0 };
        prop_assert!(is_inside(x.where_positive(two), Float::new(chosen, 0)));
    }
}

#[test]
fn what_is_undefined_stays_so() {
    let (whole, one) = (Interval::Whole, Interval::ONE);
    let zero = Interval::ZERO;
    let images = [
        whole + one,
        one - whole,
        zero * whole,
        whole * zero,
        zero / whole,
        -whole,
        whole.sin(),
        whole.cos(),
        whole.tan(),
        whole.atan(),
        whole.abs(),
        whole.signum(),
        whole.square(),
        whole.sqrt(),
        whole.exp(),
        whole.ln(),
        whole.min(one),
        one.min(whole),
        whole.where_positive(one),
        one.where_positive(whole),
        one / zero,
        zero / zero,
        (-one).sqrt(),
        Interval::UNIT.sqrt(),
        zero.ln(),
        Interval::UNIT.ln(),
        (one / zero).hull(one),
    ];
    assert!(images.iter().all(|&image| image == whole), "{images:?}");
    assert!(!whole.is_positive() && !whole.is_nonnegative() && !whole.is_apart_from_zero());
    assert_eq!(zero.where_positive(whole), zero);
}

#[test]
fn exponents_beyond_the_limit_are_undefined() {
    let mut x = Interval::integer(3);
    for _ in 0..40 {
        x = x.square();
    }
    assert_eq!(x, Interval::Whole);
    let mut y = Interval::ONE / Interval::integer(3);
    for _ in 0..40 {
        y = y.square();
    }
    assert_eq!(y, Interval::Whole);
    assert_eq!(Interval::integer(1 << 40).exp(), Interval::Whole);
}
