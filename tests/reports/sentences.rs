//! What reports say of whole mechanisms, of forces and of angles, against closed forms, a scan of loads and an integration of its own.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Random numbers of a seed, by the minimal standard generator.
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0 * 48271 % 2_147_483_647;
        low + (high - low) * self.0 as f64 / 2_147_483_647.0
    }
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.yaml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// The report of the only state, with other numbers.
fn report(file: &PathBuf, set: &[(&str, f64)]) -> Value {
    report_with(&[], file, set)
}

fn report_of(file: &PathBuf, state: &str, set: &[(&str, f64)]) -> Value {
    report_with(&["--state", state], file, set)
}

fn report_with(options: &[&str], file: &PathBuf, set: &[(&str, f64)]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mechan"));
    command.args(["analyze", "--quiet", "--format", "json"]).args(options).arg(file);
    command.env("MECHAN_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    for (name, value) in set {
        command.arg("--set").arg(format!("{name}={value:?}"));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut whole: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut state = whole["states"][0].take();
    state["critical_friction"] = whole["critical_friction"].take();
    state
}

/// A pendulum on a tripod: it is at rest where it hangs or stands without moving, and turns under m g L cos s anywhere else.
const TRIPOD: &str = "
mechan: 1
name: tripod_with_pendulum
space: space
parameters: {m: 10, mp: 1, a: 0.4, h: 0.5, L: 0.2, g: 9.81, mu: 0.8}
coordinates: [x, y, z, psi, th, ph, s]
gravity: [0, 0, -g]
frames:
  base: {origin: [x, y, z], rotation: [{axis: z, angle: psi}, {axis: y, angle: th}, {axis: x, angle: ph}]}
  arm: {parent: base, origin: [0, 0, 0], rotation: [{axis: y, angle: s}]}
bodies:
  table: {mass: m, inertia: [1, 1, 1], frame: base}
  bob: {mass: mp, inertia: [0.001, 0.001, 0.001], frame: arm, centre: [L, 0, 0]}
contacts:
  l1: {point: {frame: base, at: [a, a, -h]}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: mu}
  l2: {point: {frame: base, at: [a, -a, -h]}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: mu}
  l3: {point: {frame: base, at: [-a, 0, -h]}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: mu}
states:
  released: {q: {z: h}}
";

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn a_mechanism_whose_contact_points_stay_rests_only_if_all_of_it_does() {
    let file = file("tripod_with_pendulum", TRIPOD);
    let mut dice = Dice(7);
    let quarter = std::f64::consts::FRAC_PI_2;
    for (s, rate, rests) in [
        (quarter, 0.0, true),
        (-quarter, 0.0, true),
        (quarter, dice.between(0.1, 0.3), false),
        (dice.between(-1.4, 1.4), 0.0, false),
        (dice.between(-1.4, 1.4), 0.0, false),
        (quarter + 1e-5, 0.0, false),
    ] {
        let numbers =
            [("s", s), ("dot(s)", rate), ("L", dice.between(0.1, 0.25)), ("mp", dice.between(0.5, 2.0))];
        let found = report(&file, &numbers);
        assert_eq!(found["resolved"][0], "stick,stick,stick", "{s} {rate}");
        assert_eq!(found["rest"]["strong"] == "holds", rests, "{s} {rate}: {}", found["rest"]);
    }
}

const BLOCK: &str = "
mechan: 1
name: block_on_two_feet
space: plane
parameters: {m: 2, l: 1, r: 1, d: 0.5, mul: 0, mur: 0, fx: 0, fy: 0}
coordinates: [x, y, a]
gravity: [0, -10]
bodies:
  block: {mass: m, inertia: 0.1, position: [x, y], rotation: a}
forces:
  - {coordinate: x, value: fx}
  - {coordinate: y, value: fy}
contacts:
  left: {point: {body: block, at: [-l, -d]}, surface: {point: [0, -d], normal: [0, 1]}, friction: mul}
  right: {point: {body: block, at: [r, -d]}, surface: {point: [0, -d], normal: [0, 1]}, friction: mur}
";

/// The lever's law; friction at one foot is not needed, and is none.
#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn forces_without_friction_are_unique() {
    let file = file("block_on_two_feet", BLOCK);
    let mut dice = Dice(11);
    for one_is_rough in [false, false, true, true] {
        let (l, r, m) = (dice.between(0.2, 3.0), dice.between(0.2, 3.0), dice.between(0.1, 9.0));
        let mur = if one_is_rough { dice.between(0.1, 2.0) } else { 0.0 };
        let found = report(&file, &[("l", l), ("r", r), ("m", m), ("mur", mur)]);
        assert_eq!(found["verdict"], "consistent");
        let mode = found["modes"].as_array().unwrap().iter().find(|mode| mode["consistent"] == true).unwrap();
        assert!(mode["hyperstatic"].is_null(), "{mode}");
        assert_eq!(found["rest"]["dimension"], 0);
        for (foot, lever) in [("left", r), ("right", l)] {
            let (N, expected) = (mode["forces"][foot]["N"].as_f64().unwrap(), 10.0 * m * lever / (l + r));
            assert!((N - expected).abs() <= 1e-9 * expected, "{N} {expected}");
        }
        // what slides without friction on both feet does not come to rest
        assert!(one_is_rough || found["rest"]["lyapunov"]["growth_bound"].is_null(), "{}", found["rest"]);
    }
}

