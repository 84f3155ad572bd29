//! A session solves one problem after the other, and keeps what can be used again: the factor of M, W, the scaling, the solvers'
//! memory with their symbolic analyses, the last forces.
//!
//! ```
//! use mechan_contact::coulomb::{Outcome, Problem, Request, Session, Start};
//! use mechan_contact::linear::Sparse;
//!
//! // a contact that is pressed together at 1 m/s while it slides at `slip`
//! let contact = |slip: f64| {
//!     let W = Sparse::from_dense("W", &[vec![2.0, 0.0], vec![0.0, 3.0]], 2)?;
//!     Problem::local(2, vec![0.3], &W, vec![-1.0, slip])
//! };
//! let mut session = Session::new(contact(1.0)?, Request::default())?;
//! assert_eq!(session.solve(Start::Cold).outcome, Outcome::Solved);
//! session.update(&contact(1.01)?)?;
//! let solution = session.solve(Start::Warm);
//! assert!((solution.r[0] - 0.5).abs() < 1e-8 && (solution.r[1] + 0.15).abs() < 1e-8);
//! assert_eq!(session.attempts().len(), 1);
//! # Ok::<(), mechan_contact::coulomb::ProblemError>(())
//! ```

mod direct;
mod draft;
mod forms;
mod identity;
mod judge;
mod rounds;
mod spare;
mod usual;

pub use direct::solve_directly;
pub use draft::Draft;
pub use rounds::{Method, Tightening};
pub use spare::SolveMemory;

use super::attempt::{Attempt, Goal, Round, Run};
use super::error::ProblemError;
use super::plan::{HeapSearch, Plan};
use super::problem::{Local, Problem, check_global, check_size};
use super::request::Request;
use super::residual::local_residual;
use super::solution::Solution;
use super::solver::{Solver, Task};
use forms::Forms;
use identity::Identities;
use judge::Case;
use rounds::Search;
use std::borrow::Borrow;

/// Where a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At no force: the same problem has the same answer, to the last bit, whatever the session solved before.
    #[default]
    Cold,
    /// At the forces of the last solution, contact by contact, 0 for new ones; from there to no force, if that leads nowhere. The
    /// answer is judged like any other; where forces are not unique it may be another one.
    Warm,
}

/// A force that a method of its own found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The force.
    pub r: Vec<f64>,
    /// Name of the method.
    pub solver: &'static str,
    /// What it counts.
    pub iterations: usize,
}

/// A problem, what its solvers need, and its solution. A session that owns its problem can be given others, of a similar kind or
/// not, one after the other; one on a borrowed problem solves just that.
#[derive(Clone, Debug)]
pub struct Session<P = Problem> {
    problem: P,
    request: Request,
    forms: Forms,
    search: Box<Search>,
    identities: Option<Box<Identities>>,
    draft: Option<Box<Draft>>,
}

impl<P: Borrow<Problem>> Session<P> {
    /// A session on a problem; its contacts are known by their places.
    ///
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub fn new(problem: P, request: Request) -> Result<Self, ProblemError> {
        Self::with(problem, request, Default::default())
    }

    /// One solve and no more, in the memory of one before.
    ///
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub(crate) fn once(
        problem: P,
        request: Request,
        spare: &mut SolveMemory,
        solve: impl FnOnce(&mut Self),
    ) -> Result<Solution, ProblemError> {
        let mut session = Self::with(problem, request, spare.take())?;
        solve(&mut session);
        let Self { problem, forms, mut search, .. } = session;
        let solution = std::mem::take(&mut search.best);
        spare.put(forms, search, problem.borrow());
        Ok(solution)
    }

    fn with(
        problem: P,
        request: Request,
        (mut forms, search): (Forms, Box<Search>),
    ) -> Result<Self, ProblemError> {
        forms.factor(problem.borrow().form())?;
        forms.prepare(problem.borrow(), &request.tol);
        Ok(Self { problem, request, forms, search, identities: None, draft: None })
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        self.problem.borrow()
    }

    /// What is asked of a solution.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Solves the problem by the caller's plan.
    pub fn solve_by(&mut self, plan: &Plan, start: Start) -> &Solution {
        let starts = self.request.tol.starts;
        self.search(
            &Method { sequence: &plan.sequence(), polished: true, starts, pace: Tightening::Leap },
            start,
        )
    }

