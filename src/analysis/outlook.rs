//! What can happen next, in the plane or in space.

use super::planar::Prospect;
use super::space::SpaceProspect;
use crate::predict::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The answer to "what can happen next?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outlook {
    /// In space. First, because it is told by keys that the plane has not.
    Space(Box<SpaceProspect>),
    /// In the plane.
    Plane(Box<Prospect>),
}

impl Outlook {
    /// The verdict; undefined for a state that is none of the rigid mechanism, and where nothing is said.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Space(space) => space.verdict,
            Self::Plane(plane) => plane.verdict,
        }
    }

    /// What can actually follow.
    pub fn resolved(&self) -> &[Cow<'static, str>] {
        match self {
            Self::Space(space) => &space.resolved,
            Self::Plane(plane) => &plane.resolved,
        }
    }

    /// Whether the outcome of an impact is known.
    pub fn has_impact(&self) -> bool {
        match self {
            Self::Space(space) => !space.impact.is_empty(),
            Self::Plane(plane) => !plane.impact.is_empty(),
        }
    }

    /// What is said in the plane.
    pub fn plane(&self) -> Option<&Prospect> {
        match self {
            Self::Plane(plane) => Some(plane),
            Self::Space(_) => None,
        }
    }

    /// The same, to be added to.
    pub fn plane_mut(&mut self) -> Option<&mut Prospect> {
        match self {
            Self::Plane(plane) => Some(plane),
            Self::Space(_) => None,
        }
    }

    /// What is said in space.
    pub fn space(&self) -> Option<&SpaceProspect> {
        match self {
            Self::Space(space) => Some(space),
            Self::Plane(_) => None,
        }
    }
}
