//! A plan at work: row after row, until the plain residual is within the tolerance.

use super::cost::{is_by_bodies, newton_step, path, path_step};
use super::{Begin, Method, Only, Plan, Row, Work};
use crate::coulomb::attempt::{Attempt, Goal, Run};
use crate::coulomb::residual::local_residual;
use crate::coulomb::scaling::has_lost;
use crate::coulomb::solver::gauss_seidel::sweeps;
use crate::coulomb::solver::{
    Accelerated, AlartCurnier, FischerBurmeister, GaussSeidel, Multipliers, Options, ProjectedGradient,
    ProximalPoint, Resumable, Smoothed, Solver, SweepEffort, Task, assign, zeros,
};
use crate::coulomb::tolerance::METHODS;

/// Fewer Newton steps than this get nowhere.
const LEAST_STEPS: usize = 4;
/// The same of what goes on where it was interrupted: the first of them leave a residual that tells nothing.
const LEAST_OF_A_WAY: usize = 10;
/// The multiple of its patience that the proximal point method has where it begins near the solution.
const NEAR: usize = 3;

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
    let earlier = run.attempts.len();
    let mut search =
        Search { task, goal, best: f64::INFINITY, name: GaussSeidel.name(), step: None, path: 0.0, earlier };
    if search.rows(&plan.opening, (0, 0), run, r) {
        return search.name;
    }
    // sweeps are measured by a path that comes after them, unless Newton steps that cost little have come before
    let path_follows =
        plan.rounds.iter().any(|row| row.method == Method::Smoothed && search.is_meant(row, run, r));
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
            if let Some(iterations) = iterations {
                self.work(row, (number, iterations, sweeps), run, r);
            }
            if self.best <= self.goal.tolerance || run.is_over(self.goal) {
                return true;
            }
        }
        false
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
            Only::Step(most, tolerance) => self.goal.tolerance < tolerance && self.step(run, r) <= most,
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
                let step = match row.method {
                    Method::Smoothed => path_step(self.task, run),
                    _ => self.step(run, r),
                };
                let steps = work(share * sweeps as f64 / step);
                if row.method.goes_on(row.begin) {
                    return (steps >= LEAST_OF_A_WAY).then_some(steps.min(most));
                }
                // dear steps that did not help are not given more than before
                let in_vain = if self.path > 0.0 { self.tried_in_vain(number, run) } else { 0 };
                let steps = (steps >> in_vain.min(STOPPED)).min(most);
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
        let (iterations, residual) = self.iterate(row, (number, iterations, round), run, &mut point);
        run.attempts.push(Attempt { row: number, solver: row.method.name(), iterations, before, residual });
        if residual < self.best || self.best.is_infinite() {
            (self.best, self.name) = (residual, row.method.name());
            r.copy_from_slice(&point);
        }
        run.point = point;
    }

    /// The iterations of a row, and the residual of its point. One that will go on in the next round is not interrupted as long as it
    /// promises, at the rate of its last iterations, to be done within as many as it was given.
    fn iterate(
        &self,
        row: &Row,
        (number, iterations, round): (usize, usize, usize),
        run: &mut Run,
        point: &mut [f64],
    ) -> (usize, f64) {
        let own =
            run.attempts[self.earlier..].iter().rev().find(|a| a.row == number).map_or(1.0, |a| a.residual);
        let mut before = if row.begin == Begin::Best { own.min(self.best) } else { own };
        let (mut used, mut next) = (0, iterations);
        loop {
            let mut options = run.options(self.goal, used + next);
            options.iterations -= used;
            let now = self.call(row, &options, round, run, point);
            used += now;
            zeros(&mut run.velocity, point.len());
            let residual = local_residual(self.task.local, self.task.mu, point, &mut run.velocity).relative;
            let left = now as f64 * (residual / options.tolerance).ln() / (before / residual).ln();
            let promises = residual < before && left <= iterations as f64 && row.method.goes_on(row.begin);
            if !promises || residual <= options.tolerance || now < next || options.is_late() {
                return (used, residual);
            }
            (before, next) = (residual, (left.ceil() as usize).max(LEAST_STEPS));
        }
    }

    fn call(&self, row: &Row, options: &Options, round: usize, run: &mut Run, r: &mut [f64]) -> usize {
        let task = self.task;
        match row.method {
            Method::GaussSeidel => GaussSeidel.solve(task, options, &mut run.workspace, r),
            Method::Accelerated(patience) => {
                let patience = (patience * (round as f64).max(self.path)) as usize;
                Accelerated { patience }.go_on(SweepEffort::Full, task, options, &mut run.workspace, r)
            }
            Method::AlartCurnier => AlartCurnier.solve(task, options, &mut run.workspace, r),
            Method::FischerBurmeister if row.begin == Begin::Zero => {
                FischerBurmeister.go_on(task, options, &mut run.workspace, r)
            }
            Method::FischerBurmeister => FischerBurmeister.solve(task, options, &mut run.workspace, r),
            Method::Smoothed => {
                let step = path_step(task, run);
                Smoothed { step }.go_on(task, options, &mut run.workspace, r)
            }
            Method::Proximal(method) => {
                let longer = if self.best > NEAR_ENOUGH { 1 } else { NEAR };
                ProximalPoint { patience: method.patience.saturating_mul(longer), ..method }.solve(
                    task,
                    options,
                    &mut run.workspace,
                    r,
                )
            }
            Method::Multipliers => Multipliers.go_on(task, options, &mut run.workspace, r),
            Method::Gradient => ProjectedGradient.solve(task, options, &mut run.workspace, r),
        }
    }
}