    /// Solves the problem of a heap, mostly one like the last: sweeps with momentum, Newton steps where these do not get on. What it may cost
    /// is bounded, in sweeps.
    pub fn solve_heap(&mut self, start: Start) -> &Solution {
        self.search_heap(&HeapSearch::default(), start)
    }

    fn search_heap(&mut self, heap: &HeapSearch, start: Start) -> &Solution {
        let sequence = |task: &Task<'_>, goal: &Goal, round: Round, run: &mut Run, r: &mut [f64]| {
            heap.search(task, goal, round, run, r)
        };
        self.search(
            &Method { sequence: &sequence, polished: false, starts: 1, pace: Tightening::Steps },
            start,
        )
    }

    /// Solves the problem with one solver.
    pub fn solve_with(&mut self, solver: &dyn Solver, iterations: usize, start: Start) -> &Solution {
        let sequence = |task: &Task<'_>, goal: &Goal, _: Round, run: &mut Run, r: &mut [f64]| {
            let used = solver.solve(task, &run.options(goal, iterations), &mut run.workspace, r);
            run.velocity.resize(r.len(), 0.0);
            let residual = local_residual(task.local, task.mu, r, &mut run.velocity).relative;
            run.attempts.push(Attempt {
                row: 0,
                solver: solver.name(),
                iterations: used,
                before: f64::INFINITY,
                residual,
            });
            solver.name()
        };
        self.search(
            &Method { sequence: &sequence, polished: false, starts: 1, pace: Tightening::Leap },
            start,
        )
    }

    /// Solves a small problem from no force without a search; whether that sufficed.
    pub fn solve_directly(&mut self) -> bool {
        let Self { problem, request, search, identities, .. } = self;
        let Some(solution) = direct::solve_in((*problem).borrow(), request, &mut search.judge.terms) else {
            return false;
        };
        let Solution { solver, iterations, residual, .. } = solution;
        let (before, residual) = (f64::INFINITY, residual.relative);
        search.run.attempts.clear();
        search.run.attempts.push(Attempt { row: 0, solver, iterations, before, residual });
        search.best = solution;
        if let Some(identities) = identities {
            identities.solved();
        }
        true
    }

    /// Looks for a force by a method.
    pub(crate) fn search(&mut self, method: &Method<'_>, start: Start) -> &Solution {
        let Self { problem, request, forms, search, identities, .. } = self;
        let problem = (*problem).borrow();
        let mut warm = false;
        if start == Start::Warm {
            if let Some(identities) = identities {
                identities.carry(problem.dim(), &mut search.best.r);
            }
            warm = search.best.r.len() == problem.rows();
            forms.solvers_force(&search.best.r, &mut search.force);
        }
        search.search(&Case { problem, forms, request }, method, warm);
        if let Some(identities) = identities {
            identities.solved();
        }
        &search.best
    }

    /// Takes the force that `find` finds for the problem and its local form, in the problem's own units, from the force that `start` says,
    /// and judges it like any other.
    pub fn solve_by_force(
        &mut self,
        start: Start,
        find: &mut dyn FnMut(&Problem, &Local, Vec<f64>) -> Found,
    ) -> &Solution {
        let problem = self.problem.borrow();
        let last = &mut self.search.best.r;
        if let Some(identities) = self.identities.as_mut().filter(|_| start == Start::Warm) {
            identities.carry(problem.dim(), last);
        }
        let known = start == Start::Warm && last.len() == problem.rows();
        let begin = if known { std::mem::take(last) } else { vec![0.0; problem.rows()] };
        let Found { r, solver, iterations } = find(problem, self.forms.own(problem), begin);
        let solution = self.judge(&r, (solver, iterations));
        self.search.best = solution;
        if let Some(identities) = &mut self.identities {
            identities.solved();
        }
        &self.search.best
    }

    /// The last solution; of the problem before, if the session was given another one since, and nothing if there is none.
    pub fn solution(&self) -> &Solution {
        &self.search.best
    }

    /// The same, at the end of the session.
    pub fn into_solution(self) -> Solution {
        self.search.best
    }

    /// What the solvers did for the last solution, one after the other.
    pub fn attempts(&self) -> &[Attempt] {
        &self.search.run.attempts
    }

    /// Takes a solution that something else found for the last one.
    pub(crate) fn adopt(&mut self, solution: Solution) -> &Solution {
        self.search.best = solution;
        &self.search.best
    }

    /// A force that something else found, judged.
    pub(crate) fn judge(&mut self, r: &[f64], (solver, iterations): (&'static str, usize)) -> Solution {
        let case = Case { problem: self.problem.borrow(), forms: &self.forms, request: &self.request };
        Solution { solver, iterations, ..self.search.point(&case, r).clone() }
    }

    /// The local form in the problem's own units.
    pub(crate) fn local(&self) -> &Local {
        self.forms.own(self.problem.borrow())
    }
}

