//! Lagrange's equations and contact kinematics by another route than the derivation: expressions evaluated as
//! numbers, velocities by dual numbers, everything else by eighth-order differences. Shares nothing with the
//! algebra.

use mechan::expression::{Env, Expr};
use mechan::expression::{Node, Symbol};
use mechan::format::{
    Axes, Body, Carrier, ConstraintValue, Force, Geometry, Inertia, Mechanism, Outline, Placed, Pose,
    Rotation, Round, Seen, Slip, Space, Surface,
};
use mechan::num::Dual;

/// A point of the state space with parameters.
#[derive(Clone, Debug)]
pub struct At {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub p: Vec<f64>,
    /// What definitions stand for.
    pub d: Vec<Expr>,
}

type D = Dual<f64>;

/// Central differences of order eight.
fn difference(f: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 4e-3;
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    weights
        .iter()
        .enumerate()
        .map(|(k, w)| w * (f((k + 1) as f64 * STEP) - f(-((k + 1) as f64) * STEP)))
        .sum::<f64>()
        / STEP
}

impl At {
    /// Moved along the flow q' = v, t' = 1 for a time s.
    fn along(&self, s: f64) -> At {
        let q = self.q.iter().zip(&self.v).map(|(q, v)| q + s * v).collect();
        At { t: self.t + s, q, ..self.clone() }
    }

    fn with_q(&self, i: usize, s: f64) -> At {
        let mut at = self.clone();
        at.q[i] += s;
        at
    }

    fn with_v(&self, i: usize, s: f64) -> At {
        let mut at = self.clone();
        at.v[i] += s;
        at
    }

    fn resting(&self) -> At {
        At { v: vec![0.0; self.v.len()], ..self.clone() }
    }

    pub fn value(&self, e: &Expr) -> f64 {
        e.eval(&Env { t: self.t, q: &self.q, v: &self.v, parameters: &self.p, definitions: &self.d })
    }

    fn values(&self, all: &[Expr]) -> Vec<f64> {
        all.iter().map(|e| self.value(e)).collect()
    }

    /// Value and rate along the flow.
    fn flow(&self, e: &Expr) -> D {
        let q: Vec<D> = self.q.iter().zip(&self.v).map(|(&q, &v)| Dual::new(q, v)).collect();
        let v: Vec<D> = self.v.iter().map(|&v| Dual::fixed(v)).collect();
        let p: Vec<D> = self.p.iter().map(|&p| Dual::fixed(p)).collect();
        e.eval(&Env { t: Dual::new(self.t, 1.0), q: &q, v: &v, parameters: &p, definitions: &self.d })
    }

    fn rates(&self, all: &[Expr]) -> Vec<f64> {
        all.iter().map(|e| self.flow(e).eps).collect()
    }

    /// What is seen along the flow.
    fn seen<R>(&self, m: &Mechanism, what: impl Fn(Seen<D>) -> R) -> R {
        let q: Vec<D> = self.q.iter().zip(&self.v).map(|(&q, &v)| Dual::new(q, v)).collect();
        let p: Vec<D> = self.p.iter().map(|&p| Dual::fixed(p)).collect();
        let env = Env { t: Dual::new(self.t, 1.0), q: &q, v: &[], parameters: &p, definitions: &self.d };
        what(Seen { mechanism: m, env })
    }
}

fn pose(m: &Mechanism, at: &At, pose: &Pose) -> Axes<D> {
    at.seen(m, |seen| seen.pose(pose))
}

fn values_of(m: &Mechanism, v: [D; 3]) -> Vec<f64> {
    v[..m.space.dimension()].iter().map(|x| x.re).collect()
}

fn rates_of(m: &Mechanism, v: [D; 3]) -> Vec<f64> {
    v[..m.space.dimension()].iter().map(|x| x.eps).collect()
}

fn point(m: &Mechanism, at: &At, point: &Placed) -> [D; 3] {
    at.seen(m, |seen| seen.point(point))
}

