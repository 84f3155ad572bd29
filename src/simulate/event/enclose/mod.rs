//! What is shown of a step: that no watch reaches zero within it.
//!
//! Between its ends a step is a curve through their positions, velocities and accelerations. It lies in a box, which is somewhat wider than
//! the curve (`region`); over that box the forces, the watches and their rates are enclosed by interval arithmetic (`field`), and from
//! there follows the sign of each watch (`sign`). Where watches are far from zero a box is made longer than a step, and serves the steps
//! after it at the cost of a comparison. Where the box of a step does not decide, the step is cut into pieces whose ends lie on its
//! continuous extension (`clear`); where these do not decide either, it is only sampled.

mod field;
mod kernel;
mod region;
mod sign;
mod solve;

pub(in crate::simulate) use field::Kernels;
pub(in crate::simulate) use region::Stretch;

use super::mechanics::Mechanics;
use super::watch::Watch;
use crate::num::{Ball, Dual};
use crate::simulate::trajectory::Unshown;
use field::Field;
use kernel::{Moving, Sides};
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
    field: Field<'m>,
    region: Region,
    rungs: Vec<Moving>,
    ladders: Vec<Ladder>,
    /// How far beyond a step a box may reach, by what was shown so far.
    reach: f64,
    /// Why the last stretch was not shown.
    pub(in crate::simulate) reason: Unshown,
}

impl<'m> Enclosures<'m> {
    pub(in crate::simulate) fn new(kernels: &'m Kernels, n: usize, parameters: &[f64]) -> Self {
        Self {
            field: Field::new(kernels, parameters),
            region: Region::new(n),
            rungs: Vec::with_capacity(sign::MOST),
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
            self.enclose(stretch, ahead, mechanics);
            if std::env::var("DBG").is_ok() {
                eprintln!(
                    "ahead {ahead:.3} t {:.6} h {:.6} {:?}",
                    stretch.t,
                    stretch.h,
                    self.open_watch(stretch, mechanics).map(|w| mechanics.watches[w])
                );
            }
            if self.open_watch(stretch, mechanics).is_none() {
                self.reach = (2.0 * self.reach).min(AHEAD);
                return true;
            }
            self.reach = (0.25 * ahead).max(NEAREST);
        }
        self.enclose(stretch, 0.0, mechanics);
        let Some(watch) = self.open_watch(stretch, mechanics) else {
            self.reach = (2.0 * self.reach).min(AHEAD);
            return true;
        };
        if std::env::var("DBG").is_ok() {
            eprintln!(
                "open t {:.6} h {:.6} real {} watch {:?} values {:.3e} {:.3e} lead {:?} ladder {:?} q {:?} v {:?} vdot {:?}",
                stretch.t,
                stretch.h,
                stretch.is_real,
                mechanics.watches[watch],
                stretch.values[0][watch],
                stretch.values[1][watch],
                stretch.leads.get(watch),
                self.ladders[watch],
                self.region.q,
                self.region.v,
                self.region.vdot
            );
        }
        self.reason = match &self.ladders[watch] {
            ladder if *ladder == Ladder::NONE => Unshown::Expression,
            ladder if !ladder.is_bounded() => Unshown::Bounds,
            _ => Unshown::Near,
        };
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

    /// Encloses the watches around a stretch and `ahead` lengths of it beyond; what has no bounds is not shown.
    fn enclose(&mut self, stretch: &Stretch<'_>, ahead: f64, mechanics: &Mechanics<'_>) {
        let Self { field, region, rungs, ladders, .. } = self;
        region.surround(stretch, ahead);
        let sides = Sides {
            t: region.t,
            pace: region.pace,
            q: &region.q,
            v: &region.v,
            rates: [&region.rates[0], &region.rates[1]],
        };
        let rates = region.vdot.iter().zip(&region.jerk);
        let vdot = rates.map(|(&x, &rate)| Dual::new(Ball::around(x), Ball::around(rate)));
        field.solve(&sides, vdot, mechanics);
        ladders.clear();
        for &watch in &mechanics.watches {
            let known = field.watch(watch, mechanics, rungs);
            // of the rates in the time of a jam only those by its own time are known
            rungs.truncate(if stretch.is_real { rungs.len() } else { 1 });
            let last = rungs.last().map(|last| last.eps.range()).filter(|_| known);
            let all = rungs.iter().map(|rung| rung.re.range()).chain(last);
            ladders.push(if known { Ladder::new(all) } else { Ladder::NONE });
        }
    }
}
