//! Gauss-Seidel sweeps with momentum: every sweep begins beyond the last point, on the line from the one before.
//!
//! With G one sweep, `y = x_k + β_k (x_k − x_{k−1})`, `x_{k+1} = G(y)`, β_k = k/(k + 3) [Nesterov 1983]. The momentum is
//! dropped where the sweep goes against the last step [O'Donoghue & Candès 2015], and where ‖G(y) − y‖ has grown, which a
//! contact does that changes between stick, slip and take-off, and friction that is not associated. On heaps it takes a third
//! to a tenth of the sweeps without momentum.

use super::gauss_seidel::{CHECK_FRACTION, Sweeper};
use super::one_contact::STEPS;
use super::slabs::{Places, SweepMemory};
use super::workspace::Buffers;
use super::{Monitor, Options, Solver, Task, Workspace, assign};
use crate::linear::largest_diagonal;

/// Block Gauss-Seidel with momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accelerated {
    /// The sweeps go on beyond their number as long as they promise to need no more than so many further ones.
    pub patience: usize,
}

impl Solver for Accelerated {
    fn name(&self) -> &'static str {
        "accelerated"
    }

    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        workspace.trail.forget();
        self.go_on(SweepEffort::Full, task, options, workspace, r)
    }
}

impl Accelerated {
    /// The same after another call on this problem: where that one ended and with its momentum, unless the force given is much
    /// better.
    pub(crate) fn go_on(
        &self,
        care: SweepEffort,
        task: &Task<'_>,
        options: &Options,
        workspace: &mut Workspace,
        r: &mut [f64],
    ) -> usize {
        let mut trail = std::mem::take(&mut workspace.trail);
        let used = match task.local.W.block_size() {
            2 => self.run(task, (options, care), (workspace.plane(), &mut trail), r),
            _ => self.run(task, (options, care), (workspace.space(), &mut trail), r),
        };
        workspace.trail = trail;
        used
    }

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        (options, care): (&Options, SweepEffort),
        (buffers, trail): (&mut Buffers<D, DD>, &mut SweepState),
        r: &mut [f64],
    ) -> usize {
        let Buffers { sweeper, monitor, slabs, .. } = buffers;
        let SweepState { momentum, begin, best, residual, .. } = trail;
        let goes_on = begin.len() == r.len();
        if goes_on && best == r {
            monitor.begin(r);
            monitor.know(*residual);
        } else {
            monitor.start(task, r);
        }
        let start = monitor.residual();
        if goes_on && start > MUCH * *residual {
            r.copy_from_slice(begin);
        } else {
            momentum.start::<D, DD>(task, r);
        }
        let mut progress = Progress::new(options.tolerance, start);
        let slabs = slabs.get_or_insert_default();
        let used = if slabs.cut(task) {
            let mut course = SweepMemory {
                residual: start,
                pace: momentum.pace,
                progress,
                patience: self.patience as f64,
                care,
            };
            let Momentum { last, begin, pace, .. } = momentum;
            let used =
                slabs.run(task, options, &mut course, &mut Places { r, last, begin, best: monitor.best() });
            *pace = course.pace;
            monitor.know(course.residual);
            used
        } else {
            sweeper.prepare_for(task, care.slip());
            self.sweeps(task, (options, care), (sweeper, momentum, monitor, &mut progress), r)
        };
        assign(begin, r);
        *residual = monitor.restore(r);
        assign(best, r);
        if *residual > LITTLE * start {
            begin.clear();
        }
        used
    }

    /// One contact after the other.
    fn sweeps<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        (options, care): (&Options, SweepEffort),
        (sweeper, momentum, monitor, progress): (
            &mut Sweeper<D, DD>,
            &mut Momentum,
            &mut Monitor,
            &mut Progress,
        ),
        r: &mut [f64],
    ) -> usize {
        let (mut used, mut next_check) = (0, 1);
        while monitor.residual() > options.tolerance {
            sweeper.sweep(task, r.as_chunks_mut::<D>().0);
            used += 1;
            let mut over = false;
            if used >= next_check || used == options.iterations {
                let residual = monitor.observe(task, r);
                progress.note(used, residual);
                over = used >= options.iterations && progress.remaining() > self.patience as f64;
                over |= residual <= options.tolerance || options.is_late();
                next_check =
                    used + 1 + (used / CHECK_FRACTION).max(care.checkless(residual, options.tolerance));
            }
            momentum.advance(r.as_chunks_mut::<D>().0);
            if over {
                break;
            }
        }
        used
    }
}

