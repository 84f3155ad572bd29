//! What is shown of a step: that no watch reaches zero within it.
//!
//! The state (q, v) of a phase moves at the rate f = (v, v̇). If for a box B around the state y at the begin of a span h
//!
//! > y + [0, h] f(B) ⊂ B,
//!
//! the motion stays in B throughout the span (Picard's theorem), and what is enclosed over B, forces, accelerations, watches and their rates,
//! holds for it (`field`); from there the sign of each watch follows (`sign`). A box is made somewhat longer than a step where the watches
//! are far from zero, and serves the steps after it at the cost of a comparison. Where the box of a step does not decide, the step is cut
//! into pieces, each from a point of its continuous extension; where these do not decide either, the step is only sampled.
//!
//! What is shown is shown of the motion from the point where the step, or the piece, begins: the numerical one but for the error
//! of the step, which is the tolerance's.

mod field;
mod region;
mod sign;

pub(in crate::simulate) use field::kernel;
pub(super) use region::Stretch;

use super::mechanics::{Clock, Mechanics};
use super::watch::Watch;
use crate::model::Kernel;
use crate::num::{Dual, Interval};
use crate::simulate::trajectory::Unshown;
use field::Field;
use region::Region;
use sign::{Ladder, Span};

/// How many steps longer than the present one a box is made at most, and which share of a watch may be used up by then.
const AHEAD: f64 = 7.0;
const USED: f64 = 0.5;

/// The enclosures of a motion, with their memory.
#[derive(Clone)]
pub(in crate::simulate) struct Enclosures<'m> {
    kernel: &'m Kernel,
    plain: Field<Interval>,
    moving: Field<Dual<Interval>>,
    region: Region,
    rungs: Vec<Interval>,
    moving_rungs: Vec<Dual<Interval>>,
    /// (q, v) with their rates.
    state: Vec<Dual<Interval>>,
    ladders: Vec<Ladder>,
    /// Whether the ladders have the rates of the watches that need them.
    sharp: bool,
    /// Why the last stretch was not shown.
    pub(in crate::simulate) reason: Unshown,
}

impl<'m> Enclosures<'m> {
    pub(in crate::simulate) fn new(kernel: &'m Kernel, parameters: &[f64]) -> Self {
        Self {
            kernel,
            plain: Field::new(kernel, parameters),
            moving: Field::new(kernel, parameters),
            region: Region::new(kernel.layout().coordinates),
            rungs: Vec::new(),
            moving_rungs: Vec::new(),
            state: Vec::new(),
            ladders: Vec::new(),
            sharp: false,
            reason: Unshown::Accelerations,
        }
    }

    /// What the contacts do, or what is watched, is another.
    pub(in crate::simulate) fn forget(&mut self) {
        self.region.forget();
    }

    /// Whether all watches are shown to be positive within a stretch, by the box that is known or by a new one.
    pub(in crate::simulate) fn shows(&mut self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> bool {
        if mechanics.clock == Clock::Jam {
            self.reason = Unshown::Jam;
            return false;
        }
        if mechanics.watches.contains(&Watch::Room) {
            self.reason = Unshown::Forces;
            return false;
        }
        if self.region.keeps(stretch) && self.is_positive(stretch, mechanics).is_none() {
            return true;
        }
        let ahead = self.ahead(stretch, mechanics);
        if ahead > 0.0 && self.enclose(stretch, ahead, mechanics) && self.is_positive(stretch, mechanics).is_none()
        {
            return true;
        }
        if !self.enclose(stretch, 0.0, mechanics) {
            self.reason = Unshown::Accelerations;
            return false;
        }
        if self.is_positive(stretch, mechanics).is_none() {
            return true;
        }
        self.sharpen(mechanics);
        match self.is_positive(stretch, mechanics) {
            None => true,
            Some(watch) => {
                let known = self.ladders[watch] != Ladder::NONE;
                self.reason = if known { Unshown::Near } else { Unshown::Expression };
                false
            }
        }
    }

    /// The first watch that is not shown to be positive.
    fn is_positive(&self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> Option<usize> {
        (0..mechanics.watches.len()).find(|&watch| {
            // steps are cut where a time is over
            if let Watch::Time(_) = mechanics.watches[watch] {
                return false;
            }
            let [begin, end] = stretch.values.map(|values| values[watch]);
            let lands = stretch.landing == Some(watch)
                || stretch.bands.is_some_and(|bands| end.abs() <= bands[watch]);
            let span = Span {
                h: stretch.h,
                begin,
                leads: stretch.leads.get(watch).copied().unwrap_or(0),
                end: (!lands).then_some(end),
            };
            !self.ladders[watch].is_positive(&span)
        })
    }

    /// How much longer than the stretch a box may be, in lengths of it.
    fn ahead(&self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> f64 {
        let watches = mechanics.watches.iter().enumerate();
        let far = watches.filter(|(_, watch)| !matches!(watch, Watch::Time(_))).map(|(i, _)| {
            let [begin, end] = stretch.values.map(|values| values[i]);
            if end > 0.0 { USED * end / (begin - end).max(0.0) } else { 0.0 }
        });
        far.fold(AHEAD, f64::min)
    }

    /// Encloses the mechanics around a stretch and `ahead` lengths of it beyond; false if there is no box that the motion is known
    /// to stay in.
    fn enclose(&mut self, stretch: &Stretch<'_>, ahead: f64, mechanics: &Mechanics<'_>) -> bool {
        let Self { kernel, plain, region, .. } = self;
        let found = region.find(stretch, (1.0 + ahead) * stretch.h, |(t, q, v), vdot| {
            let solved = plain.solve(kernel, (t, q, v), &mechanics.motions);
            vdot.copy_from_slice(&plain.vdot);
            solved
        });
        if !found {
            return false;
        }
        self.sharp = false;
        self.ladders.clear();
        for &watch in &mechanics.watches {
            let known = self.plain.watch(self.kernel, watch, mechanics, &mut self.rungs);
            self.ladders.push(if known { Ladder::new(self.rungs.iter().copied()) } else { Ladder::NONE });
        }
        true
    }

    /// Adds the rates along the motion to the ladders.
    fn sharpen(&mut self, mechanics: &Mechanics<'_>) {
        if self.sharp {
            return;
        }
        self.sharp = true;
        let Region { t, q, v, vdot, .. } = &self.region;
        let n = q.len();
        self.state.clear();
        self.state.extend(q.iter().zip(v).chain(v.iter().zip(vdot)).map(|(&x, &rate)| Dual::new(x, rate)));
        let (q, v) = self.state.split_at(n);
        let t = Dual::new(*t, Interval::new(1.0, 1.0));
        if !self.moving.solve(self.kernel, (t, q, v), &mechanics.motions) {
            return;
        }
        for (ladder, &watch) in self.ladders.iter_mut().zip(&mechanics.watches) {
            let known = self.moving.watch(self.kernel, watch, mechanics, &mut self.moving_rungs);
            if let (true, Some(last)) = (known, self.moving_rungs.last()) {
                let rungs = self.moving_rungs.iter().map(|rung| rung.re);
                *ladder = Ladder::new(rungs.chain([last.eps]));
            }
        }
    }
}
