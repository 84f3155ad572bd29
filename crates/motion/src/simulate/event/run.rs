//! A motion, phase by phase, from a state to its end.

use super::chatter::{Limit, Series};
use super::mechanics::{EventDriven, Mechanics};
use super::memory::{Left, Memory};
use super::modes::Choice;
use super::options::Options;
use super::phase::{Accuracy, Ended, Phases, ZERO};
use super::project::Keeper;
use super::record::Record;
use super::warn::Gains;
use super::watch::{SLOWER, Watch};
use crate::contact::Hold;
use crate::model::State;
use crate::predict::{Following, Mode};
use crate::simulate::Beginning;
use crate::simulate::integrate::Dop853;
use crate::simulate::trajectory::{
    Effort, EnergyBalance, EventDetail, EventKind, SampleTimes, Status, StopReason, TRAJECTORY_SCHEMA,
    Trajectory,
};

/// A way to go on from where a motion ended because there are several.
#[derive(Clone, Debug, PartialEq)]
pub struct Future {
    /// The word of its mode, `iwc`, of several contacts `iwc(NAME)`, or `impact(WORD)`.
    pub name: String,
    pub(super) choice: Choice,
}

/// A motion, and where it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The motion.
    pub trajectory: Trajectory,
    /// The state in which it ended.
    pub state: State,
    /// Contacts that are closed there.
    pub closed: Vec<usize>,
    /// How it could go on, if it ended because there are several ways.
    pub futures: Vec<Future>,
    /// Whether these, and the motion up to there, are all that may happen, as far as is known.
    pub complete: bool,
}

/// A motion on its way.
pub(super) struct Run<'m> {
    pub(super) phases: Phases<'m>,
    pub(super) probe: Dop853,
    pub(super) record: Record<'m>,
    pub(super) begin: &'m Beginning<'m>,
    pub(super) options: &'m Options<'m>,
    pub(super) series: Series,
    /// A chatter whose end is still to be passed.
    pub(super) zeno: Option<Limit>,
    /// Change of energy by impacts.
    pub(super) impacts: f64,
    pub(super) gains: Gains,
    pub(super) futures: Vec<Future>,
    pub(super) warnings: Vec<String>,
    /// Whether nothing else may have happened.
    pub(super) complete: bool,
    /// For each contact the size of the velocities that those of this instant are made of.
    pub(super) speeds: Vec<f64>,
    /// For each contact the slip that impulses of hops which nobody could see have set going at this instant.
    pub(super) shaken: Vec<f64>,
    /// Contacts that come down at this instant from hops that nobody could see.
    pub(super) hops: Vec<bool>,
    /// When each contact was at its surface last.
    pub(super) left: Vec<f64>,
    /// Contacts that passed through their surfaces where they were not active, and have not come back.
    beneath: Vec<bool>,
    /// Contacts whose slips die together with others.
    pub(super) dying: Vec<bool>,
    /// Phases one after the other in which no time passes, against the length of a step.
    pub(super) idle: usize,
    /// Whether the stop expression has been above zero.
    risen: bool,
}

impl EventDriven {
    /// Follows a motion.
    ///
    /// # Panics
    /// If the beginning has other numbers of coordinates, parameters or contacts than the model.
    pub fn run(&self, begin: &Beginning<'_>, options: &Options<'_>) -> Ending {
        self.run_with(&mut Memory::default(), begin, options)
    }

    /// The same with memory that others leave and take up: nothing of what it is made of shows.
    ///
    /// # Panics
    /// As [`EventDriven::run`].
    pub fn run_with(&self, memory: &mut Memory, begin: &Beginning<'_>, options: &Options<'_>) -> Ending {
        let mut run = self.begun(memory, begin, options);
        let (over, initial) = run.go();
        run.finish(over, initial, memory)
    }

