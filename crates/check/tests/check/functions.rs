//! Elementary functions against their series in exact fractions.

use crate::exact::{self, Fraction, Near};
use mechan_check::{Float, Interval, Toward};
use proptest::prelude::*;

fn ends(x: Interval) -> (Float, Float) {
    let Interval::Ends(lo, hi) = x else { panic!("{x:?}") };
    (lo, hi)
}

fn near(x: Float) -> Near {
    Fraction::of(x).near()
}

/// Whether the image contains the number, and is narrow: at most eight units of 2⁻⁶³ of its size.
fn encloses(image: Interval, number: &Near) {
    let (lo, hi) = ends(image);
    assert!(number.compare(lo).0 && number.compare(hi).1, "{image:?} {number:?}");
}

fn is_narrow(image: Interval, units: i64) {
    let (lo, hi) = ends(image);
    let size = if lo.sign() < 0 { lo.negated().max(hi) } else { hi };
    let most = size.mul(Float::new(units, -63), Toward::Up);
    assert!(hi.sub(lo, Toward::Up) <= most, "{image:?}");
}

fn check_point(x: Float) {
    let (point, exact) = (Interval::new(x, x), near(x));
    for (image, number) in [(point.sin(), exact::sin(&exact)), (point.cos(), exact::cos(&exact))] {
        encloses(image, &number);
        let (lo, hi) = ends(image);
        // the reduction knows 88 bits of π/2
        let size = if x.sign() < 0 { x.negated() } else { x };
        let most = Float::new(8, -63).add(size.mul(Float::new(1, -84), Toward::Up), Toward::Up);
        assert!(hi.sub(lo, Toward::Up) < most, "{image:?}");
    }
    if !point.cos().is_apart_from_zero() {
        return;
    }
    // tan: lo cos ≤ sin ≤ hi cos, with the sign of cos
    if let Interval::Ends(lo, hi) = point.tan() {
        let (s, c) = (exact::sin(&exact), exact::cos(&exact));
        let (a, b) = (near(lo).mul(&c), near(hi).mul(&c));
        let (least, most) = if point.cos().is_positive() { (a, b) } else { (b, a) };
        assert!(&least.value - &least.error <= &s.value + &s.error, "{x:?}");
        assert!(&most.value + &most.error >= &s.value - &s.error, "{x:?}");
    }
}

fn check_exp(x: Float) {
    let image = Interval::new(x, x).exp();
    encloses(image, &exact::exp(&near(x)));
    is_narrow(image, 8);
}

/// y ≤ ln x as eʸ ≤ x.
fn check_ln(x: Float) {
    let image = Interval::new(x, x).ln();
    let (lo, hi) = ends(image);
    assert!(exact::exp(&near(lo)).compare(x).1 && exact::exp(&near(hi)).compare(x).0, "{x:?}");
    is_narrow(image, 16);
}

/// y ≤ atan x as sin y ≤ x cos y.
fn check_atan(x: Float) {
    let image = Interval::new(x, x).atan();
    let (lo, hi) = ends(image);
    let exact_x = near(x);
    let sides = |y: Float| (exact::sin(&near(y)), exact_x.mul(&exact::cos(&near(y))));
    let (s, c) = sides(lo);
    assert!(&s.value - &s.error <= &c.value + &c.error, "{x:?} {image:?}");
    let (s, c) = sides(hi);
    assert!(&s.value + &s.error >= &c.value - &c.error, "{x:?} {image:?}");
    is_narrow(image, 16);
}

/// A number of size up to 2^bits.
fn number(bits: i32) -> impl Strategy<Value = Float> {
    (any::<i64>(), 0i32..40).prop_map(move |(m, e)| Float::new(m, bits - 63 - e))
}

