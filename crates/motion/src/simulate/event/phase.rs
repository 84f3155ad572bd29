//! One phase: the flow is followed step by step until a watch falls through zero, the time is over, or a jam is reached.

use super::clear::{Clear, Cuts};
use super::enclose::Enclosures;
use super::jam::{self, Approach};
use super::landing::Landed;
use super::mechanics::{Clock, EXTRA, Mechanics};
use super::memory::OfPhases;
use super::pole::Inertias;
use super::project::Keeper;
use super::reach::Reach;
use super::record::Record;
use super::search::{Root, Search};
use super::sound::Sound;
use super::stiff::Stiff;
use super::stuck::Refused;
use super::watch::{SLOWER, Watch};
use crate::num::halt;
use crate::predict::Mode;
use crate::simulate::integrate::Dop853;
use crate::simulate::progress;
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::{Drift, Sampled};

/// How a phase ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    /// A watch fell through zero.
    Watched(Watch),
    /// The limit of p = b = 0.
    Jam,
    /// No more steps are allowed.
    Budget,
    /// No step is good, however short.
    Stuck(Refused),
    /// The numbers failed.
    Failed(String),
}

/// A state in motion with all the memory of its phases.
pub(super) struct Phases<'m> {
    pub(super) mechanics: Mechanics<'m>,
    pub(super) step: Dop853,
    pub(super) stiff: Stiff,
    pub(super) search: Search,
    pub(super) enclosures: Enclosures,
    pub(super) cuts: Cuts,
    pub(super) keeper: Keeper,
    pub(super) approach: Approach,
    pub(super) t: f64,
    /// (q, v), then the extra numbers of this phase.
    pub(super) y: Vec<f64>,
    pub(super) doing: Vec<Mode>,
    /// Length of the next step, in real time.
    pub(super) h: f64,
    /// Length of the next step in the time of a jam; 0 where there was none yet.
    pub(super) tau: f64,
    /// Real time of the last step there.
    pub(super) span: f64,
    /// Whether the step was cut to end at a time that is asked for.
    pub(super) arrives: bool,
    /// Halvings of the step since the last landing.
    pub(super) shortened: usize,
    /// Real time that the approach left at its last look.
    pub(super) left: f64,
    /// Work of applied forces, and of friction.
    pub(super) works: [f64; 2],
    pub(super) drift: Drift,
    pub(super) steps: usize,
    /// Steps that were shown to be clear, those in pieces among them, and those that were not.
    pub(super) shown: [usize; 2],
    pub(super) sampled: Sampled,
    pub(super) accuracy: Accuracy,
    /// Largest size of each number so far.
    pub(super) sizes: Vec<f64>,
    pub(super) scale: Vec<f64>,
    pub(super) inertias: Inertias,
    /// Sizes of the accelerations at the begin of the step.
    pub(super) driven: Vec<f64>,
    /// T there, and over h² what it becomes within h from rest.
    pub(super) energies: [f64; 2],
    pub(super) reach: Reach,
    pub(super) sound: Sound,
    /// Sizes of the normal forces of the contacts at the begin of this phase.
    pub(super) first_forces: Vec<f64>,
}

/// Errors per step, how many steps, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Accuracy {
    pub(super) rtol: f64,
    pub(super) atol: f64,
    pub(super) steps: usize,
    /// When the motion ends at the latest.
    pub(super) t_end: f64,
    /// The mechanism's own length, or 0.
    pub(super) length: f64,
}

/// Values of a watch below this share of the size of their terms are zero to the accuracy of events.
pub(super) const ZERO: f64 = 4096.0 * f64::EPSILON;
/// Share of the step for which bands are known below which they are measured anew.
const NARROW: f64 = 0.125;
/// Corrections of a state at most: once for the positions, and once more for the velocities at the positions that were corrected.
pub(super) const CORRECTIONS: usize = 4;

