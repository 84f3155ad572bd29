//! A mechanism whose motions are asked for, and where one of them begins.

use super::ask::{GivenState, SimulateOptions};
use super::stop::RowExpression;
use crate::analysis::Names;
use crate::contact::Laws;
use crate::format::{Override, StateSpec};
use crate::model::{Kernel, Model, State};
use crate::num::{Tol, halt};
use crate::pipeline::analyze::{names_of, planar_laws};
use crate::pipeline::states::{Evaluated, as_given, placed_state};
use crate::pipeline::usage::Positive;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::Beginning;
use crate::simulate::event::{DEFAULT_RTOL, DEFAULT_SAMPLES, Ending, EventDriven, Future, Memory, Options};
use crate::simulate::trajectory::{Columns, OfRow, RowFunction, Status, Trajectory};

/// An owned [`RowFunction`].
pub(super) type BoxedRowFunction<'s> = Box<dyn Fn(&[f64]) -> f64 + Sync + 's>;

/// A mechanism whose motions are asked for: what those from all states share.
pub(in crate::pipeline) struct Subject {
    pub(in crate::pipeline) mechanism: String,
    pub(in crate::pipeline) names: Names,
    pub(super) constraints: Vec<String>,
    pub(super) stop: Option<RowExpression>,
    active: Vec<Option<RowExpression>>,
    pub(in crate::pipeline) columns: Columns,
}

/// Where a motion begins.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct Start {
    pub(in crate::pipeline) name: String,
    pub(in crate::pipeline) state: State,
    /// The mechanism's own length.
    pub(in crate::pipeline) length: f64,
    pub(in crate::pipeline) closed: Vec<usize>,
    pub(in crate::pipeline) laws: Vec<Laws>,
    /// What the reader should know of the state.
    pub(in crate::pipeline) notes: Vec<String>,
}

/// Where a state may lie that is given from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum Placing {
    /// Below no surface, and on its constraints.
    Exact,
    /// Anywhere, as the states of a scheme do which misses them by what a step leaves.
    Near,
}

impl Start {
    /// At a state changed by overrides, which lies where it claims to.
    pub(in crate::pipeline) fn at(
        loaded: &Loaded,
        kernel: &Kernel,
        spec: &StateSpec,
        overrides: &[Override],
    ) -> Result<Self, Failure> {
        let Evaluated { placed, sizes, .. } = placed_state(loaded, kernel, spec, overrides, &Tol::default())?;
        Ok(Self {
            name: spec.name.clone(),
            laws: planar_laws(loaded, &placed.resolved.laws)?,
            length: sizes.length(),
            state: placed.state,
            closed: placed.closed,
            notes: placed.notes.into_iter().map(|note| note.message).collect(),
        })
    }

    /// At a state whose numbers may be given from outside.
    pub(in crate::pipeline) fn placed(
        loaded: &Loaded,
        kernel: &Kernel,
        (spec, overrides): (&StateSpec, &[Override]),
        given: &GivenState,
        placing: Placing,
    ) -> Result<Self, Failure> {
        match (given.instead_of(&loaded.mechanism, spec)?, placing) {
            (None, _) => Self::at(loaded, kernel, spec, overrides),
            (Some(spec), Placing::Exact) => Self::at(loaded, kernel, &spec, overrides),
            (Some(spec), Placing::Near) => {
                let (placed, length) = as_given(loaded, kernel, &spec, overrides, &Tol::default())?;
                Ok(Self {
                    name: spec.name,
                    laws: planar_laws(loaded, &placed.resolved.laws)?,
                    length,
                    state: placed.state,
                    closed: placed.closed,
                    notes: Vec::new(),
                })
            }
        }
    }

    /// A motion from here that says what is to be known of its start.
    pub(super) fn add_notes(&self, trajectory: &mut Trajectory) {
        trajectory.warnings.splice(0..0, self.notes.iter().cloned());
    }

    /// That a motion from here ends after it begins.
    pub(super) fn check_end(&self, options: &SimulateOptions) -> Result<(), Failure> {
        if options.t_end.is_finite() && options.t_end > self.state.t {
            return Ok(());
        }
        Err(Usage::End { t_end: options.t_end, start: self.state.t }.into())
    }
}

impl Subject {
    /// A mechanism, and the expression that ends its motions.
    pub(in crate::pipeline) fn new(
        loaded: &Loaded,
        model: &Model,
        stop: Option<&str>,
    ) -> Result<Self, Failure> {
        let mechanism = &loaded.mechanism;
        let names = names_of(mechanism);
        let constraints: Vec<String> = mechanism.constraints.iter().map(|c| c.name.clone()).collect();
        let columns = Columns::new(model.layout(), &names, &constraints);
        let parse = |text: &str| {
            RowExpression::parse(mechanism, &columns, text)
                .map_err(|fault| Usage::Stop { text: text.to_string(), fault: Box::new(fault) })
        };
        let contacts = mechanism.contacts.iter();
        let active = contacts.map(|c| c.active.as_ref().map(|expr| RowExpression::of(expr, mechanism)));
        Ok(Self {
            mechanism: mechanism.name.clone(),
            stop: stop.map(parse).transpose()?,
            active: active.collect(),
            columns,
            names,
            constraints,
        })
    }

