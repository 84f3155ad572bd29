//! One motion from a state.

use super::scheme::{Scheme, SchemeOption};
use super::subject::{Placing, Start, Subject};
use crate::format::StateSpec;
use crate::model::{Model, State};
use crate::num::Tol;
use crate::pipeline::states::{parse_overrides, state_kernel};
use crate::pipeline::{Failure, Loaded, Usage, select_states};
use crate::simulate::event::{Ending, EventDriven, Future, Hyperstatic, Limits, Memory};
use crate::simulate::trajectory::Trajectory;

/// What is asked of a motion.
#[derive(Clone, Debug, Default)]
pub struct SimulateOptions {
    /// Name of the state; the first if absent.
    pub state: Option<String>,
    /// `name=expr` overrides of parameters, coordinates or `dot(x)`.
    pub set: Vec<String>,
    /// By which scheme.
    pub scheme: Scheme,
    /// ε of the compliant scheme.
    pub eps: Vec<f64>,
    /// The time at which it ends, s.
    pub t_end: f64,
    /// Error per step, relative to each number's own size.
    pub rtol: Option<f64>,
    /// The same in the units of each number, beside that.
    pub atol: Option<f64>,
    /// h of a time-stepping scheme, s.
    pub step: Option<f64>,
    /// θ of a time-stepping scheme.
    pub theta: Option<f64>,
    /// γ of a time-stepping scheme.
    pub gamma: Option<f64>,
    /// Samples at equal times.
    pub samples: Option<usize>,
    /// Samples at these times instead, ascending.
    pub times: Option<Vec<f64>>,
    /// What replaces the coordinates and velocities of the state.
    pub given: GivenState,
    /// What to follow where several motions are possible: the first of these names that is one of them.
    pub futures: Vec<String>,
    /// What to do where accelerations depend on forces that are not unique.
    pub hyperstatic: Hyperstatic,
    /// The expression at whose fall through zero the motion ends.
    pub stop: Option<String>,
    /// How much it may take.
    pub limits: Limits,
}

/// Numbers that replace those of a state, in the order of the coordinates; the state's closed contacts are then those that touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenState {
    /// Time.
    pub t: Option<f64>,
    /// Coordinates.
    pub q: Option<Vec<f64>>,
    /// Velocities.
    pub v: Option<Vec<f64>>,
}

impl SimulateOptions {
    /// The times of samples that are given one by one.
    pub(super) fn times(&self) -> Option<&[f64]> {
        self.times.as_deref()
    }

    /// That these ascend within the time of the motion.
    pub(in crate::pipeline) fn check_times(&self, start: f64) -> Result<(), Usage> {
        let Some(times) = self.times() else { return Ok(()) };
        let mut before = start;
        for (place, &t) in times.iter().enumerate() {
            if !(t >= before && t <= self.t_end) || (place > 0 && t <= before) {
                return Err(Usage::Times { place, t, span: [start, self.t_end] });
            }
            before = t;
        }
        Ok(())
    }

    /// That the scheme has all options that are given.
    pub(in crate::pipeline) fn check_scheme(&self) -> Result<(), Usage> {
        let given = [
            (SchemeOption::Step, self.step.is_some()),
            (SchemeOption::Theta, self.theta.is_some()),
            (SchemeOption::Gamma, self.gamma.is_some()),
            (SchemeOption::Eps, !self.eps.is_empty()),
            (SchemeOption::Rtol, self.rtol.is_some()),
            (SchemeOption::Atol, self.atol.is_some()),
            (SchemeOption::Future, !self.futures.is_empty()),
            (SchemeOption::Hyperstatic, self.hyperstatic != Hyperstatic::default()),
        ];
        match given.into_iter().find(|(option, is_given)| *is_given && !self.scheme.has(*option)) {
            Some((option, _)) => Err(Usage::NotOfScheme { option, scheme: self.scheme.word() }),
            None => Ok(()),
        }
    }
}

/// A mechanism at a state, ready to move; runs from it share the compiled equations.
pub struct Simulation {
    pub(super) motions: EventDriven,
    pub(super) subject: Subject,
    pub(super) start: Start,
}

/// Follows the motion from a state.
///
/// # Errors
/// [`Failure`] if there is no such state, it does not lie where it claims to, or an option makes no sense. How the motion
/// ends is an outcome.
pub fn simulate(loaded: &Loaded, model: &Model, options: &SimulateOptions) -> Result<Trajectory, Failure> {
    options.check_scheme()?;
    match options.scheme {
        Scheme::Event => Ok(Simulation::new(loaded, model, options)?.run(options)?.trajectory),
        scheme => super::other::motion(loaded, model, scheme, options),
    }
}

impl Simulation {
    /// A mechanism at the state that the options name.
    ///
    /// # Errors
    /// As [`simulate`].
    pub fn new(loaded: &Loaded, model: &Model, options: &SimulateOptions) -> Result<Self, Failure> {
        let (subject, start) = begin(loaded, model, options)?;
        Ok(Self { start, subject, motions: EventDriven::new(model) })
    }

    /// The motion from the state.
    ///
    /// # Errors
    /// [`Failure::Usage`] if an option makes no sense.
    pub fn run(&self, options: &SimulateOptions) -> Result<Ending, Failure> {
        self.run_with(&mut Memory::default(), options)
    }

    /// The same with memory that others leave and take up.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn run_with(&self, memory: &mut Memory, options: &SimulateOptions) -> Result<Ending, Failure> {
        self.subject.run((&self.motions, memory), (&self.start, None), options)
    }

    /// The motion from another state with the same laws, going on as a motion before ended.
    pub(super) fn run_from(
        &self,
        (state, closed, first): (&State, &[usize], Option<&Future>),
        options: &SimulateOptions,
    ) -> Result<Ending, Failure> {
        let (state, closed, notes) = (state.clone(), closed.to_vec(), Vec::new());
        let start = Start { state, closed, notes, ..self.start.clone() };
        self.subject.run((&self.motions, &mut Memory::default()), (&start, first), options)
    }
}

/// A mechanism, and where the motion begins.
pub(super) fn begin(
    loaded: &Loaded,
    model: &Model,
    options: &SimulateOptions,
) -> Result<(Subject, Start), Failure> {
    let spec = asked_state(loaded, options)?;
    let overrides = parse_overrides(loaded, &options.set)?;
    let kernel = state_kernel(model, &Tol::default());
    let start = Start::placed(loaded, &kernel, (spec, &overrides), &options.given, Placing::Exact)?;
    let subject = Subject::new(loaded, model, options.stop.as_deref())?;
    subject.check_samples(options)?;
    options.check_times(start.state.t)?;
    Ok((subject, start))
}

/// The state that the options name, or the first.
pub(in crate::pipeline) fn asked_state<'l>(
    loaded: &'l Loaded,
    options: &SimulateOptions,
) -> Result<&'l StateSpec, Failure> {
    let named: Vec<String> = options.state.iter().cloned().collect();
    Ok(select_states(loaded, &named)?.into_iter().next().ok_or_else(|| no_state(loaded))?)
}

fn no_state(loaded: &Loaded) -> Usage {
    Usage::State { file: loaded.source.name.clone(), name: "origin".to_string(), states: Vec::new() }
}
