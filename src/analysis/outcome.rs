//! What is said about a mechanism: the outcome of `analyze`, in the shape of its machine-readable form
//! (`mechan.analysis/1`). Stages fill it, reports render it; it computes nothing.

use super::critical::GlobalLeast;
use super::jam_friction::JamPoint;
use super::next_step::NextStep;
use super::number::{Named, Number};
use super::one_contact::Prospect;
use crate::contact::Slip;
use crate::diag::Diagnostic;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The `schema` of an analysis.
pub const ANALYSIS_SCHEMA: &str = "mechan.analysis/1";

/// Everything said about the states of one mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// [`ANALYSIS_SCHEMA`].
    pub schema: &'static str,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `plane` or `space`.
    pub space: &'static str,
    /// Least friction with a paradox over the mechanism's domain, per contact.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub critical_friction: Named<CriticalFriction>,
    /// Least friction at which dynamic jam attracts an open set of slipping motions, per contact.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub jam_friction: Named<JamFriction>,
    /// One answer per state, in file order.
    pub states: Vec<StateAnswer>,
}

impl Analysis {
    /// The states that could be analysed.
    pub fn outcomes(&self) -> impl Iterator<Item = &StateOutcome> {
        self.states.iter().filter_map(|answer| match answer {
            StateAnswer::Outcome(outcome) => Some(outcome.as_ref()),
            StateAnswer::Failure(_) => None,
        })
    }

    /// The states that could not.
    pub fn failures(&self) -> impl Iterator<Item = &StateFailure> {
        self.states.iter().filter_map(|answer| match answer {
            StateAnswer::Outcome(_) => None,
            StateAnswer::Failure(failure) => Some(failure),
        })
    }
}

/// What is said about a state, or why nothing can be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StateAnswer {
    /// The state could be analysed.
    Outcome(Box<StateOutcome>),
    /// It could not.
    Failure(StateFailure),
}

/// Why a state could not be analysed.
#[derive(Clone, Debug, PartialEq)]
pub struct StateFailure {
    /// Name of the state.
    pub state: String,
    /// What is wrong, with places in the mechanism file; at least one.
    pub faults: Vec<Diagnostic>,
}

impl StateFailure {
    /// Everything that is wrong, on one line.
    pub fn message(&self) -> String {
        self.faults.iter().map(|f| f.message.as_str()).collect::<Vec<_>>().join("; ")
    }
}

impl Serialize for StateFailure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Words<'a> {
            code: &'a str,
            message: String,
        }
        let code = self.faults.first().map_or("", |f| f.code);
        let mut map = serializer.serialize_struct("StateFailure", 2)?;
        map.serialize_field("state", &self.state)?;
        map.serialize_field("error", &Words { code, message: self.message() })?;
        map.end()
    }
}

/// The least friction at which p vanishes somewhere in the domain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalFriction {
    /// μ, attained.
    pub mu: Number,
    /// Slip direction there.
    pub slip: &'static str,
    /// The configuration that attains it.
    pub at: Named<Number>,
    /// No configuration of the domain has a paradox below this friction: proven with outward rounding.
    pub certified_lower: Number,
    /// Boxes that the proof needed.
    pub boxes: usize,
}

impl CriticalFriction {
    /// The outcome of a search over named variables.
    pub fn new(least: &GlobalLeast, names: &[String]) -> Self {
        CriticalFriction {
            mu: least.mu.into(),
            slip: slip_name(least.slip),
            at: Named::new(names.iter().map(String::as_str), least.at.iter().map(|&x| x.into())),
            certified_lower: least.certified_lower.into(),
            boxes: least.boxes,
        }
    }
}

/// The least friction with a singular point of kind G1 over one coordinate of the domain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JamFriction {
    /// μ.
    pub mu: Number,
    /// Slip direction.
    pub slip: &'static str,
    /// The coordinate that was varied, and its value.
    pub at: Named<Number>,
    /// Its rate, at which b vanishes.
    pub rate: Number,
}

