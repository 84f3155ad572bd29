//! The frames of a tree of space with all vectors in each frame's own components, where hinges are unit vectors, offsets
//! and inertias numbers, and most of a turn about an axis is nothing (Featherstone, Rigid Body Dynamics Algorithms, section
//! 5.3 and appendix A): a third fewer operations for a long chain than in inertial components.
//!
//! From the root, each as seen in the own axes, with A x = α × x + ω × (ω × x):
//!
//! ```text
//! shift by r:           v ← v + ω × r + ṙ     a ← a + A r + 2 ω × ṙ + r̈
//! turn by α about e:    all vectors turned,   ω ← ω + e α̇    ω̇ ← ω̇ + ω × e α̇ + e α̈
//! ```

use super::emit::{Emitter, Velocities};
use super::frames::Frames;
use super::joint::Step;
use super::lagrange::Link;
use super::load::{FramePose, Load, others};
use super::tree::{Branches, Hanging, Node, Twists, matrix, vector};
use super::values::{Vector, plus_cross, plus_dot, scaled, sum, times, zeros};
use crate::derive::error::DeriveError;
use crate::tape::{Builder, Value};

/// How a frame moves, in its own components.
#[derive(Clone)]
struct Flow {
    gravity: Vector,
    velocity: Vector,
    /// At v̇ = 0, as all accelerations here.
    acceleration: Vector,
    spin: Vector,
    spin_rate: Vector,
}

/// Each step of a joint is a node.
pub(super) fn branches(
    emitter: &mut Emitter<'_>,
    frames: &Frames,
    links: &[Link],
    gravity: &[Value],
) -> Result<Branches, DeriveError> {
    let mut branches = Branches { nodes: Vec::new(), bodies: Vec::new() };
    let mut ends: Vec<(usize, Flow)> = Vec::new();
    for frame in &frames.all {
        let parent = frame.parent.map(|p| &ends[p]);
        let (mut at, mut flow) = match parent {
            Some((node, flow)) => (Some(*node), flow.clone()),
            None => (None, Flow::none(emitter.builder(), gravity)),
        };
        for step in &frame.steps {
            if let (Some(_), true) = (at, step.is_nothing()) {
                continue;
            }
            let (place, twists, next) = stepped(emitter, &flow, step)?;
            branches.nodes.push(Node { parent: at, place, twists, gravity: next.gravity.clone() });
            (at, flow) = (Some(branches.nodes.len() - 1), next);
        }
        ends.push((at.unwrap_or(0), flow));
    }
    for link in links {
        let (node, flow) = &ends[link.place];
        let body = body(emitter, *node, flow, link)?;
        branches.bodies.push(body);
    }
    Ok(branches)
}

/// The node of a step, and how it moves.
fn stepped(
    emitter: &mut Emitter<'_>,
    flow: &Flow,
    step: &Step,
) -> Result<(FramePose, Twists, Flow), DeriveError> {
    let mut twists = Vec::new();
    match step {
        Step::Shift { offset, rates, slopes } => {
            let still = zeros(emitter.builder(), 3);
            for (i, slope) in slopes {
                twists.push((*i, still.clone(), vector(emitter, slope)?));
            }
            let offset = vector(emitter, offset)?;
            let rates = [vector(emitter, &rates[0])?, vector(emitter, &rates[1])?];
            let next = flow.shifted(emitter.builder(), &offset, &rates);
            Ok((FramePose::Shift(offset), twists, next))
        }
        Step::Turn { axis, sin, cos, rates, slopes } => {
            let mut value = |atom| emitter.atom(atom, Velocities::Kept);
            let (sin, cos, rates) = (value(sin)?, value(cos)?, [value(&rates[0])?, value(&rates[1])?]);
            for (i, slope) in slopes {
                let slope = emitter.atom(slope, Velocities::Kept)?;
                let still = zeros(emitter.builder(), 3);
                let mut along = still.clone();
                along[*axis] = slope;
                twists.push((*i, along, still));
            }
            let place = FramePose::Turn { axis: *axis, sin, cos };
            let next = flow.turned(emitter.builder(), &place).hinged(emitter.builder(), *axis, rates);
            Ok((place, twists, next))
        }
        Step::Axes { axes, rates, slopes } => {
            let still = zeros(emitter.builder(), 3);
            for (i, slope) in slopes {
                twists.push((*i, vector(emitter, slope)?, still.clone()));
            }
            let place = FramePose::Axes(matrix(emitter, axes)?);
            let rates = [vector(emitter, &rates[0])?, vector(emitter, &rates[1])?];
            let next = flow.turned(emitter.builder(), &place).spun(emitter.builder(), &rates);
            Ok((place, twists, next))
        }
    }
}

