//! The straight pieces of an impact: velocities, impulses, and what the contact point does.

use crate::contact::Mode;
use serde::{Deserialize, Serialize};

/// A relative velocity at the contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Velocity {
    /// Slip u.
    pub u: f64,
    /// Gap rate v.
    pub v: f64,
}

/// A straight piece of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// What the contact point does: it slips or sticks.
    pub kind: Mode,
    /// Impulse of the phase.
    pub impulse: Impulse,
    /// Velocity at its end.
    pub end: Velocity,
}

/// A contact impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Normal, N·s.
    #[serde(rename = "N")]
    pub N: f64,
    /// Tangential, N·s.
    #[serde(rename = "T")]
    pub T: f64,
}
