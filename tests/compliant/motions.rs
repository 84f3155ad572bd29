//! Whole motions against closed forms of the rigid theory: several contacts, space, bounces, stick and slip.

use super::linear::Linear;
use super::{Subject, column, laws};
use mechan::contact::Planar;
use mechan::impact::Velocity;
use mechan::simulate::compliant::{Motion, Options, fast_impact};
use mechan::simulate::trajectory::{EventKind, Status};

fn times(motion: &Motion, kind: EventKind) -> Vec<f64> {
    motion.trajectory.events.iter().filter(|e| e.kind == kind).map(|e| e.t.0).collect()
}

fn closes(motion: &Motion) {
    let energy = motion.trajectory.energy;
    assert!(energy.defect.0.abs() < 1e-8 * energy.initial.0.abs().max(1.0), "{energy:?}");
    assert!(motion.trajectory.drift.gap < 1e-7, "{:?}", motion.trajectory.drift);
}

/// A block of mass 1 on two feet at x = ±1/2, its centre 0.2 above them; gravity 10.
fn block() -> Linear {
    let foot = |side: f64| vec![vec![0.0, 1.0, side], vec![1.0, 0.0, 0.2]];
    Linear {
        masses: vec![1.0, 1.0, 0.5],
        stiffness: vec![0.0; 3],
        forces: vec![0.0, -10.0, 0.0],
        contacts: vec![foot(-0.5), foot(0.5)],
    }
}

#[test]
fn a_block_on_two_feet_slides_and_stops_as_the_rigid_one() {
    let subject = block().subject(&[0.0; 3], &[1.0, 0.0, 0.0], laws(0.3, 1.0, 1.0), &[0, 1]);
    let motion = subject.run(&Options { samples: 101, ..Options::new(1e-6, 0.5) });
    assert_eq!(motion.trajectory.status, Status::End);
    closes(&motion);
    // μg = 3: it stops after 1/3 s and 1/6 m; the front foot bears the moment of friction, 0.2·3 over 1/2·(N₁ − N₀)
    let stops = times(&motion, EventKind::Stick);
    assert!(stops.len() == 2 && stops.iter().all(|t| (t - 1.0 / 3.0).abs() < 2e-6), "{stops:?}");
    let (x, rear, front) = (
        column(&motion.trajectory, "q0"),
        column(&motion.trajectory, "c0.N"),
        column(&motion.trajectory, "c1.N"),
    );
    assert!((x[100] - 1.0 / 6.0).abs() < 2e-6);
    assert!((rear[40] - 4.4).abs() < 1e-5 && (front[40] - 5.6).abs() < 1e-5, "{} {}", rear[40], front[40]);
    assert!((rear[100] - 5.0).abs() < 1e-5 && (front[100] - 5.0).abs() < 1e-5);
}

/// The tangential forces of two feet are not unique: they share the load by their cones.
#[test]
fn a_block_on_two_feet_is_held_up_to_the_friction_of_both() {
    for (push, slides) in [(2.9, false), (3.1, true), (-2.9, false), (-3.1, true)] {
        let mut block = block();
        block.forces[0] = push;
        let subject = block.subject(&[0.0; 3], &[0.0; 3], laws(0.3, 1.0, 1.0), &[0, 1]);
        let motion = subject.run(&Options { samples: 101, ..Options::new(1e-6, 1.0) });
        assert_eq!(motion.trajectory.status, Status::End, "{push} {:?}", motion.trajectory.reason);
        closes(&motion);
        let (x, T) = (column(&motion.trajectory, "q0"), column(&motion.trajectory, "c0.T"));
        let expected = if slides { 0.05 * push.signum() } else { 0.0 };
        assert!((x[100] - expected).abs() < 1e-5, "{push}: {}", x[100]);
        if !slides {
            let N = column(&motion.trajectory, "c0.N");
            assert!((T[100] + push * N[100] / 10.0).abs() < 1e-5, "{} {}", T[100], N[100]);
        }
    }
}

/// A point of mass 1 on a plane in space; gravity 10, a force across.
fn sliding_point(across: f64) -> Linear {
    Linear {
        masses: vec![1.0; 3],
        stiffness: vec![0.0; 3],
        forces: vec![0.0, across, -10.0],
        contacts: vec![vec![vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]]],
    }
}

/// With F = μ m g and a force f across, F|u| + f·u falls at the constant rate F² − f²: the slip turns and ends at
/// F u₀/(F² − f²).
#[test]
fn a_slip_in_space_turns_and_ends_on_time() {
    let subject = sliding_point(2.0).subject(&[0.0; 3], &[1.0, 0.0, 0.0], laws(0.4, 1.0, 1.0), &[0]);
    let motion = subject.run(&Options { samples: 101, ..Options::new(1e-6, 0.5) });
    assert_eq!(motion.trajectory.status, Status::End, "{:?}", motion.trajectory.reason);
    closes(&motion);
    let stops = times(&motion, EventKind::Stick);
    assert!(stops.len() == 1 && (stops[0] - 4.0 / 12.0).abs() < 3e-6, "{stops:?}");
    let (one, two) = (column(&motion.trajectory, "c0.slip1"), column(&motion.trajectory, "c0.slip2"));
    for k in 1..60 {
        let fallen = 4.0 * one[k].hypot(two[k]) + 2.0 * two[k];
        assert!((fallen - (4.0 - 12.0 * 0.005 * k as f64)).abs() < 3e-5, "{k} {fallen}");
    }
    assert!(two[30] > 0.05);
    let held = column(&motion.trajectory, "c0.T2");
    assert!((held[100] + 2.0).abs() < 1e-9);
}