/// A vector that may depend on velocities, which dual numbers along the flow do not know.
fn direction(m: &Mechanism, at: &At, vector: &Placed) -> Vec<f64> {
    let axes = at.seen(m, |seen| seen.carrier(vector.carrier).axes);
    let components = at.values(&vector.components);
    if components.len() == 1 {
        return components;
    }
    (0..components.len())
        .map(|i| components.iter().zip(&axes).map(|(x, axis)| x * axis[i].re).sum())
        .collect()
}

/// R with its rate, as dual numbers.
fn rotation(m: &Mechanism, at: &At, of: &Pose) -> [[D; 3]; 3] {
    let axes = pose(m, at, of).axes;
    std::array::from_fn(|i| std::array::from_fn(|j| axes[j][i]))
}

/// ω in the inertial frame from the skew matrix Ṙ Rᵀ, and in the body frame from Rᵀ Ṙ.
fn spin(r: &[[D; 3]; 3]) -> ([f64; 3], [f64; 3]) {
    let inertial = |i: usize, j: usize| (0..3).map(|k| r[i][k].eps * r[j][k].re).sum::<f64>();
    let body = |i: usize, j: usize| (0..3).map(|k| r[k][i].re * r[k][j].eps).sum::<f64>();
    let vector = |m: &dyn Fn(usize, usize) -> f64| [m(2, 1), m(0, 2), m(1, 0)];
    (vector(&inertial), vector(&body))
}

/// ω of a pose in inertial components.
#[allow(dead_code, reason = "not every test that shares this file asks")]
pub fn angular_velocity(m: &Mechanism, at: &At, of: &Pose) -> [f64; 3] {
    spin(&rotation(m, at, of)).0
}

/// The inertial components of a point.
#[allow(dead_code, reason = "not every test that shares this file asks")]
pub fn place(m: &Mechanism, at: &At, of: &Placed) -> Vec<f64> {
    values_of(m, point(m, at, of))
}

/// T(q, v, t).
pub fn kinetic(m: &Mechanism, at: &At) -> f64 {
    let mut energy = m.energy.kinetic.as_ref().map_or(0.0, |e| at.value(e));
    for body in &m.bodies {
        let speed = rates_of(m, pose(m, at, &body.pose).origin);
        energy += 0.5 * at.value(&body.mass) * speed.iter().map(|x| x * x).sum::<f64>();
        let (_, w) = spin(&rotation(m, at, &body.pose));
        energy += 0.5
            * match &body.inertia {
                Inertia::Scalar(i) => at.value(i) * w[2] * w[2],
                Inertia::Diagonal(i) => (0..3).map(|k| at.value(&i[k]) * w[k] * w[k]).sum(),
                Inertia::Full(i) => (0..9).map(|k| at.value(&i[k / 3][k % 3]) * w[k / 3] * w[k % 3]).sum(),
            };
    }
    energy + lengths(m, at)
}

/// ½ J (d|e|/dt)² of the quaternions whose parts are coordinates, J = 4/3 of the traces of what they turn.
fn lengths(m: &Mechanism, at: &At) -> f64 {
    let poses = m.frames.iter().map(|f| &f.pose).chain(m.bodies.iter().map(|b| &b.pose));
    let length = |of: &Pose| {
        let Rotation::Quaternion(parts) = &of.rotation else { return 0.0 };
        if !parts.iter().all(|x| matches!(x.node, Node::Symbol(Symbol::Coordinate(_)))) {
            return 0.0;
        }
        let parts: Vec<D> = parts.iter().map(|x| at.flow(x)).collect();
        let along: f64 = parts.iter().map(|x| x.re * x.eps).sum();
        let square: f64 = parts.iter().map(|x| x.re * x.re).sum();
        let moments: f64 = m.bodies.iter().map(|b| moment(m, at, b, of)).sum();
        0.5 * 4.0 / 3.0 * moments * along * along / square
    };
    poses.map(length).sum()
}