/// How exactly every sweep is done, and how often looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepEffort {
    /// Every contact is solved as it can be, and the residual looked at as soon as it may be small enough.
    Full,
    /// A slip is taken from where the last sweep left it, and the residual looked at when it should be small enough.
    Light,
}

/// Steps for a slip in a sweep that others follow: balls, whose blocks are diagonal, need one.
const SLIP: usize = 3;
/// No sweep makes the residual so many times smaller.
const GAIN: f64 = 4.0;
/// Sweeps without a look at the residual, at most, where it is still large.
const MOST_CHECKLESS: usize = 8;

impl SweepEffort {
    /// Steps for a contact that slips.
    pub(super) fn slip(self) -> usize {
        match self {
            Self::Full => STEPS,
            Self::Light => SLIP,
        }
    }

    /// Sweeps before the next look at the residual.
    pub(super) fn checkless(self, residual: f64, tolerance: f64) -> usize {
        let far = |checkless: &usize| residual > tolerance * GAIN.powi(*checkless as i32);
        match self {
            Self::Full => 0,
            Self::Light => (1..=MOST_CHECKLESS).take_while(far).count(),
        }
    }
}

/// What goes on begins anew where others have made the residual this much smaller; for less, momentum is worth more.
pub(super) const MUCH: f64 = 0.3;

/// The same where they made it no smaller than this themselves: momentum can turn in a circle.
const LITTLE: f64 = 0.7;

/// Where sweeps with momentum ended: where the next one begins, and the residual of the best force.
#[derive(Debug, Default)]
pub(crate) struct SweepState {
    momentum: Momentum,
    begin: Vec<f64>,
    best: Vec<f64>,
    residual: f64,
    /// ρ at which the method of multipliers ended.
    pub(super) weight: f64,
}

impl SweepState {
    /// The residual of the best force.
    pub(crate) fn residual(&self) -> f64 {
        self.residual
    }

    /// Goes on with these contacts at the force `r` and without their momentum; the others keep theirs.
    pub(crate) fn moved(&mut self, r: &[f64], contacts: &[usize], d: usize) {
        let Self { momentum, begin, best, residual, .. } = self;
        if begin.len() != r.len() {
            return;
        }
        for &i in contacts {
            for rows in [&mut *begin, &mut momentum.last, &mut momentum.begin] {
                rows[i * d..(i + 1) * d].copy_from_slice(&r[i * d..(i + 1) * d]);
            }
        }
        // whatever the residual of the force that is given next, the momentum is kept
        best.clear();
        *residual = 0.0;
    }

    /// The next sweeps begin without momentum, and the next steps of the method of multipliers with its own ρ.
    pub(crate) fn forget(&mut self) {
        self.begin.clear();
        self.weight = 0.0;
    }
}

/// How much longer a sweep may be than the shortest since the momentum began, in the square.
const GROWTH: f64 = 3.0;
/// k of β_k = k/(k + LAG) is the number of sweeps with momentum.
const LAG: f64 = 3.0;

/// The last points, and what the momentum goes by.
#[derive(Debug, Default)]
struct Momentum {
    /// G(y) of the last sweep, and where the present one begins.
    last: Vec<f64>,
    begin: Vec<f64>,
    /// The largest diagonal entry of every contact's own block: it makes the squares energies of one unit.
    weight: Vec<f64>,
    pace: MomentumAge,
}

/// The age of the momentum, and the shortest sweep since it began, in the square.
#[derive(Clone, Copy, Debug)]
pub(super) struct MomentumAge {
    age: f64,
    least: f64,
}

