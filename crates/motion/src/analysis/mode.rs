//! What is said about a mode of the closed contacts, in the shape of the machine-readable output.

use super::by_name::ByName;
use super::prospect::asked;
use super::tangential::Tangential;
use crate::num::{Number, Quantity};
use crate::predict::{Complex, ModeName, Portrait, Stability};
use serde::{Deserialize, Serialize};

/// A mode with its forces and its stability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeOutcome {
    /// The mode of each contact.
    pub mode: ByName<ModeName>,
    /// In space: directions of slip, in radians from the first tangent.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub direction: ByName<Number>,
    /// Whether the contact law holds, equalities within tolerance included.
    pub consistent: bool,
    /// Whether it holds only with an equality within tolerance.
    pub marginal: bool,
    /// Normal stability under compliance.
    pub normal_stability: Option<Stability>,
    /// Eigenvalues of the fast normal dynamics, times ε in real time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal_eigenvalues: Option<Vec<Complex>>,
    /// Focus, node or saddle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portrait: Option<Portrait>,
    /// In space, from rest: whether small slips, or slips in neighbouring directions, turn into this mode.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asked")]
    pub tangential_stability: Option<Option<Stability>>,
    /// Contact forces.
    pub forces: ByName<ForceOutcome>,
    /// Slip and gap accelerations under these forces.
    pub accelerations: ByName<AccelerationOutcome>,
    /// The range of each force, if they are not unique, in space infinite where none is proven; in the plane `forces` are then those with the
    /// least sum of squares if these lie inside the cones, otherwise some inside them.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub hyperstatic: ByName<ForceRange>,
    /// In the plane: the range of each acceleration, if they depend on which of the forces act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerations_range: Option<ByName<AccelerationRange>>,
    /// Where normal stability depends on the compliance: what makes it change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flips_at: Option<FlipsAt>,
    /// Why.
    pub reason: String,
}

/// A contact force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceOutcome {
    /// λ_N.
    #[serde(rename = "N")]
    pub normal: Quantity,
    /// λ_T, one or two components.
    #[serde(rename = "T")]
    pub tangential: Vec<Quantity>,
}

/// A relative acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccelerationOutcome {
    /// u̇.
    pub u: Tangential<Quantity>,
    /// v̇.
    pub v: Quantity,
}

/// The range of a force that is not unique.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceRange {
    /// λ_N, least and largest.
    #[serde(rename = "N")]
    pub normal: [Number; 2],
    /// λ_T along each tangent.
    #[serde(rename = "T")]
    pub tangential: Tangential<[Number; 2]>,
}

/// The range of an acceleration that depends on forces which are not unique.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccelerationRange {
    /// u̇, least and largest.
    pub u: [Number; 2],
    /// v̇.
    pub v: [Number; 2],
}

/// Factors of the contacts' own compliance at which normal stability changes, one changed at a time, between 10⁻⁴ and 10⁴.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlipsAt {
    /// Stability with the compliance that the contacts have.
    pub here: Stability,
    /// Of all dampings together.
    pub damping: Vec<Number>,
    /// Of each contact's stiffness.
    pub stiffness: ByName<Vec<Number>>,
}