impl<'m> Phases<'m> {
    pub(super) fn new(
        mechanics: Mechanics<'m>,
        OfPhases { step, search, enclosures, cuts, keeper, reach }: OfPhases,
        (t, q, v): (f64, &[f64], &[f64]),
        accuracy: Accuracy,
    ) -> Self {
        let y = [q, v, &[0.0; EXTRA]].concat();
        let (length, contacts) = (y.len(), mechanics.layout().contacts);
        Self {
            mechanics,
            step,
            stiff: Stiff::new(accuracy.rtol),
            search,
            enclosures,
            cuts,
            keeper,
            approach: Approach::default(),
            t,
            sizes: y.iter().map(|y| y.abs()).collect(),
            scale: vec![f64::INFINITY; length],
            inertias: Inertias::new(q.len()),
            driven: vec![0.0; q.len()],
            energies: [0.0; 2],
            reach,
            sound: Sound::default(),
            first_forces: vec![0.0; contacts],
            y,
            doing: vec![Mode::Free; contacts],
            h: 0.0,
            tau: 0.0,
            span: 0.0,
            arrives: false,
            shortened: 0,
            left: 0.0,
            works: [0.0; 2],
            drift: Drift::default(),
            steps: 0,
            shown: [0; 2],
            sampled: Sampled::default(),
            accuracy,
        }
    }

    pub(super) fn n(&self) -> usize {
        self.mechanics.layout().coordinates
    }

    pub(super) fn q(&self) -> &[f64] {
        &self.y[..self.n()]
    }

    pub(super) fn v(&self) -> &[f64] {
        &self.y[self.n()..2 * self.n()]
    }

    /// Evaluates the state that was reached.
    pub(super) fn solve(&mut self) -> Result<(), SmoothError> {
        let n = self.n();
        self.mechanics.clock = Clock::Real;
        self.mechanics.solve(self.t, &self.y[..n], &self.y[n..2 * n])
    }

    /// Follows the phase that `doing` describes, to the event that ends it.
    pub(super) fn follow(&mut self, record: &mut Record<'_>) -> Ended {
        match self.try_follow(record) {
            Ok(ended) => ended,
            Err(error) => Ended::Stuck(Refused::Evaluation(error)),
        }
    }

    fn try_follow(&mut self, record: &mut Record<'_>) -> Result<Ended, SmoothError> {
        let tangents = self.mechanics.layout().tangents;
        let begin = self.t;
        self.begin()?;
        let ended = loop {
            progress::reach(self.t);
            if self.steps >= self.accuracy.steps || halt::is_wanted() {
                break Ended::Budget;
            }
            match self.advance(record)? {
                None if record.missed.is_none() => {}
                None => break Ended::Budget,
                Some(ended) => break ended,
            }
        };
        let ended = record.missed.take().map_or(ended, Ended::Failed);
        let last = self.y.len() - EXTRA;
        self.works[0] += self.y[last + 1];
        self.works[1] += self.y[last + 2];
        record.phase([begin, self.t], &self.doing, tangents, self.mechanics.ambiguity());
        Ok(ended)
    }

    /// The first evaluation of a phase.
    fn begin(&mut self) -> Result<(), SmoothError> {
        let last = self.y.len() - EXTRA;
        self.y[last..].fill(0.0);
        self.mechanics.turns_slowly = true;
        self.mechanics.set(&self.doing);
        self.mechanics.base = self.t;
        self.mechanics.clock = Clock::Real;
        self.keeper.keep(&self.doing, &self.mechanics);
        self.approach.clear();
        self.stiff.begin(&self.mechanics.motions);
        self.step.start(&mut self.mechanics, 0.0, &self.y)?;
        if self.mechanics.take_springs()? {
            self.step.start(&mut self.mechanics, 0.0, &self.y)?;
        }
        for (contact, first) in self.first_forces.iter_mut().enumerate() {
            *first = self.mechanics.normal_force(contact).abs();
        }
        self.mechanics.watch_cone_margin();
        if self.h <= 0.0 {
            self.h = self.first_length();
        }
        self.mechanics.watched(&mut self.search.start);
        self.search.fresh.clear();
        self.search.fresh.resize(self.search.start.len(), true);
        self.measure_bands(self.h);
        let n = self.n();
        let Self { search, mechanics, y, .. } = self;
        search.leads.clear();
        let leads =
            |(&watch, &fresh): (&Watch, &bool)| if fresh { watch.leads(mechanics, &y[n..2 * n]) } else { 0 };
        search.leads.extend(mechanics.watches.iter().zip(&search.fresh).map(leads));
        mechanics.begin_flight();
        Ok(())
    }

