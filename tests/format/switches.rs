//! `min`, `max`, `sign` and `if`: what they are, and where they may stand.

use crate::shared::{PLANE, faults};
use mechan::diag::Span;
use mechan::expression::{Env, Names, Scope, SourceMap, parse};

const NAN: f64 = f64::NAN;

fn value(text: &str, [x, y]: [f64; 2]) -> f64 {
    let names = Names { coordinates: vec!["x".into(), "y".into()], ..Names::default() };
    let scope = Scope::velocity(&names, "a force");
    let expr =
        parse(text, &scope, &SourceMap::Whole(Span::default())).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    expr.eval(&Env { t: 0.0, q: &[x, y], v: &[0.0, 0.0], parameters: &[], definitions: &[] })
}

/// The same number; of the two zeros either.
fn same(a: f64, b: f64) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits()
}

/// Values from −2 to 2 and some that are hard: zeros, equal ones, very different ones.
fn pairs() -> Vec<[f64; 2]> {
    let numbers = [-2.0, -1e-300, 0.0, -0.0, 1.0, 1.0 + f64::EPSILON, 1e20, f64::INFINITY];
    numbers.iter().flat_map(|&x| numbers.map(|y| [x, y])).collect()
}

#[test]
fn values_are_those_of_the_words() {
    for [x, y] in pairs() {
        assert!(same(value("min(x, y)", [x, y]), x.min(y)), "{x} {y}");
        assert!(same(value("max(x, y)", [x, y]), x.max(y)), "{x} {y}");
        let sign = if x > 0.0 {
            1.0
        } else if x < 0.0 {
            -1.0
        } else {
            0.0
        };
        assert!(same(value("sign(x)", [x, y]), sign), "{x}");
        // the difference of two infinities is not a number, and neither is what it decides
        let known = (x - y).is_finite() || !same(x, y);
        for (text, holds) in [("<", x < y), ("<=", x <= y), (">", x > y), (">=", x >= y)] {
            let found = value(&format!("if(x {text} y, 3, 5)"), [x, y]);
            assert!(!known || same(found, if holds { 3.0 } else { 5.0 }), "{x} {text} {y}: {found}");
        }
    }
}

#[test]
fn a_way_that_is_not_taken_may_be_undefined() {
    assert!(same(value("if(x > 0, sqrt(x), 0)", [-4.0, 0.0]), 0.0));
    assert!(same(value("if(x > 0, sqrt(x), -x)", [4.0, 0.0]), 2.0));
    assert!(same(value("if(x <= 0, -x, log(x))", [-4.0, 0.0]), 4.0));
    assert!(value("min(x, y)", [NAN, 1.0]).is_nan() && value("min(x, y)", [1.0, NAN]).is_nan());
    assert!(value("if(x > 0, 1, 2)", [NAN, 0.0]).is_nan());
}

#[test]
fn what_is_differentiated_does_not_switch() {
    let at = |x: &str| PLANE.replacen("position: [x, y]", &format!("position: ['{x}', y]"), 1);
    let codes = |text: &str| {
        let all = faults(text.as_bytes()).1.into_iter().map(|f| f.code);
        all.filter(|code| code.starts_with("M1")).collect::<Vec<_>>()
    };
    assert_eq!(codes(&at("max(x, 0)")), ["M117"]);
    let defined = |text: &str| text.replacen("bodies:", "definitions: {far: 'max(x, 0)'}\nbodies:", 1);
    assert_eq!(codes(&defined(PLANE)), [""; 0]);
    assert_eq!(codes(&defined(&at("far"))), ["M117"]);
    let force = PLANE.replacen(
        "contacts:",
        "forces: [{coordinate: x, value: 'if(dot(x) > far, -1, m)'}]\ncontacts:",
        1,
    );
    assert_eq!(codes(&defined(&force)), [""; 0]);
    let spring = "forces: [{torsion: x, stiffness: m, angle: 'if(t < 1, 0, 2)'LIMIT}]\ncontacts:";
    let spring = |limit: &str| PLANE.replacen("contacts:", &spring.replacen("LIMIT", limit, 1), 1);
    assert_eq!(codes(&spring("")), ["M117"]);
    assert_eq!(codes(&spring(", limit: 3*m")), [""; 0]);
}
