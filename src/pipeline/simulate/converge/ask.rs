//! A study from a state: the reference, then each scheme at each of its steps.

use super::ladder::{Parameter, applies, parameters};
use super::reference::reference;
use super::run::Runner;
use crate::model::Model;
use crate::num::{Number, halt};
use crate::pipeline::simulate::ask::{SimulateOptions, Simulation};
use crate::pipeline::simulate::scheme::Scheme;
use crate::pipeline::usage::Positive;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::converge::{CONVERGENCE_SCHEMA, Convergence, SchemeStudy, Unfinished, summarised};
use crate::simulate::progress;

/// Length of the motion if nobody says, s: that of [A09 5.2].
pub const DEFAULT_SPAN: f64 = 5.0;

/// What is asked of a study.
#[derive(Clone, Debug, Default)]
pub struct ConvergeOptions {
    /// Name of the state; the first if absent.
    pub state: Option<String>,
    /// `name=expr` overrides of parameters, coordinates or `dot(x)`.
    pub set: Vec<String>,
    /// When the motion ends, s; [`DEFAULT_SPAN`] after it begins if absent.
    pub t_end: Option<f64>,
    /// Names of schemes; all that apply if there are none.
    pub schemes: Vec<String>,
    /// Steps of the schemes, s; if there are none, as many as the order of each needs.
    pub steps: Vec<f64>,
    /// θ of the time-stepping schemes; 1/2 if absent.
    pub theta: Option<f64>,
    /// γ of the same.
    pub gamma: Option<f64>,
}

/// Orders of accuracy on the motion from a state.
///
/// # Errors
/// [`Failure`] if there is no such state or scheme, a step makes no sense, or there is no reference.
pub fn converge(loaded: &Loaded, model: &Model, options: &ConvergeOptions) -> Result<Convergence, Failure> {
    let schemes = schemes(options)?;
    for &step in &options.steps {
        Positive::Step.checked(step)?;
    }
    let mut motion = SimulateOptions {
        state: options.state.clone(),
        set: options.set.clone(),
        theta: options.theta,
        gamma: options.gamma,
        ..SimulateOptions::default()
    };
    let simulation = Simulation::new(loaded, model, &motion)?;
    let begin = simulation.start.state.t;
    motion.t_end = options.t_end.unwrap_or(begin + DEFAULT_SPAN);
    simulation.start.check_end(&motion)?;
    let found = reference(loaded, model, &simulation, &motion);
    if halt::is_wanted() {
        return Err(Failure::Interrupted { what: "a motion to measure against" });
    }
    let found = found?;
    let runner = Runner { loaded, model, simulation: &simulation, motion: &motion };
    let asked = !schemes.is_empty();
    let candidates: Vec<Scheme> = if asked { schemes } else { Scheme::all().collect() };
    let candidates: Vec<Scheme> = candidates.into_iter().filter(|&scheme| asked || applies(scheme)).collect();
    let ladder = |scheme: &Scheme| parameters(*scheme, motion.t_end - begin, &options.steps);
    let (mut studies, of) = (Vec::new(), candidates.len());
    progress::expect(candidates.iter().map(|scheme| ladder(scheme).len()).sum());
    for scheme in candidates {
        let (mut runs, mut failed) = (Vec::new(), Vec::new());
        for parameter in ladder(&scheme) {
            match runner.run(scheme, parameter, &found.reference)? {
                Ok(run) => runs.push(run),
                Err(reason) => failed.push((Number(parameter.number()), reason)),
            }
            progress::finish();
        }
        if halt::is_wanted() {
            break;
        }
        let order = super::ladder::order(scheme);
        studies.push(SchemeStudy::new(
            (scheme.word(), order),
            runs,
            failed,
            (&found.reference, motion.t_end - begin),
        ));
    }
    Ok(Convergence {
        schema: CONVERGENCE_SCHEMA,
        mechanism: loaded.mechanism.name.clone(),
        state: simulation.start.name.clone(),
        t_end: motion.t_end.into(),
        reference: summarised(&found.reference),
        interrupted: (studies.len() < of).then_some(Unfinished { schemes: studies.len(), of }),
        studies,
        warnings: simulation.start.notes.iter().cloned().chain(found.warnings).collect(),
    })
}

fn schemes(options: &ConvergeOptions) -> Result<Vec<Scheme>, Usage> {
    options.schemes.iter().map(|name| name.parse().map_err(Usage::Scheme)).collect()
}

impl Parameter {
    fn number(self) -> f64 {
        match self {
            Self::Step(h) => h,
            Self::Tolerance(rtol) => rtol,
        }
    }
}
