//! A problem made ready for the solvers, which work on the local form in balanced units, and the judgement of their
//! points by the problem as given.

use super::backward::{Backward, BackwardError, Terms, Verdict};
use super::condense::Condensed;
use super::driver::{Outcome, Request, Solution};
use super::error::ProblemError;
use super::problem::{Form, Global, Local, Problem};
use super::residual::{Residual, local_residual, residual};
use super::rows::row_errors;
use super::scaling::Scaling;
use super::solver::Task;
use super::solver::polish::polish;
use super::status::Status;

/// A sequence of solvers: task, tolerance and effort, round and start to the last solver's name and the iterations used.
type Sequence<'a> = dyn Fn(&Task<'_>, (f64, f64), Round, &mut [f64]) -> (&'static str, usize) + 'a;

/// What a sequence begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// No force.
    First,
    /// A point that reached the tolerance of the round before.
    Continued,
    /// Such a point that could not be improved: from the beginning, but otherwise.
    Again,
}

/// How a force is looked for.
pub(super) struct Method<'a> {
    /// The solvers.
    pub(super) sequence: &'a Sequence<'a>,
    /// Whether a few Newton steps may follow them.
    pub(super) polished: bool,
    /// How often they begin again.
    pub(super) starts: usize,
}

/// Where the local form comes from.
enum Origin<'a> {
    /// It is the problem's own.
    Local(&'a Local),
    /// The global form was condensed.
    Global(&'a Global, Box<Condensed>),
}

/// A problem with its local form, in the units that the solvers see.
pub(super) struct Ready<'a> {
    pub(super) problem: &'a Problem,
    pub(super) request: &'a Request,
    origin: Origin<'a>,
    /// The local form in balanced units, if its own are not balanced.
    balanced: Option<(Scaling, Local)>,
}

/// A point with all that is known about it.
struct Judged {
    backward: Backward,
    residual: Residual,
    /// By the problem as given.
    u: Vec<f64>,
    v: Vec<f64>,
    r: Vec<f64>,
    statuses: Vec<Status>,
}

impl<'a> Ready<'a> {
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub(super) fn new(problem: &'a Problem, request: &'a Request) -> Result<Self, ProblemError> {
        let origin = match problem.form() {
            Form::Local(local) => Origin::Local(local),
            Form::Global(global) => Origin::Global(global, Box::new(Condensed::new(problem.dim(), global)?)),
        };
        let mut out = Self { problem, request, origin, balanced: None };
        let scaling = Scaling::of(out.own(), &request.tol);
        out.balanced = scaling.map(|scaling| {
            let local = scaling.balanced(out.own());
            (scaling, local)
        });
        Ok(out)
    }

    /// The local form in the problem's own units.
    fn own(&self) -> &Local {
        match &self.origin {
            Origin::Local(local) => local,
            Origin::Global(_, condensed) => &condensed.local,
        }
    }

    /// The local form in the units of the solvers.
    fn local(&self) -> &Local {
        self.balanced.as_ref().map_or_else(|| self.own(), |(_, local)| local)
    }

    /// Forces in the problem's own units.
    fn own_force(&self, r: &[f64]) -> Vec<f64> {
        self.balanced.as_ref().map_or_else(|| r.to_vec(), |(scaling, _)| scaling.force(r))
    }

    /// The best point that a method finds.
    pub(super) fn run(&self, method: &Method<'_>) -> Solution {
        let task = Task { local: self.local(), mu: self.problem.mu() };
        let (tol, mut best) = (&self.request.tol, None::<Solution>);
        let mut r = vec![0.0; self.problem.rows()];
        let (mut tolerance, mut iterations) = (self.request.tolerance, 0);
        for count in 0..tol.rounds * method.starts {
            let round = match (count, count % tol.rounds) {
                (0, _) => Round::First,
                (_, 0) => Round::Again,
                _ => Round::Continued,
            };
            if round == Round::Again {
                tolerance = self.request.tolerance;
            }
            let (solver, used) = (method.sequence)(&task, (tolerance, self.request.effort), round, &mut r);
            iterations += used;
            let look = Look::new(&task, &r);
            let reached = look.plain.relative;
            let mut found = self.judge(look, &r);
            if method.polished && reached <= tolerance && found.backward.verdict == Verdict::Beyond {
                let mut terms = Look::new(&task, &r).terms;
                iterations += polish(&task, (tolerance, tol), &mut terms, &mut r);
                found = self.judge(Look::new(&task, &r), &r);
            }
            let excess = found.excess(self.request.tolerance);
            let found = found.solution(solver, iterations);
            let outcome = found.outcome;
            if best.as_ref().is_none_or(|best| is_better(&found, best)) {
                best = Some(found);
            }
            let good = outcome == Outcome::Undecided || outcome == Outcome::Solved && excess <= 1.0;
            // what a first round does not reach, later ones will not
            if good || reached > tolerance && round != Round::Continued {
                break;
            }
            tolerance = tol.tighter * reached.min(tolerance) * excess.recip().min(1.0);
        }
        best.unwrap_or_else(|| nothing(self.problem))
    }

