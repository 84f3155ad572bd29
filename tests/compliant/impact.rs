//! Impacts with and without collision: independent integrations, the limit in closed form, the divide of an indeterminate
//! state, and work that does not grow with 1/ε.

use super::{Subject, laws};
use mechan::contact::Laws;
use mechan::contact::{Planar, Slip};
use mechan::impact::Velocity;
use mechan::simulate::compliant::{Motion, Options, Preload, Side, divide, fast_impact};
use mechan::simulate::trajectory::{EventKind, Status};

/// v⁺ of the rod at θ = 1, μ = 1.6, u⁻ = 1, δ = 1/2 by Runge-Kutta steps of ε/2000 in coordinates of the tip, each change of mode
/// by bisection.
const BY_RUNGE_KUTTA: [(f64, f64); 2] = [(1e-3, 0.122_736_906_1), (1e-5, 0.115_733_992_0)];

fn paradoxical() -> Laws {
    laws(1.6, 1.0, 0.5)
}

/// A, B, C, a, b of the rod by hand.
fn planar(theta: f64, omega: f64) -> Planar {
    let (s, c) = theta.sin_cos();
    let turn = omega * omega;
    Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, -turn * c, turn * s - 1.0)
}

/// (u, v) of the tip where its force first vanishes.
fn rebound(motion: &Motion) -> Velocity {
    let lift = motion.trajectory.events.iter().find(|e| e.kind == EventKind::LiftOff).unwrap();
    let v = |i: usize| lift.v.0[i].1.0;
    let (s, c) = lift.q.0[2].1.0.sin_cos();
    Velocity { u: v(0) - v(2) * s, v: v(1) - v(2) * c }
}

#[test]
fn an_inconsistent_state_leaves_by_an_impact_without_collision() {
    for (eps, expected) in BY_RUNGE_KUTTA {
        let rod = Subject::rod(1.0, (1.0, 0.0, 0.0), paradoxical());
        let motion = rod.run(&Options { rtol: 1e-11, ..Options::new(eps, 0.05) });
        assert_eq!(motion.trajectory.status, Status::End);
        let rate = rebound(&motion).v;
        assert!((rate - expected).abs() < 1e-8, "{rate} {expected}");
        assert!(motion.trajectory.energy.defect.0.abs() < 1e-10);
    }
}

#[test]
fn impacts_without_collision_tend_to_the_closed_form_with_any_damping() {
    for damping in [0.1, 0.5, 2.0] {
        let laws = laws(1.6, 1.0, damping);
        let limit =
            fast_impact(&planar(1.0, 0.0), laws.friction, laws.compliance, Velocity { u: 1.0, v: 0.0 })
                .unwrap();
        let miss = |eps: f64| {
            let motion = Subject::rod(1.0, (1.0, 0.0, 0.0), laws).run(&Options::new(eps, 0.1));
            (rebound(&motion).v - limit.post.v).abs()
        };
        let misses: Vec<f64> = (3..=7).map(|k| miss(10f64.powi(-k))).collect();
        // of order ε ln(1/ε): the time that the saddle takes
        for pair in misses.windows(2) {
            assert!(pair[1] < 0.2 * pair[0], "{damping}: {misses:?}");
        }
        assert!(misses[4] < 6e-6, "{damping}: {misses:?}");
    }
}

#[test]
fn impacts_with_collision_tend_to_the_closed_form() {
    for (theta, mu, u) in
        [(1.0, 1.6, 1.0), (1.0, 0.5, 0.2), (1.0, 0.5, -0.1), (0.4, 1.0, 1.0), (1.2, 0.1, 2.0)]
    {
        let laws = laws(mu, 2.0, 0.6);
        let pre = Velocity { u, v: -1.0 };
        let limit = fast_impact(&planar(theta, 0.0), laws.friction, laws.compliance, pre).unwrap();
        let motion = Subject::rod(theta, (u, -1.0, 0.0), laws).run(&Options::new(1e-8, 1e-3));
        let found = rebound(&motion);
        let miss = (found.u - limit.post.u).hypot(found.v - limit.post.v);
        assert!(miss < 1e-6, "{theta} {mu} {u}: {found:?} {limit:?}");
    }
}

#[test]
fn the_side_of_the_divide_decides_an_indeterminate_state() {
    let (omega, laws, planar) = (2.0, paradoxical(), planar(1.0, 2.0));
    let line = divide(&planar, laws.friction, Slip::Pos, laws.compliance).unwrap();
    let mut sides = [0, 0];
    for eps in [1e-4, 1e-6, 1e-8] {
        for k in 1..8 {
            // starts at rest in depth, and on the surface with a speed
            let part = 0.26 * f64::from(k);
            for start in [[part * line.equilibrium, 0.0], [0.0, part * line.approach()]] {
                let rod = Subject::rod(1.0, (1.0, 0.0, omega), laws);
                let preload = [Preload { contact: 0, Y: start[0], V: start[1] }];
                let motion = rod.run(&Options { preload: &preload, ..Options::new(eps, 1e3 * eps) });
                let stuck = motion.trajectory.events.iter().any(|e| e.kind == EventKind::Stick);
                let expected = line.side(start);
                assert_eq!(stuck, expected == Side::Impact, "{eps} {start:?}");
                sides[usize::from(stuck)] += 1;
            }
        }
    }
    assert!(sides[0] > 10 && sides[1] > 10, "{sides:?}");
}

/// The start within a part in 10⁴ of the divide: both sides still as the closed form says, ε small enough.
#[test]
fn the_divide_is_sharp() {
    let (laws, planar) = (paradoxical(), planar(1.0, 2.0));
    let line = divide(&planar, laws.friction, Slip::Pos, laws.compliance).unwrap();
    for (part, impact) in [(0.9999, false), (1.0001, true)] {
        let rod = Subject::rod(1.0, (1.0, 0.0, 2.0), laws);
        let preload = [Preload { contact: 0, Y: 0.0, V: part * line.approach() }];
        let motion = rod.run(&Options { preload: &preload, rtol: 1e-10, ..Options::new(1e-7, 1e-4) });
        let stuck = motion.trajectory.events.iter().any(|e| e.kind == EventKind::Stick);
        assert_eq!(stuck, impact, "{part}");
    }
}

#[test]
fn work_does_not_grow_with_stiffness() {
    let cases = [
        ("slip", Subject::rod(1.0, (1.0, 0.0, 0.0), laws(0.5, 1.0, 0.5)), 0.5, 1.15),
        ("impact", Subject::rod(1.0, (1.0, -1.0, 0.0), laws(0.5, 1.0, 0.5)), 1.0, 1.15),
        ("stick", Subject::rod(1.2, (0.0, 0.0, 0.0), laws(0.5, 1.0, 0.5)), 1.0, 1.15),
        // the saddle is left from rounding-free rest: ln(1/ε) of its times
        ("without collision", Subject::rod(1.0, (1.0, 0.0, 0.0), paradoxical()), 0.05, 3.0),
    ];
    for (name, rod, end, growth) in cases {
        let steps = |eps: f64| {
            let motion = rod.run(&Options::new(eps, end));
            assert_eq!(motion.trajectory.status, Status::End, "{name}");
            assert!(motion.trajectory.energy.defect.0.abs() < 1e-8, "{name}");
            motion.trajectory.work.steps as f64
        };
        let (soft, stiff) = (steps(1e-3), steps(1e-9));
        assert!(stiff <= growth * soft && stiff < 400.0, "{name}: {soft} {stiff}");
    }
}
