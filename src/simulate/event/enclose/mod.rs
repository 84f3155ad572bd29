//! What is shown of a step: that no watch reaches zero within it.
//!
//! Between its ends a step is a curve through their positions, velocities and accelerations. It lies in a box, which is somewhat wider than
//! the curve (`region`); over that box the forces, the watches and their rates are enclosed by interval arithmetic (`field`), and from
//! there follows the sign of each watch (`sign`). Where watches are far from zero a box is made longer than a step, and serves the steps
//! after it at the cost of a comparison. Where the box of a step does not decide, the step is cut into pieces whose ends lie on its
//! continuous extension (`clear`); where these do not decide either, it is only sampled.

mod field;
mod region;
mod sign;
mod solve;

pub(in crate::simulate) use field::Kernels;
pub(in crate::simulate) use region::Stretch;

use super::mechanics::Mechanics;
use super::watch::Watch;
use crate::num::{Dual, Interval};
use crate::simulate::trajectory::Unshown;
use field::{Field, States};
use region::Region;
use sign::{Ladder, Span};

/// How many lengths of a step a box reaches beyond it at most, and less than how many are not worth another evaluation; which share of a
/// watch may be used up by then.
const AHEAD: f64 = 16.0;
const NEAREST: f64 = 0.25;
const USED: f64 = 0.5;

/// The enclosures of a motion, with their memory.
#[derive(Clone)]
pub(in crate::simulate) struct Enclosures<'m> {
    plain: Field<'m, Interval>,
    moving: Field<'m, Dual<Interval>>,
    region: Region,
    rungs: Vec<Interval>,
    moving_rungs: Vec<Dual<Interval>>,
    /// (q, v, v̇) with their rates.
    state: Vec<Dual<Interval>>,
    ladders: Vec<Ladder>,
    /// How far beyond a step a box may reach, by what was shown so far.
    reach: f64,
    /// Why the last stretch was not shown.
    pub(in crate::simulate) reason: Unshown,
}

impl<'m> Enclosures<'m> {
    pub(in crate::simulate) fn new(kernels: &'m Kernels, n: usize, parameters: &[f64]) -> Self {
        Self {
            plain: Field::new(kernels, parameters),
            moving: Field::new(kernels, parameters),
            region: Region::new(n),
            rungs: Vec::with_capacity(sign::MOST),
            moving_rungs: Vec::with_capacity(sign::MOST),
            state: Vec::with_capacity(3 * n),
            ladders: Vec::new(),
            reach: 1.0,
            reason: Unshown::Near,
        }
    }

    /// What the contacts do, or what is watched, is another.
    pub(in crate::simulate) fn forget(&mut self) {
        self.region.forget();
    }

