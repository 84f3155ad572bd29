//! What is said about impacts, in the shape of the machine-readable output.

use super::by_name::ByName;
use super::prospect::asked;
use super::tangential::Tangential;
use crate::equilibrium::{Sequence, Trigger};
use crate::num::{Number, Quantity, Tol};
use crate::predict::{ModeName, Possible};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A relative velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VelocityOutcome {
    /// Slip.
    pub u: Tangential<Quantity>,
    /// Gap rate.
    pub v: Quantity,
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpulseOutcome {
    /// Normal.
    #[serde(rename = "N")]
    pub normal: Quantity,
    /// Tangential.
    #[serde(rename = "T")]
    pub tangential: Tangential<Quantity>,
}

/// A direction that slip keeps during an impact in space.
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
pub struct ImpactOutcome {
    /// Restitution law.
    pub law: Cow<'static, str>,
    /// e.
    pub restitution: Number,
    /// Velocity before.
    pub pre: Option<VelocityOutcome>,
    /// Velocity after.
    pub post: Option<VelocityOutcome>,
    /// Impulse.
    pub impulse: Option<ImpulseOutcome>,
    /// Kinetic energy lost.
    pub energy_loss: Number,
    /// In the plane: region of Fig. 10 of the survey.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asked")]
    pub region: Option<Option<u8>>,
    /// What the contact point does during the impact.
    pub phases: Vec<ModeName>,
    /// In space: how often the bodies are pressed together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressions: Option<usize>,
    /// In space: the directions that slip keeps during an impact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_directions: Option<Vec<DirectionOutcome>>,
    /// Whether an impact can start from v = 0.
    pub iwc_possible: bool,
    /// Its outcome.
    pub iwc_post: Option<VelocityOutcome>,
    /// In space: its impulse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iwc_impulse: Option<ImpulseOutcome>,
    /// −v⁺/v⁻ of the whole impact; where the contact rests, that of chatter, in space of one whose impacts end in stick.
    pub effective_restitution: Number,
    /// Whether chatter at this contact grows instead of dying out.
    pub reverse_chatter: bool,
    /// In the plane: whether reverse chatter can start when slip turns into stick.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asked")]
    pub reverse_chatter_trigger: Option<Option<Trigger>>,
    /// In the plane: how the impacts go on.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "asked")]
    pub chatter: Option<Option<Sequence>>,
}

impl ImpactOutcome {
    /// By a law, with nothing known yet, at a contact with one or two tangents.
    pub(crate) fn unknown(law: &'static str, restitution: f64, tangents: usize) -> Self {
        let is_plane = tangents == 1;
        Self {
            law: law.into(),
            restitution: restitution.into(),
            pre: None,
            post: None,
            impulse: None,
            energy_loss: f64::NAN.into(),
            region: is_plane.then_some(None),
            phases: Vec::new(),
            compressions: None,
            invariant_directions: (!is_plane).then(Vec::new),
            iwc_possible: false,
            iwc_post: None,
            iwc_impulse: None,
            effective_restitution: f64::NAN.into(),
            reverse_chatter: false,
            reverse_chatter_trigger: is_plane.then_some(None),
            chatter: is_plane.then_some(None),
        }
    }

    /// Whether a collision gains energy beyond the rounding of the work of its impulse.
    pub fn gains_energy(&self, tol: &Tol) -> bool {
        let work =
            self.impulse.zip(self.pre).map(|(impulse, pre)| (impulse.normal.value * pre.v.value).abs());
        work.is_some_and(|work| self.energy_loss.0 < -tol.marginal * work)
    }
}

/// An impact without collision at some of several contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IwcOutcome {
    /// Where.
    pub contacts: Vec<String>,
    /// `yes` if the others open; only the necessary condition if they take part; or a sign that decides is zero to rounding.
    pub possible: Possible,
    /// In space: what the others do at its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<ByName<ModeName>>,
}