impl Default for MomentumAge {
    fn default() -> Self {
        Self { age: 0.0, least: f64::INFINITY }
    }
}

impl MomentumAge {
    /// β after a sweep that goes so far along the last step, and is so long, in the square.
    pub(super) fn next(&mut self, along: f64, size: f64) -> f64 {
        if along < 0.0 || size > GROWTH * self.least {
            *self = Self::default();
        } else {
            self.age += 1.0;
            self.least = self.least.min(size);
        }
        self.age / (self.age + LAG)
    }
}

impl Momentum {
    fn start<const D: usize, const DD: usize>(&mut self, task: &Task<'_>, r: &[f64]) {
        let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
        self.weight.clear();
        self.weight.extend((0..task.mu.len()).map(|i| largest_diagonal::<D, DD>(&blocks[W.diagonal(i)])));
        assign(&mut self.last, r);
        assign(&mut self.begin, r);
        self.pace = MomentumAge::default();
    }

    /// From the end of a sweep to the beginning of the next.
    fn advance<const D: usize>(&mut self, r: &mut [[f64; D]]) {
        let (last, begin) = (self.last.as_chunks_mut::<D>().0, self.begin.as_chunks_mut::<D>().0);
        let (mut along, mut size) = (0.0, 0.0);
        for (((r, last), begin), weight) in r.iter().zip(&*last).zip(&*begin).zip(&self.weight) {
            let (mut product, mut square) = (0.0, 0.0);
            for a in 0..D {
                product += (r[a] - begin[a]) * (r[a] - last[a]);
                square += (r[a] - begin[a]) * (r[a] - begin[a]);
            }
            along += weight * product;
            size += weight * square;
        }
        let beta = self.pace.next(along, size);
        for ((r, last), begin) in r.iter_mut().zip(last).zip(begin) {
            for a in 0..D {
                let end = r[a];
                r[a] += beta * (end - last[a]);
                last[a] = end;
            }
            *begin = *r;
        }
    }
}

/// The residuals seen, from which the sweeps that remain are estimated: the best one of all, and of those before the last
/// third of the sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    tolerance: f64,
    now: (usize, f64),
    seen: [(usize, f64); SEEN],
}

/// Checks that lie behind the estimate: with one every eighth of the sweeps, about the last half.
const SEEN: usize = 6;

impl Progress {
    pub(super) fn new(tolerance: f64, residual: f64) -> Self {
        Self { tolerance, now: (0, residual), seen: [(0, residual); SEEN] }
    }

    /// The best residual after so many sweeps.
    pub(super) fn note(&mut self, sweeps: usize, residual: f64) {
        self.seen.rotate_left(1);
        self.seen[SEEN - 1] = self.now;
        self.now = (sweeps, residual.min(self.now.1));
    }

    /// Sweeps to the tolerance at the rate of the last half; infinitely many if nothing was gained.
    pub(super) fn remaining(&self) -> f64 {
        let (sweeps, before) = self.seen[0];
        let gained = (before / self.now.1).ln();
        if gained > 0.0 {
            (self.now.1 / self.tolerance).ln() * (self.now.0 - sweeps) as f64 / gained
        } else {
            f64::INFINITY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 1e-2 to 1e-4 in 20 sweeps: as many again to 1e-6.
    #[test]
    fn what_remains_is_estimated_from_the_rate() {
        let mut progress = Progress::new(1e-6, 1e-2);
        assert!(progress.remaining().is_infinite());
        progress.note(10, 1e-3);
        progress.note(20, 1e-4);
        assert!((progress.remaining() - 20.0).abs() < 1e-9, "{}", progress.remaining());
        progress.note(30, 1e-2);
        assert!((progress.remaining() - 30.0).abs() < 1e-9, "the best counts: {}", progress.remaining());
        (31..31 + SEEN).for_each(|k| progress.note(k, 1e-2));
        assert!(progress.remaining().is_infinite());
    }
}
