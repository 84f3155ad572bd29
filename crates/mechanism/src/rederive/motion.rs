//! Energies and forces of a mechanism from its file, over any numbers: T by the velocities of bodies, which dual numbers have, V, and the work of forces.

use crate::expression::{Env, Expr, Node, Symbol};
use crate::format::{Body, Force, Inertia, Mechanism, Placed, Pose, Rotation, Seen};
use crate::num::{Dual, Real};

/// Components of a place, a velocity or a force.
pub(super) type Vector<T> = [T; 3];

/// A mechanism at a point of its state space.
#[derive(Clone, Debug)]
pub(super) struct At<'m, T> {
    pub(super) mechanism: &'m Mechanism,
    pub(super) t: T,
    pub(super) q: Vec<T>,
    pub(super) v: Vec<T>,
    pub(super) parameters: Vec<T>,
}

pub(super) fn number<T: Real>(x: f64) -> T {
    T::from_f64(x)
}

pub(super) fn dot<T: Real>(a: Vector<T>, b: Vector<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a + s b.
pub(super) fn sum<T: Real>(a: Vector<T>, s: T, b: Vector<T>) -> Vector<T> {
    std::array::from_fn(|i| a[i] + s * b[i])
}

pub(super) fn difference<T: Real>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn cross<T: Real>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

pub(super) fn values<T: Real>(v: Vector<Dual<T>>) -> Vector<T> {
    v.map(|x| x.re)
}

pub(super) fn rates<T: Real>(v: Vector<Dual<T>>) -> Vector<T> {
    v.map(|x| x.eps)
}

impl<'m, T: Real> At<'m, T> {
    /// With velocities of another kind.
    fn with_v(&self, v: impl Fn(usize) -> T) -> Self {
        At { v: (0..self.v.len()).map(v).collect(), ..self.clone() }
    }

    /// At rest.
    pub(super) fn resting(&self) -> Self {
        self.with_v(|_| number(0.0))
    }

    /// With velocity s along one coordinate, and none along the others.
    pub(super) fn unit(&self, i: usize, s: f64) -> Self {
        self.with_v(|k| number(if k == i { s } else { 0.0 }))
    }

    /// With s more velocity along one coordinate.
    pub(super) fn faster(&self, i: usize, s: f64) -> Self {
        self.with_v(|k| if k == i { self.v[k] + number(s) } else { self.v[k] })
    }

    /// Moving at given rates of t and q.
    fn moving(&self, t: f64, rate: impl Fn(usize) -> T) -> At<'m, Dual<T>> {
        At {
            mechanism: self.mechanism,
            t: Dual::new(self.t, number(t)),
            q: self.q.iter().enumerate().map(|(k, &q)| Dual::new(q, rate(k))).collect(),
            v: self.v.iter().map(|&v| Dual::fixed(v)).collect(),
            parameters: self.parameters.iter().map(|&p| Dual::fixed(p)).collect(),
        }
    }

    /// Moving along q' = v, t' = 1.
    pub(super) fn along(&self) -> At<'m, Dual<T>> {
        self.moving(1.0, |k| self.v[k])
    }

    /// Moving along one coordinate.
    pub(super) fn along_coordinate(&self, i: usize) -> At<'m, Dual<T>> {
        self.moving(0.0, |k| number(if k == i { 1.0 } else { 0.0 }))
    }

    /// Moving with time alone.
    pub(super) fn along_time(&self) -> At<'m, Dual<T>> {
        self.moving(1.0, |_| number(0.0))
    }

    pub(super) fn seen(&self) -> Seen<'_, T> {
        let Self { mechanism, t, q, v, parameters } = self;
        Seen { mechanism, env: Env { t: *t, q, v, parameters, definitions: &mechanism.definitions.values } }
    }

    pub(super) fn value(&self, x: &Expr) -> T {
        self.seen().value(x)
    }

    /// A place with its velocity.
    pub(super) fn point(&self, place: &Placed) -> Vector<Dual<T>> {
        self.along().seen().point(place)
    }

    /// The origin of a frame with its velocity.
    pub(super) fn origin(&self, pose: &Pose) -> Vector<Dual<T>> {
        self.along().seen().pose(pose).origin
    }

    /// ω of a frame in inertial components, from Ṙ Rᵀ, and in its own, from Rᵀ Ṙ.
    pub(super) fn spin(&self, pose: &Pose) -> [Vector<T>; 2] {
        let axes = self.along().seen().pose(pose).axes;
        let r = |i: usize, j: usize| axes[j][i];
        let three = |term: &dyn Fn(usize) -> T| term(0) + term(1) + term(2);
        let inertial = |i: usize, j: usize| three(&|k| r(i, k).eps * r(j, k).re);
        let own = |i: usize, j: usize| three(&|k| r(k, i).re * r(k, j).eps);
        let vector = |m: &dyn Fn(usize, usize) -> T| [m(2, 1), m(0, 2), m(1, 0)];
        [vector(&inertial), vector(&own)]
    }

    /// T(q, v, t).
    pub(super) fn kinetic(&self) -> T {
        let half = number::<T>(0.5);
        let mut energy = self.mechanism.energy.kinetic.as_ref().map_or(number(0.0), |e| self.value(e));
        for body in &self.mechanism.bodies {
            let speed = rates(self.origin(&body.pose));
            energy = energy + half * self.value(&body.mass) * dot(speed, speed);
            let w = self.spin(&body.pose)[1];
            let of = |i: usize, j: usize, x: &Expr| self.value(x) * w[i] * w[j];
            let all = match &body.inertia {
                Inertia::Scalar(x) => of(2, 2, x),
                Inertia::Diagonal(x) => of(0, 0, &x[0]) + of(1, 1, &x[1]) + of(2, 2, &x[2]),
                Inertia::Full(x) => {
                    (0..9).fold(number(0.0), |sum: T, k| sum + of(k / 3, k % 3, &x[k / 3][k % 3]))
                }
            };
            energy = energy + half * all;
        }
        energy + self.lengths()
    }

    /// ½ J (d|e|/dt)² of the quaternions whose parts are coordinates, J = 4/3 of the traces of what they turn.
    fn lengths(&self) -> T {
        let m = self.mechanism;
        let poses = m.frames.iter().map(|f| &f.pose).chain(m.bodies.iter().map(|b| &b.pose));
        let length = |of: &Pose| {
            let Rotation::Quaternion(parts) = &of.rotation else { return number(0.0) };
            if !parts.iter().all(|x| matches!(x.node, Node::Symbol(Symbol::Coordinate(_)))) {
                return number(0.0);
            }
            let flow = self.along();
            let parts = parts.each_ref().map(|x| flow.value(x));
            let zero = number::<T>(0.0);
            let along = parts.iter().fold(zero, |sum, x| sum + x.re * x.eps);
            let square = parts.iter().fold(zero, |sum, x| sum + x.re * x.re);
            let moments = m.bodies.iter().fold(zero, |sum, b| sum + self.moment(b, of));
            number::<T>(2.0) / number(3.0) * moments * along * along / square
        };
        poses.fold(number(0.0), |sum, pose| sum + length(pose))
    }

    /// What a body adds to the moments of what a pose turns.
    fn moment(&self, body: &Body, of: &Pose) -> T {
        let mut above = Some(&body.pose);
        while let Some(pose) = above.filter(|pose| *pose != of) {
            above = pose.parent.and_then(|i| self.mechanism.frames.get(i)).map(|f| &f.pose);
        }
        if above.is_none() {
            return number(0.0);
        }
        let own = match &body.inertia {
            Inertia::Scalar(x) => self.value(x),
            Inertia::Diagonal(x) => x.iter().fold(number(0.0), |sum: T, x| sum + self.value(x)),
            Inertia::Full(x) => (0..3).fold(number(0.0), |sum: T, k| sum + self.value(&x[k][k])),
        };
        let arm = self.seen().vector(&body.pose.origin);
        let moved = number::<T>(2.0) * self.value(&body.mass) * dot(arm, arm);
        if &body.pose == of { own } else { own + moved }
    }

    /// V(q, t).
    pub(super) fn potential(&self) -> T {
        let (m, half) = (self.mechanism, number::<T>(0.5));
        let seen = self.seen();
        let gravity = seen.vector(&m.gravity);
        let mut energy = m.energy.potential.as_ref().map_or(number(0.0), |e| self.value(e));
        for body in &m.bodies {
            energy = energy - self.value(&body.mass) * dot(gravity, seen.pose(&body.pose).origin);
        }
        for force in &m.forces {
            let (stiffness, stretched) = match force {
                Force::Spring { ends, stiffness, rest, .. } => {
                    let between = difference(seen.point(&ends[0]), seen.point(&ends[1]));
                    (stiffness, dot(between, between).sqrt() - self.value(rest))
                }
                Force::Torsion { angle, stiffness, rest, .. } => {
                    (stiffness, self.value(angle) - self.value(rest))
                }
                Force::Point { .. } | Force::Torque { .. } | Force::Coordinate { .. } => continue,
            };
            energy = energy + half * self.value(stiffness) * stretched * stretched;
        }
        energy
    }

    /// The rate of a spring's length.
    fn stretching(&self, ends: &[Placed; 2]) -> T {
        let [a, b] = [0, 1].map(|k| self.point(&ends[k]));
        let between = difference(values(a), values(b));
        dot(between, difference(rates(a), rates(b))) / dot(between, between).sqrt()
    }

    /// F_i by the work along one coordinate: rates at v = e_i less those at v = 0, so that explicit time drops out.
    pub(super) fn applied(&self, i: usize) -> T {
        let (unit, rest) = (self.unit(i, 1.0), self.resting());
        let work = |force: &Force| -> T {
            match force {
                Force::Point { point, force } => {
                    let along = difference(rates(unit.point(point)), rates(rest.point(point)));
                    dot(along, self.seen().direction(force))
                }
                Force::Torque { body, torque } => {
                    let spin = |at: &Self| at.spin(&self.mechanism.bodies[*body].pose)[0];
                    let turn = difference(spin(&unit), spin(&rest));
                    match torque.components.as_slice() {
                        [one] => turn[2] * self.value(one),
                        _ => dot(turn, self.seen().direction(torque)),
                    }
                }
                Force::Coordinate { coordinate, value } if *coordinate == i => self.value(value),
                Force::Coordinate { .. } => number(0.0),
                Force::Spring { ends, damping, .. } => {
                    -self.value(damping)
                        * self.stretching(ends)
                        * (unit.stretching(ends) - rest.stretching(ends))
                }
                Force::Torsion { angle, damping, .. } => {
                    let rate = |at: &Self| at.along().value(angle).eps;
                    -self.value(damping) * rate(self) * (rate(&unit) - rate(&rest))
                }
            }
        };
        self.mechanism.forces.iter().fold(number(0.0), |sum, force| sum + work(force))
    }

    /// M by polarisation of T, exact for a quadratic function of v.
    pub(super) fn mass(&self, i: usize, j: usize) -> T {
        let rest = self.resting();
        let both = rest.faster(i, 1.0).faster(j, 1.0);
        both.kinetic() - rest.faster(i, 1.0).kinetic() - rest.faster(j, 1.0).kinetic() + rest.kinetic()
    }

    /// ∂T/∂v_i, exact for a quadratic function of v.
    fn momentum(&self, i: usize) -> T {
        number::<T>(0.5) * (self.faster(i, 1.0).kinetic() - self.faster(i, -1.0).kinetic())
    }

    /// d/dt ∂T/∂v_i at v̇ = 0 − ∂T/∂q_i.
    pub(super) fn inertial(&self, i: usize) -> T {
        self.along().momentum(i).eps - self.along_coordinate(i).kinetic().eps
    }

    /// ∂V/∂q_i.
    pub(super) fn potential_force(&self, i: usize) -> T {
        self.along_coordinate(i).potential().eps
    }
}
