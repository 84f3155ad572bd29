//! What is said about a contact in space alone, in the shape of the machine-readable output.

use crate::num::{Number, Quantity};
use serde::{Deserialize, Serialize};

/// How completely the directions are known in which slip can leave rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnsetOutcome {
    /// Directions with u̇ parallel to the slip, whatever the signs of force and acceleration.
    pub directions: usize,
    /// Whether it is proven that there is no other.
    pub complete: bool,
    /// Arcs of the circle that the proof examined.
    pub arcs: usize,
}

/// min over φ of p(φ).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeastGainOutcome {
    /// C − μ‖B‖.
    pub value: Quantity,
    /// Where; undefined if p is the same everywhere.
    pub phi: Number,
}
