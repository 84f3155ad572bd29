//! Where frames, bodies and points are: places and axes as seen in other frames.

use crate::expression::Expr;
use serde::{Deserialize, Serialize};

/// A frame: a place and axes that move with q.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Name.
    pub name: String,
    /// Where it is.
    pub pose: Pose,
}

/// A place and axes as seen in another frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// The frame it is seen in; none: the inertial one.
    pub parent: Option<usize>,
    /// Its origin, in the parent's components.
    pub origin: Vec<Expr>,
    /// Its axes, from the parent's.
    pub rotation: Rotation,
}

/// Orientation of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rotation {
    /// Plane: counter-clockwise angle.
    Angle(Expr),
    /// Space: elementary rotations applied in order, intrinsic; empty: the identity.
    Sequence(Vec<ElementaryRotation>),
    /// Space: by the four numbers of a quaternion of any length, the real part first.
    Quaternion(Box<[Expr; 4]>),
}

/// A rotation about one body axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementaryRotation {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Angle.
    pub angle: Expr,
}

/// What carries a point or a vector that is given by components in its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Carrier {
    /// A frame.
    Frame(usize),
    /// A body: its centre of mass with its axes.
    Body(usize),
}

/// A point or a vector by its components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// In whose axes; none: the inertial ones.
    pub carrier: Option<Carrier>,
    /// The components.
    pub components: Vec<Expr>,
}

impl Placed {
    /// By inertial components.
    pub fn inertial(components: Vec<Expr>) -> Self {
        Placed { carrier: None, components }
    }
}
