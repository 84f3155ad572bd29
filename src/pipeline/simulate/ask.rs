//! One motion from a state.

use super::stop::RowExpression;
use crate::analysis::Names;
use crate::analysis::planar::Laws;
use crate::format::{Override, StateSpec};
use crate::model::{Model, State};
use crate::num::Tol;
use crate::pipeline::analyze::{names_of, planar_laws};
use crate::pipeline::states::{Evaluated, parse_overrides, placed_state, state_kernel};
use crate::pipeline::usage::Positive;
use crate::pipeline::{Failure, Loaded, Usage, select_states};
use crate::simulate::event::{
    Beginning, DEFAULT_RTOL, DEFAULT_SAMPLES, Ending, EventDriven, Future, Limits, Options,
};
use crate::simulate::trajectory::{Columns, RowFunction, Trajectory};

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
    /// Samples at equal times.
    pub samples: Option<usize>,
    /// What to follow where several motions are possible: the first of these names that is one of them.
    pub futures: Vec<String>,
    /// The expression at whose fall through zero the motion ends.
    pub stop: Option<String>,
    /// How much it may take.
    pub limits: Limits,
}

/// How a motion is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// From event to event, with rigid contacts.
    #[default]
    Event,
    /// With regularised contacts.
    Compliant,
}

/// A mechanism at a state, ready to move; runs from it share the compiled equations.
pub struct Simulation {
    motions: EventDriven,
    pub(super) mechanism: String,
    pub(super) name: String,
    pub(super) names: Names,
    pub(super) constraints: Vec<String>,
    pub(super) state: State,
    pub(super) closed: Vec<usize>,
    pub(super) laws: Vec<Laws>,
    active: Vec<Option<RowExpression>>,
    /// A contact with a key that the compliant scheme does not know, and the key.
    pub(super) unsprung: Option<(String, &'static str)>,
    pub(super) stop: Option<RowExpression>,
}

/// Follows the motion from a state.
///
/// # Errors
/// [`Failure`] if there is no such state, it does not lie where it claims to, or an option makes no sense. How the motion
/// ends is an outcome.
pub fn simulate(loaded: &Loaded, model: &Model, options: &SimulateOptions) -> Result<Trajectory, Failure> {
    match options.scheme {
        Scheme::Event => Ok(Simulation::new(loaded, model, options)?.run(options)?.trajectory),
        Scheme::Compliant => super::compliant::motion(loaded, model, options),
    }
}

impl Simulation {
    /// A mechanism at the state that the options name.
    ///
    /// # Errors
    /// As [`simulate`].
    pub fn new(loaded: &Loaded, model: &Model, options: &SimulateOptions) -> Result<Self, Failure> {
        let named: Vec<String> = options.state.iter().cloned().collect();
        let specs = select_states(loaded, &named)?;
        let spec = specs.first().ok_or_else(|| no_state(loaded))?;
        let overrides = parse_overrides(loaded, &options.set)?;
        Self::at(loaded, model, spec, &overrides, options)
    }

