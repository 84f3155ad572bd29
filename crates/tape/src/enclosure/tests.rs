use super::Enclosure;
use crate::num::{Dual, Interval, Real};
use crate::{Builder, Tape, Unary, Value};
use proptest::prelude::{prop_assert, proptest};

type Write = fn(&mut Builder, Value, Value) -> Value;

/// Functions of (x, y), some with jumps, poles and edges of their domains.
const FUNCTIONS: [Write; 17] = [
    |b, x, _| b.unary(Unary::Tan, x),
    |b, x, _| b.unary(Unary::Signum, x),
    |b, x, _| {
        let one = b.constant(1.0);
        b.div(one, x)
    },
    |b, x, y| b.mul(x, y),
    |b, x, y| b.div(x, y),
    |b, x, y| b.powf(x, y),
    |b, x, y| b.atan2(x, y),
    |b, x, y| {
        let square = b.mul(x, x);
        b.sub(square, y)
    },
    |b, x, y| product(b, Unary::Sin, Unary::Cos, x, y),
    |b, x, y| product(b, Unary::Tan, Unary::Atan, x, y),
    |b, x, y| product(b, Unary::Sinh, Unary::Cosh, x, y),
    |b, x, y| product(b, Unary::Tanh, Unary::Exp, x, y),
    |b, x, y| product(b, Unary::Sqrt, Unary::Ln, x, y),
    |b, x, y| product(b, Unary::Asin, Unary::Acos, x, y),
    |b, x, y| product(b, Unary::Abs, Unary::Abs, x, y),
    |b, x, y| product(b, Unary::Signum, Unary::Sin, x, y),
    |b, x, y| {
        let (sum, angle) = (b.add(x, y), b.atan2(y, x));
        let root = b.unary(Unary::Abs, sum);
        let root = b.unary(Unary::Sqrt, root);
        b.mul(root, angle)
    },
];

fn product(b: &mut Builder, f: Unary, g: Unary, x: Value, y: Value) -> Value {
    let (x, y) = (b.unary(f, x), b.unary(g, y));
    b.mul(x, y)
}

fn tape(write: Write) -> Tape {
    let mut builder = Builder::new(2);
    let (x, y) = (builder.input(0), builder.input(1));
    let value = write(&mut builder, x, y);
    builder.finish(&[value])
}

fn value<T: Real>(tape: &Tape, x: [T; 2]) -> T {
    let mut out = [T::from_f64(0.0)];
    tape.eval(&x, &mut out, &mut tape.scratch());
    out[0]
}

proptest! {
    /// Values, derivatives and the mean value form at points of random boxes.
    #[test]
    fn points_of_a_box_are_enclosed(
        lo in [-3.0f64..3.0, -3.0..3.0],
        width in [0.0f64..3.0, 0.0..3.0],
        at in [0.0f64..=1.0, 0.0..=1.0],
    ) {
        let sides = [0, 1].map(|i| Interval::new(lo[i], lo[i] + width[i]));
        let x = [0, 1].map(|i| (lo[i] + at[i] * width[i]).clamp(sides[i].lo, sides[i].hi));
        for (k, &write) in FUNCTIONS.iter().enumerate() {
            let tape = tape(write);
            let mut enclosure = Enclosure::new(&tape, &[0.0, 0.0], &[0, 1]);
            let middle = sides.map(Interval::middle);
            let (here, there) = (value(&tape, x), value(&tape, middle));
            enclosure.enclose(&sides);
            prop_assert!(here.is_nan() || enclosure.output(0).contains(here), "{k} {x:?}");
            let slopes = enclosure.gradient(&[(0, Interval::from_f64(1.0))]);
            for (i, slope) in slopes.iter().enumerate() {
                let rate = |j: usize| if i == j { 1.0 } else { 0.0 };
                let exact = value(&tape, [Dual::new(x[0], rate(0)), Dual::new(x[1], rate(1))]);
                let slack = 1e-9 * (1.0 + exact.eps.abs());
                let close = slope.lo - slack <= exact.eps && exact.eps <= slope.hi + slack;
                prop_assert!(here.is_nan() || exact.eps.is_nan() || close, "{k} {i} {x:?} {slope:?} {exact:?}");
            }
            if here.is_finite() && there.is_finite() {
                let step = |i: usize| slopes[i] * Interval::from_f64(x[i] - middle[i]);
                let mean = Interval::from_f64(there) + step(0) + step(1);
                let slack = 1e-9 * (1.0 + here.abs() + there.abs());
                prop_assert!(mean.lo - slack <= here && here <= mean.hi + slack, "{k} {x:?} {mean:?} {here}");
            }
        }
    }

    /// What makes a function zero is never lost.
    #[test]
    fn contraction_keeps_the_zeros(lo in -3.0f64..0.5, width in 0.5f64..5.0, root in -1.0f64..1.0) {
        // x² + y − c with y unbounded, and x·(y − 2) − c
        let sides = [Interval::new(lo, lo + width), Interval::WHOLE];
        let x = sides[0].middle() + 0.4 * root * width;
        for kind in 0..2 {
            let mut b = Builder::new(3);
            let (u, v, c) = (b.input(0), b.input(1), b.input(2));
            let (square, two) = (b.mul(u, u), b.constant(2.0));
            let (sum, shifted) = (b.add(square, v), b.sub(v, two));
            let other = b.mul(u, shifted);
            let output = b.sub(if kind == 0 { sum } else { other }, c);
            let tape = b.finish(&[output]);
            let y = if kind == 0 { root - x * x } else { root / x + 2.0 };
            let kept = Enclosure::new(&tape, &[0.0, 0.0, root], &[0, 1]).contract(&[0], &sides).unwrap();
            prop_assert!(kept[0].contains(x) && kept[1].lo <= y + 1e-9 && y - 1e-9 <= kept[1].hi, "{kept:?} {x} {y}");
        }
    }
}

