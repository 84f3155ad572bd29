//! A plan at work: row after row, until the plain residual is within the tolerance.

use super::cost::{is_by_bodies, newton_step, path, path_step};
use super::{Begin, Method, Only, Plan, Row, Work};
use crate::coulomb::attempt::{Attempt, Goal, Run};
use crate::coulomb::residual::local_residual;
use crate::coulomb::scaling::has_lost;
use crate::coulomb::solver::gauss_seidel::sweeps;
use crate::coulomb::solver::{
    Accelerated, AlartCurnier, FischerBurmeister, GaussSeidel, Multipliers, ProjectedGradient, Smoothed,
    Solver, Task, assign, zeros,
};
use crate::coulomb::tolerance::METHODS;

/// Fewer Newton steps than this get nowhere.
const LEAST_STEPS: usize = 4;
/// A path of smoothed problems that a round pays so far is followed, and to the end: that mostly takes twice as many.
const LEAST_PATH: usize = 20;

/// A search by a plan.
struct Search<'a> {
    task: &'a Task<'a>,
    goal: &'a Goal,
    /// Residual of the best point, and what found it.
    best: f64,
    name: &'static str,
    /// What a Newton step costs, once that was asked for.
    step: Option<f64>,
    /// What a path of smoothed problems costs, in sweeps, where one is to be tried.
    path: f64,
    /// Attempts before this search.
    earlier: usize,
}

/// Improves `r`; the name of the solver that did.
pub(super) fn in_turn(
    plan: &Plan,
    task: &Task<'_>,
    goal: &Goal,
    run: &mut Run,
    r: &mut [f64],
) -> &'static str {
    run.workspace.trail.forget();
    let earlier = run.attempts.len();
    let mut search =
        Search { task, goal, best: f64::INFINITY, name: GaussSeidel.name(), step: None, path: 0.0, earlier };
    if search.rows(&plan.opening, (0, 0), run, r) {
        return search.name;
    }
    // sweeps are measured by a path that comes after them, unless Newton steps that cost little have come before
    let path_follows = plan
        .rounds
        .iter()
        .any(|row| matches!(row.method, Method::Smoothed(_)) && search.is_meant(row, run, r));
    if path_follows && search.step(run, r) > plan.dear {
        search.path = path(task, run);
    }
    let mut sweeps = plan.sweeps.max((plan.of_path * search.path) as usize);
    for round in 0..plan.count {
        // looked at where the first rows fail: nothing will help then
        let hopeless = round == HOPEFUL && has_lost(task.local, &goal.tol);
        if hopeless || search.rows(&plan.rounds, (plan.opening.len(), sweeps), run, r) {
            break;
        }
        sweeps = sweeps.saturating_mul(plan.growth);
    }
    search.name
}

/// Halved so often, no number of steps is left.
const STOPPED: usize = 30;

/// Rounds before it is asked whether the problem is lost in rounding.
const HOPEFUL: usize = 2;

/// A point with a larger residual is no better for sweeps with momentum than no force at all.
const NEAR_ENOUGH: f64 = METHODS.near_enough;

