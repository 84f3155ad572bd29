//! What the steps of a motion leave behind: rows, events, phases, energy, drift.

use super::Options;
use super::contact::{Contact, ContactStep};
use crate::analysis::ByName;
use crate::contact::Restitution;
use crate::num::dense;
use crate::simulate::Beginning;
use crate::simulate::trajectory::{
    Deepest, Drift, Effort, EnergyBalance, Event, EventDetail, EventKind, ImpactDetail, Impulses, Pair,
    PhaseSpan, Rates, Rows, StopReason, Stopping, TRAJECTORY_SCHEMA, Trajectory,
};
use crate::stepping::{Equations, Mechanics, Point, StepOutcome, StepRecord};
use std::borrow::Cow;

pub(super) struct Record<'a> {
    equations: &'a Equations,
    begin: &'a Beginning<'a>,
    options: &'a Options<'a>,
    contacts: Vec<Contact>,
    /// Whether the last step changed what a contact does.
    changed: bool,
    /// Change of the contacts' gap rates in the last step.
    drifting: Vec<f64>,
    events: Vec<Event>,
    phases: Vec<PhaseSpan>,
    rows: Rows,
    row: Vec<f64>,
    last: Vec<f64>,
    /// A row at a sample's time.
    between: Vec<f64>,
    sampled: usize,
    stopping: Stopping,
    initial: f64,
    /// Works of applied forces, friction and impacts.
    works: [f64; 3],
    drift: Drift,
    deepest: Deepest,
}

impl<'a> Record<'a> {
    pub(super) fn new(equations: &'a Equations, begin: &'a Beginning<'a>, options: &'a Options<'a>) -> Self {
        let layout = equations.layout();
        let width = begin.columns.len();
        let mut contacts = vec![Contact::Open; layout.contacts];
        begin.closed.iter().for_each(|&contact| contacts[contact] = Contact::Sticks);
        let expected = (options.end - begin.state.t) / options.discretisation.step;
        let rows = options.samples.unwrap_or((expected.ceil() as usize).min(options.steps));
        Self {
            equations,
            begin,
            options,
            contacts,
            changed: true,
            drifting: vec![0.0; layout.contacts],
            events: Vec::new(),
            phases: Vec::new(),
            rows: Rows::with_capacity(width, (rows + 2).min(MOST_AT_ONCE)),
            row: vec![0.0; width],
            last: Vec::new(),
            between: Vec::new(),
            sampled: 0,
            stopping: Stopping::default(),
            initial: 0.0,
            works: [0.0; 3],
            drift: Drift::default(),
            deepest: Deepest::default(),
        }
    }

    /// Number of events so far.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    /// The first point, where the mechanics looked.
    pub(super) fn begin(&mut self, mechanics: &Mechanics<'_>, point: &Point) {
        self.initial = self.equations.energy(point, &self.begin.state.parameters);
        let dim = 1 + mechanics.layout().tangents;
        let velocities = mechanics.contact_velocities().chunks_exact(dim);
        for (state, velocity) in self.contacts.iter_mut().zip(velocities) {
            let slips = dense::norm(&velocity[1..]) > 0.0;
            *state = match *state {
                // what approaches is about to hit
                Contact::Sticks if velocity[0] < 0.0 => Contact::Open,
                Contact::Sticks if slips && dim == 2 => Contact::Slips(velocity[1].signum()),
                Contact::Sticks if slips => Contact::Slips(0.0),
                Contact::Open | Contact::Sticks | Contact::Slips(_) => *state,
            };
        }
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
        self.works[0] += taken.work;
        for (contact, gap) in mechanics.gaps().iter().enumerate() {
            self.deepest.include(self.begin, contact, (*gap, point.t));
        }
        let dim = 1 + mechanics.layout().tangents;
        let after = mechanics.contact_velocities();
        for (contact, doing) in taken.doing.iter().enumerate() {
            if *doing != StepOutcome::Open || self.contacts[contact] != Contact::Open {
                self.contact(contact, mechanics, point, taken);
            } else {
                self.drifting[contact] = after[contact * dim] - taken.before[contact * dim];
            }
        }
        let misses = mechanics.constraints().iter().zip(mechanics.constraint_rates());
        misses.for_each(|(value, rate)| self.drift.include(*value, *rate));
        self.phase();
        self.stops()
    }

    /// Whether the stop expression has fallen to zero since the row before.
    fn stops(&mut self) -> bool {
        self.options.stop.is_some_and(|stop| self.stopping.falls_to(stop.at(&self.row)))
    }

