//! Fitted orders: every scheme has its own on the oscillator, with friction, on a nonlinear mechanism and in space; on the ball one
//! more, since free flight is exact and only the critical steps, of length hᵖ⁺¹, err.

use super::{Kept, assert_slopes};
use mechan::pipeline::ConvergeOptions;

/// Steps at which errors of a method are neither those of the first terms alone nor rounding.
fn counts(order: u32) -> &'static [u32] {
    match order {
        2 => &[67, 127, 257, 509],
        3 => &[89, 181, 367, 727],
        4 => &[31, 67, 127, 257],
        5 => &[127, 181, 257, 367],
        _ => &[23, 31, 47, 67, 89],
    }
}

/// Where impacts fall within their steps is chance: only over many steps it averages out.
const FIRST_ORDER: [u32; 15] =
    [101, 151, 199, 281, 397, 569, 797, 1129, 1597, 2267, 3203, 4519, 6397, 9041, 12799];

const METHODS: [(&str, u32); 10] = [
    ("lobatto-2", 2),
    ("radau-3", 3),
    ("lobatto-4", 4),
    ("radau-5", 5),
    ("lobatto-6", 6),
    ("herk-2", 2),
    ("herk-3", 3),
    ("herk-4", 4),
    ("herk-5", 5),
    ("herk-6", 6),
];

#[test]
fn event_capturing_has_its_order_on_the_oscillator() {
    let oscillator = Kept::oscillator();
    for (name, order) in METHODS {
        let found = oscillator.study(10.0, &[name], counts(order));
        let [study] = &found.studies[..] else { panic!("one scheme") };
        let p = f64::from(order);
        assert_eq!((study.order, study.runs.len()), (order, counts(order).len()), "{:?}", study.failed);
        assert_slopes(study, "q", &study.slopes.q, (p - 0.2, p + 0.2));
        let v = &study.slopes.v;
        for slope in [v.l1, v.l2, v.uniform, v.hausdorff] {
            assert!((slope.0 - p).abs() < 0.2, "{name}: {v:?}");
        }
    }
}

/// Slopes of p + 1 in positions: the height that a critical step of length hᵖ⁺¹ loses is all the error that there is, through
/// infinitely many impacts and their end at t = 3.
#[test]
fn on_the_ball_the_error_is_that_of_the_critical_steps() {
    let ball = Kept::ball();
    for (name, order) in METHODS.into_iter().filter(|(_, order)| *order < 6) {
        let p = f64::from(order);
        let counts: &[u32] = if order < 4 { &[31, 67, 127, 257] } else { &[17, 31, 47, 67] };
        let found = ball.study(5.0, &[name], counts);
        let study = &found.studies[0];
        assert_slopes(study, "q", &study.slopes.q, (p + 0.8, p + 1.2));
        assert!(study.slopes.v.hausdorff.0 > p - 0.5, "{name}: {:?}", study.slopes.v);
    }
}

/// [A09 2.1, 3.2]: order one in the distance of filled-in graphs and in the mean, none in the largest error of velocities.
#[test]
fn schemes_of_order_one_have_it_in_the_norms_that_allow_for_jumps() {
    for (mechanism, t_end) in [(Kept::ball(), 5.0), (Kept::oscillator(), 10.0)] {
        let found = mechanism.study(t_end, &["moreau", "moreau-projected", "schatzman-paoli"], &FIRST_ORDER);
        for study in &found.studies {
            assert_slopes(study, "q", &study.slopes.q, (0.8, 1.2));
            // projected positions end in hops, whose errors add up to h ln(1/h)
            let least = if study.scheme == "moreau-projected" { 0.7 } else { 0.8 };
            assert_slopes(study, "v", &study.slopes.v, (least, 1.2));
            assert!(study.slopes.v.uniform.0 < 0.3, "{}: {:?}", study.scheme, study.slopes.v);
        }
    }
}

/// Stick-slip on a belt, a pencil that begins to slip, a rod in space that slips along a curve.
#[test]
fn stick_slip_and_space_cost_no_order() {
    let cases = [
        ("tests/simulate/models/mass_on_belt.json", "", &[][..], 6.0),
        ("benches/models/falling_pencil.json", "falling", &[], 0.6),
        ("benches/models/rod_3d.json", "across", &["mu=0.4"], 1.0),
    ];
    for (path, state, set, t_end) in cases {
        let kept = Kept::at(path);
        for (name, order) in [("lobatto-2", 2), ("herk-3", 3), ("herk-4", 4), ("moreau", 1)] {
            let counts: &[u32] = match (order, path.contains("rod_3d")) {
                (1, _) => &[367, 727, 1459, 2917],
                // more are near rounding
                (_, true) => &[31, 47, 67, 89],
                (_, false) => &[89, 127, 181, 257],
            };
            let options = ConvergeOptions {
                state: (!state.is_empty()).then(|| state.to_string()),
                set: set.iter().map(ToString::to_string).collect(),
                t_end: Some(t_end),
                schemes: vec![name.to_string()],
                steps: counts.iter().map(|&n| t_end / f64::from(n)).collect(),
                ..ConvergeOptions::default()
            };
            let found = kept.try_study(&options).unwrap();
            let (study, p) = (&found.studies[0], f64::from(order));
            // without impacts the middle of the step gives positions a second order
            let most = if order == 1 { 2.2 } else { p + 0.3 };
            assert_slopes(study, path, &study.slopes.q, (p - 0.3, most));
            assert_slopes(study, path, &study.slopes.v, (p - 0.3, most));
        }
    }
}

/// Slip that ends in stick: the order stays, since the event is located as closely as an impact.
#[test]
fn friction_that_ends_slip_costs_no_order() {
    let block = Kept::at("tests/converge/models/box_on_incline.json");
    for (name, order) in [("lobatto-2", 2), ("radau-3", 3), ("herk-4", 4), ("radau-5", 5)] {
        let counts: &[u32] = if order < 4 { &[47, 89, 181, 367] } else { &[31, 47, 67, 127] };
        let found = block.study(1.5, &[name], counts);
        let (study, p) = (&found.studies[0], f64::from(order));
        assert!(found.reference.error.0 < 1e-10, "{:?}", found.reference);
        assert_slopes(study, "q", &study.slopes.q, (p - 0.3, p + 0.5));
        assert_slopes(study, "v", &study.slopes.v, (p - 0.3, p + 0.5));
    }
}

#[test]
fn a_nonlinear_mechanism_that_strikes_a_wall_costs_no_order() {
    let pendulum = Kept::at("tests/converge/models/double_pendulum_wall.json");
    for (name, order) in [("lobatto-2", 2), ("radau-3", 3), ("herk-4", 4), ("radau-5", 5)] {
        let counts: &[u32] = if order < 4 { &[89, 181, 367, 727] } else { &[67, 127, 181, 257] };
        let found = pendulum.study(2.0, &[name], counts);
        let (study, p) = (&found.studies[0], f64::from(order));
        assert_slopes(study, "q", &study.slopes.q, (p - 0.2, p + 0.3));
        assert_slopes(study, "v", &study.slopes.v, (p - 0.2, p + 0.3));
    }
}
