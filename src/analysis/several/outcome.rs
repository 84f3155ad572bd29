//! What is said about several contacts, in the shape of the machine-readable output.

use super::iwc::Possible;
use crate::analysis::number::ByName;
use crate::analysis::planar::{Condition, Stability};
use crate::num::Number;
use serde::{Deserialize, Serialize};

/// The range of a force that is not unique.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceRange {
    /// λ_N, least and largest.
    #[serde(rename = "N")]
    pub normal: [Number; 2],
    /// λ_T.
    #[serde(rename = "T")]
    pub tangential: [Number; 2],
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

/// An impact without collision at some contacts while all others lift off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IwcOutcome {
    /// Where.
    pub contacts: Vec<String>,
    /// `yes`, or only the necessary conditions hold, or a sign that decides is zero to rounding.
    pub possible: Possible,
}

/// An equilibrium on several contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestOutcome {
    /// Sticking is consistent (Pang, Trinkle).
    pub weak: Condition,
    /// It is the only consistent mode.
    pub strong: Condition,
    /// The other consistent modes.
    pub ambiguous_with: Vec<String>,
    /// Dimension of the set of forces that hold it.
    pub dimension: usize,
    /// Its extreme points; undefined if there are too many.
    pub force_corners: Option<Vec<ByName<ForcePair>>>,
    /// Directions in which it has no end, the largest force being one.
    pub force_rays: Option<Vec<ByName<ForcePair>>>,
}

/// λ_N and λ_T of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForcePair {
    /// λ_N.
    #[serde(rename = "N")]
    pub normal: Number,
    /// λ_T.
    #[serde(rename = "T")]
    pub tangential: Number,
}
