//! The motion by a time-stepping scheme.

use super::ask::SimulateOptions;
use super::subject::{Start, Subject, note_interrupt};
use crate::pipeline::{Failure, Usage};
use crate::simulate::stepped::{Options, Stepped};
use crate::simulate::trajectory::{RowFunction, Trajectory};
use crate::stepping::{Discretisation, SchemeName};

/// The motion from a start by a scheme.
pub(super) fn run(
    subject: &Subject,
    motions: &Stepped,
    start: &Start,
    scheme: SchemeName,
    options: &SimulateOptions,
) -> Result<Trajectory, Failure> {
    start.check_end(options)?;
    let parameters = &start.state.parameters;
    let stop = subject.stop.as_ref().map(|stop| stop.at(parameters));
    let asked = Options {
        discretisation: discretisation(scheme, Some(options.t_end - start.state.t), options)?,
        end: options.t_end,
        samples: options.samples,
        times: options.times(),
        steps: options.limits.steps,
        events: options.limits.events,
        stop: stop.as_ref().map(|stop| stop as RowFunction<'_>),
    };
    let mut found = subject.beginning(start, |begin| motions.run(begin, &asked)).map_err(Usage::Stepped)?;
    start.add_notes(&mut found);
    note_interrupt(&mut found);
    Ok(found)
}

/// Steps of an adaptive scheme in the time that is asked for, if nobody says how long its first one is.
const ADAPTIVE_STEPS: f64 = 1000.0;

/// The numbers of a scheme for a motion of so many seconds, if that is known.
pub(in crate::pipeline) fn discretisation(
    scheme: SchemeName,
    span: Option<f64>,
    options: &SimulateOptions,
) -> Result<Discretisation, Usage> {
    let usual = span.filter(|_| scheme.is_adaptive()).map(|span| span / ADAPTIVE_STEPS);
    let step = options.step.or(usual).ok_or(Usage::NoStep { scheme: scheme.word() })?;
    let default = Discretisation::new(scheme, step);
    Ok(Discretisation {
        theta: options.theta.unwrap_or(default.theta),
        gamma: options.gamma.unwrap_or(default.gamma),
        rtol: options.rtol.unwrap_or(default.rtol),
        atol: options.atol.unwrap_or(default.atol),
        ..default
    })
}
