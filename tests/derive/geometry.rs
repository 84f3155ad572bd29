//! Mechanisms made to use every form of body, force, constraint and contact.

use super::{balances, check, mechanism, model};
use crate::models::check::outputs;
use crate::models::finite::At;

const PLANE: &str = "
mechan: 1
name: everything_in_the_plane
space: plane
parameters: {e: 1.3, i: 0.7, R: 0.5, m: 2, w: 3, mu: 0.4, pi2: pi/2}
coordinates: [x, y, a, b]
gravity: [0.3, -9.81]
bodies:
  disc: {mass: m, inertia: i, position: [x + 0.1*sin(w*t), y], rotation: a + 0.2*t}
  arm: {mass: e, inertia: 0.2, position: [x + cos(a + b)*e, y + sin(a + b)*e], rotation: a + b}
energy: {kinetic: '(1 + x^2)*dot(b)^2/2 + t*dot(x)*sin(y)', potential: 'exp(x/3)*abs(y + 5) + atan2(y + 4, x + 4) + (y + 5)^1.5'}
forces:
  - {point: [x + cos(a + b), y], force: [dot(x)*y, -t*dot(b)]}
  - {body: arm, torque: -0.3*dot(b)}
  - {coordinate: a, value: tanh(a) - sqrt(x + 4)}
constraints: [{name: link, value: x^2 + sin(y) + t*a}]
contacts:
  wall: {point: [x + cos(a), y + sin(a)], surface: {point: [0.1*t, t^2], normal: [sin(0.3*t), 2*cos(0.3*t)]}, friction: mu}
  belt: {point: [x, y], surface: {point: [0, 0], normal: [0, 3], velocity: [0.7, 0]}, friction: mu}
  carried: {point: [x + 2, y*a], surface: {point: [x, y], normal: [-sin(a + b), cos(a + b)], body: arm}, friction: mu}
  wheel: {disc: {body: disc, radius: R}, surface: {point: [0, 0], normal: [1, 2]}, friction: mu}
  centred: {disc: {body: disc, radius: R, centre: [x, y + 0.1*a]}, surface: {point: [0, 0], normal: [-sin(b), cos(b)], body: arm}, friction: mu}
  pair: {disc: {body: disc, radius: R}, surface: {disc: {body: arm, radius: 0.2}}, friction: mu}
  given: {gap: y - cos(a), slip: x + sin(b), friction: mu}
  skate: {gap: y, slip_velocity: cos(a)*dot(x) + sin(a)*dot(y) - t, friction: mu}
";

const SPACE: &str = "
mechan: 1
name: everything_in_space
space: space
parameters: {m: 2, R: 0.5, mu: 0.4}
coordinates: [x, y, z, f, g, h]
gravity: [0, 0.1, -9.81]
bodies:
  ball: {mass: m, inertia: [[1, 0.1, 0.2], [0.1, 1.5, 0.3], [0.2, 0.3, 2]], position: [x, y, z], rotation: [{axis: z, angle: f}, {axis: y, angle: g + 0.3*t}, {axis: x, angle: h}]}
  plate: {mass: 1, inertia: [0.3, 0.2, 0.4], position: [x + cos(f), y*z, 2 - g], rotation: [{axis: x, angle: g}, {axis: z, angle: f - h}]}
forces:
  - {body: ball, torque: [0.1, -dot(f), 0.3*t]}
  - {point: [x, y, z*f], force: [1, dot(x), 2]}
contacts:
  floor: {point: [x + cos(f), y + sin(g), z], surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: mu}
  tilted: {disc: {body: ball, radius: R}, surface: {point: [0, 0, t], normal: [sin(0.2*g), 0.1, 1]}, friction: mu}
  turned: {disc: {body: ball, radius: R}, surface: {point: [0, 0, 0], normal: [0, 1, 2]}, tangents: [[1, 1, 0], [0, 1, 0]], friction: mu}
  carried: {point: [x + 1, y, z], surface: {point: [0, 0, 0], normal: [0, 0, 1], body: plate}, friction: mu}
  pair: {disc: {body: ball, radius: R}, surface: {disc: {body: plate, radius: 0.2}}, friction: mu}
  rim: {rim: {body: ball, radius: R, axis: y}, surface: {point: [0, 0, t], normal: [sin(0.2*g), 0.1, 1]}, friction: mu}
  edge: {rim: {body: plate, radius: 2*R, axis: x, centre: {body: plate, at: [0.1, 0.2, 0.3]}}, surface: {point: [x, y, 0], normal: [0, 0, 1], body: ball}, friction: mu}
  belly: {ellipsoid: {body: ball, radii: [R, 0.3, 1.2*R]}, surface: {point: [0, 0, 0], normal: [0, 0.3, 1], velocity: [0.1, 0, 0]}, friction: mu}
  stone: {ellipsoid: {body: plate, centre: {body: plate, at: [0, 0.1, 0.2]}, radii: [0.2, 0.3, 0.1]}, surface: {point: [0, 0, t^2], normal: [0.1*t, 0, 1]}, tangents: [[1, 1, 0], [0, 1, 0]], friction: mu}
states:
  first: {q: {x: 0.1, y: 0.2, z: 1, f: 0.3, g: 0.2, h: 0.1}}
";

#[test]
fn every_form_in_the_plane_agrees_with_differences() {
    check(&mechanism("plane", PLANE));
}

#[test]
fn every_form_in_space_agrees_with_differences() {
    check(&mechanism("space", SPACE));
}

const TOP: &str = "
mechan: 1
name: top
space: space
coordinates: [f, g, h]
gravity: [0, 0, -9.81]
bodies:
  top: {mass: 1, inertia: [1, 2, 3], position: [sin(f)*sin(g), -cos(f)*sin(g), cos(g)], rotation: [{axis: z, angle: f}, {axis: x, angle: g}, {axis: z, angle: h}]}
";

#[test]
fn an_asymmetric_top_balances_its_power() {
    balances(&mechanism("top", TOP));
}

/// The check value of cart-2 that was found by two other algebra systems.
#[test]
fn cart_with_two_links_accelerates_as_published() {
    let text = "
mechan: 1
name: cart2
space: plane
parameters: {m0: 2, m1: 1.1, m2: 1.2, l1: 0.55, l2: 0.6, g: 9.81, F: 0.7}
coordinates: [x, a, b]
gravity: [0, -g]
bodies:
  cart: {mass: m0, inertia: 0, position: [x, 0]}
  one: {mass: m1, inertia: 0, position: [x + l1*sin(a), -l1*cos(a)]}
  two: {mass: m2, inertia: 0, position: [x + l1*sin(a) + l2*sin(b), -l1*cos(a) - l2*cos(b)]}
forces: [{coordinate: x, value: F}]
";
    let m = mechanism("cart2", text);
    let p = m.default_parameters().unwrap();
    let at = At { t: 0.0, q: vec![0.1, 0.2, 0.4], v: vec![0.3, -0.1, -0.2], p, d: Vec::new() };
    let y = outputs(&model(&m), &at);
    let vdot = [2.3572491308, -4.3464820297, -6.0825731238];
    let rows = [[y[0], y[1], y[3]], [y[1], y[2], y[4]], [y[3], y[4], y[5]]];
    for (i, row) in rows.iter().enumerate() {
        let rest = row.iter().zip(vdot).map(|(m, a)| m * a).sum::<f64>() + y[6 + i];
        assert!(rest.abs() < 1e-8, "row {i}: {rest}");
    }
}
