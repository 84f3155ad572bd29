//! A motion that goes on from call to call: how far a call leads, how it ended, and what is kept of all of them.

use super::trajectory::{Event, PhaseSpan, Rows, SampleTimes, Status};

/// How far a motion is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// The time at which it ends, s.
    pub t: f64,
    /// Most steps.
    pub steps: usize,
    /// Most events.
    pub events: usize,
}

/// How a call ended, and what happened in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// [`Status::End`] where it led to its time, [`Status::Budget`] where steps or events were used up before.
    pub status: Status,
    /// Why, where the status does not say it all.
    pub reason: Option<String>,
    /// What happened, in order of time.
    pub events: Vec<Event>,
    /// Steps that were taken.
    pub steps: usize,
}

/// What is kept of a motion from call to call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// What the contacts did.
    pub phases: Vec<PhaseSpan>,
    /// Samples.
    pub rows: Rows,
    /// The times of samples, ascending; every step if absent.
    times: Option<Vec<f64>>,
    /// Samples that are taken.
    taken: usize,
    memory: Vec<f64>,
}

impl Log {
    /// With samples at these times, or at every step of a scheme.
    pub fn new(times: Option<Vec<f64>>) -> Self {
        Self { times, ..Self::default() }
    }

    /// The times of samples that are not taken yet and not after `t`; none if every step is one.
    pub fn due(&self, t: f64) -> Option<&[f64]> {
        let left = &self.times.as_deref()?[self.taken..];
        Some(&left[..left.partition_point(|&time| time <= t)])
    }

    /// Takes up the samples and phases of a call.
    pub fn extend(&mut self, rows: &Rows, phases: Vec<PhaseSpan>) {
        self.rows.extend(rows);
        self.taken += rows.len();
        phases.into_iter().for_each(|phase| self.phase(phase));
    }

    /// Takes up what the contacts did; one who goes on makes no span of its own.
    pub(super) fn phase(&mut self, phase: PhaseSpan) {
        match self.phases.last_mut() {
            Some(last) if last.t1 == phase.t0 && last.mode == phase.mode && last.forces == phase.forces => {
                last.t1 = phase.t1;
            }
            _ => self.phases.push(phase),
        }
    }

    /// Keeps a row of a step, or what lies at the sample times between it and the one before; so many first numbers move between them.
    pub(super) fn step(&mut self, last: &[f64], row: &[f64], moving: usize) {
        let Self { rows, times, taken, memory, .. } = self;
        match times.as_deref() {
            None => rows.push(row),
            Some(times) => {
                between((SampleTimes::Given(times), taken), [last, row], moving, (rows, memory));
            }
        }
    }
}

/// Adds the rows of the sample times from a certain one on that are not after the second of two rows, and counts them. The first row may be
/// empty, where a motion begins.
pub(super) fn between(
    (times, taken): (SampleTimes<'_>, &mut usize),
    [last, row]: [&[f64]; 2],
    moving: usize,
    (rows, memory): (&mut Rows, &mut Vec<f64>),
) {
    while let Some(at) = times.get(*taken) {
        let (from, to) = (last.first().copied().unwrap_or(at), row[0]);
        if at > to {
            return;
        }
        let share = if to > from { (at - from) / (to - from) } else { 1.0 };
        let last = if last.is_empty() { row } else { last };
        let number = |k: usize| match share < 1.0 && k < moving {
            true => last[k] + share * (row[k] - last[k]),
            false => row[k],
        };
        memory.clear();
        memory.push(at);
        memory.extend((1..row.len()).map(number));
        rows.push(memory);
        *taken += 1;
    }
}