/// Solves `problem` with one solver.
///
/// # Errors
/// As [`Session::new`].
pub fn solve_with(
    problem: &Problem,
    request: &Request,
    solver: &dyn Solver,
    iterations: usize,
) -> Result<Solution, ProblemError> {
    Session::once(problem, *request, &mut SolveMemory::default(), |session| {
        session.solve_with(solver, iterations, Start::Cold);
    })
}

impl Session {
    /// A session on no contact at all, to be given a problem.
    #[must_use]
    pub fn empty(request: Request) -> Self {
        Self {
            problem: Problem::empty(),
            request,
            forms: Forms::default(),
            search: Box::default(),
            identities: None,
            draft: None,
        }
    }

    /// Goes on with the numbers of another problem, whose contacts are the same.
    ///
    /// # Errors
    /// `Size` if they are not as many, or not of the same dimension, `Indefinite`; the session is then as it was before.
    pub fn update(&mut self, problem: &Problem) -> Result<(), ProblemError> {
        check_size("contacts", problem.contacts(), self.problem.contacts())?;
        check_size("rows of the contacts", problem.rows(), self.problem.rows())?;
        self.forms.factor(problem.form())?;
        self.problem.assign(problem);
        self.forms.prepare(&self.problem, &self.request.tol);
        Ok(())
    }

    /// Goes on with another problem, whose contacts have these keys: those that the last solution knows begin at its forces.
    ///
    /// # Errors
    /// `Size` if the keys are not as many as the contacts, `RepeatedKey`, `Indefinite`; the session is then as it was before.
    pub fn update_contacts(&mut self, problem: &Problem, keys: &[u64]) -> Result<(), ProblemError> {
        self.identities.get_or_insert_default().propose(keys, problem.contacts())?;
        self.forms.factor(problem.form())?;
        self.problem.assign(problem);
        self.go_on();
        Ok(())
    }

    /// Goes on with a global problem whose numbers `write` puts into the session's own memory. Without keys its contacts are
    /// known by their places.
    ///
    /// # Errors
    /// As [`Problem::global`] and [`Session::update_contacts`]; the session is then as it was before.
    pub fn write(&mut self, write: impl FnOnce(&mut Draft)) -> Result<(), ProblemError> {
        let mut draft = self.draft.take().unwrap_or_default();
        draft.present(&self.problem, self.identities.get_or_insert_default().keys());
        write(&mut draft);
        let done = self.take(&draft);
        self.draft = Some(draft);
        done
    }

    fn take(&mut self, draft: &Draft) -> Result<(), ProblemError> {
        let Draft { dim, keys, mu, global } = draft;
        check_global(*dim, mu, global)?;
        self.identities.get_or_insert_default().propose(keys, mu.len())?;
        let asymmetry = self.forms.factor_global(global)?;
        self.problem.assign_global((*dim, mu), global, asymmetry);
        self.go_on();
        Ok(())
    }

    /// Remembers forces of contacts with these keys as those of the last solution, to go on where another session ended.
    ///
    /// # Errors
    /// `RepeatedKey`.
    pub fn remember(&mut self, keys: &[u64], forces: &[f64]) -> Result<(), ProblemError> {
        let identities = self.identities.get_or_insert_default();
        identities.propose(keys, keys.len())?;
        identities.accept();
        identities.solved();
        self.search.best = Solution { r: forces.to_vec(), ..Solution::default() };
        Ok(())
    }

    /// With a problem whose M is factored, and whose contacts are those that were proposed.
    fn go_on(&mut self) {
        if let Some(identities) = &mut self.identities {
            identities.accept();
        }
        self.forms.prepare(&self.problem, &self.request.tol);
    }
}