impl JamFriction {
    /// The outcome of a search over a named coordinate.
    pub fn new(point: &JamPoint, coordinate: &str) -> Self {
        JamFriction {
            mu: point.mu.into(),
            slip: slip_name(point.slip),
            at: Named::new([coordinate], [point.theta.into()]),
            rate: point.omega.into(),
        }
    }
}

fn slip_name(slip: Slip) -> &'static str {
    match slip {
        Slip::Pos => "slip+",
        Slip::Neg => "slip-",
    }
}

/// Everything said about one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateOutcome {
    /// Name of the state.
    pub state: String,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Time.
    pub t: Number,
    /// Coordinates by name.
    pub q: Named<Number>,
    /// Velocities by name of the coordinate.
    pub v: Named<Number>,
    /// Parameters by name.
    pub parameters: Named<Number>,
    /// Names of the closed contacts.
    pub closed: Vec<String>,
    /// The equations of motion as numbers.
    pub model: ModelOutcome,
    /// The contacts.
    pub contacts: Named<ContactOutcome>,
    /// W M⁻¹ Wᵀ of the closed contacts, N then T (T1, T2) each.
    pub delassus: Vec<Vec<Number>>,
    /// What can happen next.
    #[serde(flatten)]
    pub prospect: Prospect,
    /// The next time step; none for bilateral contacts, or where its numbers cannot be had.
    pub existence: Option<NextStep>,
    /// What the reader should be careful about.
    pub warnings: Vec<String>,
}

/// M v̇ + h at a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelOutcome {
    /// Mass matrix.
    #[serde(rename = "M")]
    pub mass_matrix: Vec<Vec<Number>>,
    /// h = B + G − F.
    #[serde(rename = "h")]
    pub bias_force: Vec<Number>,
    /// B: inertial part of h.
    #[serde(rename = "B")]
    pub inertial: Vec<Number>,
    /// G: potential part of h.
    #[serde(rename = "G")]
    pub potential: Vec<Number>,
    /// F: applied forces.
    #[serde(rename = "F")]
    pub applied: Vec<Number>,
    /// T.
    pub kinetic_energy: Number,
    /// V.
    pub potential_energy: Number,
    /// v̇ = −M⁻¹h: the acceleration without contact forces.
    pub free_acceleration: Vec<Number>,
    /// J = ∂φ/∂q of the bilateral constraints, one row each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraint_jacobian: Vec<Vec<Number>>,
}

/// One contact at a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactOutcome {
    /// Gap g_N.
    pub gap: Number,
    /// ġ_N.
    pub gap_rate: Number,
    /// Tangential velocity, one or two components.
    pub slip: Vec<Number>,
    /// μ.
    pub friction: Number,
    /// ∂g_N/∂q.
    #[serde(rename = "W_N")]
    pub normal_jacobian: Vec<Number>,
    /// ∂γ_T/∂v, one or two rows.
    #[serde(rename = "W_T")]
    pub tangent_jacobian: Vec<Vec<Number>>,
    /// A, B, C, a, b and what follows from them.
    #[serde(flatten)]
    pub local: LocalOutcome,
    /// p in the current slip direction; undefined at rest.
    pub p_slip: Number,
    /// Least friction at which p reaches 0 in some slip direction; undefined if there is none.
    pub mu_min: Number,
}

/// The local dynamics of a contact: scalars in the plane, 2-vectors and a 2×2 matrix in space.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum LocalOutcome {
    Plane {
        #[serde(rename = "A")]
        A: Number,
        #[serde(rename = "B")]
        B: Number,
        #[serde(rename = "C")]
        C: Number,
        a: Number,
        b: Number,
        p_plus: Number,
        p_minus: Number,
        k_plus: Number,
        k_minus: Number,
    },
    Space {
        #[serde(rename = "A")]
        A: [[Number; 2]; 2],
        #[serde(rename = "B")]
        B: [Number; 2],
        #[serde(rename = "C")]
        C: Number,
        a: [Number; 2],
        b: Number,
    },
}