#[test]
fn a_stick_in_space_ends_at_the_cone() {
    for (across, slides) in [(3.9, false), (4.1, true)] {
        let subject = sliding_point(across).subject(&[0.0; 3], &[0.0; 3], laws(0.4, 1.0, 1.0), &[0]);
        let motion = subject.run(&Options::new(1e-6, 1.0));
        assert_eq!(motion.trajectory.status, Status::End, "{:?}", motion.trajectory.reason);
        let y = motion.trajectory.rows[199][2].0;
        let expected = if slides { 0.05 } else { 0.0 };
        assert!((y - expected).abs() < 1e-5, "{across}: {y}");
    }
}

/// A mass on a spring with friction: each half swing is centred at ∓μmg/K; it sticks where the spring is too weak.
#[test]
fn a_mass_on_a_spring_reverses_until_friction_holds_it() {
    let oscillator = Linear {
        masses: vec![1.0; 2],
        stiffness: vec![100.0, 0.0],
        forces: vec![0.0, -10.0],
        contacts: vec![vec![vec![0.0, 1.0], vec![1.0, 0.0]]],
    };
    let subject = oscillator.subject(&[0.15, 0.0], &[0.0; 2], laws(0.25, 1.0, 1.0), &[0]);
    let motion = subject.run(&Options::new(1e-7, 2.0));
    closes(&motion);
    // amplitude 0.15, 0.10, 0.05, 0: the last half swing ends at 0 where the spring is slack
    let half = std::f64::consts::PI / 10.0;
    let turns = times(&motion, EventKind::Reversal);
    assert_eq!(turns.len(), 2, "{:?}", motion.trajectory.events);
    for (k, t) in turns.iter().enumerate() {
        assert!((t - half * (k + 1) as f64).abs() < 1e-5, "{turns:?}");
    }
    let stops = times(&motion, EventKind::Stick);
    assert!((stops[stops.len() - 1] - 3.0 * half).abs() < 1e-4, "{stops:?}");
    assert!(motion.trajectory.rows[199][1].0.abs() < 1e-5);
}

/// A ball that bounces with the restitution of its compliance comes to rest at the time of the rigid sum.
#[test]
fn bounces_end_at_the_sum_of_their_times() {
    let ball = Linear {
        masses: vec![1.0; 2],
        stiffness: vec![0.0; 2],
        forces: vec![0.0, -10.0],
        contacts: vec![vec![vec![0.0, 1.0], vec![1.0, 0.0]]],
    };
    let laws = laws(0.5, 1.0, 0.6);
    let planar = Planar::new(1.0, 0.0, 1.0, 0.0, -10.0);
    let pre = Velocity { u: 0.0, v: -1.0 };
    let e = fast_impact(&planar, laws.friction, laws.compliance, pre).unwrap().post.v;
    assert!(e > 0.3 && e < 0.5, "{e}");
    let subject = ball.subject(&[0.0, 0.2], &[0.0; 2], laws, &[]);
    let motion = subject.run(&Options::new(1e-7, 1.0));
    assert_eq!(motion.trajectory.status, Status::End, "{:?}", motion.trajectory.reason);
    closes(&motion);
    let touches = times(&motion, EventKind::Touch);
    assert!((touches[0] - 0.2).abs() < 1e-9);
    // flights of 2 v/g with v = 2, 2e, 2e², ..
    for (k, pair) in touches.windows(2).take(5).enumerate() {
        let flight = 0.4 * e.powi(k as i32 + 1);
        assert!((pair[1] - pair[0] - flight).abs() < 1e-5 * flight, "{k}");
    }
    let rest = 0.2 + 0.4 * e / (1.0 - e);
    let last = motion.trajectory.events.iter().rfind(|e| e.kind != EventKind::End).unwrap();
    assert!((last.t.0 - rest).abs() < 1e-5, "{} {rest}", last.t.0);
    assert!((column(&motion.trajectory, "c0.N")[199] - 10.0).abs() < 1e-6);
}

/// Slip without paradox: the rod with λ_N = −b/p by Runge-Kutta steps of the rigid equations.
#[test]
fn slip_tends_to_the_rigid_one_with_the_square_of_eps() {
    let mut state = [1.0, 0.0, 1.0];
    let rate = |[theta, omega, _]: [f64; 3]| {
        let (s, c) = theta.sin_cos();
        let (A, B, C) = (1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c);
        let (a, b) = (-omega * omega * c, omega * omega * s - 1.0);
        let N = -b / (C - 0.5 * B);
        [omega, -3.0 * (c - 0.5 * s) * N, a + (B - 0.5 * A) * N]
    };
    let h = 0.3 / 3000.0;
    let moved = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
    for _ in 0..3000 {
        let k1 = rate(state);
        let k2 = rate(moved(state, k1, 0.5 * h));
        let k3 = rate(moved(state, k2, 0.5 * h));
        let k4 = rate(moved(state, k3, h));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let miss = |eps: f64| {
        let rod = Subject::rod(1.0, (1.0, 0.0, 0.0), laws(0.5, 1.0, 0.5));
        let motion = rod.run(&Options { rtol: 1e-11, ..Options::new(eps, 0.3) });
        closes(&motion);
        let last = |name: &str| column(&motion.trajectory, name)[199];
        (last("theta") - state[0]).hypot(last("tip.slip") - state[2])
    };
    let misses: Vec<f64> = [1e-2, 1e-3, 1e-4].into_iter().map(miss).collect();
    assert!(misses[1] < 0.02 * misses[0] && misses[2] < 1e-7, "{misses:?}");
}