/// An interval and a number of it.
fn inside(bits: i32) -> impl Strategy<Value = (Interval, Float)> {
    (number(bits), number(bits), 0i64..=32).prop_map(|(a, b, t)| {
        let (lo, hi) = (a.min(b), a.max(b));
        let inner = lo.add(hi.sub(lo, Toward::Down).mul(Float::new(t, -5), Toward::Down), Toward::Down);
        (Interval::new(lo, hi), inner.max(lo).min(hi))
    })
}

type Function = fn(Interval) -> Interval;
const FUNCTIONS: [Function; 7] = [
    Interval::sin,
    Interval::cos,
    Interval::tan,
    Interval::atan,
    Interval::exp,
    Interval::ln,
    Interval::sqrt,
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn functions_at_points(x in prop_oneof![number(0), number(3), number(6)]) {
        check_point(x);
        check_exp(x);
        check_atan(x);
    }

    #[test]
    fn periodic_functions_far_out(x in number(40)) {
        check_point(x);
    }

    #[test]
    fn logarithms(m in 1i64.., e in -120i32..10) {
        check_ln(Float::new(m, e));
    }

    #[test]
    fn logarithms_near_one(d in any::<i64>(), e in -110i32..-65) {
        let x = Float::ONE.add(Float::new(d, e), Toward::Down);
        prop_assume!(x != Float::ONE);
        check_ln(x);
    }

    #[test]
    fn arcs_of_great_and_small_numbers(m in any::<i64>(), e in -150i32..80) {
        prop_assume!(m != 0);
        check_atan(Float::new(m, e));
    }

    #[test]
    fn images_of_intervals_contain_those_of_their_numbers(
        (x, inner) in prop_oneof![inside(0), inside(2), inside(4), inside(6)],
    ) {
        let inner = Interval::new(inner, inner);
        for f in FUNCTIONS {
            if let Interval::Ends(lo, hi) = f(x) {
                let (a, b) = ends(f(inner));
                // the images of points are proven elsewhere; both round
                prop_assert!(lo <= b && a <= hi, "{:?} {:?}", x, inner);
            }
        }
        // extremes are those of the exact function
        encloses(x.sin(), &exact::sin(&near(ends(inner).0)));
        encloses(x.cos(), &exact::cos(&near(ends(inner).0)));
    }
}

#[test]
fn multiples_of_a_quarter_turn() {
    let quarter = quarter();
    for n in (0..200).chain([1 << 20, 1 << 30, 1 << 38]) {
        for d in -2..=2 {
            let multiple = Float::new(n, 0).mul(quarter, Toward::Down);
            check_point(multiple.add(Float::new(d, multiple.parts().2), Toward::Down));
        }
    }
}

/// π/2, from an arc.
fn quarter() -> Float {
    ends(Interval::ONE.atan()).0.mul(Float::new(2, 0), Toward::Down)
}

#[test]
fn known_values() {
    let (one, zero) = (Interval::ONE, Interval::ZERO);
    assert_eq!((zero.sin(), zero.cos(), zero.tan(), zero.atan()), (zero, one, zero, zero));
    assert_eq!((zero.exp(), one.ln()), (one, zero));
    // a little more than π/2: the greatest value is inside, a pole may be
    let (_, hi) = ends(one.atan() + one.atan());
    let quarter = Interval::new(Float::ZERO, hi);
    let (lo, most) = ends(quarter.sin());
    assert_eq!((lo, most), (Float::ZERO, Float::ONE));
    assert_eq!(quarter.tan(), Interval::Whole);
    assert!(ends(quarter.cos()).0 > Float::new(-4, -63));
    let far = Interval::new(Float::new(1, 50), Float::new(1, 50));
    assert_eq!((far.sin(), far.cos(), far.tan()), (Interval::UNIT, Interval::UNIT, Interval::Whole));
}

#[test]
fn thin_intervals_have_thin_images() {
    let x = Interval::new(Float::new(7, -3), Float::new(7, -3).add(Float::new(1, -30), Toward::Up));
    for f in FUNCTIONS {
        let (lo, hi) = ends(f(x));
        assert!(hi.sub(lo, Toward::Up) < Float::new(1, -27));
    }
}
