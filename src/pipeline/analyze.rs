//! The main job: everything that is said about the states of a mechanism.

use super::critical::{critical_friction, critical_jam};
use super::finite::undefined_outcome;
use super::singular::singular_fault;
use super::states::{parse_overrides, placed_state, resolve, select_states};
use super::{Failure, Loaded};
use crate::analysis::{
    self, Analysis, Compliance, Hold, Laws, Named, StateAnswer, StateFailure, StateInput, StateOutcome,
};
use crate::contact::{ContactError, Friction, Restitution};
use crate::format::{ContactLaw, Mechanism, Override, RestitutionLaw, Space, StateSpec};
use crate::model::{Kernel, Model, Output};

/// What is asked about a mechanism.
#[derive(Clone, Debug, Default)]
pub struct AnalyzeOptions {
    /// Names of the states; empty: all.
    pub states: Vec<String>,
    /// `name=expr` overrides of parameters, coordinates or `dot(x)`.
    pub set: Vec<String>,
    /// Whether to search the domain for the least friction with dynamic jam.
    pub jam: bool,
    /// The next time step, s; [`DEFAULT_STEP`] if absent.
    pub step: Option<f64>,
}

/// The next time step if nothing else is said, s.
pub const DEFAULT_STEP: f64 = 1e-3;

/// Analyses the states of a mechanism. A state that cannot be analysed says why, and the others are answered.
///
/// # Errors
/// [`Failure`] if a state does not exist, an override makes no sense, or the domain is empty.
pub fn analyze(loaded: &Loaded, model: &Model, options: &AnalyzeOptions) -> Result<Analysis, Failure> {
    let specs = select_states(loaded, &options.states)?;
    let overrides = parse_overrides(loaded, &options.set)?;
    let step = time_step(options.step)?;
    let kernel = model.kernel(&Output::ALL);
    let states = specs
        .into_iter()
        .map(|spec| answered(spec, analyze_state(loaded, &kernel, spec, &overrides, step)))
        .collect::<Result<Vec<_>, _>>()?;
    let mechanism = &loaded.mechanism;
    // what is not in the domain is taken from the first state, which must then be one
    let anchored = mechanism.states.first().is_none_or(|s| resolve(loaded, s, &overrides).is_ok());
    Ok(Analysis {
        schema: analysis::ANALYSIS_SCHEMA,
        mechanism: mechanism.name.clone(),
        title: mechanism.title.clone(),
        description: mechanism.description.clone(),
        space: match mechanism.space {
            Space::Plane => "plane",
            Space::Space => "space",
        },
        critical_friction: if anchored {
            critical_friction(loaded, model, &overrides)?
        } else {
            Named::default()
        },
        jam_friction: if options.jam && anchored {
            critical_jam(loaded, model, &overrides)?
        } else {
            Named::default()
        },
        states,
    })
}

/// Faults of one state stand in its place; any other failure is one of the whole.
fn answered(spec: &StateSpec, result: Result<StateOutcome, Failure>) -> Result<StateAnswer, Failure> {
    match result {
        Ok(outcome) => Ok(StateAnswer::Outcome(Box::new(outcome))),
        Err(Failure::Input { diagnostics, .. }) => {
            Ok(StateAnswer::Failure(StateFailure { state: spec.name.clone(), faults: diagnostics }))
        }
        Err(other) => Err(other),
    }
}

/// A time step that was asked for, or the usual one.
pub(super) fn time_step(step: Option<f64>) -> Result<f64, Failure> {
    match step.unwrap_or(DEFAULT_STEP) {
        h if h > 0.0 && h.is_finite() => Ok(h),
        h => Err(Failure::Usage(format!("--step is {h}, expected a number of seconds > 0"))),
    }
}

fn analyze_state(
    loaded: &Loaded,
    kernel: &Kernel,
    spec: &StateSpec,
    overrides: &[Override],
    step: f64,
) -> Result<StateOutcome, Failure> {
    let (placed, values) = placed_state(loaded, kernel, spec, overrides)?;
    let input = StateInput {
        name: &spec.name,
        description: spec.description.as_deref(),
        names: names_of(&loaded.mechanism),
        state: &placed.state,
        laws: planar_laws(loaded, &placed.resolved.laws)?,
        closed: &placed.closed,
        step,
    };
    let refused = |fault| Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] };
    let outcome = analysis::state_outcome(kernel, &values, &input)
        .map_err(|s| refused(singular_fault(loaded, spec, (kernel, &values), &placed, &s)))?;
    match undefined_outcome(loaded, spec, &placed.resolved, &outcome) {
        Some(fault) => Err(refused(fault)),
        None => Ok(outcome),
    }
}

/// The contact laws in the shape of the analysis.
fn planar_laws(loaded: &Loaded, laws: &[ContactLaw]) -> Result<Vec<Laws>, Failure> {
    let planar = |law: &ContactLaw| -> Result<Laws, ContactError> {
        let restitution = match law.restitution_law {
            RestitutionLaw::Newton => Restitution::Newton(law.restitution),
            RestitutionLaw::Poisson => Restitution::Poisson(law.restitution),
            RestitutionLaw::Energetic => Restitution::Energetic(law.restitution),
        };
        Ok(Laws {
            friction: Friction::new(law.friction)?,
            restitution: restitution.validated()?,
            compliance: Compliance::new(law.stiffness, law.damping)?,
            hold: if law.bilateral { Hold::Bilateral } else { Hold::Unilateral },
        })
    };
    laws.iter()
        .map(planar)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::File { name: loaded.source.name.clone(), message: error.to_string() })
}

fn names_of(mechanism: &Mechanism) -> analysis::Names {
    analysis::Names {
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    }
}
