//! A mechanism with its equations: what a caller of the library asks.

use super::key::is_model_of;
use super::states::{numbers_of, unknown_state};
use super::{
    AnalyzeOptions, Failure, FileFault, Loaded, NamedStep, ProveOptions, ProvedClaim, SimulateOptions,
    StepOptions, analyze, check_states, prove_claims, simulate, step_problems,
};
use crate::analysis::Analysis;
use crate::diag::Diagnostic;
use crate::format::Mechanism;
use crate::model::{Model, ModelFile, State};
use crate::rederive::{Agreement, agreement};
use crate::simulate::trajectory::Trajectory;
use crate::stepping::Step;

/// A mechanism with its equations.
#[derive(Clone, Debug)]
pub struct Derived {
    loaded: Loaded,
    model: Model,
}

impl Derived {
    /// Joins a mechanism and the model that was derived from it.
    ///
    /// # Errors
    /// [`FileFault::ForeignModel`] if the model has not the sizes of this mechanism's.
    pub fn new(loaded: Loaded, model: Model) -> Result<Self, Failure> {
        if is_model_of(&loaded.mechanism, &model) {
            Ok(Derived { loaded: Loaded { model: None, ..loaded }, model })
        } else {
            Err(Failure::file(loaded.source.name, FileFault::ForeignModel))
        }
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.loaded.mechanism
    }

    /// The mechanism with its text.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The equations as numbers, to be evaluated at any state.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The parameters where some are given, in their order; those that are not follow from the ones before as the file says.
    /// What is not finite is for the caller to judge.
    pub fn parameters(&self, given: &[Option<f64>]) -> Vec<f64> {
        let parameters = &self.loaded.mechanism.parameters;
        let mut values = Vec::with_capacity(parameters.len());
        for (i, parameter) in parameters.iter().enumerate() {
            let own = given.get(i).copied().flatten();
            values.push(own.unwrap_or_else(|| parameter.value.eval_parametric(&values)));
        }
        values
    }

    /// The numbers of a state, changed by `name=expr` overrides: where an evaluation of the model or a motion begins.
    ///
    /// # Errors
    /// [`Failure`] if there is no such state, an override makes no sense, or the state does not lie where it claims to.
    pub fn state(&self, name: &str, set: &[String]) -> Result<State, Failure> {
        numbers_of(&self.loaded, &self.model, name, set)
    }

    /// Everything that can be said about the mechanism's states.
    ///
    /// # Errors
    /// As [`analyze`]; a state that cannot be analysed stands in the analysis with its reason.
    pub fn analyze(&self, options: &AnalyzeOptions) -> Result<Analysis, Failure> {
        analyze(&self.loaded, &self.model, options)
    }

    /// The problems of the next time step, one per state.
    ///
    /// # Errors
    /// As [`step_problems`].
    pub fn next_steps(&self, options: &StepOptions) -> Result<Vec<NamedStep>, Failure> {
        step_problems(&self.loaded, &self.model, options)
    }

    /// The problem of the next time step of h seconds at one state.
    ///
    /// # Errors
    /// As [`step_problems`], and what is wrong with the state.
    pub fn next_step(&self, state: &str, h: f64) -> Result<Step, Failure> {
        let options =
            StepOptions { states: vec![state.to_string()], step: Some(h), ..StepOptions::default() };
        let mut steps = self.next_steps(&options)?;
        steps.pop().map_or_else(|| Err(unknown_state(&self.loaded, state).into()), |(_, step)| step)
    }

    /// The motion from a state.
    ///
    /// # Errors
    /// As [`simulate`]; how the motion ends is an outcome.
    pub fn simulate(&self, options: &SimulateOptions) -> Result<Trajectory, Failure> {
        simulate(&self.loaded, &self.model, options)
    }

    /// Claims about all states of a box, proven, refuted or left open.
    ///
    /// # Errors
    /// As [`prove_claims`].
    pub fn prove(&self, options: &ProveOptions) -> Result<Vec<ProvedClaim>, Failure> {
        prove_claims(&self.loaded, &self.model, options, |_| {})
    }

    /// What a second derivation from the file says of the equations.
    pub fn agreement(&self) -> Agreement {
        agreement(&self.loaded.mechanism, &self.model)
    }

    /// What is odd about the states, but no fault.
    ///
    /// # Errors
    /// As [`check_states`].
    pub fn check(&self) -> Result<Vec<Diagnostic>, Failure> {
        check_states(&self.loaded, &self.model)
    }

    /// The mechanism and its equations as one file, which is read back without deriving.
    pub fn model_file(&self) -> ModelFile {
        ModelFile::new(self.loaded.source.text.clone(), self.model.clone())
    }
}
