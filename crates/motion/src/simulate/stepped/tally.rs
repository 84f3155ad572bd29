//! What the steps of a motion do to its contacts, and what they add up to: goes on from one call to the next.

use super::contact::{Contact, ContactStep};
use crate::num::dense;
use crate::simulate::Beginning;
use crate::simulate::trajectory::{
    Deepest, Drift, Event, EventDetail, EventKind, ImpactDetail, Impulses, Pair, Rates,
};
use crate::stepping::{Mechanics, Point, StepOutcome, StepRecord};
use std::borrow::Cow;

/// What the contacts do, and sums over the steps so far.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) contacts: Vec<Contact>,
    /// Whether the last step changed what a contact does.
    pub(super) changed: bool,
    /// Change of the contacts' gap rates in the last step.
    drifting: Vec<f64>,
    /// Works of applied forces, friction and impacts.
    pub(super) works: [f64; 3],
    pub(super) drift: Drift,
    pub(super) deepest: Deepest,
}

impl Tally {
    /// Of a motion that begins with some contacts closed.
    pub(super) fn new(begin: &Beginning<'_>) -> Self {
        let mut contacts = vec![Contact::Open; begin.laws.len()];
        begin.closed.iter().for_each(|&contact| contacts[contact] = Contact::Sticks);
        Self {
            drifting: vec![0.0; contacts.len()],
            contacts,
            changed: true,
            works: [0.0; 3],
            drift: Drift::default(),
            deepest: Deepest::default(),
        }
    }

    /// The first point, where the mechanics looked.
    pub(super) fn begin(&mut self, mechanics: &Mechanics<'_>) {
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
    }

    /// A step to a point where the mechanics looked; adds its events.
    pub(super) fn step(
        &mut self,
        begin: &Beginning<'_>,
        mechanics: &Mechanics<'_>,
        point: &Point,
        taken: &StepRecord,
        events: &mut Vec<Event>,
    ) {
        self.works[0] += taken.work;
        for (contact, gap) in mechanics.gaps().iter().enumerate() {
            self.deepest.include(begin, contact, (*gap, point.t));
        }
        let dim = 1 + mechanics.layout().tangents;
        let after = mechanics.contact_velocities();
        for (contact, doing) in taken.doing.iter().enumerate() {
            if *doing != StepOutcome::Open || self.contacts[contact] != Contact::Open {
                if let Some((kind, detail)) = self.contact(contact, begin, mechanics, taken) {
                    let at = (point.t, &point.q[..], &point.v[..]);
                    events.push(Event::at(begin.names, at, (kind, Some(contact)), detail));
                }
            } else {
                self.drifting[contact] = after[contact * dim] - taken.before[contact * dim];
            }
        }
        let misses = mechanics.constraints().iter().zip(mechanics.constraint_rates());
        misses.for_each(|(value, rate)| self.drift.include(*value, *rate));
    }

    /// The step of a contact that is closed or was predicted to close.
    fn contact(
        &mut self,
        contact: usize,
        begin: &Beginning<'_>,
        mechanics: &Mechanics<'_>,
        taken: &StepRecord,
    ) -> Option<(EventKind, EventDetail)> {
        let dim = 1 + mechanics.layout().tangents;
        let rows = contact * dim..(contact + 1) * dim;
        let (before, after) = (&taken.before[rows.clone()], &mechanics.contact_velocities()[rows.clone()]);
        let impulse = &taken.impulses[rows];
        let step = ContactStep {
            doing: taken.doing[contact],
            before,
            after,
            drifting: self.drifting[contact],
            bounces: begin.laws[contact].restitution.coefficient() > 0.0,
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
        let rates = |u: &[f64]| Rates { u: Pair::of(&u[1..]), v: u[0].into() };
        let detail = match kind? {
            EventKind::Impact => EventDetail::Impact(ImpactDetail {
                pre: rates(before),
                post: rates(after),
                impulse: Impulses { normal: impulse[0].into(), tangential: Pair::of(&impulse[1..]) },
                energy_loss: (-(0..dim).map(power).sum::<f64>()).into(),
                law: Cow::Borrowed("newton"),
            }),
            _ => EventDetail::None {},
        };
        kind.map(|kind| (kind, detail))
    }
}