    /// The step of a contact that is closed or was predicted to close.
    fn contact(&mut self, contact: usize, mechanics: &Mechanics<'_>, point: &Point, taken: &StepRecord) {
        let dim = 1 + mechanics.layout().tangents;
        let rows = contact * dim..(contact + 1) * dim;
        let (before, after) = (&taken.before[rows.clone()], &mechanics.contact_velocities()[rows.clone()]);
        let impulse = &taken.impulses[rows];
        let step = ContactStep {
            doing: taken.doing[contact],
            before,
            after,
            drifting: self.drifting[contact],
            bounces: self.begin.laws[contact].restitution.coefficient() > 0.0,
        };
        let (state, kind) = self.contacts[contact].stepped(&step);
        let mean = |i: usize| before[i] + taken.weight * (after[i] - before[i]);
        let power = |i: usize| mean(i) * impulse[i];
        let slipping = (1..dim).map(power).sum::<f64>();
        let hit = kind == Some(EventKind::Impact);
        // the work of an impact is all its own
        self.works[1] += if hit { 0.0 } else { slipping };
        self.works[2] += power(0) + if hit { slipping } else { 0.0 };
        self.drifting[contact] = if taken.doing[contact].presses() { 0.0 } else { after[0] - before[0] };
        self.changed |= self.contacts[contact] != state;
        self.contacts[contact] = state;
        if state != Contact::Open {
            self.drift.include(mechanics.gaps()[contact], after[0]);
        }
        if let Some(kind) = kind {
            let rates = |u: &[f64]| Rates { u: Pair::of(&u[1..]), v: u[0].into() };
            let detail = match kind {
                EventKind::Impact => EventDetail::Impact(ImpactDetail {
                    pre: rates(before),
                    post: rates(after),
                    impulse: Impulses { normal: impulse[0].into(), tangential: Pair::of(&impulse[1..]) },
                    energy_loss: (-(0..dim).map(power).sum::<f64>()).into(),
                    law: Cow::Borrowed("newton"),
                }),
                _ => EventDetail::None {},
            };
            self.push(point, kind, Some(contact), detail);
        }
    }

    /// An event of the motion as a whole.
    pub(super) fn event(&mut self, point: &Point, kind: EventKind) {
        self.push(point, kind, None, EventDetail::None {});
    }

    fn push(&mut self, point: &Point, kind: EventKind, contact: Option<usize>, detail: EventDetail) {
        let at = (point.t, &point.q[..], &point.v[..]);
        self.events.push(Event::at(self.begin.names, at, (kind, contact), detail));
    }

    /// The row of a point; forces are means over the step that led there.
    fn fill(&mut self, mechanics: &Mechanics<'_>, point: &Point, taken: Option<&StepRecord>) {
        let since = point.t - self.last.first().copied().unwrap_or(point.t);
        let mut cells = self.row.iter_mut();
        let mut put = |x: f64| {
            if let Some(cell) = cells.next() {
                *cell = x;
            }
        };
        put(point.t);
        point.q.iter().chain(&point.v).for_each(|x| put(*x));
        let dim = 1 + mechanics.layout().tangents;
        let velocities = mechanics.contact_velocities();
        for (contact, gap) in mechanics.gaps().iter().enumerate() {
            let rows = contact * dim..(contact + 1) * dim;
            put(*gap);
            velocities[rows.clone()][1..].iter().for_each(|slip| put(*slip));
            match taken {
                Some(taken) => taken.impulses[rows].iter().for_each(|impulse| put(impulse / since)),
                None => (0..dim).for_each(|_| put(f64::NAN)),
            }
        }
        for constraint in 0..mechanics.layout().constraints {
            put(taken.map_or(f64::NAN, |taken| taken.reactions[constraint] / since));
        }
    }

    /// Keeps the row, or what lies at the sample times between it and the one before.
    fn sample(&mut self) {
        let Some(samples) = self.options.samples else {
            self.rows.push(&self.row);
            return;
        };
        let (start, end) = (self.begin.state.t, self.options.end);
        while self.sampled < samples {
            let at = start + (end - start) * (self.sampled as f64 / (samples.max(2) - 1) as f64);
            let (from, to) = (self.last.first().copied().unwrap_or(at), self.row[0]);
            if at > to {
                return;
            }
            let share = if to > from { (at - from) / (to - from) } else { 1.0 };
            let last = if self.last.is_empty() { &self.row } else { &self.last };
            let moving = 1 + 2 * self.begin.names.coordinates.len();
            let between = |k: usize| match share < 1.0 && k < moving {
                true => last[k] + share * (self.row[k] - last[k]),
                false => self.row[k],
            };
            self.between.clear();
            self.between.push(at);
            self.between.extend((1..self.row.len()).map(between));
            self.rows.push(&self.between);
            self.sampled += 1;
        }
    }

    /// The last row, if no sample has it.
    fn end(&mut self) {
        let reached = self.rows.last().map(|row| row[0].0);
        let wanted = self.options.samples.is_none_or(|samples| self.sampled < samples);
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
        if let (Some(last), false) = (self.phases.last_mut(), self.changed) {
            last.t1 = to.into();
            return;
        }
        self.changed = false;
        let words = self.contacts.iter().map(|contact| contact.word());
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
        let [work, friction, impacts] = self.works;
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
            drift: self.drift,
            penetration: self.deepest.named(self.begin.names),
            hyperstatic: None,
            work: Effort { steps, evaluations, ..Effort::default() },
            warnings,
        }
    }
}

/// Most rows for which there is memory before they come.
const MOST_AT_ONCE: usize = 1 << 20;
