//! M, B, G and the energies of bodies that hang in frames, from the leaves of the tree to its root.
//!
//! With the mass m, the first moment s = Σ m c and the inertia I about a frame's origin of all that the frame carries, a
//! twist (axis e, shift u) of it has the momentum and the moment of momentum per unit rate
//!
//! ```text
//! L = m u + e × s,   H = s × u + I e ,
//! ```
//!
//! and M_ij is what another twist (e', u') makes of them, e'·H + u'·L, once H is taken about its own origin: H + d × L (the
//! composite rigid body algorithm; Featherstone, Rigid Body Dynamics Algorithms, section 6.2, with the vectors of space in
//! inertial axes). With the forces f = m a and moments n = I α + ω × I ω of inertia at v̇ = 0, summed towards the root in the
//! same way, B_i = u·f + e·n; G_i is the same of −m g (the recursive Newton-Euler algorithm, section 5.3 there). What is
//! nothing for a frame (no mass, no shift) leaves no instruction on the tape.

use super::algebra::Variable;
use super::emit::{Emitter, Velocities};
use super::frames::{Frame, Frames};
use super::lagrange::Link;
use crate::derive::error::DeriveError;
use crate::model::Output;

use crate::tape::{Builder, Value};
use symbolica::atom::Atom;

/// The equations of the bodies in frames.
pub(super) struct Tree {
    mass: Vec<Value>,
    inertial: Vec<Value>,
    potential: Vec<Value>,
    kinetic_energy: Value,
    potential_energy: Value,
}

impl Tree {
    /// What the tree adds to an entry of a block.
    pub(super) fn value(&self, output: Output, i: usize) -> Option<Value> {
        match output {
            Output::MassMatrix => self.mass.get(i).copied(),
            Output::Inertial => self.inertial.get(i).copied(),
            Output::Potential => self.potential.get(i).copied(),
            Output::KineticEnergy => Some(self.kinetic_energy),
            Output::PotentialEnergy => Some(self.potential_energy),
            _ => None,
        }
    }
}

/// A vector of values.
type Vector = Vec<Value>;

/// A frame as values.
struct Node {
    parent: Option<usize>,
    offset: Vector,
    twists: Vec<(usize, Vector, Vector)>,
}

/// What a frame carries, about its origin.
#[derive(Clone)]
struct Load {
    mass: Value,
    moment: Vector,
    /// 1×1 in the plane, 3×3 in space.
    inertia: Vec<Vector>,
    force: Vector,
    torque: Vector,
}

/// Sums over the tree of a mechanism's links, of which there are some.
pub(super) fn tree(
    emitter: &mut Emitter<'_>,
    frames: &Frames,
    links: &[Link],
    gravity: &[Atom],
    coordinates: usize,
) -> Result<Tree, DeriveError> {
    let mut nodes = Vec::new();
    for frame in &frames.all {
        nodes.push(node(emitter, frame)?);
    }
    let gravity = vector(emitter, gravity)?;
    let zero = emitter.builder().constant(0.0);
    let dimension = frames.all.first().map_or(2, |f| f.origin.len());
    let mut loads = vec![Load::nothing(zero, dimension); nodes.len()];
    let mut energies = (zero, zero);
    for link in links {
        let (load, kinetic, potential) = body(emitter, &frames.all[link.place], link, &gravity)?;
        loads[link.place].add(emitter.builder(), &load);
        let b = emitter.builder();
        energies = (b.add(energies.0, kinetic), b.add(energies.1, potential));
    }
    let b = emitter.builder();
    for k in (0..nodes.len()).rev() {
        if let Some(parent) = nodes[k].parent {
            let moved = loads[k].about(b, &nodes[k].offset);
            loads[parent].add(b, &moved);
        }
    }
    let sums = Sums { nodes: &nodes, loads: &loads, coordinates };
    Ok(Tree {
        mass: sums.mass(b),
        inertial: sums.inertial(b),
        potential: sums.potential(b, &gravity),
        kinetic_energy: energies.0,
        potential_energy: energies.1,
    })
}

