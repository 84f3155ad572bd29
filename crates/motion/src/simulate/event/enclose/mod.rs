//! What is shown of a step: that no watch reaches zero within it.
//!
//! Between its ends a step is a curve through their positions, velocities and accelerations; the motion lies in a strip around it, which is
//! wider than what the curve is estimated to miss (`region`). Along the strip the forces and the watches are enclosed (`field`): as strips
//! themselves, in which terms that change together cancel; and where these leave a watch open, over the box around the strip together with
//! their rates along the motion. From there follows the sign of each watch (`sign`). Where a step is not decided, it is cut into
//! pieces whose ends lie on its continuous extension (`clear`); where these are not decided either, it is only sampled.

mod blocks;
mod equations;
mod field;
mod number;
mod region;
mod sign;
mod solve;

pub(in crate::simulate) use region::{End, Node, Stretch};

use super::mechanics::Mechanics;
use super::watch::Watch;
use crate::model::Model;
use crate::num::{Ball, Dual, Interval, Strip};
use crate::simulate::trajectory::Unshown;
use blocks::FieldKernels;
use field::Field;
use number::Moving;
use region::{Region, curves};
use sign::{Ladder, Span};
use solve::Solved;
use std::sync::Arc;

/// What is enclosed of a model.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Kernels(Arc<FieldKernels>);

impl Kernels {
    pub(in crate::simulate) fn new(model: Arc<Model>) -> Self {
        Self(Arc::new(FieldKernels::new(model)))
    }
}

/// The enclosures of a motion, with their memory.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Enclosures {
    strips: Field<Strip>,
    boxes: Field<Moving>,
    region: Region,
    /// Position, velocity and acceleration of each coordinate.
    curves: Vec<[Strip; 3]>,
    along: Vec<Strip>,
    rungs: Vec<Moving>,
    /// Watches that are not shown yet.
    open: Vec<usize>,
    /// Why the last stretch was not shown.
    pub(in crate::simulate) reason: Unshown,
}

impl Enclosures {
    pub(in crate::simulate) fn new(kernels: &Kernels, n: usize, parameters: &[f64]) -> Self {
        Self {
            strips: Field::new(&kernels.0, parameters),
            boxes: Field::new(&kernels.0, parameters),
            region: Region::new(n),
            curves: Vec::with_capacity(n),
            along: Vec::with_capacity(sign::MOST),
            rungs: Vec::with_capacity(sign::MOST),
            open: Vec::new(),
            reason: Unshown::Near,
        }
    }

    /// The same memory for a motion with other parameters.
    pub(in crate::simulate) fn begin(&mut self, parameters: &[f64]) {
        self.strips.begin(parameters);
        self.boxes.begin(parameters);
        self.reason = Unshown::Near;
    }

    /// Whether they are those of a model.
    pub(in crate::simulate) fn are_of(&self, kernels: &Kernels) -> bool {
        self.strips.is_of(&kernels.0)
    }

    /// Whether all watches are shown to be positive within a stretch.
    pub(in crate::simulate) fn shows(&mut self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> bool {
        self.open.clear();
        // steps are cut where a time is over
        let timed = |watch: &usize| matches!(mechanics.watches[*watch], Watch::Time(_));
        self.open.extend((0..mechanics.watches.len()).filter(|watch| !timed(watch)));
        if stretch.is_real {
            self.follow_curves(stretch, mechanics);
        }
        if self.open.is_empty() {
            return true;
        }
        self.surround(stretch, mechanics);
        for &watch in &self.open {
            let known = self.boxes.watch(mechanics.watches[watch], mechanics, &mut self.rungs);
            // of the rates in the time of a jam only those by its own time are known
            self.rungs.truncate(if stretch.is_real { self.rungs.len() } else { 1 });
            let last = self.rungs.last().map(|last| last.eps.range());
            let ladder = Ladder::new(self.rungs.iter().map(|rung| rung.re.range()).chain(last));
            let shown = is_shown(watch, &ladder, stretch, mechanics)
                || stretch.is_real && sets_in(watch, &self.boxes, stretch, mechanics);
            if !shown {
                self.reason = match ladder.is_bounded() {
                    _ if !known => Unshown::Expression,
                    true => Unshown::Near,
                    false => Unshown::Bounds,
                };
                return false;
            }
        }
        true
    }

    /// Which watches are open along the strips around the curves.
    fn follow_curves(&mut self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) {
        let Self { strips, curves: all, along, open, .. } = self;
        all.clear();
        all.extend((0..stretch.states[0].len() / 2).map(|i| curves(i, stretch)));
        let half = 0.5 * stretch.h;
        let time = Strip { curve: [stretch.t + half, half, 0.0, 0.0], rad: 0.0 };
        let part = |k: usize| all.iter().map(move |curves| curves[k]);
        strips.solve(std::iter::once(time).chain(part(0)).chain(part(1)), part(2), (&*open, mechanics));
        open.retain(|&watch| {
            let known = strips.watch(mechanics.watches[watch], mechanics, along);
            let ladder = Ladder::new(along.iter().map(|rung| rung.range()));
            let shown = known && is_shown(watch, &ladder, stretch, mechanics);
            !shown && !sets_in(watch, strips, stretch, mechanics)
        });
    }

    /// Encloses what the motion is made of over a box, with rates.
    fn surround(&mut self, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) {
        let Self { boxes, region, open, .. } = self;
        region.surround(stretch);
        let around = |(&x, &rate): (&Interval, &Interval)| Dual::new(Ball::around(x), Ball::around(rate));
        let Region { t, pace, q, v, vdot, jerk, rates: [dq, dv] } = region;
        let states = q.iter().zip(&*dq).chain(v.iter().zip(&*dv));
        let states = std::iter::once((&*t, &*pace)).chain(states).map(around);
        boxes.solve(states, vdot.iter().zip(&*jerk).map(around), (&*open, mechanics));
    }
}

/// Whether a watch is the speed of a slip that sets in, which grows in the direction of its beginning all the way: it does not end.
fn sets_in<T: Solved>(
    watch: usize,
    field: &Field<T>,
    stretch: &Stretch<'_>,
    mechanics: &Mechanics<'_>,
) -> bool {
    let Watch::Speed(contact, _) = mechanics.watches[watch] else { return false };
    stretch.values[0][watch] <= 0.0
        && field.onset(contact, mechanics).is_some_and(|grows| grows.range().lo > 0.0)
}

/// Whether a watch is positive within a stretch by what is known of it.
fn is_shown(watch: usize, ladder: &Ladder, stretch: &Stretch<'_>, mechanics: &Mechanics<'_>) -> bool {
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
        Watch::Speed(..) if begin <= 0.0 => ladder.rises(),
        _ => ladder.is_positive(&span),
    }
}
