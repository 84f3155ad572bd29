//! A point on a rough floor, and between walls: closed forms.

use crate::{Asked, assert_near, column, last};
use mechan::simulate::trajectory::{EventKind, Trajectory};
use mechan::stepping::SchemeName;

const H: f64 = 1e-3;

fn point(set: &[&str], scheme: SchemeName, t_end: f64) -> Trajectory {
    let file = "benches/models/point.json";
    Asked { file, state: "on_the_floor", set, scheme, step: H, t_end, theta: 0.5 }.run()
}

#[test]
fn a_sliding_block_stops_and_stays() {
    // v0 = 1, mu g = 1/2: it stops at t = 2 after a way of 1
    let motion = point(&["dot(x)=1"], SchemeName::Moreau, 3.0);
    for (t, v) in column(&motion, "t").iter().zip(column(&motion, "dot(x)")) {
        assert_near(v, (1.0 - 0.5 * t).max(0.0), 1e-12, "velocity");
    }
    assert_near(last(&motion, "x"), 1.0, 1e-6, "way");
    let stick = motion.events.iter().find(|event| event.kind == EventKind::Stick).unwrap();
    assert_near(stick.t.0, 2.0, 2.0 * H, "it sticks");
    assert_near(motion.energy.friction.0, -0.5, 1e-12, "friction");
    assert_near(motion.energy.defect.0, 0.0, 1e-12, "defect");
    assert_near(last(&motion, "floor.N"), 1.0, 1e-12, "force of the floor");
    assert_near(last(&motion, "floor.T"), 0.0, 1e-12, "friction at rest");
    assert_eq!(&*motion.phases.last().unwrap().mode.0[0].1, "stick");
}

#[test]
fn positions_give_the_same_stop() {
    let motion = point(&["dot(x)=1"], SchemeName::SchatzmanPaoli, 3.0);
    assert_near(last(&motion, "x"), 1.0, 2.0 * H, "way");
    assert_near(last(&motion, "dot(x)"), 0.0, 1e-12, "velocity");
}

#[test]
fn a_belt_takes_it_along() {
    // the floor runs at 1: the slip vanishes at t = 2; the belt's work is twice what the point gains
    let motion = point(&["w=1"], SchemeName::Moreau, 3.0);
    assert_near(last(&motion, "dot(x)"), 1.0, 1e-12, "velocity");
    assert_near(motion.energy.work.0, 1.0, 1e-12, "work of the belt");
    assert_near(motion.energy.friction.0, -0.5, 1e-12, "friction");
    assert_near(motion.energy.defect.0, 0.0, 1e-12, "defect");
}

#[test]
fn a_slope_holds_it_up_to_its_friction() {
    for (push, moves) in [("g_x=0.499", false), ("g_x=0.501", true)] {
        for scheme in [SchemeName::Moreau, SchemeName::MoreauProjected, SchemeName::SchatzmanPaoli] {
            let motion = point(&[push], scheme, 0.5);
            assert_eq!(last(&motion, "dot(x)") > 1e-6, moves, "{push} {scheme}");
        }
    }
}

#[test]
fn a_spring_swings_as_the_middle_rule_says() {
    // without friction, theta = 1/2 is the Cayley transform of the oscillator: a rotation by 2 atan(h/2) a step
    let motion = point(&["k=1", "mu=0", "x=1"], SchemeName::Moreau, 10.0);
    let angle = 2.0 * (0.5 * H).atan();
    for (k, x) in column(&motion, "x").iter().enumerate() {
        assert_near(*x, (k as f64 * angle).cos(), 1e-10, "swing");
    }
}

#[test]
fn tangential_restitution_turns_the_slip() {
    // a superball: both velocities turn
    let file = "tests/stepping/models/vise.json";
    let set = ["e=1", "e_T=0.5", "mu=10", "dot(x)=4", "dot(y)=1"];
    let motion = Asked {
        file,
        state: "between",
        set: &set,
        scheme: SchemeName::Moreau,
        step: H,
        t_end: 0.3,
        theta: 0.5,
    }
    .run();
    let impact = motion.events.iter().find(|event| event.kind == EventKind::Impact).unwrap();
    assert_near(impact.t.0, 0.2, 2.0 * H, "impact");
    // U_N = -1 - dot(x): -5 turns into 5, so that dot(x) = -6
    assert_near(last(&motion, "dot(x)"), -6.0, 1e-12, "normal");
    assert_near(last(&motion, "dot(y)"), -0.5, 1e-12, "tangential");
    let work = motion.energy.work.0;
    assert!(work > 0.0, "the wall does work: {work}");
    assert_near(motion.energy.defect.0, 0.0, 1e-12, "defect");
}

#[test]
fn a_bilateral_contact_takes_either_sign() {
    // painleve_klein by its own equations; see `equations`
    let file = "tests/stepping/models/painleve_klein.json";
    let asked = Asked {
        file,
        state: "sliding",
        set: &[],
        scheme: SchemeName::Moreau,
        step: 1e-4,
        t_end: 0.1,
        theta: 0.5,
    };
    let motion = asked.run();
    for name in ["lower", "upper"] {
        let gaps = column(&motion, &format!("{name}.gap"));
        let worst = gaps.iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
        assert!(worst < 1e-4, "{name}: {worst:e}");
    }
    let projected = Asked { scheme: SchemeName::MoreauProjected, ..asked }.run();
    let worst = column(&projected, "lower.gap").iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
    assert!(worst < 1e-12, "projected: {worst:e}");
}
