//! What is kept of a motion: samples at given times, the spans of phases, events.

use super::mechanics::Mechanics;
use crate::analysis::{ByName, Names};
use crate::contact::Laws;
use crate::num::{Number, numbers};
use crate::predict::Mode;
use crate::simulate::trajectory::{
    Event, EventDetail, EventKind, NotUnique, PhaseForces, PhaseSpan, Rows, SampleTimes,
};

/// The record of a motion.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Record<'n> {
    pub(in crate::simulate) names: &'n Names,
    /// Times of the samples; those before `next` are taken.
    times: SampleTimes<'n>,
    next: usize,
    pub(in crate::simulate) rows: Rows,
    pub(in crate::simulate) events: Vec<Event>,
    pub(in crate::simulate) phases: Vec<PhaseSpan>,
    row: Vec<f64>,
    /// What was overlooked, if a state has shown it.
    pub(in crate::simulate) missed: Option<String>,
    /// The largest spread of a motion by the contacts' stiffnesses.
    spread: Option<f64>,
}

impl<'n> Record<'n> {
    /// With samples at these times.
    pub(in crate::simulate) fn new(names: &'n Names, times: SampleTimes<'n>) -> Self {
        Self {
            names,
            times,
            next: 0,
            rows: Rows::default(),
            events: Vec::new(),
            phases: Vec::new(),
            row: Vec::new(),
            missed: None,
            spread: None,
        }
    }

    /// The next sample's time, if it is not after `t`.
    pub(in crate::simulate) fn due(&self, t: f64) -> Option<f64> {
        self.times.get(self.next).filter(|&next| next <= t)
    }

    /// Takes a sample of the state that was evaluated last.
    pub(in crate::simulate) fn sample(&mut self, t: f64, mechanics: &mut Mechanics<'_>) {
        mechanics.row_into(&mut self.row);
        self.row[0] = t;
        self.rows.push(&self.row);
        self.next += 1;
    }

    /// The last state, if no sample has it.
    pub(in crate::simulate) fn finish(&mut self, t: f64, mechanics: &mut Mechanics<'_>) {
        let has_it = self.rows.last().and_then(|row| row.first()).is_some_and(|last| last.0 >= t);
        if !has_it && self.times.has_end(0) {
            self.sample(t, mechanics);
        }
    }

    /// An event.
    pub(in crate::simulate) fn event(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        kind: EventKind,
        contact: Option<usize>,
        detail: EventDetail,
    ) {
        let named = |x: &[f64]| ByName::new(self.names.coordinates.iter().map(String::as_str), numbers(x));
        let contact = contact.map(|c| self.names.contacts[c].clone());
        self.events.push(Event { t: t.into(), kind, contact, q: named(q), v: named(v), detail });
    }

    /// A phase with what is to be known of its forces; one without duration, or that goes on with the last, makes no span of its own.
    pub(in crate::simulate) fn phase(
        &mut self,
        [t0, t1]: [f64; 2],
        doing: &[Mode],
        tangents: usize,
        forces: Option<PhaseForces>,
    ) {
        if t1 <= t0 {
            return;
        }
        let words = doing.iter().map(|doing| doing.word(tangents).into());
        let mode = ByName::new(self.names.contacts.iter().map(String::as_str), words);
        match self.phases.last_mut() {
            Some(last) if last.mode == mode && last.forces == forces && last.t1 == Number(t0) => {
                last.t1 = t1.into()
            }
            _ => self.phases.push(PhaseSpan { t0: t0.into(), t1: t1.into(), mode, forces }),
        }
    }

    /// Notes that the motion which goes on from a state is one of several, by the stiffnesses of the contacts, if it has such a spread.
    pub(in crate::simulate) fn choose_by_stiffness(
        &mut self,
        at: (f64, &[f64], &[f64]),
        spread: Option<f64>,
        laws: &[Laws],
    ) {
        let Some(spread) = spread else { return };
        self.spread = Some(self.spread.map_or(spread, |known| known.max(spread)));
        if self.phases.last().is_some_and(|last| last.forces == Some(PhaseForces::ByStiffness)) {
            return;
        }
        let given = laws.iter().any(|own| own.compliance != laws[0].compliance);
        let rule = if given { "given stiffness" } else { "equal stiffness" };
        let detail = EventDetail::NotUnique { rule: rule.into(), spread: spread.into() };
        self.event(at, EventKind::NotUnique, None, detail);
    }

    /// How long, and with which spread, forces by the contacts' stiffnesses were followed.
    pub(in crate::simulate) fn hyperstatic(&self) -> Option<NotUnique> {
        let by_stiffness = |phase: &&PhaseSpan| phase.forces == Some(PhaseForces::ByStiffness);
        let spans = self.phases.iter().filter(by_stiffness).map(|phase| phase.t1.0 - phase.t0.0);
        let time = spans.sum::<f64>();
        self.spread.map(|spread| NotUnique { time: time.into(), spread: spread.into() })
    }

    /// The phase that has just ended goes on until then.
    pub(super) fn prolong(&mut self, [t0, t1]: [f64; 2]) {
        if let Some(last) = self.phases.last_mut().filter(|last| last.t1 == Number(t0)) {
            last.t1 = t1.into();
        }
    }
}
