//! Where a contact is: the ways in which a gap and a slip can be given.

use super::mechanism::Mechanism;
use super::placement::{Carrier, Placed};
use crate::expression::Expr;
use serde::{Deserialize, Serialize};

/// The three ways to define a contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Geometry {
    /// A material point on a surface.
    Point {
        /// The material point.
        point: Placed,
        /// The surface.
        surface: Surface,
    },
    /// A round body on a surface.
    Round {
        /// The disc, ball, rim or ellipsoid.
        round: Round,
        /// The surface.
        surface: Surface,
    },
    /// Two discs or balls.
    RoundPair {
        /// The one whose velocity counts positive.
        round: Round,
        /// The other.
        other: Round,
    },
    /// Gap and slip as given functions.
    Direct {
        /// g(q, t).
        gap: Expr,
        /// The slip, one component in the plane, two in space.
        slip: Slip,
    },
}

/// A body that is round where it touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// The body it turns with.
    pub body: Option<usize>,
    /// Its centre, if not the body's centre of mass.
    pub centre: Option<Placed>,
    /// Its surface.
    pub outline: Outline,
}

/// The surface of a round body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outline {
    /// A disc of the plane or a ball of space, by its radius.
    Ball(Expr),
    /// Space: the edge of a flat disc about an axis of its body.
    Rim {
        /// 0, 1, 2 for x, y, z.
        axis: usize,
        /// The disc's radius.
        radius: Expr,
    },
    /// Space: an ellipsoid, by its semi-axes along the body's axes.
    Ellipsoid([Expr; 3]),
}

impl Geometry {
    /// The round bodies that touch.
    pub fn rounds(&self) -> Vec<&Round> {
        match self {
            Self::Round { round, .. } => vec![round],
            Self::RoundPair { round, other } => vec![round, other],
            Self::Point { .. } | Self::Direct { .. } => Vec::new(),
        }
    }
}

impl Mechanism {
    /// The round bodies of all contacts.
    pub fn rounds(&self) -> impl Iterator<Item = &Round> {
        self.contacts.iter().flat_map(|contact| contact.geometry.rounds())
    }
}

impl Outline {
    /// The semi-axes, each along an axis of the body: three of an ellipsoid, two of a rim, which is an ellipsoid without
    /// thickness. A ball has none to choose.
    pub fn semi_axes(&self) -> Vec<(usize, &Expr)> {
        match self {
            Self::Ball(_) => Vec::new(),
            Self::Rim { axis, radius } => (0..3).filter(|k| k != axis).map(|k| (k, radius)).collect(),
            Self::Ellipsoid(radii) => radii.iter().enumerate().collect(),
        }
    }

    /// The radii as the file gives them.
    pub(super) fn radii(&self) -> &[Expr] {
        match self {
            Self::Ball(radius) | Self::Rim { radius, .. } => std::slice::from_ref(radius),
            Self::Ellipsoid(radii) => radii,
        }
    }

    /// Their key in the file.
    pub(super) fn key(&self) -> &'static str {
        match self {
            Self::Ball(_) => "disc.radius",
            Self::Rim { .. } => "rim.radius",
            Self::Ellipsoid(_) => "ellipsoid.radii",
        }
    }
}

/// A plane surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// A point of the surface; may depend on t and q.
    pub point: Placed,
    /// Outward normal, of any length.
    pub normal: Placed,
    /// The body or frame that carries it.
    pub carrier: Option<Carrier>,
    /// Material velocity, if it is not that of `point`.
    pub velocity: Option<Placed>,
}

/// Tangential motion of a directly given contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Slip {
    /// Its time derivative is the tangential velocity.
    Displacement(Vec<Expr>),
    /// The tangential velocity itself, linear in `dot()`.
    Velocity(Vec<Expr>),
}