/// Gravity is turned step by step until no forces in the cones balance the load, whole turns included.
#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn a_turn_of_gravity_is_held_up_to_where_a_scan_of_loads_ends() {
    let file = file("block_on_two_feet", BLOCK);
    let mut dice = Dice(23);
    let mut beyond_half = 0;
    for pressed in [false, false, false, true, true, true] {
        let (m, mu, d) = (1.0, dice.between(0.4, 0.6), dice.between(0.0, 0.3));
        // a load that outweighs gravity holds the block upside down, too
        let fy = if pressed { dice.between(-22.0, -19.0) } else { dice.between(-10.0, 0.0) };
        let fx = dice.between(1.0, 3.0);
        let numbers = [("m", m), ("mul", mu), ("mur", mu), ("d", d), ("fx", fx), ("fy", fy)];
        let found = report(&file, &numbers);
        let tilt = &found["rest"]["robustness"]["tilt"];
        let holds = |turn: f64| {
            let (X, N) = (fx + 10.0 * m * turn.sin(), -(fy - 10.0 * m * turn.cos()));
            // the feet are one apart from the middle: moments about it
            X.abs() <= mu * N && X.abs() * d <= N
        };
        for (way, end) in [(-1.0, &tilt[0]), (1.0, &tilt[1])] {
            let steps = 200_000;
            let angle = |k: usize| std::f64::consts::TAU * k as f64 / f64::from(steps);
            let first = (0..=steps as usize).map(angle).find(|angle| !holds(way * angle));
            match (first, end.as_f64()) {
                (Some(first), Some(end)) => {
                    assert!((first - end).abs() < 1e-4, "{first} {end}: {numbers:?}");
                    beyond_half += usize::from(end > std::f64::consts::PI);
                }
                (None, None) => {}
                other => panic!("{other:?}: {numbers:?}"),
            }
        }
    }
    assert!(beyond_half > 0);
}

const ROCKING: &str = "
mechan: 1
name: rocking_block
space: plane
parameters: {b: 0.25, h: 1.0, J: (b^2+h^2)/3, g: 9.81, mu: 2, start: 0.1, rise: 0.1}
coordinates: [x, y, theta]
gravity: [0, -g]
bodies:
  block: {mass: 1, inertia: J, position: [x, y], rotation: theta}
