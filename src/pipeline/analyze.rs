//! The main job: everything that is said about the states of a mechanism.

use super::ahead::{Ahead, Motions};
use super::critical::Scope;
use super::finite::undefined_outcome;
use super::gravity::gravity;
use super::no_slip::{Follower, Start};
use super::singular::singular_fault;
use super::states::{
    Evaluated, ambiguous, parse_overrides, placed_state, resolve, select_states, state_kernel,
};
use super::units::units_of;
use super::usage::Positive;
use super::{Failure, Loaded, Origin};
use crate::analysis;
use crate::analysis::{Analysis, ByName, RestDepth, StateAnswer, StateFailure, StateInput, StateOutcome};
use crate::contact::{Compliance, ContactError, Friction, Hold, Laws, Restitution};
use crate::format::{ContactLaw, Mechanism, Override, RestitutionLaw, StateSpec};
use crate::model::{Kernel, Model};
use crate::num::Tol;
use crate::predict::Mode;

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
    /// Leaves out the next time step, which is most of the work.
    pub without_next_step: bool,
    /// Leaves out the motions without slip.
    pub without_no_slip: bool,
    /// Leaves out what is asked of the whole domain: the critical friction.
    pub without_domain: bool,
    /// For how long a motion without slip is followed, s; ten times the mechanism's own time if absent.
    pub look_ahead: Option<f64>,
    /// What counts as zero, and how far to search.
    pub tolerances: Tol,
}

impl AnalyzeOptions {
    /// The usual questions about one state.
    pub fn of_state(name: impl Into<String>) -> Self {
        AnalyzeOptions { states: vec![name.into()], ..Self::default() }
    }
}

/// The next time step if nothing else is said, s.
pub const DEFAULT_STEP: f64 = 1e-3;

/// Analyses the states of a mechanism. A state that cannot be analysed says why, and the others are answered.
///
/// # Errors
/// [`Failure`] if a state does not exist, an override makes no sense, or the domain is empty.
pub fn analyze(loaded: &Loaded, model: &Model, options: &AnalyzeOptions) -> Result<Analysis, Failure> {
    let analysis = analyze_states(loaded, model, options)?;
    let (mechanism, tol) = (&loaded.mechanism, &options.tolerances);
    let overrides = parse_overrides(loaded, &options.set)?;
    // what is not in the domain is taken from the first state, which must then be one
    let anchored = mechanism.states.first().is_none_or(|s| resolve(loaded, s, &overrides).is_ok());
    let scope =
        if anchored && !options.without_domain { Scope::new(loaded, model, &overrides)? } else { None };
    Ok(Analysis {
        critical_friction: scope.as_ref().map(|s| s.critical_friction(tol)).unwrap_or_default(),
        jam_friction: scope.filter(|_| options.jam).map(|s| s.jam_friction(tol)).unwrap_or_default(),
        ..analysis
    })
}

/// The states alone, whatever is asked of the domain.
///
/// # Errors
/// As [`analyze`].
pub(crate) fn analyze_states(
    loaded: &Loaded,
    model: &Model,
    options: &AnalyzeOptions,
) -> Result<Analysis, Failure> {
    let specs = select_states(loaded, &options.states)?;
    let overrides = parse_overrides(loaded, &options.set)?;
    let step = time_step(options.step)?;
    let step = (!options.without_next_step).then_some(step);
    let tol = &options.tolerances;
    let follower = Follower::new(model, look_ahead(options.look_ahead)?, tol);
    let follower = (!options.without_no_slip).then_some(&follower);
    let kernel = state_kernel(model, tol);
    let motions = Motions::new(loaded, model);
    let ask = StateQuestions {
        loaded,
        kernel: &kernel,
        overrides: &overrides,
        step,
        follower,
        motions: &motions,
        tol,
    };
    let states =
        specs.into_iter().map(|spec| answered(spec, ask.analyze(spec))).collect::<Result<Vec<_>, _>>()?;
    let mechanism = &loaded.mechanism;
    Ok(Analysis {
        schema: analysis::ANALYSIS_SCHEMA.into(),
        mechanism: mechanism.name.clone(),
        title: mechanism.title.clone(),
        description: mechanism.description.clone(),
        library: loaded.origin == Origin::Library,
        space: mechanism.space.word().into(),
        units: units_of(mechanism),
        critical_friction: ByName::default(),
        jam_friction: ByName::default(),
        states,
    })
}