fn vector(emitter: &mut Emitter<'_>, atoms: &[Atom]) -> Result<Vector, DeriveError> {
    atoms.iter().map(|x| emitter.atom(x, Velocities::Kept)).collect()
}

fn node(emitter: &mut Emitter<'_>, frame: &Frame) -> Result<Node, DeriveError> {
    let mut twists = Vec::new();
    for twist in &frame.twists {
        if let Variable::Coordinate(i) = twist.variable {
            twists.push((i, vector(emitter, &twist.axis)?, vector(emitter, &twist.shift)?));
        }
    }
    Ok(Node { parent: frame.parent, offset: vector(emitter, &frame.offset)?, twists })
}

/// A body about its own centre, and its energies.
fn body(
    emitter: &mut Emitter<'_>,
    frame: &Frame,
    link: &Link,
    gravity: &[Value],
) -> Result<(Load, Value, Value), DeriveError> {
    let mass = emitter.atom(&link.mass, Velocities::Kept)?;
    let mut local = Vec::new();
    for row in &link.inertia {
        local.push(vector(emitter, row)?);
    }
    let mut axes = Vec::new();
    for axis in &frame.axes {
        axes.push(vector(emitter, axis)?);
    }
    let (origin, velocity) = (vector(emitter, &frame.origin)?, vector(emitter, &frame.velocity)?);
    let acceleration = vector(emitter, &frame.acceleration)?;
    let (spin, spin_rate) = (vector(emitter, &frame.spin)?, vector(emitter, &frame.spin_rate)?);
    let b = emitter.builder();
    let inertia = turned_inertia(b, &local, &axes);
    let momentum = times(b, &inertia, &spin);
    let mut torque = times(b, &inertia, &spin_rate);
    if spin.len() == 3 {
        torque = plus_cross(b, &torque, &spin, &momentum);
    }
    let half = b.constant(0.5);
    let (square, turning) = (b.dot(&velocity, &velocity), b.dot(&spin, &momentum));
    let moving = b.mul(mass, square);
    let whole = b.add(moving, turning);
    let kinetic = b.mul(half, whole);
    let height = b.dot(gravity, &origin);
    let weight = b.mul(mass, height);
    let potential = b.neg(weight);
    let zero = b.constant(0.0);
    let force = scaled(b, mass, &acceleration);
    let load = Load { mass, moment: vec![zero; origin.len()], inertia, force, torque };
    Ok((load, kinetic, potential))
}

/// R I Rᵀ; in the plane I.
fn turned_inertia(b: &mut Builder, local: &[Vector], axes: &[Vector]) -> Vec<Vector> {
    if local.len() == 1 {
        return local.to_vec();
    }
    // I Rᵀ by the body's axes, then R of it
    let half: Vec<Vector> = local.iter().map(|row| combined(b, row, axes)).collect();
    let mut whole = vec![vec![b.constant(0.0); 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let column: Vector = half.iter().map(|h| h[j]).collect();
            let along: Vector = axes.iter().map(|axis| axis[i]).collect();
            whole[i][j] = b.dot(&along, &column);
            whole[j][i] = whole[i][j];
        }
    }
    whole
}

/// Σ x_k v_k.
fn combined(b: &mut Builder, x: &[Value], vectors: &[Vector]) -> Vector {
    (0..vectors[0].len())
        .map(|i| {
            let column: Vector = vectors.iter().map(|v| v[i]).collect();
            b.dot(x, &column)
        })
        .collect()
}

fn times(b: &mut Builder, matrix: &[Vector], x: &[Value]) -> Vector {
    matrix.iter().map(|row| b.dot(row, x)).collect()
}

fn sum(b: &mut Builder, x: &[Value], y: &[Value]) -> Vector {
    x.iter().zip(y).map(|(&x, &y)| b.add(x, y)).collect()
}

fn scaled(b: &mut Builder, s: Value, x: &[Value]) -> Vector {
    x.iter().map(|&x| b.mul(s, x)).collect()
}

