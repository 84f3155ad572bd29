//! The falling pencil from ω₀ = 10⁻³ until it lies flat: onset of slip, its direction, its reversal, against closed forms and
//! numbers of 20 digits.

use super::{Mover, asked, assert_near, column, events, kinds, last};
use mechan::Number;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{EventKind, EventKind::*, Status, Trajectory};

const G: f64 = 9.81;
const PUSH: f64 = 1e-3;

fn fall(mu: f64) -> Trajectory {
    let set = ["dot(theta)=1e-3".to_string(), format!("mu={mu}")];
    let set = set.each_ref().map(String::as_str);
    let options = SimulateOptions { stop: Some("pi/2 - theta".into()), ..asked("balanced", &set, 10.0) };
    Mover::kept("falling_pencil").try_run(&options).unwrap()
}

/// λ_n and λ_t of the uniform pencil that does not slip, m = l = 1   [UCD].
fn stick_forces(theta: f64, push: f64) -> [f64; 2] {
    let (s, z) = theta.sin_cos();
    let normal = G * (1.0 - 0.75 * (1.0 + 2.0 * z - 3.0 * z * z)) - push * push * z;
    [normal, 0.75 * G * s * (2.0 - 3.0 * z) + push * push * s]
}

/// The first angle at which |λ_t| = μλ_n, by steps and bisection, and the sign of λ_t there.
fn onset(mu: f64) -> [f64; 2] {
    let room = |theta: f64| mu * stick_forces(theta, PUSH)[0] - stick_forces(theta, PUSH)[1].abs();
    let mut low = 0.0;
    while room(low + 1e-4) > 0.0 {
        low += 1e-4;
    }
    let mut high = low + 1e-4;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if room(middle) > 0.0 { low = middle } else { high = middle }
    }
    [low, stick_forces(low, PUSH)[1].signum()]
}

/// Event, time, angle, its rate and the velocity of the tip: quadrature of θ̇ while it sticks and Taylor series of the one
/// equation θ̈ = 3 N (sin θ − σμ cos θ) while it slips, in 30 digits (mpmath), rounded.
type Known = (EventKind, [f64; 4]);
#[rustfmt::skip]
fn known() -> [(f64, Vec<Known>); 3] {
    let flat = std::f64::consts::FRAC_PI_2;
    [
        (0.2, vec![
            (Slip,     [2.689_115_232_939, 0.270_862_097_637, 0.732_462_437_547, 0.0]),
            (Reversal, [3.192_741_644_453, 1.145_612_175_218, 2.914_281_547_511, 0.0]),
            (Stop,     [3.322_690_061_173, flat, 3.678_019_208_978, -1.151_792_391_746]),
        ]),
        (0.4, vec![
            (Slip,     [3.136_476_061_910, 0.897_499_356_065, 2.353_553_671_555, 0.0]),
            (Stop,     [3.362_830_378_115, flat, 3.650_533_775_690, -1.303_622_113_290]),
        ]),
        (0.8, vec![
            (Slip,     [3.150_375_478_523, 0.930_772_815_084, 2.434_541_553_936, 0.0]),
            (Stop,     [3.361_597_796_139, flat, 3.673_754_101_763, -1.173_112_547_402]),
        ]),
    ]
}

#[test]
fn the_falls_are_those_of_high_precision() {
    for (mu, known) in known() {
        let trajectory = fall(mu);
        assert_eq!(kinds(&trajectory), known.iter().map(|k| k.0).collect::<Vec<_>>());
        for (event, (_, [t, theta, omega, u])) in trajectory.events.iter().zip(known) {
            let numbers = [("theta", theta, omega), ("x", f64::NAN, u)];
            assert_near(event.t.0, t, 1e-9);
            for (name, q, v) in numbers {
                let found = super::at(event, name);
                assert!(q.is_nan() || (found[0] - q).abs() < 1e-9, "{name} {found:?} {q}");
                assert_near(found[1], v, 2e-9);
            }
        }
    }
}

