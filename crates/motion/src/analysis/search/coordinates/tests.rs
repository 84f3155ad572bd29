use super::{Plan, Structure};
use crate::num::{Interval, Tol};
use crate::tape::{Builder, Tape, Unary, Value};

/// A tape of (x, y, a, b) with φ and equations.
fn tape(write: impl Fn(&mut Builder, [Value; 4]) -> Vec<Value>) -> Tape {
    let mut builder = Builder::new(4);
    let inputs = [0, 1, 2, 3].map(|i| builder.input(i));
    let outputs = write(&mut builder, inputs);
    builder.finish(&outputs)
}

fn plan(tape: &Tape, ranges: &[(usize, Interval)]) -> Plan {
    Structure { tape, inputs: &[0.1, 0.2, 0.3, 0.4], coordinates: 0..4, ranges, first: &[] }
        .plan(&Tol::default())
}

/// sin a and y − sin a.
fn rod(b: &mut Builder, [_, y, a, _]: [Value; 4]) -> Vec<Value> {
    let s = b.unary(Unary::Sin, a);
    let gap = b.sub(y, s);
    vec![s, gap]
}

#[test]
fn a_height_of_its_own_follows_and_a_translation_does_not_matter() {
    let found = plan(&tape(rod), &[(2, Interval::new(0.0, 1.0))]);
    assert_eq!((found.slots, found.kept, found.needs), (vec![2], vec![], vec![]));
    assert_eq!(found.following, vec![(1, 1)]);
}

#[test]
fn a_height_with_a_range_stays_a_variable() {
    let found = plan(&tape(rod), &[(1, Interval::new(0.2, 0.4)), (2, Interval::new(0.0, 1.0))]);
    assert_eq!((found.slots, found.kept), (vec![1, 2], vec![1]));
}

#[test]
fn an_angle_that_nothing_fixes_is_asked_for_though_it_is_periodic() {
    assert_eq!(plan(&tape(rod), &[]).needs, vec![2]);
}

#[test]
fn an_angle_that_the_gap_determines_has_a_whole_turn() {
    let two_links = tape(|b, [_, _, one, two]| {
        let (c, d) = (b.unary(Unary::Cos, one), b.unary(Unary::Cos, two));
        let (sum, difference) = (b.add(c, d), b.sub(one, two));
        let reach = b.constant(1.2);
        let (gap, phi) = (b.sub(sum, reach), b.unary(Unary::Cos, difference));
        vec![phi, gap]
    });
    let found = plan(&two_links, &[(2, Interval::new(0.1, 1.0))]);
    assert!(found.asked().is_empty() && found.slots == [2, 3]);
    let turn = std::f64::consts::PI;
    assert!(found.sides[1].contains(-turn) && found.sides[1].contains(turn) && found.sides[1].width() < 6.3);
    // half an angle has not the period 2π
    let halved = tape(|b, [_, _, one, two]| {
        let two_halves = b.constant(0.5);
        let half = b.mul(two, two_halves);
        let (c, d) = (b.unary(Unary::Cos, one), b.unary(Unary::Cos, half));
        let gap = b.sub(c, d);
        vec![d, gap]
    });
    assert_eq!(plan(&halved, &[(2, Interval::new(0.1, 1.0))]).unbounded, vec![3]);
}

#[test]
fn a_length_that_the_gap_determines_gets_its_range_from_it() {
    // a telescope of length b at angle a reaches the height 2: φ reads b
    let telescope = tape(|builder, [_, _, a, b]| {
        let c = builder.unary(Unary::Cos, a);
        let (reach, two) = (builder.mul(b, c), builder.constant(2.0));
        let gap = builder.sub(reach, two);
        let square = builder.mul(b, b);
        vec![square, gap]
    });
    let found = plan(&telescope, &[(2, Interval::new(0.0, 1.0))]);
    assert!(found.asked().is_empty() && found.slots == [2, 3]);
    let length = found.sides[1];
    assert!(
        length.contains(2.0) && length.contains(2.0 / 1.0_f64.cos()) && length.width() < 1.8,
        "{length:?}"
    );
    // through the horizontal it has no bound: the file is asked
    assert_eq!(plan(&telescope, &[(2, Interval::new(0.0, 2.0))]).unbounded, vec![3]);
    // and where it is given too short, there is no contact
    assert!(plan(&telescope, &[(2, Interval::new(0.0, 1.0)), (3, Interval::new(0.0, 1.9))]).empty);
}

#[test]
fn coordinates_that_two_gaps_determine_together_get_bounds() {
    // a turned frame: x cos + y sin = 1, y cos − x sin = 2
    let turned = tape(|b, [x, y, angle, _]| {
        let (c, s) = (b.unary(Unary::Cos, angle), b.unary(Unary::Sin, angle));
        let (one, two) = (b.constant(1.0), b.constant(2.0));
        let products = [(x, c), (y, s), (y, c), (x, s)].map(|(p, q)| b.mul(p, q));
        let (along, across) = (b.add(products[0], products[1]), b.sub(products[2], products[3]));
        let sum = b.add(x, y);
        vec![sum, b.sub(along, one), b.sub(across, two)]
    });
    let found = plan(&turned, &[(2, Interval::new(-0.1, 0.2))]);
    assert!(found.asked().is_empty() && found.slots == [0, 1, 2]);
    for angle in [-0.1_f64, 0.0, 0.07, 0.2] {
        let (s, c) = angle.sin_cos();
        assert!(found.sides[0].contains(c - 2.0 * s) && found.sides[1].contains(s + 2.0 * c), "{angle}");
    }
    assert!(found.sides[0].width() < 1.5 && found.sides[1].width() < 1.5, "{:?}", found.sides);
    // over more than half a turn the slopes are too wide
    assert_eq!(plan(&turned, &[(2, Interval::new(-2.0, 2.0))]).unbounded, vec![0, 1]);
}
