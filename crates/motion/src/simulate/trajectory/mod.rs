//! A motion as an outcome: what happened when, phase by phase, with samples, energy and drift, in the shape of the
//! machine-readable output.

mod effort;
mod event;
mod function;
mod futures;
mod name;
mod penetration;
mod rows;
mod samples;

pub use effort::{Effort, Sampled, Unshown};
pub use event::{Event, EventDetail, EventKind, ImpactDetail, Impulses, JamDetail, Pair, Rates};
pub use function::{OfRow, RowFunction};
pub use futures::{FUTURES_SCHEMA, FutureNode, Futures};
pub use name::Columns;
pub use penetration::Penetration;
pub use rows::{Rows, UnevenRows};
pub use samples::SampleTimes;

pub(in crate::simulate) use function::Stopping;
pub(in crate::simulate) use penetration::Deepest;

use crate::analysis::{ByName, this_schema};
use crate::num::Number;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the shape.
pub const TRAJECTORY_SCHEMA: &str = "mechan.trajectory/1";

/// A motion from a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// [`TRAJECTORY_SCHEMA`].
    #[serde(deserialize_with = "of_this_version")]
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state it begins at.
    pub state: String,
    /// Scheme.
    pub scheme: String,
    /// How it ended.
    pub status: Status,
    /// Why, where the status does not say it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What happened, in order of time.
    pub events: Vec<Event>,
    /// What the contacts did, in order of time.
    pub phases: Vec<PhaseSpan>,
    /// Names of the columns of `rows`.
    pub columns: Columns,
    /// Samples in order of time.
    pub rows: Rows,
    /// Energy and what changed it.
    pub energy: EnergyBalance,
    /// How far constraints and closed contacts were missed, at most.
    pub drift: Drift,
    /// The greatest depth of a contact below its surface; none where there was none, as in motions from event to event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penetration: Option<Penetration>,
    /// Where accelerations depended on forces that are not unique.
    #[serde(default)]
    pub hyperstatic: Option<NotUnique>,
    /// What it took.
    #[serde(default)]
    pub work: Effort,
    /// What the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How a motion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The time that was asked for is reached.
    End,
    /// The stop expression fell through zero.
    Stopped,
    /// At a dynamic jam from which the theory gives no way on.
    Jam,
    /// No motion satisfies the contact laws.
    Inconsistent,
    /// Several motions do, and none was chosen.
    Indeterminate,
    /// Rounding forbids a statement, or the theory does not reach as far.
    Undecided,
    /// The budget of steps or events is used up.
    Budget,
    /// It was asked to end.
    Interrupted,
    /// The numbers failed.
    Failed,
}

impl Status {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Stopped => "stopped",
            Self::Jam => "jam",
            Self::Inconsistent => "inconsistent",
            Self::Indeterminate => "indeterminate",
            Self::Undecided => "undecided",
            Self::Budget => "budget",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// Why a motion is over, with what else is to be said.
pub(in crate::simulate) type StopReason = (Status, Option<String>);

/// What the contacts do during a span of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseSpan {
    /// Begin.
    pub t0: Number,
    /// End.
    pub t1: Number,
    /// `free`, `slip+`, `slip-`, `slip` or `stick` of each contact.
    pub mode: ByName<Cow<'static, str>>,
    /// What is to be known of the forces, if they are not those of the motion alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forces: Option<PhaseForces>,
}

/// What is to be known of the forces of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhaseForces {
    /// The motion is unique, and its forces are not: the columns show those of the least sum of squares where these lie inside
    /// the friction cones, and otherwise those furthest inside.
    #[serde(rename = "not unique")]
    NotUnique,
    /// The motion depends on forces that are not unique: they are those of the contacts' stiffnesses in the limit of rigidity.
    #[serde(rename = "by stiffness")]
    ByStiffness,
}

impl PhaseForces {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotUnique => "not unique",
            Self::ByStiffness => "by stiffness",
        }
    }
}

/// How long accelerations depended on forces that are not unique, which were those of the contacts' stiffnesses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotUnique {
    /// Together, s.
    pub time: Number,
    /// The largest difference that they might have made to an acceleration, relative to the largest acceleration.
    pub spread: Number,
}

/// Where the energy of a motion went: final − initial = work + friction + impacts + defect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyBalance {
    /// T + V at the start.
    pub initial: Number,
    /// T + V at the end.
    #[serde(rename = "final")]
    pub last: Number,
    /// Work of applied forces and of what moves by prescription.
    pub work: Number,
    /// Work of friction against slip, negative where it takes energy.
    pub friction: Number,
    /// Change by impacts, negative where they take energy.
    pub impacts: Number,
    /// What is left: 0 but for rounding and discretisation.
    pub defect: Number,
}

impl EnergyBalance {
    /// The balance with its defect.
    pub fn new([initial, last]: [f64; 2], work: f64, friction: f64, impacts: f64) -> Self {
        let defect = last - initial - work - friction - impacts;
        let [initial, last, work, friction, impacts, defect] =
            [initial, last, work, friction, impacts, defect].map(Number);
        Self { initial, last, work, friction, impacts, defect }
    }
}

/// How far closed contacts and bilateral constraints were missed, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// In position.
    pub gap: f64,
    /// In velocity.
    pub rate: f64,
}

impl Drift {
    /// Takes another miss into account.
    pub fn include(&mut self, gap: f64, rate: f64) {
        self.gap = self.gap.max(gap.abs());
        self.rate = self.rate.max(rate.abs());
    }
}

fn of_this_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(TRAJECTORY_SCHEMA, deserializer)
}
