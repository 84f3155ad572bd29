//! The frames of a tree with all vectors in inertial components: in the plane, where turning costs nothing, and for people,
//! who have names for them.

use super::algebra::Variable;
use super::emit::Emitter;
use super::frames::{Frame, Frames};
use super::lagrange::Link;
use super::load::{FramePose, Load, turned_inertia};
use super::tree::{Branches, Hanging, Node, matrix, vector};
use super::values::{Vector, plus_cross, scaled, times, zeros};
use crate::derive::error::DeriveError;
use crate::tape::Value;

/// Each frame is a node: its origin against its parent's.
pub(super) fn branches(
    emitter: &mut Emitter<'_>,
    frames: &Frames,
    links: &[Link],
    gravity: &[Value],
) -> Result<Branches, DeriveError> {
    let mut branches = Branches { nodes: Vec::new(), bodies: Vec::new() };
    for frame in &frames.all {
        branches.nodes.push(node(emitter, frame, gravity)?);
    }
    for link in links {
        let body = body(emitter, &frames.all[link.place], link)?;
        branches.bodies.push(Hanging { node: link.place, ..body });
    }
    Ok(branches)
}

fn node(emitter: &mut Emitter<'_>, frame: &Frame, gravity: &[Value]) -> Result<Node, DeriveError> {
    let mut twists = Vec::new();
    for twist in &frame.twists {
        if let Variable::Coordinate(i) = twist.variable {
            twists.push((i, vector(emitter, &twist.axis)?, vector(emitter, &twist.shift)?));
        }
    }
    let place = FramePose::Shift(vector(emitter, &frame.offset)?);
    Ok(Node { parent: frame.parent, place, twists, gravity: gravity.to_vec() })
}

/// A body about its own centre.
fn body(emitter: &mut Emitter<'_>, frame: &Frame, link: &Link) -> Result<Hanging, DeriveError> {
    let mass = emitter.atom(&link.mass, super::emit::Velocities::Kept)?;
    let (local, axes) = (matrix(emitter, &link.inertia)?, matrix(emitter, &frame.axes)?);
    let velocity = vector(emitter, &frame.velocity)?;
    let acceleration = vector(emitter, &frame.acceleration)?;
    let (spin, spin_rate) = (vector(emitter, &frame.spin)?, vector(emitter, &frame.spin_rate)?);
    let b = emitter.builder();
    let inertia = turned_inertia(b, &local, &axes);
    let momentum = times(b, &inertia, &spin);
    let mut torque: Vector = times(b, &inertia, &spin_rate);
    if spin.len() == 3 {
        torque = plus_cross(b, &torque, &spin, &momentum);
    }
    let force = scaled(b, mass, &acceleration);
    let moment = zeros(b, velocity.len());
    let squares = [b.dot(&velocity, &velocity), b.dot(&spin, &momentum)];
    Ok(Hanging { node: 0, load: Load { mass, moment, inertia, force, torque }, squares })
}
