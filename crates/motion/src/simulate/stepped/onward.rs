//! A motion by steps that goes on from call to call, to the last bit as if it were one: scheme, times of steps and contacts stay.

use super::driven::DrivenMotion;
use super::refused::{in_words, refused};
use super::row::fill;
use super::tally::Tally;
use super::{Stepped, SteppedError, check, step_laws};
use crate::analysis::{ByName, Names};
use crate::model::State;
use crate::num::{Tol, halt};
use crate::simulate::Beginning;
use crate::simulate::log::{Log, Passage, Until};
use crate::simulate::trajectory::{
    Drift, Event, EventDetail, EventKind, Penetration, PhaseSpan, Status, StopReason,
};
use crate::stepping::{
    Discretisation, Mechanics, MechanicsMemory, Point, Scheme, StepError, StepLaw, StepRecord,
};
use std::borrow::Cow;

/// What a motion by steps goes on with.
pub struct Onward {
    discretisation: Discretisation,
    scheme: Box<dyn Scheme>,
    memory: Option<MechanicsMemory>,
    point: Point,
    taken: StepRecord,
    tally: Tally,
    laws: Vec<StepLaw>,
    grid: Grid,
    /// Whether the memory has looked at the point.
    looked: bool,
    /// Whether the contacts know how they move where the motion begins.
    begun: bool,
}

/// The times of equal steps, which have no accumulated rounding.
#[derive(Clone, Copy, Debug)]
struct Grid {
    origin: f64,
    steps: usize,
}

impl Clone for Onward {
    fn clone(&self) -> Self {
        Self {
            discretisation: self.discretisation,
            scheme: self.scheme.copy(),
            memory: self.memory.clone(),
            point: self.point.clone(),
            taken: self.taken.clone(),
            tally: self.tally.clone(),
            laws: self.laws.clone(),
            grid: self.grid,
            looked: self.looked,
            begun: self.begun,
        }
    }
}

impl Onward {
    /// t, q and v.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Works of applied forces, friction and impacts so far.
    pub fn works(&self) -> [f64; 3] {
        self.tally.works
    }

    /// How far constraints and contacts were missed so far.
    pub fn drift(&self) -> Drift {
        self.tally.drift
    }

    /// How deep contacts came so far.
    pub fn penetration(&self, names: &Names) -> Option<Penetration> {
        self.tally.deepest.named(names)
    }

    /// Goes on with other parameters or laws.
    pub fn change(&mut self, begin: &Beginning<'_>) {
        self.laws = step_laws(begin.laws);
        self.scheme.forget_equations();
        self.looked = false;
    }

    /// Goes on at another state; sums stay.
    pub fn put(&mut self, stepped: &Stepped, begin: &Beginning<'_>) {
        let sums = (self.tally.works, self.tally.drift, self.tally.deepest);
        *self = Self::of(stepped, begin, self.discretisation);
        (self.tally.works, self.tally.drift, self.tally.deepest) = sums;
    }

    fn of(stepped: &Stepped, begin: &Beginning<'_>, discretisation: Discretisation) -> Self {
        let layout = stepped.equations.layout();
        let State { t, q, v, .. } = begin.state;
        Self {
            discretisation,
            scheme: discretisation.scheme(layout),
            memory: None,
            point: Point { t: *t, q: q.clone(), v: v.clone() },
            taken: StepRecord::new(layout),
            tally: Tally::new(begin),
            laws: step_laws(begin.laws),
            grid: Grid { origin: *t, steps: 0 },
            looked: false,
            begun: false,
        }
    }

    /// The next step towards a time; none at the end.
    fn next(&self, end: f64) -> Option<NextStep> {
        let (h, left) = (self.discretisation.step, end - self.point.t);
        let negligible = Tol::default().closed * h;
        if left <= negligible {
            return None;
        }
        if self.discretisation.scheme.is_adaptive() {
            return Some(NextStep { length: left, end: None, grid: self.grid });
        }
        if left < h - negligible {
            return Some(NextStep { length: left, end: Some(end), grid: Grid { origin: end, steps: 0 } });
        }
        let grid = Grid { steps: self.grid.steps + 1, ..self.grid };
        Some(NextStep { length: h, end: Some(grid.origin + grid.steps as f64 * h), grid })
    }
}

/// A step that is to be taken.
struct NextStep {
    /// Its length; the longest that it may be, of a scheme that adapts it.
    length: f64,
    /// The time at its end, where that is known beforehand.
    end: Option<f64>,
    /// The times of steps after it.
    grid: Grid,
}

impl Stepped {
    /// A motion that begins at a state.
    ///
    /// # Errors
    /// [`SteppedError`] for a discretisation that makes no sense.
    ///
    /// # Panics
    /// If names, laws or the state have other lengths than the model's.
    pub fn begin(
        &self,
        begin: &Beginning<'_>,
        discretisation: Discretisation,
    ) -> Result<Onward, SteppedError> {
        assert!(begin.state.fits(self.equations.layout()), "coordinates and parameters of the model");
        check(&discretisation, f64::INFINITY)?;
        Ok(Onward::of(self, begin, discretisation))
    }

