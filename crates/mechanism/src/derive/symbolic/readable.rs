//! Whether equations can be read when frames are written out in coordinates: each turn of a chain in space doubles the terms
//! of a component, each link of one in the plane adds one.

use crate::format::{Mechanism, Pose, Rotation, Space};

/// Turns and links that follow each other in equations that are written out without being asked for.
const READABLE: usize = 4;
/// Those of equations that are written out on request.
const WRITABLE: usize = 7;

/// Whether a reader would want the frames written out.
pub(super) fn is_readable(mechanism: &Mechanism) -> bool {
    longest(mechanism) <= READABLE
}

/// Whether it can be done at all.
pub(super) fn is_writable(mechanism: &Mechanism) -> bool {
    let is_plane = mechanism.space == Space::Plane;
    longest(mechanism) <= if is_plane { 2 * WRITABLE } else { WRITABLE }
}

/// The most turns of space, or links of the plane, one after another; 0 of a mechanism without frames.
fn longest(mechanism: &Mechanism) -> usize {
    let bodies = mechanism.bodies.iter().map(|b| &b.pose).filter(|pose| pose.parent.is_some());
    let poses = mechanism.frames.iter().map(|f| &f.pose).chain(bodies);
    poses.map(|pose| length(mechanism, pose)).max().unwrap_or(0)
}

fn length(mechanism: &Mechanism, pose: &Pose) -> usize {
    let own = match &pose.rotation {
        Rotation::Angle(angle) => usize::from(!angle.is_constant()),
        Rotation::Sequence(turns) => turns.iter().filter(|turn| !turn.angle.is_constant()).count(),
        // quotients of squares
        Rotation::Quaternion(_) => 3,
    };
    let parent = pose.parent.and_then(|i| mechanism.frames.get(i));
    own + parent.map_or(0, |frame| length(mechanism, &frame.pose))
}
