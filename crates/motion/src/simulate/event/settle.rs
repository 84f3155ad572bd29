//! What happens at an instant: slip that ended, contacts that meet, and the modes in which the motion goes on.

use super::impacts::{ContactImpact, alone, apply, without_collision};
use super::modes::{Candidate, Choice, Instant, prospects};
use super::options::Hyperstatic;
use super::run::{Future, Run};
use super::stand::Standing;
use super::watch::Watch;
use crate::contact::Hold;
use crate::equilibrium::{Trigger, trigger};
use crate::num::Tol;
use crate::predict::{Following, Mode};
use crate::simulate::smooth::{ContactMotion, SmoothError};
use crate::simulate::trajectory::{EventDetail, EventKind, Status, StopReason};

/// Rounds of impacts and decisions at one instant.
const ROUNDS: usize = 64;

/// Tolerances, as multiples of the usual one, at all of which nothing must be able to follow before that is said.
const LOOKS: [f64; 4] = [0.5, 2.0, 0.1, 10.0];

/// Said where such a mode is followed.
const UNSTABLE: &str = "a mode is followed that is unstable with the contacts' compliance, as asked";

impl Run<'_> {
    /// The state as it is given: impacts of contacts that approach, then the modes of those that are closed, or the way on that
    /// was chosen.
    pub(super) fn start(&mut self) -> Option<StopReason> {
        let closed = self.closed_at_start();
        if let Some(first) = self.options.first {
            closed.iter().for_each(|&contact| self.phases.doing[contact] = Mode::STICK);
            return self.take(first.choice.clone(), &closed, &[]);
        }
        self.meet(&closed, None)
    }

    /// The contacts that are closed at the start.
    fn closed_at_start(&mut self) -> Vec<usize> {
        if self.begin.length <= 0.0 {
            // of a mechanism without a length, rounding is measured by what its forces do in a step
            self.phases.short();
        }
        let bilateral = |c: &usize| self.begin.laws[*c].hold == Hold::Bilateral;
        (0..self.begin.laws.len()).filter(|c| self.begin.closed.contains(c) || bilateral(c)).collect()
    }

    /// The contacts that rest at the start, and what follows; none if one approaches.
    pub(super) fn at_start(&mut self) -> Option<(Vec<usize>, Following)> {
        let closed = self.closed_at_start();
        self.begin_instant(None);
        let at_surface = self.at_surface(&closed);
        let mut held = Vec::new();
        for _ in 0..ROUNDS {
            self.phases.solve().ok()?;
            self.include_speeds();
            let Standing { approaching, resting } = self.standing(&at_surface);
            if !approaching.is_empty() {
                return None;
            }
            if resting == held {
                return Some((resting.clone(), self.prospects(&resting).ok()?));
            }
            self.hold(&resting);
            held = resting;
        }
        None
    }

    /// What follows a watch.
    pub(super) fn settle(&mut self, watch: Option<Watch>) -> Option<StopReason> {
        if let Err(error) = self.phases.solve() {
            return Some(self.broken(error));
        }
        match watch {
            Some(Watch::Slip(contact, _)) => self.end_slips(&[contact]),
            Some(Watch::Speed(contact, _)) => {
                let ended = self.come_to_rest(contact)?;
                self.end_slips(&ended);
            }
            Some(Watch::Gap(_)) => {}
            Some(watch) if self.phases.mechanics.work.springs.active => {
                self.phases.mechanics.change_spring(watch);
                self.series.interrupt();
            }
            _ => self.series.interrupt(),
        }
        let mut closed: Vec<usize> =
            (0..self.phases.doing.len()).filter(|&c| self.phases.doing[c].is_closed()).collect();
        if let Some(Watch::Gap(contact)) = watch {
            self.close_gap(contact);
            closed.push(contact);
        }
        self.meet(&closed, watch)
    }

    /// The gap that has just closed is zero to the last digit.
    fn close_gap(&mut self, contact: usize) {
        let phases = &mut self.phases;
        phases.keeper.keep(&phases.doing, &phases.mechanics);
        phases.keeper.close(
            contact,
            &mut phases.y[..phases.mechanics.layout().coordinates],
            &phases.mechanics,
        );
    }

    /// Contacts with a zero gap meet: impacts as long as some approach, then the modes of those that rest.
    pub(super) fn meet(&mut self, closed: &[usize], watch: Option<Watch>) -> Option<StopReason> {
        if let Err(error) = self.phases.solve() {
            return Some(self.broken(error));
        }
        self.begin_instant(watch);
        let (at_surface, mut struck) = (self.at_surface(closed), Vec::<usize>::new());
        at_surface.iter().for_each(|&contact| self.left[contact] = self.phases.t);
        let mut held = Vec::new();
        for _ in 0..ROUNDS {
            if let Err(error) = self.phases.solve() {
                return Some(self.broken(error));
            }
            self.include_speeds();
            let Standing { approaching, resting } = self.standing(&at_surface);
            if !approaching.is_empty() {
                let others = self.struck_with(&approaching, &resting, (&at_surface, &struck));
                match self.strike(&approaching, &others) {
                    Err(over) => return Some(over),
                    Ok(hits) => {
                        struck.extend(hits.iter().map(|hit| hit.contact));
                        struck.sort_unstable();
                        struck.dedup();
                    }
                }
            } else if resting == held {
                return self.decide(&resting, &struck, watch);
            } else {
                // what is held may let another one approach
                self.hold(&resting);
                held = resting;
            }
        }
        let names: Vec<&str> = struck.iter().map(|&c| self.begin.names.contacts[c].as_str()).collect();
        let reason = format!("impacts at {} follow each other at t = {}", names.join(", "), self.phases.t);
        Some((Status::Undecided, Some(reason)))
    }

    /// Contacts that take part in an impact beside those that approach: what rests; what strikes again, as its neighbours threw it back, strikes
    /// together with them; and hops that nobody could see end together.
    fn struck_with(
        &self,
        approaching: &[usize],
        resting: &[usize],
        (at_surface, struck): (&[usize], &[usize]),
    ) -> Vec<usize> {
        let again = approaching.iter().any(|contact| struck.contains(contact));
        let unseen = self.are_unseen(approaching);
        let with =
            |contact: &&usize| resting.contains(contact) || unseen || again && struck.contains(contact);
        at_surface.iter().filter(|contact| !approaching.contains(contact)).filter(with).copied().collect()
    }

    /// Whether all of these come down from hops that nobody could see.
    fn are_unseen(&self, contacts: &[usize]) -> bool {
        contacts.iter().all(|&contact| self.hops[contact])
    }

    /// The impacts of this instant.
    fn strike(&mut self, approaching: &[usize], held: &[usize]) -> Result<Vec<ContactImpact>, StopReason> {
        let mut hits = self.impacts_now(approaching, held)?;
        if let [hit] = &mut hits[..] {
            let seen = !self.hops[hit.contact] && self.is_seen(hit.contact, hit.rebound);
            let rates = (-self.phases.mechanics.gap_rate(hit.contact), hit.rebound);
            let limit = self.series.add(hit.contact, self.phases.t, rates, seen);
            if limit.is_some() || !seen {
                let plastic = self.phases.mechanics.laws[hit.contact].restitution.plastic();
                let last = alone(hit.contact, plastic, &self.phases.mechanics, &self.options.tol);
                *hit = last.map_err(|none| self.no_impact(none))?;
                self.zeno = limit.or(self.zeno.take());
                self.series.interrupt();
            } else if self.series.grows() {
                self.warn("reverse chatter: impacts of one contact grow");
            }
        } else {
            self.series.interrupt();
        }
        let unseen = self.are_unseen(approaching);
        self.apply(&hits, EventKind::Impact, unseen)?;
        Ok(hits)
    }

    /// Impulses change the velocities, and the energy.
    fn apply(&mut self, hits: &[ContactImpact], kind: EventKind, unseen: bool) -> Result<(), StopReason> {
        let n = self.phases.n();
        let mechanics = &self.phases.mechanics;
        let (before, kinetic) = (mechanics.energy(), mechanics.energy_size());
        let phases = &mut self.phases;
        apply(hits, &mut phases.y[n..2 * n], &phases.mechanics);
        self.phases.solve().map_err(|error| self.broken(error))?;
        self.impacts += self.phases.mechanics.energy() - before;
        self.include_impulses(hits, unseen);
        for hit in hits.iter().filter(|hit| hit.acts) {
            self.event(kind, Some(hit.contact), EventDetail::Impact(hit.detail.clone()));
            self.warn_of_tangential(hit.contact);
        }
        self.watch_gains(hits, kinetic)
    }

    /// The modes in which closed contacts go on.
    fn decide(&mut self, closed: &[usize], struck: &[usize], watch: Option<Watch>) -> Option<StopReason> {
        if closed.is_empty() {
            let doing = vec![Mode::Free; self.phases.doing.len()];
            self.go_on(doing, struck, watch);
            return None;
        }
        let found = match self.prospects(closed) {
            Ok(found) => found,
            Err(error) => return Some(self.broken(error)),
        };
        if found.undecided {
            return Some((Status::Undecided, Some(found.reason)));
        }
        if let Some(what) = &found.left_out {
            self.leave_out(what);
        }
        let all = |ways| Candidate::all(ways, closed, self.phases.doing.len());
        let (ways, unstable, choices) = (all(&found.ways), all(&found.unstable), all(&found.choices));
        match self.among_forces(&found.undetermined, (&ways, &choices), closed) {
            Some(Ok(choice)) => return self.take(choice, closed, struck),
            Some(Err(over)) => return Some(over),
            None => {}
        }
        match &ways[..] {
            [] => {
                if let Some(choice) = self.going_on(&unstable) {
                    return self.take(choice, closed, struck);
                }
                if let Some(choice) = self.wanted(&unstable) {
                    self.warn(UNSTABLE);
                    return self.take(choice, closed, struck);
                }
                let detail = EventDetail::Futures { futures: Vec::new(), reason: found.reason.clone() };
                self.event(EventKind::Inconsistent, self.one(closed), detail);
                Some((Status::Inconsistent, Some(found.reason)))
            }
            [only] => self.take(only.choice.clone(), closed, struck),
            several => match self.wanted(several).or_else(|| self.going_on(several)) {
                Some(choice) => self.take(choice, closed, struck),
                None => {
                    let names: Vec<&str> = several.iter().map(|candidate| candidate.name.as_str()).collect();
                    let reason = format!("several motions are possible: {}", names.join(", "));
                    Some(self.fork(several, closed, reason))
                }
            },
        }
    }

    /// How to go on, or why not, where accelerations depend on forces that are not unique: as is asked, and not at all if nothing chooses them. None
    /// where those of the contacts' stiffnesses are to be taken, or forces do not matter.
    fn among_forces(
        &mut self,
        undetermined: &[String],
        (ways, choices): (&[Candidate], &[Candidate]),
        closed: &[usize],
    ) -> Option<Result<Choice, StopReason>> {
        if let Some(choice) = self.wanted(choices) {
            return Some(Ok(choice));
        }
        let by_stiffness = |way: &&Candidate| matches!(way.choice, Choice::Motion(_, Some(_)));
        let chosen = ways.iter().find(by_stiffness).map(|way| &way.name);
        let mode = undetermined.first().or(chosen)?;
        let reason = format!("the accelerations of {mode} depend on forces that are not unique");
        self.leave_out(&format!("beside the ways on from here lie others: {reason}"));
        let stops = self.options.hyperstatic == Hyperstatic::Stop;
        let ends = stops || !undetermined.is_empty();
        let known: Vec<Candidate> = match stops {
            true => ways.iter().filter(|way| !by_stiffness(way)).chain(choices).cloned().collect(),
            false => ways.to_vec(),
        };
        ends.then(|| match self.wanted(&known) {
            Some(choice) => Ok(choice),
            None => Err(self.fork(&known, closed, reason)),
        })
    }

    /// What can follow. That nothing can is said only if it is so at smaller and larger tolerances as well.
    fn prospects(&mut self, closed: &[usize]) -> Result<Following, SmoothError> {
        let mut found = self.prospects_within(1.0, closed)?;
        for factor in LOOKS {
            if !found.is_inconsistent() {
                break;
            }
            let other = self.prospects_within(factor, closed)?;
            if !other.is_inconsistent() {
                found = other;
            }
        }
        Ok(found)
    }

    /// What can follow with another tolerance.
    fn prospects_within(&mut self, factor: f64, closed: &[usize]) -> Result<Following, SmoothError> {
        let tol = &self.options.tol;
        let tol = Tol { rest: factor * tol.rest, marginal: factor * tol.marginal, ..*tol };
        let phases = &mut self.phases;
        let n = phases.n();
        let short = phases.short();
        let instant = Instant {
            t: phases.t,
            q: &phases.y[..n],
            v: &phases.y[n..2 * n],
            closed,
            names: &self.begin.names.contacts,
            speeds: &self.speeds,
            short,
            tol: &tol,
        };
        prospects(&instant, &mut phases.mechanics, &mut self.probe)
    }

    fn one(&self, closed: &[usize]) -> Option<usize> {
        closed.first().copied().filter(|_| closed.len() == 1)
    }

    /// What the caller follows of several ways on.
    pub(super) fn wanted(&self, several: &[Candidate]) -> Option<Choice> {
        let named = |name: &String| several.iter().find(|candidate| candidate.name == *name);
        self.options.futures.iter().find_map(named).map(|candidate| candidate.choice.clone())
    }

    /// The way of a run before that goes on at the start of this one.
    fn going_on(&self, several: &[Candidate]) -> Option<Choice> {
        let starts = self.record.phases.is_empty() && self.phases.t <= self.begin.state.t;
        let way = self.options.way.filter(|_| starts)?;
        several.iter().find(|candidate| candidate.name == way).map(|candidate| candidate.choice.clone())
    }

    /// The motion ends where several are possible.
    pub(super) fn fork(&mut self, several: &[Candidate], closed: &[usize], reason: String) -> StopReason {
        let future = |c: &Candidate| Future { name: c.name.clone(), choice: c.choice.clone() };
        self.futures = several.iter().map(future).collect();
        for &contact in closed {
            self.phases.doing[contact] = Mode::STICK;
        }
        let names: Vec<String> = several.iter().map(|candidate| candidate.name.clone()).collect();
        let detail = EventDetail::Futures { futures: names, reason: reason.clone() };
        self.event(EventKind::Indeterminate, self.one(closed), detail);
        (Status::Indeterminate, Some(reason))
    }

    /// Goes on in a chosen way.
    fn take(&mut self, choice: Choice, closed: &[usize], struck: &[usize]) -> Option<StopReason> {
        match choice {
            Choice::Motion(doing, spread) => {
                self.go_on(doing, struck, None);
                let Self { record, phases, begin, .. } = self;
                record.choose_by_stiffness((phases.t, phases.q(), phases.v()), spread, begin.laws);
                None
            }
            Choice::Iwc(contact) => self.jump(contact, false, closed),
            Choice::Impact(hits) => match self.apply(&hits, EventKind::Impact, false) {
                Ok(()) => self.meet(closed, None),
                Err(over) => Some(over),
            },
        }
    }

    /// An impact without collision, and what follows it.
    pub(super) fn jump(&mut self, contact: usize, at_jam: bool, closed: &[usize]) -> Option<StopReason> {
        self.idle += 1;
        if let Some(over) = self.endless() {
            return Some(over);
        }
        // where p vanishes, no force is defined; the others lift off, or do not feel the impact
        self.phases.mechanics.motions.fill(ContactMotion::Free);
        if let Err(error) = self.phases.solve() {
            return Some(self.broken(error));
        }
        let Some(hit) = without_collision(contact, at_jam, &self.phases.mechanics, &self.options.tol) else {
            let reason = "the impact law says nothing of an impact without collision here".to_string();
            return Some((if at_jam { Status::Jam } else { Status::Inconsistent }, Some(reason)));
        };
        if let Err(over) = self.apply(&[hit], EventKind::Iwc, false) {
            return Some(over);
        }
        self.meet(closed, None)
    }

    /// The one closed contact opens.
    pub(super) fn release(&mut self, contact: usize) {
        self.series.interrupt();
        self.left[contact] = self.phases.t;
        let mut doing = self.phases.doing.clone();
        doing[contact] = Mode::Free;
        self.go_on(doing, &[], None);
    }

    /// A smooth motion begins; what changes at contacts that were not struck are events.
    fn go_on(&mut self, doing: Vec<Mode>, struck: &[usize], watch: Option<Watch>) {
        let begins = self.record.phases.is_empty() && self.phases.t <= self.begin.state.t;
        let before = std::mem::replace(&mut self.phases.doing, doing);
        self.dying.fill(false);
        // a series of impacts ends with a contact that stays closed, or not at all
        self.zeno = self.zeno.take().filter(|zeno| self.phases.doing[zeno.contact].is_closed());
        for contact in 0..before.len() {
            let (old, new) = (before[contact], self.phases.doing[contact]);
            if begins || struck.contains(&contact) {
                continue;
            }
            let kind = match (old, new) {
                (Mode::Free, Mode::Free) => match watch {
                    // a gap that closes and opens again at once
                    Some(Watch::Gap(c)) if c == contact => EventKind::Touch,
                    _ => continue,
                },
                (Mode::Free, _) => EventKind::Touch,
                (_, Mode::Free) => EventKind::LiftOff,
                (Mode::Slip { .. }, Mode::Stick { .. }) => EventKind::Stick,
                (Mode::Stick { .. }, Mode::Slip { .. }) => EventKind::Slip,
                (Mode::Slip { along: a, .. }, Mode::Slip { along: b, .. })
                    if a[0] * b[0] + a[1] * b[1] < 0.0 =>
                {
                    EventKind::Reversal
                }
                _ => continue,
            };
            let detail = if kind == EventKind::Stick { self.rest(contact) } else { EventDetail::None {} };
            self.event(kind, Some(contact), detail);
        }
    }

    /// Whether bounces could grow out of a contact that comes to rest   [CV16 section 5.3].
    fn rest(&self, contact: usize) -> EventDetail {
        let mechanics = &self.phases.mechanics;
        if mechanics.layout().tangents > 1 {
            return EventDetail::None {};
        }
        let laws = &mechanics.laws[contact];
        let found = trigger(&mechanics.planar(contact), laws.friction, laws.restitution, &self.options.tol);
        EventDetail::Rest { reverse_chatter: found == Some(Trigger::Possible) }
    }
}