    /// Follows a motion further, with the parameters and laws that `begin` has now. Where a step cannot be taken, the motion stays where the
    /// last one led.
    ///
    /// # Panics
    /// If names or laws have other lengths than the model's.
    pub fn advance(
        &self,
        onward: &mut Onward,
        begin: &Beginning<'_>,
        until: &Until,
        log: Option<&mut Log>,
    ) -> Passage {
        let memory = onward.memory.take().unwrap_or_else(|| MechanicsMemory::new(&self.equations));
        let laws = std::mem::take(&mut onward.laws);
        let mechanics =
            Mechanics::resumed(memory, &self.equations, &begin.state.parameters, &laws, begin.active);
        let driven = self.driven.as_ref().map(|driven| driven.motion(&onward.point, &begin.state.parameters));
        let log = log.map(|log| Logged { log, row: Vec::new(), last: Vec::new() });
        let (events, steps) = (Vec::new(), 0);
        let mut passing = Passing { onward: &mut *onward, begin, mechanics, driven, events, steps, log };
        let (status, reason) = passing.follow(until).unwrap_or_else(|error| passing.refused(&error));
        let Passing { mechanics, events, steps, .. } = passing;
        let memory = mechanics.into_memory();
        (onward.memory, onward.laws) = (Some(memory), laws);
        Passage { status, reason, events, steps }
    }
}

/// One call.
struct Passing<'p> {
    onward: &'p mut Onward,
    begin: &'p Beginning<'p>,
    mechanics: Mechanics<'p>,
    driven: Option<DrivenMotion<'p>>,
    events: Vec<Event>,
    steps: usize,
    log: Option<Logged<'p>>,
}

/// What is kept of the steps.
struct Logged<'p> {
    log: &'p mut Log,
    row: Vec<f64>,
    last: Vec<f64>,
}

impl Passing<'_> {
    fn follow(&mut self, until: &Until) -> Result<StopReason, StepError> {
        if !self.onward.looked {
            self.mechanics.look(&self.onward.point)?;
            self.onward.looked = true;
        }
        if !self.onward.begun {
            self.onward.tally.begin(&self.mechanics);
            self.onward.begun = true;
        }
        self.keep_first();
        while let Some(next) = self.onward.next(until.t) {
            if self.steps >= until.steps || halt::is_wanted() {
                return Ok((Status::Budget, Some(format!("after {} steps", self.steps))));
            }
            if self.events.len() >= until.events {
                return Ok((Status::Budget, Some(format!("after {} events", self.events.len()))));
            }
            self.step(&next)?;
            self.keep();
        }
        Ok((Status::End, None))
    }

    fn step(&mut self, next: &NextStep) -> Result<(), StepError> {
        let Self { onward, mechanics, .. } = self;
        let Onward { scheme, point, taken, grid, looked, tally, .. } = &mut **onward;
        *looked = false;
        scheme.step(mechanics, point, next.length, taken)?;
        self.steps += 1;
        *grid = next.grid;
        if let Some(t) = next.end {
            point.t = t;
        }
        if let Some(driven) = &mut self.driven {
            taken.work += driven.step_to(point);
        }
        mechanics.look(point)?;
        *looked = true;
        tally.step(self.begin, mechanics, point, taken, &mut self.events);
        Ok(())
    }

    /// The row where the motion begins, and where this call does.
    fn keep_first(&mut self) {
        let Some(Logged { log, row, .. }) = &mut self.log else { return };
        row.resize(self.begin.columns.len(), 0.0);
        fill(row, &self.mechanics, &self.onward.point, None);
        if log.rows.is_empty() {
            log.step(&[], row, row.len());
        }
    }

    /// The row of the last step, and what the contacts did in it.
    fn keep(&mut self) {
        let Some(Logged { log, row, last }) = &mut self.log else { return };
        std::mem::swap(row, last);
        row.resize(last.len(), 0.0);
        let Onward { point, taken, tally, .. } = &*self.onward;
        fill(row, &self.mechanics, point, Some((taken, point.t - last[0])));
        log.step(last, row, 1 + 2 * point.q.len());
        let words = tally.contacts.iter().map(|contact| Cow::Borrowed(contact.word()));
        let names = self.begin.names.contacts.iter().map(String::as_str);
        log.phase(PhaseSpan {
            t0: last[0].into(),
            t1: row[0].into(),
            mode: ByName::new(names, words),
            forces: None,
        });
    }

    /// How a motion ends at a step that failed.
    fn refused(&mut self, error: &StepError) -> StopReason {
        let Self { onward, mechanics, begin, .. } = self;
        let point = &onward.point;
        let weak = mechanics.weak(point).filter(|weak| !weak.alike.is_empty());
        let weak = weak.map(|weak| in_words(&weak, point, begin.names));
        let ending = refused(error, onward.scheme.unsolved(), weak);
        if ending.0 == Status::Inconsistent {
            let at = (point.t, &point.q[..], &point.v[..]);
            let what = (EventKind::Inconsistent, None);
            self.events.push(Event::at(begin.names, at, what, EventDetail::None {}));
        }
        ending
    }
}
