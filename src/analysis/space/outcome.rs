//! What is said about contacts in space, in the shape of the machine-readable output.

use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{Condition, ForceOutcome};
use crate::contact::Cell;
use crate::contact::space::SpatialPhase;
use crate::num::Number;
use crate::predict::{ModeName, Possible, Stability, Verdict};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

use super::crossing::Crossing;

/// A mode with its forces and its stability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceMode {
    /// The mode of each contact.
    pub mode: ByName<ModeName>,
    /// Directions of slip, in radians from the first tangent.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub direction: ByName<Number>,
    /// Whether the contact law holds, equalities within tolerance included.
    pub consistent: bool,
    /// Whether it holds only with an equality within tolerance.
    pub marginal: bool,
    /// Normal stability under compliance.
    pub normal_stability: Option<Stability>,
    /// From rest: whether small slips, or slips in neighbouring directions, turn into this mode.
    pub tangential_stability: Option<Stability>,
    /// Contact forces.
    pub forces: ByName<ForceOutcome>,
    /// Slip and gap accelerations under these forces.
    pub accelerations: ByName<SpaceAcceleration>,
    /// Where the forces are not unique: verified bounds of each.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub hyperstatic: ByName<ForceRangeOutcome>,
    /// Why.
    pub reason: String,
}

/// Bounds of a contact force that is not unique; infinite where none is proven.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceRangeOutcome {
    /// λ_N.
    #[serde(rename = "N")]
    pub normal: [Number; 2],
    /// λ_T, along each tangent.
    #[serde(rename = "T")]
    pub tangential: [[Number; 2]; 2],
}

/// How several contacts were decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeveralOutcome {
    /// Combinations of modes that were examined.
    pub modes_examined: usize,
    /// Combinations that cannot hold because what they hold stops what they move, or because rest is proven to be the only motion.
    pub modes_pruned: usize,
    /// Boxes of slip directions that were examined.
    pub boxes: usize,
    /// Partial decisions (words with arcs of slip directions) that were examined in search of refutations.
    pub partial_decisions: usize,
    /// Combinations that are neither found nor refuted.
    pub undecided: Vec<ByName<ModeName>>,
    /// Normal forces alone that keep all contacts at rest, which proves that rest is the only motion.
    pub only_rest: Option<ByName<Number>>,
    /// Of contacts that are all at rest: whether they can stay there, and whether they must.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<SpaceRestOutcome>,
}

/// All contacts at rest: whether they can stay there, and whether they must.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceRestOutcome {
    /// Forces in the friction cones hold them (Pang, Trinkle).
    pub weak: Condition,
    /// Nothing else can happen; unknown where that is not decided.
    pub strong: Condition,
    /// The other consistent modes that are known.
    pub ambiguous_with: Vec<String>,
    /// What proves that nothing else can happen.
    pub by: Option<RestBy>,
}

/// An impact without collision at one of several contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceIwcOutcome {
    /// Where.
    pub contacts: Vec<String>,
    /// `yes` if the others open; only the necessary condition if they take part; or a sign that decides is zero to rounding.
    pub possible: Possible,
    /// What the others do at its beginning.
    pub others: ByName<ModeName>,
}

/// Why rest is the only motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestBy {
    /// Normal forces alone hold it.
    NormalForces,
    /// Every motion that leaves it is refuted by multipliers.
    Refutation,
    /// Every combination of modes is decided, and no other has a motion.
    Enumeration,
}

/// A relative acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceAcceleration {
    /// u̇.
    pub u: [Quantity; 2],
    /// v̇.
    pub v: Quantity,
}

/// A relative velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceVelocity {
    /// Slip.
    pub u: [Quantity; 2],
    /// Gap rate.
    pub v: Quantity,
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceImpulse {
    /// Normal.
    #[serde(rename = "N")]
    pub normal: Quantity,
    /// Tangential.
    #[serde(rename = "T")]
    pub tangential: [Quantity; 2],
}

/// A direction that slip keeps during an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DirectionOutcome {
    /// Angle from the first tangent.
    pub phi: Number,
    /// p there.
    pub p: Number,
    /// Whether slip grows along it, away from rest.
    pub away: bool,
    /// Whether slip in neighbouring directions turns towards it.
    pub attracts: bool,
}

/// What impact does at a contact; entries are undefined where the state does not approach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceImpactOutcome {
    /// Restitution law.
    pub law: Cow<'static, str>,
    /// e.
    pub restitution: Number,
    /// Velocity before.
    pub pre: Option<SpaceVelocity>,
    /// Velocity after.
    pub post: Option<SpaceVelocity>,
    /// Impulse.
    pub impulse: Option<SpaceImpulse>,
    /// Kinetic energy lost.
    pub energy_loss: Number,
    /// What the contact point does during the impact.
    pub phases: Vec<SpatialPhase>,
    /// How often the bodies are pressed together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressions: Option<usize>,
    /// The directions that slip keeps during an impact.
    pub invariant_directions: Vec<DirectionOutcome>,
    /// Whether an impact can start from v = 0.
    pub iwc_possible: bool,
    /// Its outcome.
    pub iwc_post: Option<SpaceVelocity>,
    /// Its impulse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iwc_impulse: Option<SpaceImpulse>,
    /// −v⁺/v⁻ of the whole impact; where the contact rests, that of a chatter whose impacts end in stick.
    pub effective_restitution: Number,
    /// Whether such a chatter grows instead of dying out.
    pub reverse_chatter: bool,
}

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

/// The answer to "what can happen next?" in space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceProspect {
    /// Admissible modes.
    pub modes: Vec<SpaceMode>,
    /// The verdict; undefined for a state that is none of the rigid mechanism.
    pub verdict: Option<Verdict>,
    /// What can actually follow.
    pub resolved: Vec<Cow<'static, str>>,
    /// Tables 2 and 3 are about the plane.
    pub table: Option<Cell>,
    /// Impact at each contact.
    pub impact: ByName<SpaceImpactOutcome>,
    /// Slip that turns towards p < 0, at each slipping contact.
    pub crossing: ByName<Crossing>,
    /// The directions in which slip can leave rest, at each contact at rest.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub onset: ByName<OnsetOutcome>,
    /// Of contacts that are struck together: the impact by Poisson's law, beside Moreau's rule in `impact`.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub impact_by_poisson: ByName<SpaceImpactOutcome>,
    /// Impacts without collision that can begin at one of several contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impacts_without_collision: Vec<SpaceIwcOutcome>,
    /// How several contacts were decided.
    #[serde(flatten)]
    pub several: Option<SeveralOutcome>,
}