/// sum + e × x for an axis e; in the plane e is a number. Each product joins the sum at once, which a tape does in one
/// instruction.
fn plus_swept(b: &mut Builder, sum: &[Value], e: &[Value], x: &[Value]) -> Vector {
    match e {
        [e] => {
            let (one, other) = (b.mul(*e, x[1]), b.mul(*e, x[0]));
            vec![b.sub(sum[0], one), b.add(sum[1], other)]
        }
        _ => plus_cross(b, sum, e, x),
    }
}

/// sum + r × x, a moment: a number in the plane.
fn plus_moment(b: &mut Builder, sum: &[Value], r: &[Value], x: &[Value]) -> Vector {
    match (r, x) {
        ([r0, r1], [x0, x1]) => {
            let (one, other) = (b.mul(*r0, *x1), b.mul(*r1, *x0));
            let more = b.add(sum[0], one);
            vec![b.sub(more, other)]
        }
        _ => plus_cross(b, sum, r, x),
    }
}

/// sum + x × y in space.
fn plus_cross(b: &mut Builder, sum: &[Value], x: &[Value], y: &[Value]) -> Vector {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (one, other) = (b.mul(x[j], y[k]), b.mul(x[k], y[j]));
            let more = b.add(sum[i], one);
            b.sub(more, other)
        })
        .collect()
}

/// sum + s·x.
fn plus_scaled(b: &mut Builder, sum: &[Value], s: Value, x: &[Value]) -> Vector {
    let term = |(&sum, &x): (&Value, &Value)| {
        let product = b.mul(s, x);
        b.add(sum, product)
    };
    sum.iter().zip(x).map(term).collect()
}

/// sum + x·y.
fn plus_dot(b: &mut Builder, sum: Value, x: &[Value], y: &[Value]) -> Value {
    x.iter().zip(y).fold(sum, |sum, (&x, &y)| {
        let product = b.mul(x, y);
        b.add(sum, product)
    })
}

impl Load {
    fn nothing(zero: Value, dimension: usize) -> Self {
        let spins = if dimension == 2 { 1 } else { 3 };
        Load {
            mass: zero,
            moment: vec![zero; dimension],
            inertia: vec![vec![zero; spins]; spins],
            force: vec![zero; dimension],
            torque: vec![zero; spins],
        }
    }

    fn add(&mut self, b: &mut Builder, other: &Load) {
        self.mass = b.add(self.mass, other.mass);
        self.moment = sum(b, &self.moment, &other.moment);
        self.force = sum(b, &self.force, &other.force);
        self.torque = sum(b, &self.torque, &other.torque);
        let spins = self.inertia.len();
        for i in 0..spins {
            for j in 0..=i {
                self.inertia[i][j] = b.add(self.inertia[i][j], other.inertia[i][j]);
                self.inertia[j][i] = self.inertia[i][j];
            }
        }
    }

    /// The same about a point from which the own origin is at d:
    /// s + m d,  I + (m d·d + 2 d·s) 1 − m d dᵀ − (d sᵀ + s dᵀ),  n + d × f.
    fn about(&self, b: &mut Builder, d: &[Value]) -> Self {
        // w = s + m d/2, so that I grows by 2 d·w 1 − (d wᵀ + w dᵀ)
        let half = b.constant(0.5);
        let half_mass = b.mul(half, self.mass);
        let w = plus_scaled(b, &self.moment, half_mass, d);
        let along = b.dot(d, &w);
        let trace = b.add(along, along);
        let mut inertia = self.inertia.clone();
        let spins = inertia.len();
        for i in 0..spins {
            for j in 0..=i {
                let own = if i == j { b.add(inertia[i][j], trace) } else { inertia[i][j] };
                inertia[i][j] = if spins == 1 {
                    own
                } else {
                    let (one, other) = (b.mul(d[i], w[j]), b.mul(w[i], d[j]));
                    let less = b.sub(own, one);
                    b.sub(less, other)
                };
                inertia[j][i] = inertia[i][j];
            }
        }
        Load {
            mass: self.mass,
            moment: plus_scaled(b, &self.moment, self.mass, d),
            inertia,
            force: self.force.clone(),
            torque: plus_moment(b, &self.torque, d, &self.force),
        }
    }

