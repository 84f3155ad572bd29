//! What is said about a mechanism: the outcome of `analyze`, in the shape of its machine-readable form
//! (`mechan.analysis/1`). Stages fill it, reports render it; it computes nothing.

use super::by_name::ByName;
use super::next_step::NextStep;
use super::prospect::Prospect;
use super::search::{Critical, CriticalOutcome, JamPoint, SlipDirection};
use super::space::LeastGainOutcome;
use super::units::UnitsOutcome;
use crate::contact::Slip;
use crate::diag::Diagnostic;
use crate::num::{Number, Quantity};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The `schema` of an analysis.
pub const ANALYSIS_SCHEMA: &str = "mechan.analysis/1";

/// Everything said about the states of one mechanism.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// [`ANALYSIS_SCHEMA`].
    #[serde(deserialize_with = "analysis_schema")]
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it is the mechanism of this name in the library that travels with the program, and no file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub library: bool,
    /// `plane` or `space`.
    pub space: Cow<'static, str>,
    /// The units of the numbers; none where the file does not give them all, or all are numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<UnitsOutcome>,
    /// Least friction with a paradox over the mechanism's domain, per contact.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub critical_friction: ByName<CriticalFriction>,
    /// Least friction at which dynamic jam attracts an open set of slipping motions, per contact.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub jam_friction: ByName<JamFriction>,
    /// One answer per state, in file order.
    pub states: Vec<StateAnswer>,
}

fn analysis_schema<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(ANALYSIS_SCHEMA, deserializer)
}

/// Reads a schema, and refuses others than the one expected.
pub fn this_schema<'de, D: Deserializer<'de>>(
    expected: &'static str,
    deserializer: D,
) -> Result<Cow<'static, str>, D::Error> {
    match String::deserialize(deserializer)? {
        found if found == expected => Ok(expected.into()),
        found => Err(D::Error::custom(format!("the schema is `{found}`, this version reads `{expected}`"))),
    }
}

impl Analysis {
    /// What is said about a state; none if there is no such state, or it could not be analysed.
    pub fn state(&self, name: &str) -> Option<&StateOutcome> {
        self.outcomes().find(|outcome| outcome.state == name)
    }

    /// The states that could be analysed.
    pub fn outcomes(&self) -> impl Iterator<Item = &StateOutcome> {
        self.states.iter().filter_map(StateAnswer::outcome)
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StateAnswer {
    /// The state could be analysed.
    Outcome(Box<StateOutcome>),
    /// It could not.
    Failure(StateFailure),
}

impl StateAnswer {
    /// What is said, if the state could be analysed.
    pub fn outcome(&self) -> Option<&StateOutcome> {
        match self {
            StateAnswer::Outcome(outcome) => Some(outcome),
            StateAnswer::Failure(_) => None,
        }
    }
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

/// A failure as it is written: code and message of the whole, then fault by fault.
#[derive(Serialize, Deserialize)]
struct WrittenFailure<'a> {
    state: Cow<'a, str>,
    error: WrittenError<'a>,
}

#[derive(Serialize, Deserialize)]
struct WrittenError<'a> {
    code: Cow<'a, str>,
    message: String,
    faults: Cow<'a, [Diagnostic]>,
}

impl Serialize for StateFailure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = WrittenError {
            code: self.faults.first().map_or("", |f| f.code).into(),
            message: self.message(),
            faults: self.faults.as_slice().into(),
        };
        WrittenFailure { state: self.state.as_str().into(), error }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StateFailure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WrittenFailure { state, error } = WrittenFailure::deserialize(deserializer)?;
        Ok(StateFailure { state: state.into_owned(), faults: error.faults.into_owned() })
    }
}

