//! Planar rigid bodies with two contacts by Newton's and Euler's laws: an impulse f at r from the centre of mass moves
//! the point s by f/m + (r × f)/I ẑ × s, so that the mobility between two directions is
//! d_i·d_j/m + (r_i × d_i)(r_j × d_j)/I, and with f_j = n_j − s_j μ_j t_j that of two slipping contacts is
//! P_ij = n_i·f_j/m + (r_i × n_i)(r_j × f_j)/I [CV16, section 5].

use super::states::{Said, Source, states};
use serde_json::Value;

const CLOSE: f64 = 1e-12;

type Vector = [f64; 2];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn turned(a: Vector, angle: f64) -> Vector {
    let (s, c) = angle.sin_cos();
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}

/// A contact: force on the body along `n` at `r` from its centre of mass.
struct Touch {
    name: &'static str,
    n: Vector,
    r: Vector,
    mu: f64,
    /// Velocity of the other side.
    other: Vector,
    /// Whether the contact is a point of the body, which is drawn to the centre as the body turns; the foot of a disc
    /// and a straight side that rests are not.
    is_point: bool,
}

impl Touch {
    fn t(&self) -> Vector {
        [self.n[1], -self.n[0]]
    }

    /// n, t.
    fn axes(&self) -> [Vector; 2] {
        [self.n, self.t()]
    }
}

/// A body at a state.
struct Body {
    m: f64,
    inertia: f64,
    /// Force and torque about the centre, with gravity.
    force: Vector,
    torque: f64,
    v: Vector,
    omega: f64,
    touches: Vec<Touch>,
}

impl Body {
    fn mobility(&self, (r, d): (Vector, Vector), (s, f): (Vector, Vector)) -> f64 {
        dot(d, f) / self.m + cross(r, d) * cross(s, f) / self.inertia
    }

    fn velocity(&self, touch: &Touch) -> Vector {
        let r = touch.r;
        [self.v[0] - self.omega * r[1] - touch.other[0], self.v[1] + self.omega * r[0] - touch.other[1]]
    }

    /// Acceleration of the contact without contact forces.
    fn flight(&self, touch: &Touch) -> Vector {
        let (r, turn) = (touch.r, self.torque / self.inertia);
        let inward = if touch.is_point { self.omega * self.omega } else { 0.0 };
        [
            self.force[0] / self.m - turn * r[1] - inward * r[0],
            self.force[1] / self.m + turn * r[0] - inward * r[1],
        ]
    }

    /// P of slips in the directions `signs`.
    fn p(&self, signs: Vector) -> Vec<Vec<f64>> {
        let force = |(touch, sign): (&Touch, &f64)| {
            let t = touch.t();
            (touch.r, [0, 1].map(|k| touch.n[k] - sign * touch.mu * t[k]))
        };
        let forces: Vec<(Vector, Vector)> = self.touches.iter().zip(&signs).map(force).collect();
        self.touches.iter().map(|i| forces.iter().map(|&f| self.mobility((i.r, i.n), f)).collect()).collect()
    }
}

/// The bodies of the library, written down from their drawings: parameters and q = (x, y, θ) of a state.
fn body(mechanism: &str, said: &Said) -> Body {
    let p = |name: &str| said.numbers["parameters"][name].as_f64().unwrap();
    let (q, v) = (&said.at.q, &said.at.v);
    let theta = q[2];
    let inertia = match mechanism {
        "two_point_body" | "slope_body" | "tumbling_body" => p("m") * p("rho").powi(2),
        "overhang_block" | "rectangle_on_circles" => p("m") * (p("w").powi(2) + p("h").powi(2)) / 3.0,
        "square_on_ground" => 2.0 * p("m") * p("s").powi(2) / 3.0,
        "crushed_ball" => 0.5 * p("m") * p("R").powi(2),
        _ => 0.1 * p("m") * p("l").powi(2),
    };
    let slope = if said.numbers["parameters"].get("chi").is_some() { p("chi") } else { 0.0 };
    let weight = p("m") * p("g");
    let mut force = [weight * slope.sin(), -weight * slope.cos()];
    let mut torque = 0.0;
    if mechanism == "square_on_ground" {
        force[0] += p("F");
        torque = -p("f") * theta.cos() * p("F");
    }
    let touches = touches(mechanism, p, q);
    Body { m: p("m"), inertia, force, torque, v: [v[0], v[1]], omega: v[2], touches }
}

/// Contacts of the body in the order of its file.
fn touches(mechanism: &str, p: impl Fn(&str) -> f64, q: &[f64]) -> Vec<Touch> {
    let (theta, up) = (q[2], [0.0, 1.0]);
    let corner = |name, n, at: Vector, mu: &str| Touch {
        name,
        n,
        r: turned(at, theta),
        mu: p(mu),
        other: [0.0; 2],
        is_point: true,
    };
    let side = |name, n: Vector, r, other| Touch { name, n, r, mu: p("mu"), other, is_point: false };
    let direction = |angle: f64| [angle.cos(), angle.sin()];
    match mechanism {
        "two_point_body" => vec![
            corner("first", direction(p("n1")), [p("x1"), p("y1")], "mu1"),
            corner("second", direction(p("n2")), [p("x2"), p("y2")], "mu2"),
        ],
        "slope_body" | "tumbling_body" => vec![
            corner("upper", up, [p("x1"), -p("h")], "mu1"),
            corner("lower", up, [p("x2"), -p("h")], "mu2"),
        ],
        "overhang_block" => {
            let [x, y] = direction(-p("delta"));
            vec![
                corner("left", [x, y], [-p("w"), p("h")], "mu"),
                corner("right", [-x, y], [p("w"), p("h")], "mu"),
            ]
        }
        "square_on_ground" => {
            let s = p("s");
            vec![corner("left", up, [-s, -s], "mu"), corner("right", up, [s, -s], "mu")]
        }
        "rimless_wheel" => {
            let spoke = |angle: f64| turned([0.0, -p("l")], angle);
            vec![corner("rear", up, spoke(-p("gamma")), "mu"), corner("front", up, spoke(p("gamma")), "mu")]
        }
        "crushed_ball" => vec![
            side("ground", up, [0.0, -p("R")], [0.0; 2]),
            side("plate", [0.0, -1.0], [0.0, p("R")], [0.0, p("u_0")]),
        ],
        _ => {
            let circle = |x: f64| [x - q[0], p("R") - q[1]];
            let moving = [p("u_x"), p("u_y")];
            vec![side("left", up, circle(-p("d")), [0.0; 2]), side("right", up, circle(p("d")), moving)]
        }
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        x => vec![x.as_f64().unwrap_or(f64::NAN)],
    }
}

