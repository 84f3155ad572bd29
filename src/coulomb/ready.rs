//! A problem made ready for the solvers, which work on the local form in balanced units, and the judgement of their
//! points by the problem as given.

use super::attempt::{Goal, Run};
use super::backward::{Backward, BackwardError, Terms, Verdict};
use super::condense::Condensed;
use super::driver::{Outcome, Request, Solution};
use super::error::ProblemError;
use super::problem::{Form, Global, Local, Problem};
use super::pyramid::Cones;
use super::residual::{Residual, residual, residual_at};
use super::rows::{Point, row_errors};
use super::scaling::Scaling;
use super::solver::Task;
use super::solver::polish::polish;
use super::status::Status;

/// A sequence of solvers, from a start to a better force; the name of the solver that found it.
type Sequence<'a> = dyn Fn(&Task<'_>, &Goal, Round, &mut Run, &mut [f64]) -> &'static str + 'a;

/// What a sequence begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// No force.
    First,
    /// A point that reached the tolerance of the round before.
    Continued,
    /// Such a point that could not be improved: from the beginning, but otherwise.
    Again,
}

/// How a force is looked for.
pub(crate) struct Method<'a> {
    /// The solvers.
    pub(crate) sequence: &'a Sequence<'a>,
    /// Whether a few Newton steps may follow them.
    pub(crate) polished: bool,
    /// How often they begin again.
    pub(crate) starts: usize,
}

/// Where the local form comes from.
enum Origin<'a> {
    /// It is the problem's own.
    Local(&'a Local),
    /// The global form was condensed.
    Global(&'a Global, Box<Condensed>),
}

/// A problem with its local form, in the units that the solvers see.
pub(crate) struct Ready<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) request: &'a Request,
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
    /// The force in the problem's own units, if they are not the solvers'.
    own: Option<Vec<f64>>,
    statuses: Vec<Status>,
}