/// The least friction at which p vanishes where a contact is closed, over the domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalFriction {
    /// What was found.
    pub outcome: CriticalOutcome,
    /// μ, attained; undefined if there is no such friction, or none was found.
    pub mu: Number,
    /// Slip direction there.
    pub slip: Option<SlipOutcome>,
    /// The configuration that attains it: what was varied, and the coordinates that follow.
    pub at: ByName<Quantity>,
    /// No configuration in contact has a paradox below this friction: proven with outward rounding. 0 is always proven.
    pub certified_lower: Number,
    /// Gaps of other contacts that are negative there: the search does not look at them.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub below: ByName<Number>,
    /// Whether μ and its bound agree, or the other outcomes are proven.
    pub complete: bool,
    /// What was held fixed, with its value: t, velocities, parameters, and coordinates on which the answer does not depend.
    pub held: ByName<Number>,
    /// Coordinates of `at` that the domain does not name: they follow from the contact and the constraints.
    pub following: Vec<String>,
    /// Those held on which the answer depends.
    pub decisive: Vec<String>,
    /// Bilateral contacts, whose gaps were held closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_closed: Vec<String>,
    /// Coordinates that the domain must name.
    pub needs: Vec<String>,
    /// Boxes that the proof needed.
    pub boxes: usize,
}

/// A direction of slip: a word in the plane, an angle from the first tangent in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum SlipOutcome {
    Word(Cow<'static, str>),
    Angle(Number),
}

impl CriticalFriction {
    /// The outcome of a search, by the names of the tape inputs, their values, and the names of the contacts.
    pub fn new(
        found: &Critical,
        (names, inputs): (&[String], &[f64]),
        named: &[usize],
        closed: Vec<String>,
        contacts: &[String],
    ) -> Self {
        let name = |slot: usize| names[slot].clone();
        let varied = |slot: &usize| {
            found.at.iter().any(|at| at.0 == *slot) || found.needs.contains(slot) || named.contains(slot)
        };
        let held = (0..inputs.len()).filter(|slot| !varied(slot));
        CriticalFriction {
            outcome: found.outcome,
            mu: found.mu.into(),
            slip: found.slip.map(|slip| match slip {
                SlipDirection::Plane(slip) => SlipOutcome::Word(slip_name(slip).into()),
                SlipDirection::Space(angle) => SlipOutcome::Angle(angle.into()),
            }),
            at: ByName(
                found.at.iter().map(|&(slot, value)| (name(slot), value.unwrap_or(None.into()))).collect(),
            ),
            certified_lower: found.certified_lower.into(),
            below: ByName(
                found.below.iter().map(|&(contact, gap)| (contacts[contact].clone(), gap.into())).collect(),
            ),
            complete: found.complete,
            held: ByName(held.map(|slot| (name(slot), inputs[slot].into())).collect()),
            following: found.at.iter().filter(|at| !named.contains(&at.0)).map(|at| name(at.0)).collect(),
            decisive: found.decisive.iter().map(|&slot| name(slot)).collect(),
            held_closed: closed,
            needs: found.needs.iter().map(|&slot| name(slot)).collect(),
            boxes: found.boxes,
        }
    }
}

/// The least friction with a singular point of kind G1 over one coordinate of the domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JamFriction {
    /// μ.
    pub mu: Number,
    /// Slip direction.
    pub slip: Cow<'static, str>,
    /// The coordinate that was varied, and its value.
    pub at: ByName<Number>,
    /// Its rate, at which b vanishes.
    pub rate: Number,
    /// Values of the coordinate that were tried before refining: what lies between them is not excluded.
    pub scanned: usize,
    /// Coordinates that were held although the equations of motion read them.
    pub held: ByName<Number>,
}