impl Flow {
    fn none(b: &mut Builder, gravity: &[Value]) -> Self {
        let still = zeros(b, 3);
        Flow {
            gravity: gravity.to_vec(),
            velocity: still.clone(),
            acceleration: still.clone(),
            spin: still.clone(),
            spin_rate: still,
        }
    }

    fn shifted(&self, b: &mut Builder, offset: &[Value], [rate, second]: &[Vector; 2]) -> Self {
        let velocity = sum(b, &self.velocity, rate);
        let velocity = plus_cross(b, &velocity, &self.spin, offset);
        let drag = self.drag(b);
        let swept: Vector =
            drag.iter().zip(&self.acceleration).map(|(row, &a)| plus_dot(b, a, row, offset)).collect();
        let two = b.constant(2.0);
        let twice = scaled(b, two, rate);
        let swept = plus_cross(b, &swept, &self.spin, &twice);
        let acceleration = sum(b, &swept, second);
        Flow { velocity, acceleration, ..self.clone() }
    }

    /// A.
    fn drag(&self, b: &mut Builder) -> Vec<Vector> {
        let mut drag = vec![zeros(b, 3); 3];
        for i in 0..3 {
            let (j, k) = others(i);
            let (one, other) = (b.mul(self.spin[j], self.spin[j]), b.mul(self.spin[k], self.spin[k]));
            let square = b.add(one, other);
            drag[i][i] = b.neg(square);
            let product = b.mul(self.spin[j], self.spin[k]);
            drag[k][j] = b.add(product, self.spin_rate[i]);
            drag[j][k] = b.sub(product, self.spin_rate[i]);
        }
        drag
    }

    /// In turned axes.
    fn turned(&self, b: &mut Builder, place: &FramePose) -> Self {
        let mut inward = |x: &Vector| place.inward(b, x);
        Flow {
            gravity: inward(&self.gravity),
            velocity: inward(&self.velocity),
            acceleration: inward(&self.acceleration),
            spin: inward(&self.spin),
            spin_rate: inward(&self.spin_rate),
        }
    }

    /// With the angle's rate and the rate of that.
    fn hinged(mut self, b: &mut Builder, axis: usize, [rate, second]: [Value; 2]) -> Self {
        let (j, k) = others(axis);
        let (one, other) = (b.mul(self.spin[k], rate), b.mul(self.spin[j], rate));
        self.spin_rate[j] = b.add(self.spin_rate[j], one);
        self.spin_rate[k] = b.sub(self.spin_rate[k], other);
        self.spin_rate[axis] = b.add(self.spin_rate[axis], second);
        self.spin[axis] = b.add(self.spin[axis], rate);
        self
    }

    /// With an angular velocity more, and its rate as seen from the turned axes.
    fn spun(mut self, b: &mut Builder, [spin, spin_rate]: &[Vector; 2]) -> Self {
        let more = sum(b, &self.spin_rate, spin_rate);
        self.spin_rate = plus_cross(b, &more, &self.spin, spin);
        self.spin = sum(b, &self.spin, spin);
        self
    }

    /// I α + ω × I ω. With p = ω_j ω_k, in cyclic order: I_ii α_i + (I_kk − I_jj) ω_j ω_k + I_ik A_ji − I_ij A_ki
    /// + I_jk (ω_j² − ω_k²).
    fn torque(&self, b: &mut Builder, inertia: &[Vector]) -> Vector {
        let drag = self.drag(b);
        (0..3)
            .map(|i| {
                let (j, k) = others(i);
                let own = b.mul(inertia[i][i], self.spin_rate[i]);
                let differ = b.sub(inertia[k][k], inertia[j][j]);
                let product = b.mul(self.spin[j], self.spin[k]);
                let minus = b.neg(drag[k][i]);
                let (one, other) = (b.mul(self.spin[j], self.spin[j]), b.mul(self.spin[k], self.spin[k]));
                let squares = b.sub(one, other);
                let left = [differ, inertia[i][k], inertia[i][j], inertia[j][k]];
                plus_dot(b, own, &left, &[product, drag[j][i], minus, squares])
            })
            .collect()
    }
}

/// A body about its own centre.
fn body(emitter: &mut Emitter<'_>, node: usize, flow: &Flow, link: &Link) -> Result<Hanging, DeriveError> {
    let mass = emitter.atom(&link.mass, Velocities::Kept)?;
    let inertia = matrix(emitter, &link.inertia)?;
    let b = emitter.builder();
    let (force, torque) = (scaled(b, mass, &flow.acceleration), flow.torque(b, &inertia));
    let momentum = times(b, &inertia, &flow.spin);
    let squares = [b.dot(&flow.velocity, &flow.velocity), b.dot(&flow.spin, &momentum)];
    let load = Load { mass, moment: zeros(b, 3), inertia, force, torque };
    Ok(Hanging { node, load, squares })
}