fn close(place: &str, found: &Value, expected: &[f64]) {
    let found = numbers(found);
    assert_eq!(found.len(), expected.len(), "{place}");
    // relative to the largest: a zero is one up to the rounding of the others
    let size = expected.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
    let same = found.iter().zip(expected).all(|(x, y)| (x - y).abs() <= CLOSE * size);
    assert!(same, "{place}: {found:?} instead of {expected:?}");
}

fn check_contact(place: &str, body: &Body, touch: &Touch, found: &Value) {
    let [n, t] = touch.axes();
    let (r, mu) = (touch.r, touch.mu);
    let near =
        |key: &str, expected: &[f64]| close(&format!("{place} {} {key}", touch.name), &found[key], expected);
    let (velocity, flight) = (body.velocity(touch), body.flight(touch));
    near("friction", &[mu]);
    near("W_N", &[n[0], n[1], cross(r, n)]);
    near("W_T", &[t[0], t[1], cross(r, t)]);
    near("gap_rate", &[dot(n, velocity)]);
    near("slip", &[dot(t, velocity)]);
    let [a, b, c] = [(t, t), (t, n), (n, n)].map(|(d, f)| body.mobility((r, d), (r, f)));
    near("A", &[a]);
    near("B", &[b]);
    near("C", &[c]);
    near("a", &[dot(t, flight)]);
    near("b", &[dot(n, flight)]);
    let own = body.touches.iter().position(|other| other.name == touch.name).unwrap();
    near("p_plus", &[body.p([1.0; 2])[own][own]]);
    near("p_minus", &[body.p([-1.0; 2])[own][own]]);
    near("k_plus", &[mu * a - b]);
    near("k_minus", &[mu * a + b]);
    match found.get("mu_min") {
        Some(Value::Null) => assert!(b.abs() <= CLOSE, "{place} {}: mu_min at B = {b}", touch.name),
        Some(least) => close(&format!("{place} mu_min"), least, &[c / b.abs()]),
        None => {}
    }
}

/// The mobility of the closed contacts, and P of all four pairs of slips made of its entries.
fn check_delassus(place: &str, body: &Body, closed: &[usize], found: &Value) {
    let rows = closed.iter().flat_map(|&c| body.touches[c].axes().map(|axis| (body.touches[c].r, axis)));
    let rows: Vec<(Vector, Vector)> = rows.collect();
    let expected = rows.iter().flat_map(|&i| rows.iter().map(move |&j| body.mobility(i, j)));
    close(&format!("{place} delassus"), found, &expected.collect::<Vec<f64>>());
    let entry = |i: usize, j: usize| found[i][j].as_f64().unwrap();
    for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let p = body.p(signs);
        for (i, &c) in closed.iter().enumerate() {
            for (j, &d) in closed.iter().enumerate() {
                let made = entry(2 * i, 2 * j) - signs[d] * body.touches[d].mu * entry(2 * i, 2 * j + 1);
                close(&format!("{place} P {signs:?}"), &Value::from(made), &[p[c][d]]);
            }
        }
    }
}

fn check(source: Source) {
    let mechanisms = [
        "two_point_body",
        "slope_body",
        "tumbling_body",
        "overhang_block",
        "square_on_ground",
        "rimless_wheel",
        "crushed_ball",
        "rectangle_on_circles",
    ];
    for mechanism in mechanisms {
        for said in states(mechanism, source).1 {
            let (place, body) = (format!("{mechanism} {}", said.name), body(mechanism, &said));
            let model = said.numbers.get("model").unwrap_or(&said.numbers);
            let (m, i, [x, y]) = (body.m, body.inertia, body.force);
            close(&format!("{place} M"), &model["M"], &[m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, i]);
            close(&format!("{place} h"), &model["h"], &[-x, -y, -body.torque]);
            let energy = 0.5 * (m * dot(body.v, body.v) + i * body.omega.powi(2));
            close(&format!("{place} kinetic_energy"), &model["kinetic_energy"], &[energy]);
            for touch in &body.touches {
                check_contact(&place, &body, touch, &said.numbers["contacts"][touch.name]);
            }
            let index = |name: &Value| body.touches.iter().position(|t| *name == *t.name).unwrap();
            let closed: Vec<usize> = said.numbers["closed"].as_array().unwrap().iter().map(index).collect();
            check_delassus(&place, &body, &closed, &said.numbers["delassus"]);
        }
    }
}

#[test]
fn references_of_bodies_on_two_contacts_obey_newton_and_euler() {
    check(Source::Reference);
}

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn reports_of_bodies_on_two_contacts_obey_newton_and_euler() {
    check(Source::Report);
}
