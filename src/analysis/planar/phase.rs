//! The straight pieces of an impact: velocities, impulses, and what the contact point does.

use serde::{Deserialize, Serialize};

/// A relative velocity at the contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Velocity {
    /// Slip u.
    pub u: f64,
    /// Gap rate v.
    pub v: f64,
}

/// What the contact point does during a phase of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhaseKind {
    /// Slip with u > 0.
    #[serde(rename = "slip+")]
    SlipPos,
    /// Slip with u < 0.
    #[serde(rename = "slip-")]
    SlipNeg,
    /// Stick.
    #[serde(rename = "stick")]
    Stick,
}

impl PhaseKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::SlipPos => "slip+",
            Self::SlipNeg => "slip-",
            Self::Stick => "stick",
        }
    }
}

/// A straight piece of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// What the contact point does.
    pub kind: PhaseKind,
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
