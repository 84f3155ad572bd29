//! Positions and velocities of named points and angular velocities of bodies, in expressions.

use super::{check, mechanism};
use crate::models::finite::{self, At};
use mechan::diag::Source;
use mechan::format::{Mechanism, read};

const SPACE: &str = "
mechan: 1
name: points_in_space
space: space
parameters: {m: 2, c: 0.3, L: 0.7}
coordinates: [x, y, z, f, g, e0, e1, e2, e3]
gravity: [0, 0.1, -9.81]
definitions:
  lean: f + g^2/3
  lift: dot(x) + velocity(tip, z) - 0.2*omega(arm, y)
  reach: position(tip, x)^2 + position(fixed, y)*t
frames:
  base: {origin: [x, y, z], rotation: {quaternion: [e0, e1, e2, e3]}}
  elbow: {parent: base, origin: [0.1, L + 0.1*sin(t), 0.2], rotation: [{axis: x, angle: lean}, {axis: z, angle: 0.4}]}
points:
  tip: {body: arm, at: [L, 0.1, 0.2*m]}
  fixed: [x*y, 1, t^2]
  joint: {frame: elbow, at: [0, 0, 0]}
bodies:
  base-plate: {mass: m, inertia: [0.5, 0.7, 0.9], frame: base}
  arm: {mass: 1, inertia: [0.3, 0.2, 0.4], frame: elbow, centre: [0, 0, L/2]}
  free: {mass: 1, inertia: [0.3, 0.2, 0.4], position: [x*y, z, g], rotation: [{axis: y, angle: f*g}, {axis: x, angle: z}]}
forces:
  - {point: tip, force: ['-c*velocity(tip, x)', '-c*velocity(tip, y)*lift', '-c*reach']}
  - {body: arm, torque: ['-c*omega(arm, x)', 'omega(base-plate, y)', '-c*omega(arm, z)^3']}
  - {coordinate: g, value: 'omega(free, x)*omega(free, y) - position(joint, z)'}
contacts:
  touch: {point: tip, surface: {point: joint, normal: [0, 0, 1]}, friction: 0.4}
states:
  first: {q: {x: 0.1, y: 0.2, z: 1, f: 0.3, g: 0.2, e0: 0.9, e1: 0.3, e2: -0.2, e3: 0.4}}
";

const PLANE: &str = "
mechan: 1
name: points_in_the_plane
space: plane
parameters: {m: 2, c: 0.3, L: 0.7}
coordinates: [x, y, f, g]
frames:
  first: {origin: [x, y], rotation: f}
  second: {parent: first, origin: [L, 0.1*t], rotation: g + 0.2*t}
points:
  tip: {frame: second, at: [L, 0.2]}
bodies:
  upper: {mass: m, inertia: 0.4, frame: first, centre: [L/2, 0]}
  lower: {mass: 1, inertia: 0.2, frame: second}
forces:
  - {point: tip, force: ['-c*velocity(tip, x)', 'position(tip, y)*omega(lower)']}
  - {body: upper, torque: '-c*omega(upper) + omega(lower)^2'}
constraints: [{name: held, value: 'position(tip, x) - 1'}]
states:
  first: {q: {x: 0.1, y: 0.2, f: 0.3, g: 0.2}}
";

#[test]
fn forces_of_places_and_turns_agree_with_differences_in_space() {
    check(&mechanism("space", SPACE));
}

#[test]
fn forces_of_places_and_turns_agree_with_differences_in_the_plane() {
    check(&mechanism("plane", PLANE));
}

/// The definition of a name.
fn value(m: &Mechanism, at: &At, name: &str) -> f64 {
    let i = m.definitions.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}"));
    at.value(&m.definitions.values[i])
}

/// omega() against the skew matrix dR/dt Rᵀ, position() and its rate against the point itself.
#[test]
fn places_and_turns_are_those_of_the_bodies() {
    let m = mechanism("space", SPACE);
    let q = vec![0.3, -0.4, 0.8, 0.5, -0.6, 0.7, 0.4, -0.5, 0.2];
    let v = vec![0.2, 0.9, -0.7, 1.3, 0.4, -0.3, 0.8, 0.6, -0.9];
    let at = At { t: 0.4, q, v, p: vec![2.0, 0.3, 0.7], d: m.definitions.values.clone() };
    for body in &m.bodies {
        let expected = finite::angular_velocity(&m, &at, &body.pose);
        for (axis, expected) in ["x", "y", "z"].iter().zip(expected) {
            let found = value(&m, &at, &format!("omega({}, {axis})", body.name));
            assert!(
                (found - expected).abs() < 1e-13 * (1.0 + expected.abs()),
                "{}: {found} {expected}",
                body.name
            );
        }
    }
    for point in &m.points {
        let expected = finite::place(&m, &at, &point.place);
        for (axis, expected) in ["x", "y", "z"].iter().zip(expected) {
            let found = value(&m, &at, &format!("position({}, {axis})", point.name));
            assert!(
                (found - expected).abs() < 1e-13 * (1.0 + expected.abs()),
                "{}: {found} {expected}",
                point.name
            );
        }
    }
}

/// A definition may not be made of the place that it makes, and what there is not is named.
#[test]
fn circles_and_strangers_are_found() {
    let faults = |text: &str| -> Vec<String> {
        let found = read(&Source::new("faults", text)).err().unwrap_or_default();
        found
            .iter()
            .map(|d| format!("{}: {} ({})", d.code, d.message, d.hint.clone().unwrap_or_default()))
            .collect()
    };
    let circle = SPACE.replace("lean: f + g^2/3", "lean: f + position(tip, x)");
    assert!(
        faults(&circle).iter().any(|f| f.starts_with("M204") || f.starts_with("M205")),
        "{:?}",
        faults(&circle)
    );
    let stranger = SPACE.replace("'-c*velocity(tip, x)'", "'-c*velocity(top, x)'");
    assert_eq!(faults(&stranger), ["M118: there is no point `top` (did you mean `tip`?)"]);
    let axis = SPACE.replace("'-c*velocity(tip, x)'", "'-c*velocity(tip)'");
    assert_eq!(
        faults(&axis),
        [
            "M118: `velocity(tip)` names no axis of the mechanism (write `velocity(tip, x)`, with `x`, `y` or `z` for an inertial axis)"
        ]
    );
    let plane = PLANE.replace("omega(lower)^2", "omega(lower, x)");
    assert_eq!(
        faults(&plane),
        ["M118: `omega(lower, x)` names no axis of the mechanism (in the plane write `omega(lower)`)"]
    );
    let none = PLANE
        .replace("points:\n  tip: {frame: second, at: [L, 0.2]}\n", "")
        .replace("point: tip", "point: [x, y]");
    assert!(
        faults(&none).iter().all(|f| f.starts_with("M118: there is no point `tip` (name it under `points`")),
        "{:?}",
        faults(&none)
    );
}