    /// Whether all watches are shown to be positive within a stretch, by the box that is known or by a new one.
    pub(in crate::simulate) fn shows(&mut self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> bool {
        if self.region.holds(stretch) && self.open_watch(stretch, mechanics).is_none() {
            return true;
        }
        let ahead = if stretch.is_real { self.ahead(stretch, mechanics) } else { 0.0 };
        if ahead > NEAREST {
            if self.enclose(stretch, ahead, mechanics) && self.open_watch(stretch, mechanics).is_none() {
                self.reach = (2.0 * self.reach).min(AHEAD);
                return true;
            }
            self.reach = (0.25 * ahead).max(NEAREST);
        }
        if !self.enclose(stretch, 0.0, mechanics) {
            self.reason = Unshown::Bounds;
            return false;
        }
        let Some(watch) = self.open_watch(stretch, mechanics) else {
            self.reach = (2.0 * self.reach).min(AHEAD);
            return true;
        };
        let known = self.ladders[watch] != Ladder::NONE;
        self.reason = if known { Unshown::Near } else { Unshown::Expression };
        false
    }

    /// The first watch that is not shown to be positive.
    fn open_watch(&self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> Option<usize> {
        (0..mechanics.watches.len()).find(|&watch| {
            // steps are cut where a time is over
            if let Watch::Time(_) = mechanics.watches[watch] {
                return false;
            }
            let [begin, end] = stretch.values.map(|values| values[watch]);
            let band = stretch.bands[watch];
            let lands = stretch.landing == Some(watch) || end.abs() <= band;
            let span = Span {
                h: stretch.is_real.then_some(stretch.h),
                begin,
                band,
                leads: stretch.leads.get(watch).copied().unwrap_or(0),
                end: (!lands).then_some(end),
            };
            match mechanics.watches[watch] {
                Watch::Speed(..) if begin <= 0.0 => !self.ladders[watch].rises(),
                _ => !self.ladders[watch].is_positive(&span),
            }
        })
    }

    /// How much longer than the stretch a box may be, in lengths of it.
    fn ahead(&self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> f64 {
        let watches = mechanics.watches.iter().enumerate();
        let far = watches.filter(|(_, watch)| !matches!(watch, Watch::Time(_))).map(|(i, _)| {
            let [begin, end] = stretch.values.map(|values| values[i]);
            if end > 0.0 { USED * end / (begin - end).max(0.0) } else { 0.0 }
        });
        far.fold(self.reach, f64::min)
    }

    /// Encloses the watches around a stretch and `ahead` lengths of it beyond; false if its forces are not enclosed. Where forces are
    /// watched, with their rates: boxes can be wider then than where the values alone have to tell.
    fn enclose(&mut self, stretch: &Stretch<'_>, ahead: f64, mechanics: &Mechanics<'_>) -> bool {
        self.region.surround(stretch, ahead);
        let forces = mechanics.watches.iter().any(|watch| watch.reads_forces());
        let fresh = stretch.leads.iter().any(|leads| *leads > 0);
        let found = if forces || fresh || !stretch.is_real {
            self.enclose_moving(forces, stretch.is_real, mechanics)
        } else {
            self.enclose_fixed(mechanics)
        };
        if !found {
            self.region.forget();
        }
        found
    }

    /// Without forces: gaps and slips have rates of their own.
    fn enclose_fixed(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Region { t, q, v, vdot, .. } = &self.region;
        let states = States { t: *t, q, v, vdot };
        if !self.plain.solve(&states, mechanics, false) {
            return false;
        }
        self.ladders.clear();
        for &watch in &mechanics.watches {
            let known = self.plain.watch(watch, mechanics, &mut self.rungs);
            self.ladders.push(if known { Ladder::new(self.rungs.iter().copied()) } else { Ladder::NONE });
        }
        true
    }

    /// With rates along the motion.
    fn enclose_moving(&mut self, forces: bool, real: bool, mechanics: &Mechanics<'_>) -> bool {
        let Region { t, q, v, vdot, jerk, rates: [dq, dv], pace, .. } = &self.region;
        let n = q.len();
        let moving = q.iter().zip(dq).chain(v.iter().zip(dv)).chain(vdot.iter().zip(jerk));
        self.state.clear();
        self.state.extend(moving.map(|(&x, &rate)| Dual::new(x, rate)));
        let (q, rest) = self.state.split_at(n);
        let (v, vdot) = rest.split_at(n);
        let states = States { t: Dual::new(*t, *pace), q, v, vdot };
        if !self.moving.solve(&states, mechanics, forces) {
            return false;
        }
        self.ladders.clear();
        for &watch in &mechanics.watches {
            let known = self.moving.watch(watch, mechanics, &mut self.moving_rungs);
            // of the rates in the time of a jam only those by its own time are known
            self.moving_rungs.truncate(if real { self.moving_rungs.len() } else { 1 });
            let last = self.moving_rungs.last().map(|last| last.eps).filter(|_| known);
            let rungs = self.moving_rungs.iter().map(|rung| rung.re).chain(last);
            self.ladders.push(if known { Ladder::new(rungs) } else { Ladder::NONE });
        }
        true
    }
}