/// Below μ* = 0.3705794133 the tip slips away from the fall first, above it with the fall.
#[test]
fn slip_sets_in_where_the_cone_is_left_and_against_the_force() {
    for mu in [0.05, 0.2, 0.37, 0.371, 0.4, 0.8, 1.2] {
        let trajectory = fall(mu);
        let slip = events(&trajectory, Slip)[0];
        let [theta, force] = onset(mu);
        assert_near(super::at(slip, "theta")[0], theta, 1e-9);
        let after = trajectory.phases.iter().find(|span| span.t0 == slip.t).unwrap();
        let word = &after.mode.0[0].1;
        assert_eq!(word, if force < 0.0 { "slip+" } else { "slip-" }, "mu {mu}");
        assert_eq!(force < 0.0, mu < 0.370_579_413_000_3, "mu {mu}");
    }
}

/// Under gravity alone the tip stays on the floor until the pencil lies flat, whatever the friction: `docs/errata.md`, 2.
#[test]
fn a_pencil_released_at_a_negligible_rate_never_lifts_off() {
    for mu in [0.0, 0.05, 0.1, 0.2, 0.3, 0.37, 0.4, 0.6, 0.8, 1.0, 1.3] {
        let trajectory = fall(mu);
        assert_eq!(trajectory.status, Status::Stopped, "mu {mu}");
        assert!(!kinds(&trajectory).contains(&LiftOff), "mu {mu}");
        assert!(column(&trajectory, "tip.gap").iter().all(|y| y.abs() < 1e-12));
        assert!(column(&trajectory, "tip.N").iter().all(|N| *N > 0.0), "mu {mu}");
        assert_near(last(&trajectory, "theta")[0], std::f64::consts::FRAC_PI_2, 1e-12);
        let defect = trajectory.energy.defect.0.abs();
        assert!(defect < 1e-8, "{defect}");
    }
}

/// With friction for all forces the normal force ends at cos θ = 1/3   [UCD (4.12)], where free flight would dive into the floor.
#[test]
fn without_slip_the_force_ends_at_the_separation() {
    // from a negligible rate the force would only touch zero
    let push = 0.5;
    let set = ["mu=1e9", "dot(theta)=0.5"];
    let options = asked("balanced", &set, 10.0);
    let trajectory = Mover::kept("falling_pencil").try_run(&options).unwrap();
    let w2 = push * push;
    // −3α₄z² + (2α₄ + ω₀²l/g) z + α₄ − 1 = 0, the larger root
    let (a, b, c) = (-2.25, 1.5 + w2 / G, -0.25);
    let z = (-b - f64::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    assert_near(stick_forces(z.acos(), push)[0], 0.0, 1e-12);
    let left = trajectory.events.iter().find(|e| e.kind != End).unwrap();
    assert_near(super::at(left, "theta")[0], z.acos(), 1e-8);
    let [theta, omega] = super::at(left, "theta");
    let rise = omega * omega * theta.cos() - G;
    assert!(rise < 0.0, "{rise}");
}

#[test]
fn the_fall_converges_with_the_tolerance() {
    let known = known()[0].1[1].1[0];
    let miss = |rtol: f64| {
        let set = ["dot(theta)=1e-3", "mu=0.2"];
        let options = SimulateOptions { rtol: Some(rtol), ..asked("balanced", &set, 3.25) };
        let trajectory = Mover::kept("falling_pencil").try_run(&options).unwrap();
        let Number(t) = events(&trajectory, Reversal)[0].t;
        (t - known).abs()
    };
    let misses = [1e-6, 1e-8, 1e-10, 1e-12].map(miss);
    assert!(
        misses[1] < 0.1 * misses[0] && misses[2] < 0.1 * misses[1] && misses[3] < 0.2 * misses[2],
        "{misses:?}"
    );
    assert!(misses[3] < 1e-11, "{misses:?}");
}