/// What a body adds to the moments of what a pose turns.
fn moment(m: &Mechanism, at: &At, body: &Body, of: &Pose) -> f64 {
    let mut above = Some(&body.pose);
    while let Some(p) = above {
        if p == of {
            break;
        }
        above = p.parent.map(|i| &m.frames[i].pose);
    }
    if above.is_none() {
        return 0.0;
    }
    let own = match &body.inertia {
        Inertia::Scalar(i) => at.value(i),
        Inertia::Diagonal(i) => i.iter().map(|x| at.value(x)).sum(),
        Inertia::Full(i) => (0..3).map(|k| at.value(&i[k][k])).sum(),
    };
    let arm: f64 = at.values(&body.pose.origin).iter().map(|x| x * x).sum();
    own + if &body.pose == of { 0.0 } else { 2.0 * at.value(&body.mass) * arm }
}

/// V(q, t).
pub fn potential(m: &Mechanism, at: &At) -> f64 {
    let gravity = at.values(&m.gravity);
    let lift = |b: &Body| -> f64 {
        let p = values_of(m, pose(m, at, &b.pose).origin);
        -at.value(&b.mass) * gravity.iter().zip(p).map(|(g, x)| g * x).sum::<f64>()
    };
    let spring = |force: &Force| match force {
        Force::Spring { ends, stiffness, rest, .. } => {
            let length = norm(&sum(
                &values_of(m, point(m, at, &ends[0])),
                -1.0,
                &values_of(m, point(m, at, &ends[1])),
            ));
            0.5 * at.value(stiffness) * (length - at.value(rest)).powi(2)
        }
        Force::Torsion { angle, stiffness, rest, .. } => {
            0.5 * at.value(stiffness) * (at.value(angle) - at.value(rest)).powi(2)
        }
        Force::Point { .. } | Force::Torque { .. } | Force::Coordinate { .. } => 0.0,
    };
    m.energy.potential.as_ref().map_or(0.0, |e| at.value(e))
        + m.bodies.iter().map(lift).sum::<f64>()
        + m.forces.iter().map(spring).sum::<f64>()
}

/// M by polarisation of T, exact for a quadratic function of v.
pub fn mass_matrix(m: &Mechanism, at: &At) -> Vec<Vec<f64>> {
    let at = at.resting();
    let t = |v: &At| kinetic(m, v);
    let pair = |i: usize, j: usize| {
        t(&at.with_v(i, 1.0).with_v(j, 1.0)) - t(&at.with_v(i, 1.0)) - t(&at.with_v(j, 1.0)) + t(&at)
    };
    (0..at.q.len()).map(|i| (0..at.q.len()).map(|j| pair(i, j)).collect()).collect()
}

/// ∂T/∂v_i, exact for a quadratic function of v.
fn momentum(m: &Mechanism, at: &At, i: usize) -> f64 {
    0.5 * (kinetic(m, &at.with_v(i, 1.0)) - kinetic(m, &at.with_v(i, -1.0)))
}