    fn at(
        loaded: &Loaded,
        model: &Model,
        spec: &StateSpec,
        overrides: &[Override],
        options: &SimulateOptions,
    ) -> Result<Self, Failure> {
        let (mechanism, tol) = (&loaded.mechanism, Tol::default());
        let kernel = state_kernel(model, &tol);
        let Evaluated { placed, .. } = placed_state(loaded, &kernel, spec, overrides, &tol)?;
        let (names, state) = (names_of(mechanism), placed.state);
        let sprung = placed.resolved.laws.iter().position(|law| law.tangential_stiffness.is_some());
        let lifted = mechanism.contacts.iter().position(|contact| contact.active.is_some());
        let keys = [(sprung, "compliance.tangential_stiffness"), (lifted, "active")];
        let found = keys.into_iter().find_map(|(contact, key)| Some((contact?, key)));
        let unsprung = found.map(|(contact, key)| (names.contacts[contact].clone(), key));
        let constraints: Vec<String> = mechanism.constraints.iter().map(|c| c.name.clone()).collect();
        let columns = Columns::new(model.layout(), &names, &constraints);
        let n = names.coordinates.len();
        let stop = options.stop.as_ref().map(|text| {
            RowExpression::parse(mechanism, columns.names(), &state.parameters, text)
                .map_err(|fault| Usage::Stop { text: text.clone(), fault: Box::new(fault) })
        });
        let active = mechanism
            .contacts
            .iter()
            .map(|contact| contact.active.as_ref().map(|expr| RowExpression::of(expr, n, &state.parameters)));
        Ok(Self {
            motions: EventDriven::new(model),
            mechanism: mechanism.name.clone(),
            name: spec.name.clone(),
            constraints,
            closed: placed.closed,
            laws: planar_laws(loaded, &placed.resolved.laws)?,
            active: active.collect(),
            unsprung,
            stop: stop.transpose()?,
            names,
            state,
        })
    }

    /// The motion from the state.
    ///
    /// # Errors
    /// [`Failure::Usage`] if an option makes no sense.
    pub fn run(&self, options: &SimulateOptions) -> Result<Ending, Failure> {
        self.run_from((&self.state, &self.closed, None), options)
    }

    /// That a motion from a state ends after it begins.
    pub(super) fn check_end(&self, state: &State, options: &SimulateOptions) -> Result<(), Failure> {
        if options.t_end.is_finite() && options.t_end > state.t {
            return Ok(());
        }
        Err(Usage::End { t_end: options.t_end, start: state.t }.into())
    }

    /// The motion from another state with the same laws, going on as a motion before ended.
    pub(super) fn run_from(
        &self,
        (state, closed, first): (&State, &[usize], Option<&Future>),
        options: &SimulateOptions,
    ) -> Result<Ending, Failure> {
        self.check_end(state, options)?;
        check_futures(&options.futures)?;
        let rtol = Positive::RelativeTolerance.checked(options.rtol.unwrap_or(DEFAULT_RTOL))?;
        let atol = options.atol.map(|atol| Positive::AbsoluteTolerance.checked(atol)).transpose()?;
        let closures: Vec<_> = self
            .active
            .iter()
            .map(|active| active.as_ref().map(|active| |row: &[f64]| active.value(row)))
            .collect();
        let active: Vec<Option<RowFunction<'_>>> =
            closures.iter().map(|active| active.as_ref().map(|active| active as RowFunction<'_>)).collect();
        let stop = self.stop.as_ref().map(|stop| |row: &[f64]| stop.value(row));
        let begin = Beginning {
            mechanism: &self.mechanism,
            name: &self.name,
            state,
            closed,
            laws: &self.laws,
            names: &self.names,
            constraints: &self.constraints,
            active: &active,
        };
        let options = Options {
            rtol,
            atol: atol.unwrap_or(0.0),
            samples: options.samples.unwrap_or(DEFAULT_SAMPLES),
            limits: options.limits,
            futures: &options.futures,
            first,
            stop: stop.as_ref().map(|stop| stop as RowFunction<'_>),
            ..Options::until(options.t_end)
        };
        Ok(self.motions.run(&begin, &options))
    }
}

/// Words of a contact's mode in the names of futures; a bilateral contact that pulls says so.
const MODES: [&str; 7] = ["free", "slip+", "slip-", "slip", "stick", "slip+ pulled", "slip- pulled"];

/// That every future is one that some motion may have.
fn check_futures(names: &[String]) -> Result<(), Failure> {
    let known = |name: &String| name == "iwc" || name.split(',').all(|mode| MODES.contains(&mode));
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(Usage::Future { name: name.clone() }.into()),
        None => Ok(()),
    }
}

fn no_state(loaded: &Loaded) -> Usage {
    Usage::State { file: loaded.source.name.clone(), name: "origin".to_string(), states: Vec::new() }
}