#[test]
fn the_mean_value_theorem_is_not_used_across_a_jump() {
    let jump = tape(|b, x, _| b.unary(Unary::Signum, x));
    let mut enclosure = Enclosure::new(&jump, &[0.0, 0.0], &[0, 1]);
    enclosure.enclose(&[Interval::new(-1.0, 1.0), Interval::from_f64(0.0)]);
    assert_eq!(enclosure.gradient(&[(0, Interval::from_f64(1.0))])[0], Interval::WHOLE);
}

#[test]
fn the_structure_shows_reads_and_periods() {
    let mut b = Builder::new(3);
    let (x, y, z) = (b.input(0), b.input(1), b.input(2));
    let two = b.constant(2.0);
    let (double, half) = (b.mul(two, x), b.div(x, two));
    let sum = b.sub(double, y);
    let (turn, slow, height) = (b.unary(Unary::Sin, sum), b.unary(Unary::Cos, half), b.mul(z, z));
    let mixed = b.add(turn, z);
    let drift = b.add(turn, x);
    let tape = b.finish(&[turn, slow, height, mixed, drift]);
    assert_eq!(tape.reads(0), [true, true, false, true, true]);
    assert_eq!(tape.is_periodic(0), [true, false, true, true, false]);
    assert_eq!(tape.is_periodic(1), [true; 5]);
    assert_eq!(tape.is_periodic(2), [true, true, false, false, true]);
}

#[test]
fn a_cone_says_of_its_output_what_the_whole_tape_says() {
    let mut builder = Builder::new(2);
    let [x, y] = [0, 1].map(|i| builder.input(i));
    let (sine, square) = (builder.unary(Unary::Sin, x), builder.mul(y, y));
    let (sum, quotient) = (builder.add(sine, square), builder.div(x, y));
    let tape = builder.finish(&[sum, quotient, square]);
    let mut enclosure = Enclosure::new(&tape, &[0.0, 0.0], &[0, 1]);
    let cones: Vec<_> = (0..3).map(|i| enclosure.cone(&[i])).collect();
    for sides in [[(0.1, 0.4), (1.0, 2.0)], [(-1.0, 3.0), (0.5, 0.75)]] {
        let sides = sides.map(|(lo, hi)| Interval { lo, hi });
        for (i, cone) in cones.iter().enumerate() {
            enclosure.enclose(&sides);
            let whole = (enclosure.output(i), enclosure.gradient(&[(i, Interval { lo: 1.0, hi: 1.0 })]));
            // what other outputs need is of another box
            enclosure.enclose(&[Interval { lo: 7.0, hi: 8.0 }; 2]);
            enclosure.enclose_in(cone, &sides);
            assert_eq!((enclosure.output(i), enclosure.slopes_in(cone, i)), whole);
        }
    }
}