    /// Up to which values the watches are zero to rounding in a step of h, and which of them begin there.
    fn measure_bands(&mut self, h: f64) {
        let n = self.n();
        let Self { search, mechanics, y, .. } = self;
        let state = (&y[..n], &y[n..2 * n]);
        search.bands.clear();
        search.bands.extend(mechanics.watches.iter().map(|watch| ZERO * watch.size(mechanics, state, h)));
        search.length = h;
        for i in 0..search.fresh.len() {
            search.fresh[i] &= search.start[i] <= search.bands[i];
            if let Some(leads) = search.leads.get_mut(i).filter(|_| !search.fresh[i]) {
                *leads = 0;
            }
        }
    }

    /// One step, or the event within it.
    fn advance(&mut self, record: &mut Record<'_>) -> Result<Option<Ended>, SmoothError> {
        self.choose_clock()?;
        let h = match self.good_step() {
            Ok(h) => h,
            Err(ended) => return Ok(Some(ended)),
        };
        // hops that are lower than what a long step makes of rounding
        if self.mechanics.clock == Clock::Real && h < NARROW * self.search.length {
            self.measure_bands(h);
        }
        let Self { mechanics, search, .. } = self;
        mechanics.watched(&mut search.end);
        let extended = !self.is_clear(h);
        let found = if extended { self.look(h) } else { Ok((None, Clear::Whole)) };
        let (root, clear) = match found {
            // between its ends a long step may come to where there are no accelerations
            Err(_) if self.may_shorten() => {
                self.shorten(h)?;
                return Ok(None);
            }
            found => found?,
        };
        if let Some(root) = root {
            let ended = match self.land(root, h, record)? {
                Landed::Shortened => return Ok(None),
                Landed::Passed => None,
                Landed::Event(ended) => Some(ended),
            };
            self.count(clear);
            return Ok(ended);
        }
        self.count(clear);
        self.look_below(record);
        if self.take_samples(1.0, extended, record)? || extended {
            self.step.arrive(&mut self.mechanics, 0.0)?;
        }
        if record.missed.is_some() {
            return Ok(None);
        }
        self.keep(h)?;
        self.accept();
        if self.arrives {
            self.t = self.time_end();
            return Ok(Some(Ended::Watched(Watch::Time(self.t))));
        }
        if let Some(watch) = self.speed_fallen_by_rounding() {
            return Ok(Some(Ended::Watched(watch)));
        }
        self.approach_jam()
    }

    /// The first event within a step that is not clear as a whole.
    fn look(&mut self, h: f64) -> Result<(Option<Root>, Clear), SmoothError> {
        let Self { step, mechanics, search, .. } = self;
        step.extend(mechanics, 0.0)?;
        let found = if search.suspects(mechanics) { search.first_root(step, mechanics)? } else { None };
        self.clear_to(found, h)
    }

    fn count(&mut self, clear: Clear) {
        match clear {
            Clear::Whole => self.shown[0] += 1,
            Clear::Pieces => self.shown = self.shown.map(|count| count + 1),
            Clear::Sampled(why) => self.sampled.count(why),
        }
    }

    /// Takes the time of a jam near p = 0, and leaves it again.
    fn choose_clock(&mut self) -> Result<(), SmoothError> {
        let Some(contact) = self.slipping() else { return Ok(()) };
        let (_, [p, _]) = jam::near(contact, &self.mechanics);
        // slips of space turn, and what turns fast is followed by implicit steps in real time
        let near = if self.mechanics.layout().tangents > 1 { jam::TURNING } else { 1.0 };
        let wanted = match self.mechanics.clock {
            Clock::Real if p < near * jam::NEAR => Clock::Jam,
            Clock::Jam if p > near * jam::FAR => Clock::Real,
            same => same,
        };
        if wanted != self.mechanics.clock {
            self.mechanics.clock = wanted;
            self.tau = 0.0;
            self.step.start(&mut self.mechanics, 0.0, &self.y)?;
        }
        Ok(())
    }

    /// The one contact that is closed, if it slips and began the phase with p > 0.
    pub(super) fn slipping(&self) -> Option<usize> {
        self.mechanics.watches.iter().find_map(|watch| match watch {
            Watch::Press(contact, sign) if *sign > 0.0 => Some(*contact),
            _ => None,
        })
    }

