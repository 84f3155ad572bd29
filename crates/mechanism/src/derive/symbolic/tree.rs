//! M, B, G and the energies of bodies that hang in frames, from the leaves of the tree to its root.
//!
//! With the mass m, the first moment s = Σ m c and the inertia I about a frame's origin of all that the frame carries, a
//! twist (axis e, shift u) of it has the momentum and the moment of momentum per unit rate
//!
//! ```text
//! L = m u + e × s,   H = s × u + I e ,
//! ```
//!
//! and M_ij is what another twist (e', u') makes of them, e'·H + u'·L, once they are as seen from its frame: turned, and H
//! taken about its origin, H + d × L (the composite rigid body algorithm; Featherstone, Rigid Body Dynamics Algorithms,
//! section 6.2). With the forces f = m a and moments n = I α + ω × I ω of inertia at v̇ = 0, summed towards the root in the
//! same way, B_i = u·f + e·n; G_i is the same of −m g (the recursive Newton-Euler algorithm, section 5.3 there). What is
//! nothing for a frame (no mass, no shift) leaves no instruction on the tape.

use super::emit::{Emitter, Velocities};
use super::frames::Frames;
use super::lagrange::Link;
use super::load::{FramePose, Load};
use super::values::{Vector, plus_dot, plus_moment, zeros};
use super::{inertial_axes, own_axes};
use crate::derive::error::DeriveError;
use crate::model::Output;
use crate::tape::{Builder, Value};
use symbolica::atom::Atom;

/// The axes that the vectors of a tree have their components in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// Each frame's own: the shortest for numbers. In the plane the inertial ones are.
    Own,
    /// The inertial ones, for people.
    Inertial,
}

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

/// What the coordinates do to a frame: their numbers, axes and shifts, each coordinate once.
pub(super) type Twists = Vec<(usize, Vector, Vector)>;

/// A frame as values.
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    pub(super) place: FramePose,
    pub(super) twists: Twists,
    /// In the axes of the frame.
    pub(super) gravity: Vector,
}

/// A body as values.
pub(super) struct Hanging {
    pub(super) node: usize,
    pub(super) load: Load,
    /// v·v and ω·I ω.
    pub(super) squares: [Value; 2],
}

/// A tree as values: parents before their children.
pub(super) struct Branches {
    pub(super) nodes: Vec<Node>,
    /// One for each link.
    pub(super) bodies: Vec<Hanging>,
}

/// Sums over the tree of a mechanism's links, of which there are some.
pub(super) fn tree(
    emitter: &mut Emitter<'_>,
    frames: &Frames,
    links: &[Link],
    gravity: &[Atom],
    coordinates: usize,
    axes: Axes,
) -> Result<Tree, DeriveError> {
    let gravity = vector(emitter, gravity)?;
    let branches = match axes {
        Axes::Own if gravity.len() == 3 => own_axes::branches(emitter, frames, links, &gravity)?,
        Axes::Own | Axes::Inertial => inertial_axes::branches(emitter, frames, links, &gravity)?,
    };
    let (kinetic_energy, potential_energy) = energies(emitter, frames, links, &branches, &gravity)?;
    let b = emitter.builder();
    let loads = loads(b, &branches, gravity.len());
    let sums = Sums { nodes: &branches.nodes, loads: &loads, coordinates };
    Ok(Tree {
        mass: sums.mass(b),
        inertial: sums.inertial(b),
        potential: sums.potential(b),
        kinetic_energy,
        potential_energy,
    })
}

/// The values of a vector's components.
pub(super) fn vector(emitter: &mut Emitter<'_>, atoms: &[Atom]) -> Result<Vector, DeriveError> {
    atoms.iter().map(|x| emitter.atom(x, Velocities::Kept)).collect()
}

/// The values of some vectors.
pub(super) fn matrix(emitter: &mut Emitter<'_>, rows: &[Vec<Atom>]) -> Result<Vec<Vector>, DeriveError> {
    rows.iter().map(|row| vector(emitter, row)).collect()
}

/// T = Σ ½ (m v·v + ω·I ω) and V = −Σ m g·r.
fn energies(
    emitter: &mut Emitter<'_>,
    frames: &Frames,
    links: &[Link],
    branches: &Branches,
    gravity: &[Value],
) -> Result<(Value, Value), DeriveError> {
    let zero = emitter.builder().constant(0.0);
    let mut energies = (zero, zero);
    for (link, body) in links.iter().zip(&branches.bodies) {
        let origin = vector(emitter, &frames.all[link.place].origin)?;
        let b = emitter.builder();
        let half = b.constant(0.5);
        let moving = b.mul(body.load.mass, body.squares[0]);
        let whole = b.add(moving, body.squares[1]);
        let kinetic = b.mul(half, whole);
        let height = b.dot(gravity, &origin);
        let weight = b.mul(body.load.mass, height);
        let potential = b.neg(weight);
        energies = (b.add(energies.0, kinetic), b.add(energies.1, potential));
    }
    Ok(energies)
}

/// What each node carries.
fn loads(b: &mut Builder, branches: &Branches, dimension: usize) -> Vec<Load> {
    let mut loads = vec![Load::nothing(b, dimension); branches.nodes.len()];
    for body in &branches.bodies {
        loads[body.node].add(b, &body.load);
    }
    for (k, node) in branches.nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let seen = loads[k].seen(b, &node.place);
            loads[parent].add(b, &seen);
        }
    }
    loads
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
                let (mut linear, mut angular) = self.loads[k].momentum(b, axis, shift);
                for (j, axis, shift) in &node.twists[..=place] {
                    // a frame has one twist for each variable, so that i = j is a twist with itself
                    let work = work(b, (axis, shift), (&linear, &angular));
                    add(b, &mut mass, (*i, *j), work);
                }
                let mut at = k;
                while let Some(parent) = self.nodes[at].parent {
                    (linear, angular) = self.nodes[at].place.wrench(b, &linear, &angular);
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
        self.by_twist(b, |b, _, load, twist| work(b, twist, (&load.force, &load.torque)))
    }

    /// −m g at the centre of what is carried.
    fn potential(&self, b: &mut Builder) -> Vec<Value> {
        self.by_twist(b, |b, gravity, load, (axis, shift)| {
            let still = zeros(b, axis.len());
            let (lever, along) = (plus_moment(b, &still, &load.moment, gravity), b.dot(shift, gravity));
            let (pushed, turned) = (b.mul(load.mass, along), b.dot(axis, &lever));
            let sum = b.add(pushed, turned);
            b.neg(sum)
        })
    }

    /// Sums of what a twist makes of gravity and a load.
    fn by_twist(
        &self,
        b: &mut Builder,
        works: impl Fn(&mut Builder, &[Value], &Load, (&[Value], &[Value])) -> Value,
    ) -> Vec<Value> {
        let mut sums = zeros(b, self.coordinates);
        for (node, load) in self.nodes.iter().zip(self.loads) {
            for (i, axis, shift) in &node.twists {
                let work = works(b, &node.gravity, load, (axis, shift));
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
