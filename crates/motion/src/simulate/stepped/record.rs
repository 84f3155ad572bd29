//! What the steps of a motion leave behind: rows, events, phases, energy, drift.

use super::Options;
use super::row::fill;
use super::tally::Tally;
use crate::analysis::ByName;
use crate::contact::Restitution;
use crate::simulate::trajectory::{
    Effort, EnergyBalance, Event, EventDetail, EventKind, PhaseSpan, Rows, SampleTimes, StopReason, Stopping,
    TRAJECTORY_SCHEMA, Trajectory,
};
use crate::simulate::{Beginning, log};
use crate::stepping::{Equations, Mechanics, Point, StepRecord};
use std::borrow::Cow;

pub(super) struct Record<'a> {
    equations: &'a Equations,
    begin: &'a Beginning<'a>,
    options: &'a Options<'a>,
    tally: Tally,
    events: Vec<Event>,
    phases: Vec<PhaseSpan>,
    rows: Rows,
    row: Vec<f64>,
    last: Vec<f64>,
    /// A row at a sample's time.
    between: Vec<f64>,
    /// Of samples; none if every step is one.
    times: Option<SampleTimes<'a>>,
    sampled: usize,
    stopping: Stopping,
    initial: f64,
}

impl<'a> Record<'a> {
    pub(super) fn new(equations: &'a Equations, begin: &'a Beginning<'a>, options: &'a Options<'a>) -> Self {
        let width = begin.columns.len();
        let span = [begin.state.t, options.end];
        let expected = (span[1] - span[0]) / options.discretisation.step;
        let given = options.times.map(SampleTimes::Given);
        let times = given.or(options.samples.map(|count| SampleTimes::Equal { count, span }));
        let rows = times.map_or((expected.ceil() as usize).min(options.steps), |times| times.len());
        Self {
            equations,
            begin,
            options,
            tally: Tally::new(begin),
            events: Vec::new(),
            phases: Vec::new(),
            rows: Rows::with_capacity(width, (rows + 2).min(MOST_AT_ONCE)),
            row: vec![0.0; width],
            last: Vec::new(),
            between: Vec::new(),
            times,
            sampled: 0,
            stopping: Stopping::default(),
            initial: 0.0,
        }
    }

    /// Number of events so far.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    /// The first point, where the mechanics looked.
    pub(super) fn begin(&mut self, mechanics: &Mechanics<'_>, point: &Point) {
        self.initial = self.equations.energy(point, &self.begin.state.parameters);
        self.tally.begin(mechanics);
        self.fill(mechanics, point, None);
        self.sample();
        self.stops();
    }

    /// A step to a point where the mechanics looked; whether the motion is to stop there.
    pub(super) fn step(&mut self, mechanics: &Mechanics<'_>, point: &Point, taken: &StepRecord) -> bool {
        if self.last.is_empty() {
            self.last.resize(self.row.len(), 0.0);
        }
        std::mem::swap(&mut self.row, &mut self.last);
        self.fill(mechanics, point, Some(taken));
        self.sample();
        self.tally.step(self.begin, mechanics, point, taken, &mut self.events);
        self.phase();
        self.stops()
    }

    /// Whether the stop expression has fallen to zero since the row before.
    fn stops(&mut self) -> bool {
        self.options.stop.is_some_and(|stop| self.stopping.falls_to(stop.at(&self.row)))
    }

    /// An event of the motion as a whole.
    pub(super) fn event(&mut self, point: &Point, kind: EventKind) {
        let at = (point.t, &point.q[..], &point.v[..]);
        self.events.push(Event::at(self.begin.names, at, (kind, None), EventDetail::None {}));
    }

    /// The row of a point.
    fn fill(&mut self, mechanics: &Mechanics<'_>, point: &Point, taken: Option<&StepRecord>) {
        let since = point.t - self.last.first().copied().unwrap_or(point.t);
        fill(&mut self.row, mechanics, point, taken.map(|taken| (taken, since)));
    }

    /// Keeps the row, or what lies at the sample times between it and the one before.
    fn sample(&mut self) {
        let Some(times) = self.times else {
            self.rows.push(&self.row);
            return;
        };
        let moving = 1 + 2 * self.begin.names.coordinates.len();
        let Self { sampled, last, row, rows, between, .. } = self;
        log::between((times, sampled), [last, row], moving, (rows, between));
    }

    /// The last row, if no sample has it.
    fn end(&mut self) {
        let reached = self.rows.last().map(|row| row[0].0);
        let wanted = self.times.as_ref().is_none_or(|times| times.has_end(self.sampled));
        if wanted && reached.is_none_or(|reached| reached < self.row[0]) {
            self.rows.push(&self.row);
        }
    }

    /// What the schemes make of laws that they do not know.
    fn warnings(&self) -> Vec<String> {
        let restitution = self.begin.laws.iter().map(|law| law.restitution);
        let other = |law: &Restitution| !matches!(law, Restitution::Newton(_)) && law.coefficient() > 0.0;
        let found = self.begin.names.contacts.iter().zip(restitution).filter(|(_, law)| other(law));
        found
            .map(|(name, law)| {
                format!(
                    "restitution of {name} is taken as Newton's, at velocity level, and not as `{}`",
                    law.name()
                )
            })
            .collect()
    }

    /// Goes on with the last phase, or begins another one.
    fn phase(&mut self) {
        let (from, to) = (self.last[0], self.row[0]);
        if let (Some(last), false) = (self.phases.last_mut(), self.tally.changed) {
            last.t1 = to.into();
            return;
        }
        self.tally.changed = false;
        let words = self.tally.contacts.iter().map(|contact| contact.word());
        match self.phases.last_mut() {
            Some(last) if last.mode.0.iter().map(|(_, word)| &**word).eq(words.clone()) => {
                last.t1 = to.into()
            }
            _ => {
                let names = self.begin.names.contacts.iter().map(String::as_str);
                let mode = ByName::new(names, words.map(Cow::Borrowed));
                self.phases.push(PhaseSpan { t0: from.into(), t1: to.into(), mode, forces: None });
            }
        }
    }

    pub(super) fn finish(
        mut self,
        point: &Point,
        (status, reason): StopReason,
        (steps, evaluations): (usize, usize),
    ) -> Trajectory {
        let last = self.equations.energy(point, &self.begin.state.parameters);
        let warnings = self.warnings();
        self.end();
        let [work, friction, impacts] = self.tally.works;
        Trajectory {
            schema: Cow::Borrowed(TRAJECTORY_SCHEMA),
            mechanism: self.begin.mechanism.to_string(),
            state: self.begin.name.to_string(),
            scheme: self.options.discretisation.scheme.to_string(),
            status,
            reason,
            events: self.events,
            phases: self.phases,
            columns: self.begin.columns.clone(),
            rows: self.rows,
            energy: EnergyBalance::new([self.initial, last], work, friction, impacts),
            drift: self.tally.drift,
            penetration: self.tally.deepest.named(self.begin.names),
            hyperstatic: None,
            work: Effort { steps, evaluations, ..Effort::default() },
            warnings,
        }
    }
}

/// Most rows for which there is memory before they come.
const MOST_AT_ONCE: usize = 1 << 20;
