//! Two files that use every key of the format.

/// Everything that a mechanism in the plane may have.
pub(crate) const PLANE: &str = r#"
mechan: 1
name: everything-plane
title: Everything
description: >
  Every key of the format
  in the plane.
references: [first, "second: with a colon"]
space: plane
parameters:
  m: {value: 2, unit: kg, description: mass}
  r: 1/3
  J: m*r^2/2
  g: 9.81
  mu: {value: 0.5}
  c: -1e-3
  limit: c + 4.5
coordinates:
  - {name: x, unit: m, description: to the right}
  - y
  - {name: phi}
  - {name: s, unit:}
gravity: [0, -g]
bodies:
  wheel: {mass: m, inertia: J, position: [x, y], rotation: phi, shape: {disc: r}}
  point-mass: {mass: 1, position: [s + sin(t), 0], shape: {segment: [[-r, 0], [2*r, 1]]}}
  frame: {mass: 1, position: [0, s], shape: {polyline: [[0, 0], [r, 0], [r, r]]}}
  plate: {mass: 1, position: [0, y], shape: {polygon: [[0, 0], [r, 0], [0, r]]}}
  crate: {mass: 1, position: [0, x], shape: {box: [2*r, 1]}}
energy: {kinetic: 1/2*dot(s)^2 + dot(x)*dot(s)/4, potential: s^2}
forces:
  - {point: [x, y + r], force: [-dot(x), t]}
  - {body: wheel, torque: 3*cos(t)}
  - {coordinate: s, value: -dot(s)}
constraints:
  - {name: rail-1, value: y - x^2 - t}
contacts:
  rim:
    disc: {body: wheel, radius: r}
    surface: {point: [0, 0], normal: [0, 2], body: point-mass, velocity: [1, t]}
    friction: mu
    restitution: {law: newton, value: 0.25, tangential: r/2}
    active: sin(t) + dot(x) - y
    bilateral: true
    compliance: {stiffness: 100, damping: 2, tangential_stiffness: 2*m}
  two_discs:
    disc: {centre: [x, 0], radius: r}
    surface: {disc: {body: point-mass, centre: [s, 1], radius: 2*r}}
    friction: 0
    restitution: {law: energetic}
    bilateral: false
  tip: {point: [x, y - r], surface: {point: [0, 0], normal: [0, 1]}, friction: mu, compliance: {damping: 3}}
  direct: {gap: y - x, slip: x + y, friction: 2*mu, restitution: {value: 1}}
  rate: {gap: y, slip_velocity: dot(x) + x*dot(y), friction: 0.1, restitution:, compliance:}
states:
  empty:
  full:
    description: all keys
    t: 1/2
    q: {x: m/2, y: x + 1, phi: pi/6}
    v: {phi: -2, x: -r*dot(phi) + y}
    closed: [tip, rim]
    parameters: {mu: 0.9, r: m/4}
domain:
  x: [-1, 1]
  dot(phi): [0, limit]
  mu: [0, 3]
"#;

/// Everything that a mechanism in space may have besides.
pub(crate) const SPACE: &str = r#"
mechan: 1
name: everything-space
space: space
parameters: {m: 1, a: 0.5}
coordinates: [x, y, z, psi, theta, phi]
gravity: [0, 0, -10*m]
bodies:
  top:
    mass: m
    inertia: [a, a, 2*a]
    position: [x, y, z]
    rotation: [{axis: z, angle: psi}, {axis: x, angle: theta + t}, {axis: z, angle: phi}]
    shape: {ball: a}
  plate:
    mass: 3
    inertia: [[2, a, 0], [a, 2, 0], [0, 0, 4]]
    position: [x, 0, 0]
    shape: {box: [2*a, a, 1]}
  point: {mass: m, position: [0, y, 0], rotation: [], shape: {segment: [[0, 0, 0], [0, 0, a]]}}
forces:
  - {body: top, torque: [0, dot(phi), t]}
contacts:
  ball:
    disc: {body: top, radius: a}
    surface: {point: [0, 0, 0], normal: [0, 0, 1]}
    tangents: [[1, 0, 0], [0, 1, 0]]
    friction: a
  tip:
    point: [x, y, z - a]
    surface: {point: [0, 0, 0], normal: [sin(theta), 0, 1]}
    friction: a
  balls: {disc: {body: top, radius: a}, surface: {disc: {body: plate, radius: 1}}, friction: 0}
  direct: {gap: z, slip: [x, y + t], friction: 1}
  rate: {gap: z, slip_velocity: [dot(x), dot(y) - z*dot(phi)], friction: 1}
"#;