    /// The closed contacts of a state and what follows there, as its motion has it; none if a contact approaches, or the state cannot be
    /// evaluated.
    ///
    /// # Panics
    /// As [`EventDriven::run`].
    pub fn following(&self, begin: &Beginning<'_>, options: &Options<'_>) -> Option<(Vec<usize>, Following)> {
        let mut run = self.begun(&mut Memory::default(), begin, options);
        run.phases.solve().ok()?;
        run.at_start()
    }

    /// A motion at its beginning.
    fn begun<'m>(
        &'m self,
        memory: &mut Memory,
        begin: &'m Beginning<'m>,
        options: &'m Options<'m>,
    ) -> Run<'m> {
        let (state, given) = (begin.state, (begin.laws, &begin.state.parameters[..]));
        let Left { work, probe, of_phases } = memory.take(self, begin.laws, &state.parameters);
        let mut mechanics = Mechanics::new(self, given, work);
        let equal = SampleTimes::Equal { count: options.samples, span: [state.t, options.t_end] };
        let times = options.times.map_or(equal, SampleTimes::Given);
        mechanics.stop = options.stop;
        mechanics.stop_reads = options.stop_reads;
        let Options { rtol, atol, t_end, limits, .. } = *options;
        let accuracy = Accuracy { rtol, atol, steps: limits.steps, t_end, length: begin.length };
        let phases = Phases::new(mechanics, of_phases, (state.t, &state.q, &state.v), accuracy);
        Run {
            probe,
            phases,
            record: Record::new(begin.names, times),
            begin,
            options,
            series: Series::default(),
            zeno: None,
            impacts: 0.0,
            gains: Gains::default(),
            futures: Vec::new(),
            warnings: Vec::new(),
            complete: true,
            speeds: Vec::new(),
            shaken: Vec::new(),
            hops: Vec::new(),
            left: vec![f64::NEG_INFINITY; begin.laws.len()],
            beneath: vec![false; begin.laws.len()],
            dying: vec![false; begin.laws.len()],
            idle: 0,
            risen: false,
        }
    }
}

