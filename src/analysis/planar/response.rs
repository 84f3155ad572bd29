//! What a mode of a planar contact demands and brings: its force and its accelerations.

use serde::{Deserialize, Serialize};

/// A contact force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Force {
    /// λ_N, N.
    #[serde(rename = "N")]
    pub N: f64,
    /// λ_T, N.
    #[serde(rename = "T")]
    pub T: f64,
}

/// Rates of slip and gap velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Acceleration {
    /// u̇.
    pub u: f64,
    /// v̇.
    pub v: f64,
}