/// F_i by virtual work.
pub fn applied(m: &Mechanism, at: &At, i: usize) -> f64 {
    let unit = At { v: (0..at.q.len()).map(|k| f64::from(u8::from(k == i))).collect(), ..at.clone() };
    let rest = at.resting();
    // virtual velocities: those of v = e_i less those of v = 0, so that explicit time drops out
    let virtual_rates = |p: &Placed| -> Vec<f64> {
        sum(&rates_of(m, point(m, &unit, p)), -1.0, &rates_of(m, point(m, &rest, p)))
    };
    // the rate of a spring's length
    let stretching = |at: &At, ends: &[Placed; 2]| -> f64 {
        let [a, b] = [&ends[0], &ends[1]].map(|p| point(m, at, p));
        let between = sum(&values_of(m, a), -1.0, &values_of(m, b));
        dot(&between, &sum(&rates_of(m, a), -1.0, &rates_of(m, b))) / norm(&between)
    };
    let work = |force: &Force| -> f64 {
        match force {
            Force::Point { point, force } => dot(&virtual_rates(point), &direction(m, at, force)),
            Force::Torque { body, torque } => {
                let w = |s: &At| spin(&rotation(m, s, &m.bodies[*body].pose)).0;
                let (a, b, torque) = (w(&unit), w(&rest), direction(m, at, torque));
                match torque.as_slice() {
                    [one] => (a[2] - b[2]) * one,
                    _ => (0..3).map(|k| (a[k] - b[k]) * torque[k]).sum(),
                }
            }
            Force::Coordinate { coordinate, value } if *coordinate == i => at.value(value),
            Force::Coordinate { .. } => 0.0,
            Force::Spring { ends, damping, .. } => {
                -at.value(damping)
                    * stretching(at, ends)
                    * (stretching(&unit, ends) - stretching(&rest, ends))
            }
            Force::Torsion { angle, damping, .. } => {
                let rate = |at: &At| at.flow(angle).eps;
                -at.value(damping) * rate(at) * (rate(&unit) - rate(&rest))
            }
        }
    };
    m.forces.iter().map(work).sum()
}

/// h_i = d/dt ∂T/∂v_i at v̇ = 0 − ∂T/∂q_i + ∂V/∂q_i − F_i.
pub fn bias(m: &Mechanism, at: &At, i: usize) -> f64 {
    difference(|s| momentum(m, &at.along(s), i)) - difference(|s| kinetic(m, &at.with_q(i, s)))
        + potential_gradient(m, at, i)
        - applied(m, at, i)
}

/// ∂V/∂q_i.
pub fn potential_gradient(m: &Mechanism, at: &At, i: usize) -> f64 {
    difference(|s| potential(m, &at.with_q(i, s)))
}

/// d(T + V)/dt at v̇ = 0.
pub fn energy_rate(m: &Mechanism, at: &At) -> f64 {
    difference(|s| kinetic(m, &at.along(s)) + potential(m, &at.along(s)))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: &[f64]) -> Vec<f64> {
    let length = norm(a);
    a.iter().map(|x| x / length).collect()
}

