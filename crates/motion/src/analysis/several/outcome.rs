//! What is said about rest on several contacts, in the shape of the machine-readable output.

use crate::analysis::by_name::ByName;
use crate::analysis::prospect::asked;
use crate::contact::Mode;
use crate::equilibrium::{Condition, LyapunovVerdict};
use crate::num::Number;
use serde::{Deserialize, Serialize};

/// Rest on several contacts: whether they can stay there, and whether they must.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestOutcome {
    /// Forces in the friction cones hold it (Pang, Trinkle).
    pub weak: Condition,
    /// Nothing else can happen.
    pub strong: Condition,
    /// The other consistent modes that are known.
    pub ambiguous_with: Vec<String>,
    /// In space: what proves that nothing else can happen.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asked")]
    pub by: Option<Option<RestBy>>,
    /// In the plane: the forces that hold it, and what it stands.
    #[serde(flatten)]
    pub standing: Option<StandingOutcome>,
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

/// The forces that hold an equilibrium in the plane, what small motions do near it, and what it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingOutcome {
    /// Dimension of the set of forces that hold it.
    pub dimension: usize,
    /// Its extreme points; undefined if there are too many.
    pub force_corners: Option<Vec<ByName<ForcePair>>>,
    /// Directions in which it has no end, the largest force being one.
    pub force_rays: Option<Vec<ByName<ForcePair>>>,
    /// Stability in the sense of Lyapunov.
    pub lyapunov: LyapunovOutcome,
    /// What it stands; undefined where the mechanism can move although all contacts stick, or faces are too many.
    pub robustness: Option<RobustnessOutcome>,
}

/// Stability in the sense of Lyapunov.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LyapunovOutcome {
    /// The verdict.
    pub verdict: LyapunovVerdict,
    /// Why.
    pub reason: String,
    /// The mean factor of the speed from one impact with both contacts closed to the next, along the periodic direction with the
    /// largest that was found; undefined if there is none.
    pub growth: Option<Number>,
    /// The factor that no motion exceeds in the long run, 0 if all end at rest, from samples of the return map in all cells of directions: no proof;
    /// undefined if it was not sought.
    pub growth_bound: Option<Number>,
    /// The motion in that direction.
    pub orbit: Option<OrbitOutcome>,
    /// The return map by pieces; empty if it was not made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<MapPieceOutcome>,
    /// What a search among small perturbations found, where the return map is not one of directions on a circle.
    pub search: Option<ChatterSearchOutcome>,
}

/// A piece of the return map: velocities with both gaps closed, one of them at rest and the other one closing, from which motions pass
/// through the same phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPieceOutcome {
    /// The contact whose gap is at rest.
    pub rests: String,
    /// Angles of the velocity in kinetic energy's metric, rad: at 0 and π both contacts slide.
    pub angle: Vec<Number>,
    /// The contact whose gap rests at the return; undefined if there is none.
    pub to: Option<String>,
    /// The angles then.
    pub to_angle: Vec<Number>,
    /// The factors of the speed.
    pub growth: Vec<Number>,
    /// Whether these motions end at rest; otherwise, without a return, their end is not decided.
    pub ends: bool,
}

/// A motion near an equilibrium that repeats itself up to its size, by a first period of the given time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrbitOutcome {
    /// Factor of the speed in one period.
    pub growth: Number,
    /// Impacts with both contacts closed in one period.
    pub returns: usize,
    /// Time of the first period, s: a small one; velocities are proportional to it.
    pub period: Number,
    /// Velocities just before the first of these impacts, positions being those of the equilibrium.
    pub start: ByName<Number>,
    /// What follows.
    pub phases: Vec<OrbitPhaseOutcome>,
}

/// A phase of such a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrbitPhaseOutcome {
    /// The contact whose impact begins it; undefined if none does.
    pub struck: Option<String>,
    /// What each contact does, `free` being open.
    pub mode: ByName<Mode>,
    /// Its time, s.
    pub duration: Number,
}

/// A search for motions that grow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatterSearchOutcome {
    /// Perturbations that were followed.
    pub tried: usize,
    /// Those that grew a hundredfold.
    pub grew: usize,
    /// Those that came to rest.
    pub settled: usize,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Velocities of the first one that grew, the gaps being closed.
    pub start: Option<ByName<Number>>,
}

/// What an equilibrium stands before no forces hold it any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobustnessOutcome {
    /// Least factor on all coefficients of friction.
    pub friction_factor: Option<Number>,
    /// Least coefficient of each contact, the others keeping theirs.
    pub least_friction: ByName<Number>,
    /// Least push of any direction, as a share of the load.
    pub push: Number,
    /// Largest generalised forces in each coordinate, forwards and backwards.
    pub push_along: ByName<[Number; 2]>,
    /// Angles by which gravity may turn, clockwise and counter-clockwise, rad; undefined without gravity.
    pub tilt: Option<[Number; 2]>,
    /// What it stands before another mode is consistent, too; undefined if one already is, or modes are too many.
    pub strong: Option<StrongRobustnessOutcome>,
}

/// What a strongly stable equilibrium stands before another mode is consistent, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrongRobustnessOutcome {
    /// Factors on all coefficients of friction below and above one; undefined if no mode is found.
    pub friction_factor: [Option<OnsetOutcome>; 2],
    /// Coefficients of each contact below and above its own, the others keeping theirs.
    pub friction: ByName<[Option<OnsetOutcome>; 2]>,
    /// Least push of any direction, as a share of the load.
    pub push: Option<OnsetOutcome>,
    /// Generalised forces in each coordinate, forwards and backwards; undefined if none does it.
    pub push_along: ByName<[Option<OnsetOutcome>; 2]>,
    /// Angles of gravity, clockwise and counter-clockwise, rad.
    pub tilt: Option<[Option<OnsetOutcome>; 2]>,
}

/// Where another mode becomes consistent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnsetOutcome {
    /// The factor, coefficient, push or angle.
    pub at: Number,
    /// The mode, contact by contact.
    pub mode: String,
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
