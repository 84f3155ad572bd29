//! The motion by event capturing.

use super::ask::SimulateOptions;
use super::subject::{Start, Subject, check_futures, note_interrupt};
use crate::num::Number;
use crate::pipeline::{Failure, Usage};
use crate::simulate::capture::{Captured, DEFAULT_CRITICAL, Grid};
use crate::simulate::event::{EventDriven, Options};
use crate::simulate::integrate::Exact;
use crate::simulate::stepped::SteppedError;
use crate::simulate::trajectory::{RowFunction, Rows, SampleTimes};

/// The motion from a start by a method.
pub(super) fn run(
    subject: &Subject,
    motions: &EventDriven,
    start: &Start,
    method: &'static Exact,
    options: &SimulateOptions,
) -> Result<Captured, Failure> {
    start.check_end(options)?;
    check_futures(&options.futures, &subject.names.contacts)?;
    let name = method.name;
    let step = options.step.ok_or(Usage::NoStep { scheme: name })?;
    let span = options.t_end - start.state.t;
    if !(step > 0.0 && step.is_finite()) {
        return Err(Usage::Stepped(SteppedError::Step(step)).into());
    }
    if step > span {
        return Err(Usage::Stepped(SteppedError::Long { step, span }).into());
    }
    let grid = Grid { method, step, critical: DEFAULT_CRITICAL };
    let stop = subject.stop.as_ref().map(|stop| stop.at(&start.state.parameters));
    let asked = Options {
        limits: options.limits,
        hyperstatic: options.hyperstatic,
        futures: &options.futures,
        stop: stop.as_ref().map(|stop| stop as RowFunction<'_>),
        ..Options::until(options.t_end)
    };
    let mut found = subject.beginning(start, |begin| motions.capture(begin, &grid, &asked));
    start.add_notes(&mut found.trajectory);
    note_interrupt(&mut found.trajectory);
    let span = [start.state.t, options.t_end];
    let equal = options.samples.map(|count| SampleTimes::Equal { count, span });
    if let Some(times) = options.times().map(SampleTimes::Given).or(equal) {
        found.trajectory.rows = sampled(&found.trajectory.rows, times);
    }
    Ok(found)
}

/// Rows at some times, on straight lines between those of the steps.
fn sampled(rows: &Rows, times: SampleTimes<'_>) -> Rows {
    let rows: Vec<&[Number]> = rows.iter().collect();
    let time = |row: &[Number]| row[0].0;
    let between = |k: usize| {
        let t = times.get(k)?;
        let after = rows.partition_point(|row| time(row) < t);
        let (low, high) = (rows.get(after.saturating_sub(1))?, rows.get(after)?);
        let span = time(high) - time(low);
        let share = if span > 0.0 { (t - time(low)) / span } else { 1.0 };
        let mix = |(a, b): (&Number, &Number)| if share < 1.0 { a.0 + share * (b.0 - a.0) } else { b.0 };
        Some(low.iter().zip(*high).map(mix).collect::<Vec<f64>>())
    };
    (0..times.len()).map_while(between).collect()
}