fn cross(a: &[f64], b: &[f64]) -> Vec<f64> {
    vec![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// ω × r of a body, in as many components as r has.
fn swept(m: &Mechanism, at: &At, of: &Pose, r: &[f64]) -> Vec<f64> {
    let w = spin(&rotation(m, at, of)).0;
    match r {
        [x, y] => vec![-w[2] * y, w[2] * x],
        _ => cross(&w, r),
    }
}

struct Ball {
    centre: Vec<f64>,
    speed: Vec<f64>,
}

/// How far a round body reaches against a direction, and its point there, from its centre. Of an ellipsoid with the matrix
/// A = Σ r_k² e_k e_kᵀ: −A n/√(nᵀ A n); of a rim about a: −R (n − (a·n) a)/|n − (a·n) a|.
fn deepest(m: &Mechanism, at: &At, round: &Round, n: &[f64]) -> (f64, Vec<f64>) {
    let axes =
        || pose(m, at, &m.bodies[round.body.unwrap()].pose).axes.map(|axis| axis.map(|x| x.re).to_vec());
    let arm: Vec<f64> = match &round.outline {
        Outline::Ball(radius) => n.iter().map(|x| -at.value(radius) * x).collect(),
        Outline::Rim { axis, radius } => {
            let a = &axes()[*axis];
            let across = unit(&sum(n, -dot(n, a), a));
            across.iter().map(|x| -at.value(radius) * x).collect()
        }
        Outline::Ellipsoid(radii) => {
            let axes = axes();
            let entry = |i: usize, j: usize| -> f64 {
                (0..3).map(|k| at.value(&radii[k]).powi(2) * axes[k][i] * axes[k][j]).sum()
            };
            let image: Vec<f64> = (0..3).map(|i| (0..3).map(|j| entry(i, j) * n[j]).sum()).collect();
            let size = dot(n, &image).sqrt();
            image.iter().map(|x| -x / size).collect()
        }
    };
    (-dot(n, &arm), arm)
}

fn ball(m: &Mechanism, at: &At, round: &Round) -> Ball {
    let centre = match &round.centre {
        Some(centre) => point(m, at, centre),
        None => pose(m, at, &m.bodies[round.body.unwrap()].pose).origin,
    };
    Ball { centre: values_of(m, centre), speed: rates_of(m, centre) }
}

fn sum(a: &[f64], s: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(x, y)| x + s * y).collect()
}

fn ball_velocity(m: &Mechanism, at: &At, round: &Round, ball: &Ball, arm: &[f64]) -> Vec<f64> {
    round.body.map_or(ball.speed.clone(), |b| sum(&ball.speed, 1.0, &swept(m, at, &m.bodies[b].pose, arm)))
}

fn surface_velocity(m: &Mechanism, at: &At, surface: &Surface, place: &[f64]) -> Vec<f64> {
    let of = match (&surface.velocity, surface.carrier) {
        (Some(velocity), _) => return direction(m, at, velocity),
        (None, None) => return rates_of(m, point(m, at, &surface.point)),
        (None, Some(Carrier::Body(b))) => &m.bodies[b].pose,
        (None, Some(Carrier::Frame(f))) => &m.frames[f].pose,
    };
    let origin = pose(m, at, of).origin;
    let arm = sum(place, -1.0, &values_of(m, origin));
    sum(&rates_of(m, origin), 1.0, &swept(m, at, of, &arm))
}

/// Gap, unit normal and relative material velocity at the contact point; the last two only where there are any.
#[expect(clippy::type_complexity, reason = "gap, and normal with relative velocity where they are known")]
fn geometry(m: &Mechanism, at: &At, contact: usize) -> (f64, Option<(Vec<f64>, Vec<f64>)>) {
    match &m.contacts[contact].geometry {
        Geometry::Point { point: material, surface } => {
            let n = unit(&direction(m, at, &surface.normal));
            let p = values_of(m, point(m, at, material));
            let gap = dot(&n, &sum(&p, -1.0, &values_of(m, point(m, at, &surface.point))));
            let relative =
                sum(&rates_of(m, point(m, at, material)), -1.0, &surface_velocity(m, at, surface, &p));
            (gap, Some((n, relative)))
        }
        Geometry::Round { round, surface } => {
            let n = unit(&direction(m, at, &surface.normal));
            let b = ball(m, at, round);
            let (depth, arm) = deepest(m, at, round, &n);
            let gap = dot(&n, &sum(&b.centre, -1.0, &values_of(m, point(m, at, &surface.point)))) - depth;
            let foot = sum(&b.centre, 1.0, &arm);
            let velocity = ball_velocity(m, at, round, &b, &arm);
            (gap, Some((n, sum(&velocity, -1.0, &surface_velocity(m, at, surface, &foot)))))
        }
        Geometry::RoundPair { round, other } => {
            let (a, b) = (ball(m, at, round), ball(m, at, other));
            let between = sum(&a.centre, -1.0, &b.centre);
            let n = unit(&between);
            let opposite: Vec<f64> = n.iter().map(|x| -x).collect();
            let ((depth, one), (height, two)) = (deepest(m, at, round, &n), deepest(m, at, other, &opposite));
            let relative =
                sum(&ball_velocity(m, at, round, &a, &one), -1.0, &ball_velocity(m, at, other, &b, &two));
            (dot(&between, &between).sqrt() - depth - height, Some((n, relative)))
        }
        Geometry::Direct { gap, .. } => (at.value(gap), None),
    }
}

/// The gap of a contact.
pub fn gap(m: &Mechanism, at: &At, contact: usize) -> f64 {
    geometry(m, at, contact).0
}

/// The slip of a contact; in space along the given or default tangents. `axis` is the inertial axis of the default.
pub fn slip(m: &Mechanism, at: &At, contact: usize, axis: usize) -> Vec<f64> {
    let spec = &m.contacts[contact];
    let Some((n, relative)) = geometry(m, at, contact).1 else {
        let Geometry::Direct { slip, .. } = &spec.geometry else { unreachable!() };
        return match slip {
            Slip::Displacement(x) => at.rates(x),
            Slip::Velocity(x) => at.values(x),
        };
    };
    let flat = |x: &[f64]| sum(x, -dot(x, &n), &n);
    match (m.space, &spec.tangents) {
        (Space::Plane, _) => vec![n[1] * relative[0] - n[0] * relative[1]],
        (Space::Space, Some([first, second])) => {
            let first = unit(&flat(&direction(m, at, first)));
            let second = flat(&direction(m, at, second));
            let second = unit(&sum(&second, -dot(&second, &first), &first));
            vec![dot(&first, &relative), dot(&second, &relative)]
        }
        (Space::Space, None) => {
            let e: Vec<f64> = (0..3).map(|k| f64::from(u8::from(k == axis))).collect();
            let first = unit(&flat(&e));
            vec![dot(&first, &relative), dot(&cross(&n, &first), &relative)]
        }
    }
}

/// The default tangent's axis at a configuration.
pub fn default_axis(m: &Mechanism, at: &At, contact: usize) -> usize {
    let Some((n, _)) = geometry(m, at, contact).1 else { return 0 };
    n.iter().position(|x| x.abs() < (std::f64::consts::PI / 6.0).cos()).unwrap_or(0)
}

/// ∂gap/∂q_i.
pub fn normal_jacobian(m: &Mechanism, at: &At, contact: usize, i: usize) -> f64 {
    difference(|s| gap(m, &at.with_q(i, s), contact))
}

/// ∂gap/∂t.
pub fn gap_rate(m: &Mechanism, at: &At, contact: usize) -> f64 {
    difference(|s| gap(m, &At { t: at.t + s, ..at.clone() }, contact))
}

/// The rate of the gap along the motion, with what moves by itself.
pub fn closing(m: &Mechanism, at: &At, contact: usize) -> f64 {
    difference(|s| gap(m, &at.along(s), contact))
}

/// d²gap/dt² along straight lines q(s) = q + s v.
pub fn normal_drift(m: &Mechanism, at: &At, contact: usize) -> f64 {
    difference(|s| difference(|r| gap(m, &at.along(s).along(r), contact)))
}

/// ∂slip/∂v_i, exact for a linear function.
pub fn tangent_jacobian(m: &Mechanism, at: &At, contact: usize, axis: usize, i: usize) -> Vec<f64> {
    sum(&slip(m, &at.with_v(i, 1.0), contact, axis), -1.0, &slip(m, at, contact, axis))
}

/// d slip/dt along straight lines.
pub fn tangent_drift(m: &Mechanism, at: &At, contact: usize, axis: usize, k: usize) -> f64 {
    difference(|s| slip(m, &at.along(s), contact, axis)[k])
}

/// Constraint value, Jacobian, rate and drift.
pub fn constraint(m: &Mechanism, at: &At, c: usize) -> (f64, Vec<f64>, f64, f64) {
    let flow = |at: &At| match &m.constraints[c].value {
        ConstraintValue::Expression(value) => at.flow(value),
        ConstraintValue::Coincidence { points, axis } => {
            point(m, at, &points[0])[*axis] - point(m, at, &points[1])[*axis]
        }
    };
    let phi = |at: &At| flow(at).re;
    let jacobian = (0..at.q.len()).map(|i| difference(|s| phi(&at.with_q(i, s)))).collect();
    let rate = difference(|s| phi(&At { t: at.t + s, ..at.clone() }));
    (phi(at), jacobian, rate, difference(|s| flow(&at.along(s)).eps))
}