    /// L and H of a twist.
    fn momentum(&self, b: &mut Builder, axis: &[Value], shift: &[Value]) -> (Vector, Vector) {
        let (carried, turned) = (scaled(b, self.mass, shift), times(b, &self.inertia, axis));
        (plus_swept(b, &carried, axis, &self.moment), plus_moment(b, &turned, &self.moment, shift))
    }
}

/// Sums over pairs of twists, and over twists.
struct Sums<'a> {
    nodes: &'a [Node],
    loads: &'a [Load],
    coordinates: usize,
}

impl Sums<'_> {
    /// The lower triangle of M by rows.
    fn mass(&self, b: &mut Builder) -> Vec<Value> {
        let n = self.coordinates;
        let mut mass = vec![b.constant(0.0); n * (n + 1) / 2];
        for (k, node) in self.nodes.iter().enumerate() {
            for (place, (i, axis, shift)) in node.twists.iter().enumerate() {
                let (linear, mut angular) = self.loads[k].momentum(b, axis, shift);
                for (j, axis, shift) in &node.twists[..=place] {
                    // a frame has one twist for each variable, so that i = j is a twist with itself
                    let work = work(b, (axis, shift), (&linear, &angular));
                    add(b, &mut mass, (*i, *j), work);
                }
                let mut at = k;
                while let Some(parent) = self.nodes[at].parent {
                    angular = plus_moment(b, &angular, &self.nodes[at].offset, &linear);
                    for (j, axis, shift) in &self.nodes[parent].twists {
                        let work = work(b, (axis, shift), (&linear, &angular));
                        // both orders of the two twists make the same entry where they are of one coordinate
                        let entry = if i == j { b.add(work, work) } else { work };
                        add(b, &mut mass, (*i, *j), entry);
                    }
                    at = parent;
                }
            }
        }
        mass
    }

    fn inertial(&self, b: &mut Builder) -> Vec<Value> {
        let works = |b: &mut Builder, load: &Load, axis: &[Value], shift: &[Value]| {
            let turned = b.dot(axis, &load.torque);
            plus_dot(b, turned, shift, &load.force)
        };
        self.by_twist(b, works)
    }

    /// −m g at the centre of what is carried.
    fn potential(&self, b: &mut Builder, gravity: &[Value]) -> Vec<Value> {
        let works = |b: &mut Builder, load: &Load, axis: &[Value], shift: &[Value]| {
            let still = vec![b.constant(0.0); axis.len()];
            let (lever, along) = (plus_moment(b, &still, &load.moment, gravity), b.dot(shift, gravity));
            let (pushed, turned) = (b.mul(load.mass, along), b.dot(axis, &lever));
            let sum = b.add(pushed, turned);
            b.neg(sum)
        };
        self.by_twist(b, works)
    }

    fn by_twist(
        &self,
        b: &mut Builder,
        works: impl Fn(&mut Builder, &Load, &[Value], &[Value]) -> Value,
    ) -> Vec<Value> {
        let mut sums = vec![b.constant(0.0); self.coordinates];
        for (node, load) in self.nodes.iter().zip(self.loads) {
            for (i, axis, shift) in &node.twists {
                let work = works(b, load, axis, shift);
                sums[*i] = b.add(sums[*i], work);
            }
        }
        sums
    }
}

/// e·H + u·L.
fn work(
    b: &mut Builder,
    (axis, shift): (&[Value], &[Value]),
    (linear, angular): (&[Value], &[Value]),
) -> Value {
    let turned = b.dot(axis, angular);
    plus_dot(b, turned, shift, linear)
}

/// Adds to an entry of a packed lower triangle.
fn add(b: &mut Builder, mass: &mut [Value], (i, j): (usize, usize), value: Value) {
    let place = i.max(j) * (i.max(j) + 1) / 2 + i.min(j);
    mass[place] = b.add(mass[place], value);
}