    /// A force in the problem's own units as a solution, with the name and the steps of what found it.
    pub(super) fn point(&self, r: &[f64], (solver, iterations): (&'static str, usize)) -> Solution {
        let r = match &self.balanced {
            None => r.to_vec(),
            Some((scaling, _)) => scaling.balanced_force(r),
        };
        let look = Look::new(&Task { local: self.local(), mu: self.problem.mu() }, &r);
        self.judge(look, &r).solution(solver, iterations)
    }

    /// A force, judged.
    fn judge(&self, look: Look, r: &[f64]) -> Judged {
        let (tolerance, tol) = (self.request.tolerance, &self.request.tol);
        let mut backward = look.terms.judge(self.local(), tolerance, tol);
        let statuses = look.terms.statuses(self.local(), tolerance, tol);
        let r = self.own_force(r);
        if let (Origin::Local(_), None) = (&self.origin, &self.balanced) {
            return Judged { backward, residual: look.plain, u: look.u, v: Vec::new(), r, statuses };
        }
        let v = match &self.origin {
            Origin::Local(_) => Vec::new(),
            Origin::Global(global, condensed) => {
                let v = condensed.velocity(global, &r);
                let errors = row_errors(global, &condensed.local, self.problem.mu(), &v, &r);
                backward = backward.and_rows(errors, tolerance, tol);
                v
            }
        };
        let (residual, u) = residual(self.problem, &v, &r);
        if !u.iter().chain(&r).all(|x| x.is_finite()) {
            // a number of balanced units that is none in the problem's own
            backward.verdict = Verdict::Hidden;
        }
        Judged { backward, residual, u, v, r, statuses }
    }
}

/// A force as the solvers see it: its velocities, its plain residual, its terms.
struct Look {
    u: Vec<f64>,
    plain: Residual,
    terms: Terms,
}

impl Look {
    fn new(task: &Task<'_>, r: &[f64]) -> Self {
        let mut u = vec![0.0; r.len()];
        let plain = local_residual(task.local, task.mu, r, &mut u);
        let terms = Terms::new(task.local, task.mu, &u, r);
        Self { u, plain, terms }
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Within => Outcome::Solved,
        Verdict::Beyond => Outcome::NotConverged,
        Verdict::Hidden => Outcome::Undecided,
    }
}

fn is_better(found: &Solution, best: &Solution) -> bool {
    let rank = |outcome: Outcome| match outcome {
        Outcome::Solved => 0,
        Outcome::Undecided => 1,
        Outcome::NotConverged => 2,
    };
    (rank(found.outcome), found.backward_error.single) < (rank(best.outcome), best.backward_error.single)
}

impl Judged {
    /// By how much the point misses what is asked for, more than 1 if it does.
    fn excess(&self, tolerance: f64) -> f64 {
        self.backward.excess.max(self.residual.relative / tolerance)
    }

    fn solution(self, solver: &'static str, iterations: usize) -> Solution {
        let Self { backward, residual, u, v, r, statuses } = self;
        let outcome = outcome(backward.verdict);
        Solution { outcome, solver, iterations, residual, backward_error: backward.error, u, v, r, statuses }
    }
}

/// The point r = 0, with an infinite residual.
fn nothing(problem: &Problem) -> Solution {
    Solution {
        outcome: Outcome::NotConverged,
        solver: "none",
        iterations: 0,
        residual: Residual::INFINITE,
        backward_error: BackwardError::INFINITE,
        u: vec![0.0; problem.rows()],
        v: vec![0.0; problem.dof()],
        r: vec![0.0; problem.rows()],
        statuses: vec![Status::TakeOff; problem.contacts()],
    }
}