    /// The first time at which something is to happen.
    pub(super) fn time_end(&self) -> f64 {
        let ends = self.mechanics.watches.iter().filter_map(|watch| match watch {
            Watch::Time(end) => Some(*end),
            _ => None,
        });
        ends.fold(f64::INFINITY, f64::min)
    }

    pub(super) fn time_left(&self) -> f64 {
        self.time_end() - self.t
    }

    /// Where y has the real time since the begin of the phase.
    pub(super) fn clock_place(&self) -> usize {
        2 * self.n()
    }

    /// Takes what the end of the step misses, and evaluates it again if there was something.
    pub(super) fn keep(&mut self, h: f64) -> Result<(), SmoothError> {
        let n = self.n();
        let real = h * self.pace().abs();
        let Self { keeper, step, mechanics, drift, search, .. } = self;
        for _ in 0..CORRECTIONS {
            let (q, rest) = step.end_mut().split_at_mut(n);
            if let Some([gap, rate]) = keeper.correct((q, &mut rest[..n]), real, mechanics) {
                drift.include(gap, rate);
                return Ok(());
            }
            step.arrive(mechanics, 0.0)?;
            mechanics.watched(&mut search.end);
        }
        let (q, rest) = step.end().split_at(n);
        keeper.note((q, &rest[..n]), mechanics, drift);
        Ok(())
    }

    pub(super) fn accept(&mut self) {
        let time = self.clock_place();
        self.shortened = 0;
        self.step.accept();
        self.t = self.mechanics.base + self.step.begin()[time];
        if self.mechanics.clock == Clock::Jam {
            // the time within a step keeps its digits
            self.span = self.step.begin()[time];
            self.mechanics.base = self.t;
            self.step.begin_mut()[time] = 0.0;
        }
        self.y.copy_from_slice(self.step.begin());
        self.sizes.iter_mut().zip(&self.y).for_each(|(size, y)| *size = size.max(y.abs()));
        let n = self.n();
        self.inertias.note(&self.mechanics, &self.y[n..2 * n]);
        self.search.advance();
        self.mechanics.forget_rest(&self.doing);
        self.watch_falling_slips();
    }

    /// The speed of a slip that fell through zero in the step which was accepted, by no more than rounding: such a fall has no root, and that it
    /// has fallen could not be seen from the end.
    fn speed_fallen_by_rounding(&self) -> Option<Watch> {
        let (before, now) = (&self.search.end, &self.search.start);
        let fallen = |&i: &usize| {
            matches!(self.mechanics.watches[i], Watch::Speed(..)) && before[i] > 0.0 && now[i] <= 0.0
        };
        (0..now.len()).find(fallen).map(|i| self.mechanics.watches[i])
    }

    /// A slip out of rest that becomes slower before it was as fast as it is where its end is looked for: that is at a part of its speed.
    fn watch_falling_slips(&mut self) {
        let Self { mechanics, search, .. } = self;
        for i in 0..mechanics.watches.len() {
            let Watch::Speed(contact, _) = mechanics.watches[i] else { continue };
            let speed = mechanics.slip_speed(contact);
            let has_left = search.start[i] <= 0.0 && speed > mechanics.slow[contact];
            if has_left && mechanics.slip_speed_rate(contact) < 0.0 {
                mechanics.watches[i] = Watch::Speed(contact, SLOWER * speed);
                search.start[i] = speed - SLOWER * speed;
            }
        }
    }

    /// In the time of a jam: notes the step, and whether the jam is reached.
    fn approach_jam(&mut self) -> Result<Option<Ended>, SmoothError> {
        if self.mechanics.clock == Clock::Real {
            return Ok(None);
        }
        let Some(contact) = self.slipping() else { return Ok(None) };
        let ([p, b], relative) = jam::near(contact, &self.mechanics);
        self.approach.add(self.span, p, b);
        if self.approach.is_endless() {
            let reason = format!("p stays near zero at t = {}", self.t);
            return Ok(Some(Ended::Failed(reason)));
        }
        let plane = self.mechanics.layout().tangents == 1;
        Ok((plane && jam::is_reached(relative)).then_some(Ended::Jam))
    }
}
