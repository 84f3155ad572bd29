//! What the schemes do in the cells of Table 2 of [CV16] where rigid bodies have no motion or several, before a jam, and where
//! bounces could grow out of rest: the numbers of `docs/studies/discrete_paradoxes.md`.

use crate::{Asked, assert_near, column};
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};
use mechan::stepping::SchemeName;

const SCHEMES: [SchemeName; 3] =
    [SchemeName::Moreau, SchemeName::MoreauProjected, SchemeName::SchatzmanPaoli];
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

fn rod(state: &str, scheme: SchemeName, step: f64, t_end: f64) -> Trajectory {
    let file = "benches/models/painleve_rod.json";
    let motion = Asked { file, state, set: &[], scheme, step, t_end, theta: 0.5 }.run();
    assert_eq!(motion.status, Status::End, "{state} {scheme} {step}: {:?}", motion.reason);
    motion
}

/// The normal impulse of a step.
fn impulse(motion: &Trajectory, step: usize) -> f64 {
    let t = column(motion, "t");
    (t[step] - t[step - 1]) * column(motion, "tip.N")[step]
}

#[test]
fn where_nothing_is_consistent_every_scheme_finds_the_impact_without_collision() {
    // A = 17/5, B = 6/5, C = 8/5 at tan(theta) = 2: what stops u = 1 and leaves v = 0 has the normal impulse
    // B u/(A C - B^2) = 3/10, and there is no restitution of v = 0 by Newton's law
    for scheme in SCHEMES {
        for h in STEPS {
            let motion = rod("inconsistent", scheme, h, 0.1);
            assert_near(impulse(&motion, 1), 0.3, h, "impulse of the first step");
            let slip = column(&motion, "tip.slip");
            let after = if scheme == SchemeName::SchatzmanPaoli { 2 } else { 1 };
            assert_near(slip[after], 0.0, h, "slip after it");
            let gap = column(&motion, "tip.gap").iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
            assert!(gap < h, "{scheme} {h}: {gap:e}");
        }
    }
}

#[test]
fn where_two_motions_are_consistent_the_schemes_part() {
    for h in STEPS {
        // Moreau's scheme goes on as it came: slip, whose normal force -b/p+ is 0.031, for a step; then the gap that has opened
        // by rounding and the error of the step lets it lift off
        for scheme in [SchemeName::Moreau, SchemeName::MoreauProjected] {
            let motion = rod("indeterminate", scheme, h, 0.1);
            assert_near(column(&motion, "tip.N")[1], 0.0311, 1.3 * h + 2e-4, "force of the slip");
            assert!(column(&motion, "tip.N")[2] <= 0.0);
            assert_near(*column(&motion, "tip.slip").last().unwrap(), 0.9148, 0.3 * h, "slip at the end");
        }
        // the scheme at position level begins with a velocity that is half a step old and finds the impact
        let motion = rod("indeterminate", SchemeName::SchatzmanPaoli, h, 0.1);
        assert_near(impulse(&motion, 1), 0.3, h, "impulse");
        assert_near(*column(&motion, "tip.slip").last().unwrap(), -0.1635, h, "slip at the end");
    }
}

#[test]
fn the_first_step_sees_a_share_of_the_centripetal_acceleration() {
    // U at the end of the step is taken with H(q_theta): of b = -1 + 9 sin(theta)/4 the first step from U = 0 has -1 + theta 9 sin(theta)/4,
    // so that theta = 0 is in the inconsistent cell, theta = 1/2 barely and theta = 1 well in the indeterminate one: N = -b/p, p = -1/5
    let b = |theta: f64| -1.0 + theta * 2.25 * (2.0 / 5.0_f64.sqrt());
    let first = |theta: f64, h: f64| {
        let file = "benches/models/painleve_rod.json";
        let scheme = SchemeName::Moreau;
        Asked { file, state: "indeterminate", set: &[], scheme, step: h, t_end: 10.0 * h, theta }.run()
    };
    for h in STEPS {
        let motion = first(0.0, h);
        assert_near(impulse(&motion, 1), 0.3, h, "theta = 0: the impact");
        for theta in [0.5, 1.0] {
            let motion = first(theta, h);
            assert_near(column(&motion, "tip.N")[1], -b(theta) / -0.2, 200.0 * h, "slip");
        }
    }
}

#[test]
fn where_three_are_consistent_at_rest_all_lift_off_at_once_or_after_some_stick() {
    // (Ba - Ab)/(AC - B^2) with a = 8, b = 0.1
    let (A, B, C): (f64, f64, f64) = (3.4, 1.2, 1.6);
    let stick = (B * 8.0 - A * 0.1) / (A * C - B * B);
    for scheme in SCHEMES {
        for h in STEPS {
            let motion = rod("stick_or_lift_off", scheme, h, 0.1);
            let forces = column(&motion, "tip.N");
            // until the gap that a step leaves is more than its rounding
            let held = match scheme {
                SchemeName::SchatzmanPaoli => 0,
                _ if h < 5e-4 => 9,
                _ => 1,
            };
            let (pressed, free) = forces[1..].split_at(held);
            pressed.iter().for_each(|force| assert_near(*force, stick, 0.3 * h * held as f64, "stick"));
            assert!(free.iter().all(|force| *force <= 0.0), "{scheme} {h}");
            // b = 0.1
            let flight = 0.1 - held as f64 * h;
            assert_near(
                *column(&motion, "tip.gap").last().unwrap(),
                0.5 * 0.1 * flight * flight,
                6e-3 * h + 1e-9,
                "gap",
            );
        }
    }
}

#[test]
fn growing_bounces_stay_of_the_size_of_the_step() {
    // e_eff = e < 1 by Newton's law: what leaves rest, by rounding and the error of the step, comes back
    for scheme in SCHEMES {
        for h in STEPS {
            let motion = rod("reverse_chatter", scheme, h, 0.1);
            let gap = column(&motion, "tip.gap").iter().fold(0.0_f64, |m, gap| m.max(gap.abs()));
            assert!(gap < h * h * 10.0, "{scheme} {h}: {gap:e}");
        }
    }
}

#[test]
fn before_a_jam_the_result_does_not_converge() {
    // one more digit of the step is another sequence of impacts
    let ends =
        STEPS.map(|h| *column(&rod("before_jam", SchemeName::Moreau, h, 0.2), "tip.slip").last().unwrap());
    let spread = ends.iter().fold(f64::MIN, |m, x| m.max(*x)) - ends.iter().fold(f64::MAX, |m, x| m.min(*x));
    assert!(spread > 0.3, "{ends:?}");
    let impacts = |h: f64| {
        let motion = rod("before_jam", SchemeName::Moreau, h, 0.2);
        motion.events.iter().filter(|event| event.kind == EventKind::Impact).count()
    };
    assert!(impacts(1e-4) > impacts(1e-2));
}
