//! The steps of heaps: problems like the one before, of many contacts whose forces are not unique. Sweeps with momentum solve most of them;
//! what they leave at a few contacts is [mended](super::mending), what they leave everywhere is for Newton steps from where they ended,
//! and for more sweeps in turn. The work of all together is bounded, and counted in sweeps.

use super::cost::{is_by_bodies, newton_step};
use super::default::HASTY;
use super::mending::mend;
use crate::coulomb::attempt::{Attempt, Goal, Round, Run};
use crate::coulomb::residual::local_residual;
use crate::coulomb::solver::{Accelerated, Multipliers, Resumable, Solver, SweepEffort, Task, assign, zeros};
use std::cell::Cell;

/// A search, and what is left of its work.
#[derive(Debug)]
pub(crate) struct HeapSearch {
    left: Cell<f64>,
    /// Sweeps after the next mending.
    after: Cell<usize>,
}

/// What a problem may cost, in sweeps, and how many of them come before Newton steps are tried.
const WORK: f64 = 12_000.0;
const SWEEPS: usize = 3000;
/// What it may cost where a whole plan follows.
const BRIEF: f64 = 200.0;
/// Sweeps to a first tolerance, which is a guess, before it is looked at whether they have gone far enough already.
const FIRST: usize = 40;
/// Sweeps after a few contacts were mended and something is missing still, before they are mended again; each time twice as many.
const AFTER: usize = 30;
/// Newton steps in one go, at most and at least: fewer get nowhere.
const STEPS: usize = 200;
const LEAST_STEPS: usize = 12;

/// What gets on.
#[derive(Clone, Copy, PartialEq)]
enum HeapMethod {
    Sweeps,
    /// In the velocities of the bodies.
    Bodies,
    /// In the forces of the contacts.
    Contacts,
}

impl Default for HeapSearch {
    fn default() -> Self {
        Self { left: Cell::new(WORK), after: Cell::new(AFTER) }
    }
}

impl HeapSearch {
    /// No more than sweeps, and few of them.
    pub(crate) fn brief() -> Self {
        Self { left: Cell::new(BRIEF), ..Self::default() }
    }

    /// A better force; the name of what found it.
    pub(crate) fn search(
        &self,
        task: &Task<'_>,
        goal: &Goal,
        round: Round,
        run: &mut Run,
        r: &mut [f64],
    ) -> &'static str {
        let first = round != Round::Continued;
        if first {
            run.workspace.trail.forget();
        }
        if !first && self.mends(task, goal, run, r) {
            return HASTY.name();
        }
        let most_sweeps = match (first, std::mem::take(&mut run.mended)) {
            (true, _) => FIRST,
            (false, true) => self.after.replace(2 * self.after.get()),
            (false, false) => usize::MAX,
        };
        run.brief = most_sweeps < usize::MAX;
        let (mut best, mut name) = (f64::INFINITY, Accelerated::default().name());
        let mut way = HeapMethod::Sweeps;
        while self.left.get() >= 1.0 && !run.is_over(goal) {
            // a Newton step is far dearer than to find out what it costs, and both than a few sweeps
            let cost = if way == HeapMethod::Sweeps { 1.0 } else { newton_step(task, run, r) };
            let most = ((self.left.get() / cost) as usize).min(most_sweeps);
            if way == HeapMethod::Sweeps || most >= LEAST_STEPS {
                let (used, residual) = way.work(task, goal, most, (run, best), r);
                self.left.set(self.left.get() - cost * used.max(1) as f64);
                if residual < best {
                    (best, name) = (residual, way.name());
                }
                if run.brief || best <= goal.tolerance {
                    break;
                }
            }
            way = match way {
                HeapMethod::Sweeps if is_by_bodies(task, run) => HeapMethod::Bodies,
                HeapMethod::Sweeps => HeapMethod::Contacts,
                HeapMethod::Bodies | HeapMethod::Contacts => HeapMethod::Sweeps,
            };
        }
        name
    }

    /// Mends the few contacts that are missing, unless that has just been done.
    fn mends(&self, task: &Task<'_>, goal: &Goal, run: &mut Run, r: &mut [f64]) -> bool {
        if run.mended || self.left.get() < 1.0 {
            return false;
        }
        let Some(work) = mend(task, goal, run, r) else { return false };
        self.left.set(self.left.get() - work);
        (run.mended, run.brief) = (true, true);
        true
    }
}

impl HeapMethod {
    fn name(self) -> &'static str {
        match self {
            Self::Sweeps => Accelerated::default().name(),
            Self::Bodies => Multipliers::NAME,
            Self::Contacts => HASTY.name(),
        }
    }

    /// The iterations, and the residual of their point, which is kept if it is better than the best.
    fn work(
        self,
        task: &Task<'_>,
        goal: &Goal,
        most: usize,
        (run, best): (&mut Run, f64),
        r: &mut [f64],
    ) -> (usize, f64) {
        let options = run.options(goal, most.min(if self == Self::Sweeps { SWEEPS } else { STEPS }));
        let mut point = std::mem::take(&mut run.point);
        assign(&mut point, r);
        let used = match self {
            Self::Sweeps => Accelerated::default().go_on(
                SweepEffort::Light,
                task,
                &options,
                &mut run.workspace,
                &mut point,
            ),
            Self::Bodies => Multipliers.once(task, &options, &mut run.workspace, &mut point),
            Self::Contacts => HASTY.solve(task, &options, &mut run.workspace, &mut point),
        };
        let residual = match self {
            // sweeps never leave a worse point, and know its residual
            Self::Sweeps => run.workspace.trail.residual(),
            Self::Bodies | Self::Contacts => {
                zeros(&mut run.velocity, r.len());
                local_residual(task.local, task.mu, &point, &mut run.velocity).relative
            }
        };
        if residual < best {
            r.copy_from_slice(&point);
        }
        run.point = point;
        run.attempts.push(Attempt { row: 0, solver: self.name(), iterations: used, before: best, residual });
        (used, residual)
    }
}