    /// That the samples that are asked for fit into memory.
    pub(super) fn check_samples(&self, options: &SimulateOptions) -> Result<(), Failure> {
        let most = MOST_NUMBERS / self.columns.len();
        match options.samples.filter(|samples| *samples > most) {
            Some(samples) => Err(Usage::Samples { samples, most, columns: self.columns.len() }.into()),
            None => Ok(()),
        }
    }

    /// What must be positive where a contact closes.
    pub(super) fn active<'s>(&'s self, parameters: &'s [f64]) -> Vec<Option<BoxedRowFunction<'s>>> {
        let of = |expression: &'s RowExpression| -> BoxedRowFunction<'s> {
            let at = expression.at(parameters);
            Box::new(move |row| at.at(row))
        };
        self.active.iter().map(|active| active.as_ref().map(of)).collect()
    }

    /// The rigid motion from a start, going on as a motion before ended.
    pub(super) fn run(
        &self,
        (motions, memory): (&EventDriven, &mut Memory),
        (start, first): (&Start, Option<&Future>),
        options: &SimulateOptions,
    ) -> Result<Ending, Failure> {
        let parameters = &start.state.parameters;
        let stop = self.stop.as_ref().map(|stop| stop.at(parameters));
        let reads = self.stop.as_ref().map_or(0, RowExpression::reads);
        let stop = stop.as_ref().map(|stop| (stop as RowFunction<'_>, reads));
        self.run_until((motions, memory), (start, first), options, stop)
    }

    /// The same with another end, and how many numbers of a row that reads.
    pub(super) fn run_until(
        &self,
        (motions, memory): (&EventDriven, &mut Memory),
        (start, first): (&Start, Option<&Future>),
        options: &SimulateOptions,
        stop: Option<(RowFunction<'_>, usize)>,
    ) -> Result<Ending, Failure> {
        let (stop, stop_reads) = stop.map_or((None, 0), |(stop, reads)| (Some(stop), reads));
        start.check_end(options)?;
        check_futures(&options.futures, &self.names.contacts)?;
        let rtol = Positive::RelativeTolerance.checked(options.rtol.unwrap_or(DEFAULT_RTOL))?;
        let atol = options.atol.map(|atol| Positive::AbsoluteTolerance.checked(atol)).transpose()?;
        let options = Options {
            rtol,
            atol: atol.unwrap_or(0.0),
            samples: options.samples.unwrap_or(DEFAULT_SAMPLES),
            times: options.times(),
            limits: options.limits,
            futures: &options.futures,
            hyperstatic: options.hyperstatic,
            first,
            stop,
            stop_reads,
            ..Options::until(options.t_end)
        };
        let mut ending = self.beginning(start, |begin| motions.run_with(memory, begin, &options));
        start.add_notes(&mut ending.trajectory);
        note_interrupt(&mut ending.trajectory);
        Ok(ending)
    }

    /// With where a motion begins.
    pub(in crate::pipeline) fn beginning<T>(
        &self,
        start: &Start,
        run: impl FnOnce(&Beginning<'_>) -> T,
    ) -> T {
        let closures = self.active(&start.state.parameters);
        let active = closures.iter().map(Option::as_deref).collect::<Vec<_>>();
        run(&Beginning {
            mechanism: &self.mechanism,
            name: &start.name,
            state: &start.state,
            length: start.length,
            closed: &start.closed,
            laws: &start.laws,
            names: &self.names,
            constraints: &self.constraints,
            columns: &self.columns,
            active: &active,
        })
    }
}

/// Says of a motion that was asked to end that it was.
pub(super) fn note_interrupt(trajectory: &mut Trajectory) {
    was_interrupted(&mut trajectory.status, &mut trajectory.reason);
}

/// The same of how a motion ended.
pub(in crate::pipeline) fn was_interrupted(status: &mut Status, reason: &mut Option<String>) {
    // who is asked to end takes no further step
    if *status == Status::Budget && halt::is_wanted() {
        *status = Status::Interrupted;
        *reason = Some("it was asked to end".to_string());
    }
}

/// The most numbers that samples may be: 2 GiB of them.
const MOST_NUMBERS: usize = 1 << 28;

/// Words of a contact's mode in the names of futures; a bilateral contact that pulls says so.
const MODES: [&str; 8] =
    ["free", "slip+", "slip-", "slip", "stick", "slip+ pulled", "slip- pulled", "slip pulled"];

/// That every future is one that some motion may have.
pub(in crate::pipeline) fn check_futures(names: &[String], contacts: &[String]) -> Result<(), Failure> {
    let modes = |word: &str| word.split(',').all(|mode| MODES.contains(&mode));
    let within = |name: &str, before: &str| {
        name.strip_prefix(before).and_then(|name| name.strip_suffix(')')).map(str::to_string)
    };
    let known = |name: &String| {
        let contact = within(name, "iwc(");
        let impact = within(name, "impact(").is_some_and(|word| modes(&word));
        name == "iwc" || contact.is_some_and(|contact| contacts.contains(&contact)) || impact || modes(name)
    };
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(Usage::Future { name: name.clone() }.into()),
        None => Ok(()),
    }
}