impl Run<'_> {
    /// The whole motion: why it is over, and the energy at its start.
    fn go(&mut self) -> (StopReason, f64) {
        if let Err(error) = self.phases.solve() {
            return (self.broken(error), f64::NAN);
        }
        let initial = self.phases.mechanics.energy();
        if let Some(over) = self.start() {
            return (over, initial);
        }
        loop {
            if self.options.pauses && !self.record.events.is_empty() {
                let events = self.record.events.len();
                return ((Status::Budget, Some(format!("after {events} events"))), initial);
            }
            self.arm();
            let before = self.phases.t;
            let ended = self.phases.follow(&mut self.record);
            let passes = self.phases.t - before > self.options.tol.rest * self.phases.h;
            self.idle = if passes { 0 } else { self.idle + 1 };
            if let Some(over) = self.react(ended) {
                return (over, initial);
            }
        }
    }

    /// What follows the end of a phase; none if the motion goes on.
    fn react(&mut self, ended: Ended) -> Option<StopReason> {
        if let Some(over) = self.endless() {
            return Some(over);
        }
        if self.record.events.len() >= self.options.limits.events {
            return Some(self.out_of_events());
        }
        match ended {
            Ended::Budget => Some((Status::Budget, Some(format!("{} steps", self.phases.steps)))),
            Ended::Stuck(refused) => Some(self.stuck(refused)),
            Ended::Failed(reason) => Some((Status::Failed, Some(reason))),
            Ended::Jam => self.jam(),
            Ended::Watched(watch) => self.watched(watch),
        }
    }

    fn watched(&mut self, watch: Watch) -> Option<StopReason> {
        match watch {
            Watch::Time(t)
                if self.zeno.as_ref().is_some_and(|zeno| zeno.t <= t) && t < self.options.t_end =>
            {
                if let Some(Limit { contact, detail, .. }) = self.zeno.take() {
                    self.event(EventKind::ChatterEnd, Some(contact), detail);
                }
                None
            }
            Watch::Time(_) => {
                self.event(EventKind::End, None, EventDetail::None {});
                Some((Status::End, None))
            }
            Watch::Stop => {
                self.event(EventKind::Stop, None, EventDetail::None {});
                Some((Status::Stopped, None))
            }
            Watch::StopRise => {
                self.risen = true;
                None
            }
            Watch::Rise(contact) => {
                self.beneath[contact] = false;
                None
            }
            Watch::Gain(contact, _) => self.crossing(contact),
            Watch::Gap(contact) if !self.is_active(contact) => {
                self.beneath[contact] = true;
                None
            }
            // slip with p > 0 and b = 0 can only lift off   [CV16 Table 2], however near a jam
            Watch::Press(contact, sign)
                if sign > 0.0 && self.begin.laws[contact].hold == Hold::Unilateral =>
            {
                self.release(contact);
                None
            }
            watch => self.settle(Some(watch)),
        }
    }

    /// Whether a contact may close.
    pub(super) fn is_active(&mut self, contact: usize) -> bool {
        let Some(active) = self.begin.active.get(contact).copied().flatten() else { return true };
        let mut row = Vec::new();
        self.phases.mechanics.row_into(&mut row);
        active(&row) > 0.0
    }

    /// The watches of the phase that begins.
    fn arm(&mut self) {
        // where this fails, the phase meets the same error and tells it
        let _ = self.phases.solve();
        let mut watches = std::mem::take(&mut self.phases.mechanics.watches);
        watches.clear();
        for contact in 0..self.phases.doing.len() {
            let passes = !self.is_active(contact);
            self.watch_contact(contact, passes, &mut watches);
        }
        if self.options.stop.is_some() {
            // once it has risen, a value of 0 is that of the rise
            let value = self.phases.mechanics.stopping();
            self.warn_of_stop(value);
            let rising = !self.risen && value <= 0.0;
            watches.push(if rising { Watch::StopRise } else { Watch::Stop });
        }
        let zeno = self.zeno.as_ref().map(|zeno| zeno.t).filter(|&t| t < self.options.t_end);
        watches.extend(zeno.map(Watch::Time));
        watches.push(Watch::Time(self.options.t_end));
        self.phases.mechanics.watches = watches;
    }

    /// The watches of a contact; one that is not active passes through its surface.
    fn watch_contact(&self, contact: usize, passes: bool, watches: &mut Vec<Watch>) {
        let (mechanics, tol) = (&self.phases.mechanics, &self.options.tol);
        let laws = &mechanics.laws[contact];
        let unilateral = laws.hold == Hold::Unilateral;
        match self.phases.doing[contact] {
            Mode::Free if !unilateral => {}
            Mode::Free => {
                let gap = mechanics.gap(contact);
                let size = self.size(Watch::Gap(contact));
                let band = tol.closed * size;
                // closed without a force, beside others that keep it so: its gap is their rounding
                if gap.abs() <= band && self.is_kept_by_others(contact) {
                    return;
                }
                let deep = gap < -band && !self.begin.keeps_out(contact);
                let below = passes && (self.beneath[contact] || gap < -ZERO * size);
                watches.push(if deep || below { Watch::Rise(contact) } else { Watch::Gap(contact) });
            }
            Mode::Stick { .. } => {
                if unilateral {
                    watches.push(Watch::Force(contact, 1.0));
                }
                if !laws.friction.is_infinite() {
                    watches.push(Watch::Cone(contact));
                }
            }
            Mode::Slip { along, side } => {
                self.watch_slip(contact, side, watches);
                if mechanics.layout().tangents == 1 {
                    // without friction and at rest it has no direction that could end
                    watches.extend((along[0] != 0.0).then_some(Watch::Slip(contact, along[0])));
                } else if !laws.friction.is_zero() {
                    watches.push(Watch::Speed(contact, self.speed_of_rest(contact)));
                }
            }
        }
    }

    /// The speed at which the slip of a contact in space has ended: what counts as rest at an instant at least, however small the
    /// velocities are that it is made of, and less than it has where it slips.
    fn speed_of_rest(&self, contact: usize) -> f64 {
        let (mechanics, tol) = (&self.phases.mechanics, &self.options.tol);
        let dies = self.dying[contact];
        let slow = if dies { mechanics.turning_speed(contact) } else { mechanics.slow[contact] };
        let speed = mechanics.slip_speed(contact);
        let rest = tol.slow * self.size(Watch::Speed(contact, 0.0));
        let rest = if speed > slow { rest.min(SLOWER * speed) } else { rest };
        rest.max(slow)
    }

    /// Whether the gap of a contact cannot move as long as the others do what they do.
    fn is_kept_by_others(&self, contact: usize) -> bool {
        let (mechanics, tol) = (&self.phases.mechanics, &self.options.tol);
        let row = mechanics.row(contact);
        let still =
            mechanics.gap_rate(contact).abs() <= tol.rest * mechanics.speed_size(row, self.phases.v());
        let mut keeper = Keeper::default();
        keeper.keep(&self.phases.doing, mechanics);
        still && keeper.implies(contact, tol.marginal, mechanics)
    }

    /// The size of the terms of a watch at the present state.
    pub(super) fn size(&self, watch: Watch) -> f64 {
        watch.size(&self.phases.mechanics, (self.phases.q(), self.phases.v()), self.phases.h)
    }

    /// The force of a contact that slips: b and p of one alone, where the force may grow without bounds.
    fn watch_slip(&self, contact: usize, pull: f64, watches: &mut Vec<Watch>) {
        let alone = self.phases.doing.iter().filter(|doing| doing.is_closed()).count() == 1;
        if !alone {
            watches.push(Watch::Force(contact, pull));
            return;
        }
        let [own, coupled] = super::watch::gain_terms(&self.phases.mechanics, contact);
        let sign = (own - coupled).signum();
        watches.push(Watch::Press(contact, sign * pull));
        // in the plane p reaches 0 only where b does, which is a jam
        if self.phases.mechanics.layout().tangents > 1 || sign < 0.0 {
            watches.push(Watch::Gain(contact, sign));
        }
    }

    /// An event at the present state.
    pub(super) fn event(&mut self, kind: EventKind, contact: Option<usize>, detail: EventDetail) {
        let phases = &self.phases;
        self.record.event((phases.t, phases.q(), phases.v()), kind, contact, detail);
    }

    fn finish(mut self, (status, reason): StopReason, initial: f64, memory: &mut Memory) -> Ending {
        if self.phases.solve().is_ok() {
            let stopping = self.phases.mechanics.stopping();
            self.warn_of_stop(stopping);
            self.record.finish(self.phases.t, &mut self.phases.mechanics);
        }
        let last = self.phases.mechanics.known_energy();
        let hyperstatic = self.record.hyperstatic();
        let phases = self.phases;
        let [work, friction] = phases.works;
        let (q, v) = (phases.q().to_vec(), phases.v().to_vec());
        let trajectory = Trajectory {
            schema: TRAJECTORY_SCHEMA.into(),
            mechanism: self.begin.mechanism.to_string(),
            state: self.begin.name.to_string(),
            scheme: "event".to_string(),
            status,
            reason,
            events: self.record.events,
            phases: self.record.phases,
            columns: self.begin.columns.clone(),
            rows: self.record.rows,
            energy: EnergyBalance::new([initial, last], work, friction, self.impacts),
            hyperstatic,
            drift: phases.drift,
            penetration: None,
            work: Effort {
                steps: phases.steps,
                evaluations: phases.mechanics.evaluations,
                shown: phases.shown[0],
                subdivided: phases.shown[1],
                sampled: phases.sampled,
            },
            warnings: self.warnings,
        };
        let closed = (0..phases.doing.len()).filter(|&c| phases.doing[c].is_closed()).collect();
        let state = State { t: phases.t, q, v, parameters: self.begin.state.parameters.clone() };
        memory.keep(phases, self.probe);
        Ending { trajectory, state, closed, futures: self.futures, complete: self.complete }
    }
}
