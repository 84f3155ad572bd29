use super::reduced;
use crate::num::Interval;
use crate::num::random::Stream;
use crate::tape::{Builder, Tape, Unary, Value};

const WHOLE: Interval = Interval::WHOLE;
const SOME: Interval = Interval { lo: 0.5, hi: 2.0 };

/// Of the inputs y, θ, h, w, v: two feet, and something that a claim reads.
fn feet(far: impl Fn(&mut Builder, Value, Value) -> Value) -> Tape {
    let mut builder = Builder::new(5);
    let [y, theta, h, w, v] = [0, 1, 2, 3, 4].map(|i| builder.input(i));
    let (sin, cos) = (builder.unary(Unary::Sin, theta), builder.unary(Unary::Cos, theta));
    let (up, across) = (builder.mul(h, cos), builder.mul(w, sin));
    let height = builder.sub(y, up);
    let near = builder.sub(height, across);
    let across = far(&mut builder, sin, v);
    let far = builder.add(height, across);
    let claim = builder.mul(y, w);
    builder.finish(&[near, far, claim])
}

fn outputs(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; tape.outputs()];
    tape.eval(inputs, &mut found, &mut tape.scratch());
    found
}

#[test]
fn a_coordinate_is_left_in_one_equation_and_what_is_never_zero_goes() {
    let tape = feet(|builder, sin, v| builder.mul(v, sin));
    let found = reduced(&tape, 2, &[0, 1], &[WHOLE, WHOLE, SOME, SOME, SOME]).unwrap();
    assert_eq!(found.reads(0), [true, false, true]);
    assert_eq!(found.reads(2), [true, false, false]);
    // v and w have one sign, so that v sin θ + w sin θ is 0 where sin θ is
    for theta in [0.3, -2.0, 3.0_f64] {
        let inputs = [0.7, theta, 0.9, 1.1, 1.3];
        let (before, after) = (outputs(&tape, &inputs), outputs(&found, &inputs));
        assert!((after[0] - before[0]).abs() <= 0.0 && (after[2] - before[2]).abs() <= 0.0);
        assert!((after[1].abs() - theta.sin().abs()).abs() < 1e-15);
    }
}

#[test]
fn a_factor_that_may_be_zero_stays() {
    let tape = feet(|builder, sin, v| builder.mul(v, sin));
    let found =
        reduced(&tape, 2, &[0, 1], &[WHOLE, WHOLE, SOME, SOME, Interval { lo: -1.0, hi: 1.0 }]).unwrap();
    let inputs = [0.7, 1.2, 0.9, 0.8, -0.8];
    assert!(outputs(&found, &inputs)[1].abs() < 1e-15, "v = −w: both feet are one");
}

#[test]
fn equations_are_zero_together_before_and_after() {
    // far: v θ beside − w sin θ, and no factor is common
    let tape = feet(|builder, _, v| {
        let theta = builder.input(1);
        builder.mul(v, theta)
    });
    let found = reduced(&tape, 2, &[0, 1], &[WHOLE, WHOLE, SOME, SOME, SOME]).unwrap();
    let mut random = Stream(7);
    for _ in 0..100 {
        let [theta, h, w, v] = [0, 1, 2, 3].map(|_| 0.5 + random.draw());
        let y = h * theta.cos() + w * theta.sin();
        let after = outputs(&found, &[y, theta, h, w, v]);
        let before = outputs(&tape, &[y, theta, h, w, v]);
        assert!(before[0].abs() < 1e-14 && after[0].abs() < 1e-14);
        // on the first one, the second is a multiple of what it was
        let scale = after[1] / before[1];
        assert!((scale.abs() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn what_may_be_undefined_or_has_nothing_in_common_stays() {
    let tape = feet(|builder, sin, v| {
        let root = builder.unary(Unary::Sqrt, v);
        builder.mul(root, sin)
    });
    assert_eq!(reduced(&tape, 2, &[0, 1], &[WHOLE, WHOLE, SOME, SOME, SOME]), None);
    let tape = feet(|builder, sin, v| builder.mul(v, sin));
    assert_eq!(reduced(&tape, 2, &[], &[WHOLE, WHOLE, SOME, SOME, SOME]), None);
    assert_eq!(reduced(&tape, 1, &[0, 1], &[WHOLE, WHOLE, SOME, SOME, SOME]), None);
}