contacts:
  left: {point: {body: block, at: [-b, -h]}, surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
  right: {point: {body: block, at: [b, -h]}, surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
states:
  tilted:
    q: {theta: start, x: -b*cos(theta)+h*sin(theta), y: b*sin(theta) + h*cos(theta)}
    closed: [left]
    solve: [y]
  rising:
    q: {x: -b, y: h}
    v: {theta: rise, x: -h*dot(theta), y: b*dot(theta)}
domain:
  theta: [0, 0.2]
";

/// θ'' = (g / (J + b² + h²)) (h sin θ − b cos θ) about the left foot, by the classical Runge-Kutta method, from (θ, ω) until θ = 0.
fn time_of_strike(b: f64, h: f64, (start, rise): (f64, f64)) -> f64 {
    let inertia = (b * b + h * h) * 4.0 / 3.0;
    let torque = |theta: f64| 9.81 / inertia * (h * theta.sin() - b * theta.cos());
    let (mut t, mut theta, mut omega, dt) = (0.0, start, rise, 1e-5);
    loop {
        let (k1, l1) = (omega, torque(theta));
        let (k2, l2) = (omega + 0.5 * dt * l1, torque(theta + 0.5 * dt * k1));
        let (k3, l3) = (omega + 0.5 * dt * l2, torque(theta + 0.5 * dt * k2));
        let (k4, l4) = (omega + dt * l3, torque(theta + dt * k3));
        let next = theta + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        if next <= 0.0 {
            return t + dt * theta / (theta - next);
        }
        (t, theta) = (t + dt, next);
        omega += dt / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
}

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn a_motion_without_slip_ends_where_another_contact_strikes() {
    let file = file("rocking_block", ROCKING);
    let mut dice = Dice(31);
    for _ in 0..4 {
        let (b, h) = (dice.between(0.2, 0.4), dice.between(0.8, 1.5));
        let start = dice.between(0.2, 0.7) * (b / h).atan();
        let highest = (2.0 * 9.81 * (b.hypot(h) - h) / ((b * b + h * h) * 4.0 / 3.0)).sqrt();
        let rise = dice.between(0.2, 0.9) * highest;
        let given = [("b", b), ("h", h), ("start", start), ("rise", rise)];
        for (state, from) in [("tilted", (start, 0.0)), ("rising", (0.0, rise))] {
            let found = report_of(&file, state, &given);
            let strike = &found["no_slip"]["strike"];
            let (t, expected) = (strike["state"]["t"].as_f64().unwrap(), time_of_strike(b, h, from));
            assert_eq!(strike["contact"], "right");
            assert!((t - expected).abs() < 1e-8 * expected, "{state}: {t} {expected}");
            assert!(found["no_slip"]["separation"].is_null());
        }
        let found = report_of(&file, "tilted", &given);
        // leaning to the left, the left corner is below the floor where the right one touches
        let [left, right] = ["left", "right"].map(|foot| found["critical_friction"][foot]["below"].clone());
        assert!(left.is_null() && right["left"].as_f64().unwrap() < 0.0, "{left} {right}");
    }
}

/// What is zero but for rounding reads 0: velocities of contacts that stick, losses of energy, pushes, gaps below a surface. Residuals and the defects of
/// what was solved are what they are.
#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn no_rounding_is_shown_as_a_number() {
    let residual = |line: &str| line.contains("residual") || line.contains("is taken as zero");
    for name in
        ["rod_3d", "shovel", "crushed_ball", "compass_biped", "vibrating_plate", "ladder", "two_point_body"]
    {
        let text = crate::analyze(&PathBuf::from(format!("mechanisms/{name}.yaml")), &["--full"]);
        for line in text.lines().filter(|line| !residual(line)) {
            let exponents = line.split("e-").skip(1).filter_map(|rest| {
                rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse::<u32>().ok())
            });
            assert!(exponents.into_iter().all(|exponent| exponent < 13), "{name}: {line}");
        }
    }
}
