//! The next time step of a mechanism at its states, as incremental problems and their solutions.

use super::analyze::time_step;
use super::solve::{SolveOptions, Solved, solve_problem};
use super::states::{Evaluated, PlacedState, parse_overrides, placed_state, select_states, state_kernel};
use super::{Failure, FileFault, Loaded};
use crate::coulomb::ProblemError;
use crate::format::StateSpec;
use crate::linear::MatrixError;
use crate::model::{Kernel, Model, Values};
use crate::num::Tol;
use crate::stepping::{Step, StepInput, StepModel};

/// What is asked about the next step of a mechanism.
#[derive(Clone, Debug, Default)]
pub struct StepOptions {
    /// Names of the states; empty: all.
    pub states: Vec<String>,
    /// `name=expr` overrides of parameters, coordinates or `dot(x)`.
    pub set: Vec<String>,
    /// The time step, s; [`DEFAULT_STEP`](super::DEFAULT_STEP) if absent.
    pub step: Option<f64>,
    /// How the step is modelled.
    pub model: StepModel,
}

/// The problem of the next step at a state, or why there is none; named after mechanism and state.
pub type NamedStep = (String, Result<Step, Failure>);

/// The problems of the next step of a mechanism, one per state. A state that does not lie where it claims to, or whose
/// step is no incremental problem, does not take the others with it.
///
/// # Errors
/// [`Failure`] if a state does not exist, or an override or the step makes no sense.
pub fn step_problems(
    loaded: &Loaded,
    model: &Model,
    options: &StepOptions,
) -> Result<Vec<NamedStep>, Failure> {
    let overrides = parse_overrides(loaded, &options.set)?;
    let (h, tol) = (time_step(options.step)?, Tol::default());
    let kernel = state_kernel(model, &tol);
    let problem = |spec: &StateSpec, name: &str| {
        let Evaluated { placed, values, .. } = placed_state(loaded, &kernel, spec, &overrides, &tol)?;
        let step = step_of(loaded, (&kernel, &values), &placed, options.model, h);
        let contact = |c: usize| loaded.mechanism.contacts[c].name.as_str();
        let notes = placed.notes.iter().map(|note| note.message.clone()).collect();
        let mut step = step.map_err(|reason| refused(name, options.model, reason))?.named(name, contact);
        step.notes = notes;
        Ok(step)
    };
    let named = |spec: &StateSpec| {
        let name = format!("{}/{}", loaded.mechanism.name, spec.name);
        let step = problem(spec, &name);
        (name, step)
    };
    Ok(select_states(loaded, &options.states)?.into_iter().map(named).collect())
}

/// Solves the next step of a mechanism.
///
/// # Errors
/// As [`solve_problem`].
pub fn solve_step(step: Step, options: &SolveOptions) -> Result<Solved, Failure> {
    let mut solved = solve_problem(step.problem.clone(), options)?;
    solved.study.solution.v = step.velocity(&solved.study.solution.v);
    Ok(Solved { step: Some(step), ..solved })
}

/// Why a state has no problem.
enum Refusal {
    Bilateral(String),
    Numbers(ProblemError),
}

fn step_of(
    loaded: &Loaded,
    (kernel, values): (&Kernel, &Values<f64>),
    placed: &PlacedState,
    model: StepModel,
    step: f64,
) -> Result<Step, Refusal> {
    let laws = &placed.resolved.laws;
    let bilateral = |&&c: &&usize| laws[c].bilateral;
    if let Some(&contact) = placed.closed.iter().find(bilateral) {
        return Err(Refusal::Bilateral(loaded.mechanism.contacts[contact].name.clone()));
    }
    let friction: Vec<f64> = laws.iter().map(|law| law.friction).collect();
    let input =
        StepInput { kernel, values, state: &placed.state, closed: &placed.closed, friction: &friction, step };
    Step::new(model, &input).map_err(Refusal::Numbers)
}

fn refused(name: &str, model: StepModel, reason: Refusal) -> Failure {
    let fault = match (reason, model) {
        (Refusal::Bilateral(contact), _) => FileFault::Bilateral { contact },
        (
            Refusal::Numbers(ProblemError::Matrix(error @ MatrixError::Indefinite { .. })),
            StepModel::QuasiStatic | StepModel::QuasiStaticPosition,
        ) => FileFault::Inertialess(error),
        (Refusal::Numbers(error), _) => FileFault::Problem(error),
    };
    Failure::file(name, fault)
}
