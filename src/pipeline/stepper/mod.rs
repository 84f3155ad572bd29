//! A motion in the hands of a caller: followed from call to call, while forces, parameters and the state are set from outside in between.
//!
//! Forces are generalised ones beside those of the mechanism's file, one for each coordinate; they and the parameters hold as they are until
//! they are set again. Between two calls nothing is forgotten: a motion by steps is to the last bit what one call makes of it, one from event to
//! event goes on in the modes in which it was, wherever these still obey the laws of contact. Where a setting makes no sense, or a motion
//! cannot go on, the state stays what it was.
//!
//! | file | subject |
//! |---|---|
//! | `begin` | where a motion begins, and where it is put |
//! | `engine` | by which scheme it is followed |
//! | `setting` | parameters and forces from outside |
//! | `books` | energy, and what changed it |
//! | `fault` | arrays that are none of the mechanism's |

mod begin;
mod books;
mod engine;
mod fault;
mod setting;

pub use books::Books;
pub use fault::GivenFault;

use super::simulate::{Start, Subject};
use super::{Derived, Failure, SimulateOptions, Usage};
use crate::model::{Kernel, Values};
use crate::simulate::log::{Log, Passage, Until};
use crate::simulate::trajectory::{Effort, Event, Status, TRAJECTORY_SCHEMA, Trajectory};
use begin::Rules;
use books::Sums;
use engine::{Engine, Motions};
use std::sync::Arc;

/// A motion that is followed from call to call. A copy goes its own way.
///
/// # Examples
/// ```
/// use mechan::pipeline::Stepper;
/// let ball = mechan::load("bouncing_ball")?.derive(&mechan::Deriver::nobody())?;
/// let options =
///     mechan::SimulateOptions { scheme: "moreau".parse()?, step: Some(1e-3), ..Default::default() };
/// let mut stepper = Stepper::new(&std::sync::Arc::new(ball), &options)?;
/// stepper.set_forces(&[0.0, 2.0])?;
/// stepper.advance(0.1)?;
/// assert!((stepper.t() - 0.1).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Stepper {
    shared: Arc<Shared>,
    /// Where the motion is, with parameters and then forces.
    start: Start,
    /// Values of parameters that were set since.
    set: Vec<Option<f64>>,
    engine: Engine,
    energies: Values<f64>,
    sums: Sums,
    /// What is kept of the motion, if that was asked for.
    record: Option<Record>,
    futures: Vec<String>,
    warnings: Vec<String>,
}

/// What a motion and its copies share.
struct Shared {
    derived: Arc<Derived>,
    options: SimulateOptions,
    subject: Subject,
    rules: Rules,
    /// All blocks of the mechanism without forces from outside, for placing states.
    places: Kernel,
    /// T and V.
    energies: Kernel,
    motions: Motions,
}

/// What is kept of a motion.
#[derive(Clone, Default)]
struct Record {
    log: Log,
    events: Vec<Event>,
    steps: usize,
}

impl Stepper {
    /// Time.
    pub fn t(&self) -> f64 {
        self.start.state.t
    }

    /// Coordinates.
    pub fn q(&self) -> &[f64] {
        &self.start.state.q
    }

    /// Velocities.
    pub fn v(&self) -> &[f64] {
        &self.start.state.v
    }

    /// Parameters.
    pub fn parameters(&self) -> &[f64] {
        &self.start.state.parameters[..self.shared.derived.mechanism().parameters.len()]
    }

    /// Generalised forces from outside.
    pub fn forces(&self) -> &[f64] {
        &self.start.state.parameters[self.shared.derived.mechanism().parameters.len()..]
    }

    /// The mechanism.
    pub fn derived(&self) -> &Arc<Derived> {
        &self.shared.derived
    }

    /// The word of the scheme.
    pub fn scheme(&self) -> &'static str {
        self.shared.options.scheme.word()
    }

    /// Length of a step; none where that is not given.
    pub fn step_length(&self) -> Option<f64> {
        self.shared.options.step
    }

    /// Names of the ways on, where the last call ended because there are several.
    pub fn futures(&self) -> &[String] {
        &self.futures
    }

    /// What is to be known of the motion so far.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Follows the motion to a time.
    ///
    /// # Errors
    /// [`Failure`] if the time lies before the present one. How it ended otherwise is its status.
    pub fn advance(&mut self, t: f64) -> Result<Passage, Failure> {
        let limits = self.shared.options.limits;
        self.advance_until(&Until { t, steps: limits.steps, events: limits.events }, &[])
    }

    /// The same with bounds of its own and, beside those of the options, names of what to follow where several motions are possible.
    ///
    /// # Errors
    /// As [`Stepper::advance`], and names that are none.
    pub fn advance_until(&mut self, until: &Until, futures: &[String]) -> Result<Passage, Failure> {
        let start = self.t();
        if !(until.t.is_finite() && until.t >= start) {
            return Err(Usage::Given(GivenFault::Time { to: until.t, from: start }).into());
        }
        if until.t <= start {
            return Ok(Passage { status: Status::End, reason: None, events: Vec::new(), steps: 0 });
        }
        let log = self.record.as_mut().map(|record| &mut record.log);
        let (shared, start) = (&self.shared, &mut self.start);
        let mut led = self.engine.advance(shared, start, (until, futures), log)?;
        self.sums.include(&led.sums);
        self.futures = std::mem::take(&mut led.futures);
        for warning in led.warnings.drain(..) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        if let Some(stored) = led.total {
            self.sums.springs = stored - self.energy();
        }
        if let Some(record) = &mut self.record {
            record.events.extend(led.passage.events.iter().cloned());
            record.steps += led.passage.steps;
        }
        Ok(led.passage)
    }

    /// Keeps rows, events and phases from here on: rows at these times, or at every step of a scheme that has steps.
    ///
    /// # Errors
    /// [`Usage::Times`] if the times do not ascend from the present one, or a scheme without steps has none.
    pub fn record(&mut self, times: Option<Vec<f64>>) -> Result<(), Failure> {
        let asked =
            SimulateOptions { times: times.clone(), t_end: f64::INFINITY, ..SimulateOptions::default() };
        asked.check_times(self.t())?;
        if times.is_none() && !self.engine.has_steps() {
            return Err(Usage::Given(GivenFault::NoTimes { scheme: self.scheme() }).into());
        }
        self.record = Some(Record { log: Log::new(times), ..Record::default() });
        Ok(())
    }

    /// What has been kept, as a motion that ended in this way; it goes on being kept.
    pub fn trajectory(&mut self, status: Status, reason: Option<String>) -> Trajectory {
        let Record { log, events, steps } = self.record.clone().unwrap_or_default();
        let Books { energy, .. } = self.books();
        let penetration = self.engine.penetration(&self.shared.subject.names);
        Trajectory {
            schema: TRAJECTORY_SCHEMA.into(),
            mechanism: self.shared.subject.mechanism.clone(),
            state: self.start.name.clone(),
            scheme: self.scheme().to_string(),
            status,
            reason,
            events,
            phases: log.phases,
            columns: self.shared.subject.columns.clone(),
            rows: log.rows,
            energy,
            drift: self.sums.drift,
            penetration,
            hyperstatic: None,
            work: Effort { steps, ..Effort::default() },
            warnings: self.start.notes.iter().chain(&self.warnings).cloned().collect(),
        }
    }
}