impl<'a> Ready<'a> {
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub(crate) fn new(problem: &'a Problem, request: &'a Request) -> Result<Self, ProblemError> {
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
    pub(crate) fn own(&self) -> &Local {
        match &self.origin {
            Origin::Local(local) => local,
            Origin::Global(_, condensed) => &condensed.local,
        }
    }

    /// The local form in the units of the solvers.
    fn local(&self) -> &Local {
        self.balanced.as_ref().map_or_else(|| self.own(), |(_, local)| local)
    }

    /// The best point that a method finds.
    pub(crate) fn run(&self, method: &Method<'_>) -> Solution {
        let task = Task { local: self.local(), mu: self.problem.mu() };
        let (tol, mut best) = (&self.request.tol, None::<Solution>);
        let mut r = vec![0.0; self.problem.rows()];
        let (mut tolerance, mut polished, mut run) = (self.request.tolerance, 0, Run::default());
        for count in 0..tol.rounds * method.starts {
            let round = match (count, count % tol.rounds) {
                (0, _) => Round::First,
                (_, 0) => Round::Again,
                _ => Round::Continued,
            };
            if round == Round::Again {
                tolerance = self.request.tolerance;
            }
            let goal =
                Goal { tolerance, effort: self.request.effort, iterations: usize::MAX, deadline: None };
            let solver = (method.sequence)(&task, &goal, round, &mut run, &mut r);
            let mut look = Look::new(&task, &r);
            let (mut found, mut reached) = (self.judge(&mut look, &r), 0.0);
            if !found.is_good(self.request.tolerance) {
                reached = self.reached(&look, &found, &r);
                if method.polished && reached <= tolerance && found.backward.verdict == Verdict::Beyond {
                    let memory = (&mut look.terms, &mut run.workspace);
                    polished += polish(&task, (tolerance, tol), memory, &mut r);
                    look.turn(&task, &r);
                    found = self.judge(&mut look, &r);
                }
            }
            let (good, excess) =
                (found.is_good(self.request.tolerance), found.excess(self.request.tolerance));
            let force = if good { std::mem::take(&mut r) } else { r.clone() };
            let found = found.solution(force, solver, run.iterations() + polished);
            if best.as_ref().is_none_or(|best| is_better(&found, best)) {
                best = Some(found);
            }
            // what a first round does not reach, later ones will not
            if good || reached > tolerance && round != Round::Continued {
                break;
            }
            tolerance = tol.tighter * reached.min(tolerance) * excess.recip().min(1.0);
        }
        best.unwrap_or_else(|| nothing(self.problem))
    }

    /// A force in the problem's own units as a solution, with the name and the steps of what found it.
    pub(crate) fn point(&self, r: &[f64], (solver, iterations): (&'static str, usize)) -> Solution {
        let r = match &self.balanced {
            None => r.to_vec(),
            Some((scaling, _)) => scaling.balanced_force(r),
        };
        let mut look = Look::new(&Task { local: self.local(), mu: self.problem.mu() }, &r);
        self.judge(&mut look, &r).solution(r, solver, iterations)
    }

    /// Whether the solvers see the problem as it is given.
    fn is_as_given(&self) -> bool {
        self.balanced.is_none() && matches!(self.origin, Origin::Local(_))
    }

    /// The plain residual that the solvers see at a force that was judged.
    fn reached(&self, look: &Look, found: &Judged, r: &[f64]) -> f64 {
        if self.is_as_given() { found.residual.relative } else { look.plain(self, r).relative }
    }

    /// A force, judged; the velocities of `look` are taken where they are those of the problem as given.
    fn judge(&self, look: &mut Look, r: &[f64]) -> Judged {
        let (tolerance, tol) = (self.request.tolerance, &self.request.tol);
        let mut backward = look.terms.judge(self.local(), tolerance, tol);
        let statuses = look.terms.statuses(self.local(), tolerance, tol);
        if self.is_as_given() {
            let (residual, u) = (look.plain(self, r), std::mem::take(&mut look.u));
            return Judged { backward, residual, u, v: Vec::new(), own: None, statuses };
        }
        let own = self.balanced.as_ref().map(|(scaling, _)| scaling.force(r));
        let r = own.as_deref().unwrap_or(r);
        let v = match &self.origin {
            Origin::Local(_) => Vec::new(),
            Origin::Global(global, condensed) => condensed.velocity(global, r),
        };
        let (residual, u) = residual(self.problem, &v, r);
        if let Origin::Global(global, condensed) = &self.origin {
            let errors = row_errors(global, &condensed.local, self.problem.mu(), Point { v: &v, u: &u, r });
            backward = backward.and_rows(errors, tolerance, tol);
        }
        if !u.iter().chain(r).all(|x| x.is_finite()) {
            // a number of balanced units that is none in the problem's own
            backward.verdict = Verdict::Hidden;
        }
        Judged { backward, residual, u, v, own, statuses }
    }
}

/// A force as the solvers see it: its velocities and its terms.
struct Look {
    u: Vec<f64>,
    terms: Terms,
}

impl Look {
    fn new(task: &Task<'_>, r: &[f64]) -> Self {
        let mut out = Self { u: Vec::new(), terms: Terms::default() };
        out.turn(task, r);
        out.terms = Terms::new(task.local, task.mu, &out.u, r);
        out
    }

    /// The velocities of another force, of which the terms are known.
    fn turn(&mut self, task: &Task<'_>, r: &[f64]) {
        self.u.resize(r.len(), 0.0);
        task.local.W.apply(r, &task.local.q, &mut self.u);
    }

    fn plain(&self, ready: &Ready<'_>, r: &[f64]) -> Residual {
        residual_at(Cones::SecondOrder, ready.local(), ready.problem.mu(), r, &self.u)
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

    /// Whether nothing is left to improve.
    fn is_good(&self, tolerance: f64) -> bool {
        match self.backward.verdict {
            Verdict::Within => self.excess(tolerance) <= 1.0,
            Verdict::Beyond => false,
            Verdict::Hidden => true,
        }
    }

    /// With the force that was judged.
    fn solution(self, force: Vec<f64>, solver: &'static str, iterations: usize) -> Solution {
        let Self { backward, residual, u, v, own, statuses } = self;
        let (outcome, r) = (outcome(backward.verdict), own.unwrap_or(force));
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