impl Search<'_> {
    /// Row after row of a round of so many sweeps; whether the search is at its end. The first row is number `first`.
    fn rows(&mut self, rows: &[Row], (first, sweeps): (usize, usize), run: &mut Run, r: &mut [f64]) -> bool {
        for (k, row) in rows.iter().enumerate() {
            let number = first + k + 1;
            let iterations = self.iterations((number, row), sweeps, run, r);
            if let Some(iterations) = iterations.filter(|n| !self.repeats(row, (number, *n), run)) {
                self.work(row, (number, iterations, sweeps), run, r);
            }
            if self.best <= self.goal.tolerance || run.is_over(self.goal) {
                return true;
            }
        }
        false
    }

    /// Whether a row did exactly this before, to no avail.
    fn repeats(&self, row: &Row, (number, iterations): (usize, usize), run: &Run) -> bool {
        let same = |a: &Attempt| a.row == number && a.iterations == iterations;
        row.begin == Begin::Zero && run.attempts[self.earlier..].iter().any(same)
    }

    /// How often a row was tried.
    fn tried(&self, number: usize, run: &Run) -> usize {
        run.attempts[self.earlier..].iter().filter(|a| a.row == number).count()
    }

    /// How often a row was tried and did not halve the residual.
    fn tried_in_vain(&self, number: usize, run: &Run) -> usize {
        let attempts = run.attempts[self.earlier..].iter().filter(|a| a.row == number);
        attempts.filter(|a| a.residual > 0.5 * a.before).count()
    }

    /// Whether a row is for this problem.
    fn is_meant(&mut self, row: &Row, run: &mut Run, r: &[f64]) -> bool {
        let meant = match row.only {
            Only::Always => true,
            Only::Contacts(most) => self.task.mu.len() <= most,
            Only::Beyond(most) => self.task.mu.len() > most,
            Only::Step(most) => self.step(run, r) <= most,
        };
        meant && (row.method != Method::Multipliers || is_by_bodies(self.task, run))
    }

    /// How many iterations a row is worth now; none if it is to be passed over.
    fn iterations(
        &mut self,
        (number, row): (usize, &Row),
        sweeps: usize,
        run: &mut Run,
        r: &[f64],
    ) -> Option<usize> {
        if !self.is_meant(row, run, r) {
            return None;
        }
        let work = |n: f64| (n * self.goal.effort) as usize;
        match row.work {
            Work::Iterations(n) => Some(work(n as f64)),
            Work::Share(share, most) if row.method.sweeps() => Some(work(share * sweeps as f64).min(most)),
            Work::Share(share, most) => {
                let steps = |step: f64| work(share * sweeps as f64 / step);
                if matches!(row.method, Method::Smoothed(_)) {
                    // the sweeps before it promised to take longer than a path. Half a path is worth nothing: one that was too short is
                    // followed farther where twice as much is paid
                    let tried = self.tried(number, run);
                    let pays = (tried == 0 && self.path > 0.0)
                        || steps(path_step(self.task, run)) >= LEAST_PATH << tried;
                    return pays.then_some(most.saturating_mul(1 << tried));
                }
                if row.method == Method::Multipliers && self.path > 0.0 {
                    // it goes a long way in a large residual, and is not to be interrupted: from the best point it would begin again
                    return Some(most);
                }
                // dear steps that did not help are not given more than before
                let in_vain = if self.path > 0.0 { self.tried_in_vain(number, run) } else { 0 };
                let steps = (steps(self.step(run, r)) >> in_vain.min(STOPPED)).min(most);
                (steps >= LEAST_STEPS).then_some(steps)
            }
        }
    }

    fn step(&mut self, run: &mut Run, r: &[f64]) -> f64 {
        *self.step.get_or_insert_with(|| newton_step(self.task, run, r))
    }

    /// One row: its point is kept if it is the best so far.
    fn work(
        &mut self,
        row: &Row,
        (number, iterations, round): (usize, usize, usize),
        run: &mut Run,
        r: &mut [f64],
    ) {
        let before = self.best;
        if row.method == Method::GaussSeidel && row.begin == Begin::Best {
            // they never leave a worse point, and know its residual
            let (iterations, residual) =
                sweeps(self.task, &run.options(self.goal, iterations), &mut run.workspace, r);
            (self.best, self.name) = (residual, GaussSeidel.name());
            run.attempts.push(Attempt { row: number, solver: self.name, iterations, before, residual });
            return;
        }
        let mut point = std::mem::take(&mut run.point);
        assign(&mut point, r);
        let far = matches!(row.method, Method::Accelerated(_)) && self.best > NEAR_ENOUGH;
        if row.begin == Begin::Zero || far {
            point.fill(0.0);
        }
        let (options, tried) = (run.options(self.goal, iterations), self.tried(number, run));
        let (task, workspace) = (self.task, &mut run.workspace);
        let iterations = match row.method {
            Method::GaussSeidel => GaussSeidel.solve(task, &options, workspace, &mut point),
            Method::Accelerated(patience) => {
                let patience = (patience * (round as f64).max(self.path)) as usize;
                Accelerated { patience }.go_on(task, &options, workspace, &mut point)
            }
            Method::AlartCurnier => AlartCurnier.solve(task, &options, workspace, &mut point),
            Method::FischerBurmeister => FischerBurmeister.solve(task, &options, workspace, &mut point),
            Method::Smoothed(patience) => {
                Smoothed { patience: patience << tried }.solve(task, &options, workspace, &mut point)
            }
            Method::Proximal(method) => method.solve(task, &options, workspace, &mut point),
            Method::Multipliers => Multipliers.solve(task, &options, workspace, &mut point),
            Method::Gradient => ProjectedGradient.solve(task, &options, workspace, &mut point),
        };
        zeros(&mut run.velocity, r.len());
        let residual = local_residual(task.local, task.mu, &point, &mut run.velocity).relative;
        run.attempts.push(Attempt { row: number, solver: row.method.name(), iterations, before, residual });
        if residual < self.best || self.best.is_infinite() {
            (self.best, self.name) = (residual, row.method.name());
            r.copy_from_slice(&point);
        }
        run.point = point;
    }
}