/// What is asked about every state.
struct StateQuestions<'a> {
    loaded: &'a Loaded,
    kernel: &'a Kernel,
    overrides: &'a [Override],
    step: Option<f64>,
    /// None if motions without slip are not asked for.
    follower: Option<&'a Follower<'a>>,
    motions: &'a Motions<'a>,
    tol: &'a Tol,
}

/// A time for which a motion is followed, if one was asked for.
fn look_ahead(time: Option<f64>) -> Result<Option<f64>, Failure> {
    Ok(time.map(|t| Positive::LookAhead.checked(t)).transpose()?)
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
    Ok(Positive::Step.checked(step.unwrap_or(DEFAULT_STEP))?)
}

impl StateQuestions<'_> {
    fn analyze(&self, spec: &StateSpec) -> Result<StateOutcome, Failure> {
        let (loaded, kernel, tol) = (self.loaded, self.kernel, self.tol);
        let Evaluated { placed, values, sizes } = placed_state(loaded, kernel, spec, self.overrides, tol)?;
        let laws = planar_laws(loaded, &placed.resolved.laws)?;
        let ahead = Ahead::new(self.motions, &placed, &laws, sizes.length());
        let holds = |modes: &[Mode]| ahead.holds(modes);
        let input = StateInput {
            name: &spec.name,
            description: spec.description.as_deref(),
            names: names_of(&loaded.mechanism),
            state: &placed.state,
            sizes: &sizes,
            gravity: gravity(&loaded.mechanism, &placed.state),
            rest: RestDepth::Robustness,
            laws,
            closed: &placed.closed,
            step: self.step,
            tol: *tol,
            ahead: Some(&holds),
        };
        let refused = |fault| Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] };
        let mut outcome = analysis::state_outcome(kernel, &values, &input)
            .map_err(|s| refused(singular_fault(loaded, spec, (kernel, &values), &placed, &s)))?;
        let other = ambiguous(loaded, kernel, (spec, self.overrides), &placed);
        let notes = placed.notes.iter().chain(&other);
        outcome.warnings.splice(0..0, notes.map(|note| note.message.clone()));
        if let Some(fault) = undefined_outcome(loaded, spec, &placed.resolved, &outcome) {
            return Err(refused(fault));
        }
        if let Some(follower) = self.follower {
            let (laws, contacts) = (&input.laws[..], &input.names.contacts[..]);
            let start = Start { placed: &placed, laws, length: sizes.length(), contacts };
            follower.add(&mut outcome, start);
        }
        Ok(outcome)
    }
}

/// The contact laws in the shape of the analysis.
pub(super) fn planar_laws(loaded: &Loaded, laws: &[ContactLaw]) -> Result<Vec<Laws>, Failure> {
    laws.iter()
        .map(planar_law)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::file(&loaded.source.name, error))
}

/// The same of one contact.
pub(super) fn planar_law(law: &ContactLaw) -> Result<Laws, ContactError> {
    let restitution = match law.restitution_law {
        RestitutionLaw::Newton => Restitution::Newton(law.restitution),
        RestitutionLaw::Poisson => Restitution::Poisson(law.restitution),
        RestitutionLaw::Energetic => Restitution::Energetic(law.restitution),
    };
    let normal = Compliance::new(law.stiffness, law.damping)?;
    let along = |stiffness| normal.with_tangential(stiffness);
    Ok(Laws {
        friction: Friction::new(law.friction)?,
        restitution: restitution.validated()?,
        tangential: law.tangential_restitution,
        compliance: law.tangential_stiffness.map_or(Ok(normal), along)?,
        hold: if law.bilateral { Hold::Bilateral } else { Hold::Unilateral },
    })
}

pub(super) fn names_of(mechanism: &Mechanism) -> analysis::Names {
    analysis::Names {
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    }
}