impl JamFriction {
    /// The outcome of a search over a named coordinate.
    pub fn new(point: &JamPoint, coordinate: &str, scanned: usize, held: ByName<Number>) -> Self {
        JamFriction {
            mu: point.mu.into(),
            slip: slip_name(point.slip).into(),
            at: ByName::new([coordinate], [point.theta.into()]),
            rate: point.omega.into(),
            scanned,
            held,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateOutcome {
    /// Name of the state.
    pub state: String,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Time.
    pub t: Number,
    /// Coordinates by name.
    pub q: ByName<Number>,
    /// Velocities by name of the coordinate.
    pub v: ByName<Number>,
    /// Parameters by name.
    pub parameters: ByName<Number>,
    /// Names of the closed contacts.
    pub closed: Vec<String>,
    /// The equations of motion as numbers.
    pub model: ModelOutcome,
    /// The contacts.
    pub contacts: ByName<ContactOutcome>,
    /// W M⁻¹ Wᵀ of the closed contacts, N then T (T1, T2) each.
    pub delassus: Vec<Vec<Quantity>>,
    /// What can happen next.
    #[serde(flatten)]
    pub prospect: Prospect,
    /// The next time step; none for bilateral contacts, or where its numbers cannot be had.
    pub existence: Option<NextStep>,
    /// What the reader should be careful about.
    pub warnings: Vec<String>,
}

/// M v̇ + h at a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelOutcome {
    /// Mass matrix.
    #[serde(rename = "M")]
    pub mass_matrix: Vec<Vec<Quantity>>,
    /// h = B + G − F.
    #[serde(rename = "h")]
    pub bias_force: Vec<Quantity>,
    /// B: inertial part of h.
    #[serde(rename = "B")]
    pub inertial: Vec<Quantity>,
    /// G: potential part of h.
    #[serde(rename = "G")]
    pub potential: Vec<Quantity>,
    /// F: applied forces.
    #[serde(rename = "F")]
    pub applied: Vec<Quantity>,
    /// T.
    pub kinetic_energy: Quantity,
    /// V.
    pub potential_energy: Quantity,
    /// v̇ = −M⁻¹h: the acceleration without contact forces.
    pub free_acceleration: Vec<Quantity>,
    /// J = ∂φ/∂q of the bilateral constraints, one row each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraint_jacobian: Vec<Vec<Quantity>>,
}

/// One contact at a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactOutcome {
    /// Gap g_N.
    pub gap: Quantity,
    /// ġ_N.
    pub gap_rate: Quantity,
    /// Tangential velocity, one or two components.
    pub slip: Vec<Quantity>,
    /// μ.
    pub friction: Number,
    /// ∂g_N/∂q.
    #[serde(rename = "W_N")]
    pub normal_jacobian: Vec<Quantity>,
    /// ∂γ_T/∂v, one or two rows.
    #[serde(rename = "W_T")]
    pub tangent_jacobian: Vec<Vec<Quantity>>,
    /// A, B, C, a, b and what follows from them.
    #[serde(flatten)]
    pub local: LocalOutcome,
    /// p in the current slip direction; undefined at rest.
    pub p_slip: Quantity,
    /// Least friction at which p reaches 0 in some slip direction; undefined if there is none.
    pub mu_min: Quantity,
}

/// The local dynamics of a contact: scalars in the plane, 2-vectors and a 2×2 matrix in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum LocalOutcome {
    Plane {
        #[serde(rename = "A")]
        A: Quantity,
        #[serde(rename = "B")]
        B: Quantity,
        #[serde(rename = "C")]
        C: Quantity,
        a: Quantity,
        b: Quantity,
        p_plus: Quantity,
        p_minus: Quantity,
        k_plus: Quantity,
        k_minus: Quantity,
    },
    Space {
        #[serde(rename = "A")]
        A: [[Quantity; 2]; 2],
        #[serde(rename = "B")]
        B: [Quantity; 2],
        #[serde(rename = "C")]
        C: Quantity,
        a: [Quantity; 2],
        b: Quantity,
        /// Open arcs of slip directions with p < 0, in radians from the first tangent.
        #[serde(default)]
        forbidden: Vec<[Number; 2]>,
        /// The least p over all directions.
        p_min: LeastGainOutcome,
    },
}
