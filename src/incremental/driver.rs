//! The automatic choice of solvers: what `mechan solve` calls.
//!
//! One contact is solved exactly. Otherwise a few Gauss-Seidel sweeps and the proximal Newton method; if that does
//! not reach the tolerance, the same from other starts and with other parameters, then the slow and sure methods.
//! The best point of all attempts is returned with its own residual, whether or not it solves the problem.

use super::condense::Condensed;
use super::error::ProblemError;
use super::problem::{Form, Global, Local, Problem};
use super::residual::{Residual, local_residual, residual};
use super::solver::{AlartCurnier, GaussSeidel, Options, ProximalPoint, Solver, Task};
use super::status::{Status, statuses};

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Relative residual to reach.
    pub tolerance: f64,
    /// How much work may be spent, in multiples of the usual limits.
    pub effort: f64,
}

impl Default for Request {
    fn default() -> Self {
        Self { tolerance: crate::num::Tol::default().solved, effort: 1.0 }
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The residual is below the tolerance.
    Solved,
    /// It is not; the best point is returned, and nothing is claimed about existence.
    NotConverged,
}

/// The best point found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// How it ended.
    pub outcome: Outcome,
    /// The solver that found this point.
    pub solver: &'static str,
    /// Iterations of all solvers tried.
    pub iterations: usize,
    /// Residual of the problem as given.
    pub residual: Residual,
    /// Velocities of the contacts, in the problem's order.
    pub u: Vec<f64>,
    /// Generalized velocities, empty for the local form.
    pub v: Vec<f64>,
    /// Forces (impulses), in the problem's order.
    pub r: Vec<f64>,
}

impl Solution {
    /// Take-off, stick or slip of each contact.
    pub fn statuses(&self, problem: &Problem) -> Vec<Status> {
        statuses(problem.dim(), &self.u, &self.r)
    }
}

/// Solves `problem` by the automatic sequence.
///
/// # Errors
/// `Indefinite` when M cannot be factored; not reaching the tolerance is an outcome, not an error.
pub fn solve(problem: &Problem, request: &Request) -> Result<Solution, ProblemError> {
    run(problem, request, &automatic)
}

/// Solves `problem` with one solver.
///
/// # Errors
/// As [`solve`].
pub fn solve_with(
    problem: &Problem,
    request: &Request,
    solver: &dyn Solver,
    iterations: usize,
) -> Result<Solution, ProblemError> {
    run(problem, request, &|task, tolerance, _, r| {
        let used = solver.solve(task, &Options { tolerance, iterations }, r);
        (solver.name(), used)
    })
}

/// A sequence of solvers: task, tolerance, effort and start to the last solver's name and the iterations used.
type Sequence<'a> = dyn Fn(&Task<'_>, f64, f64, &mut [f64]) -> (&'static str, usize) + 'a;

fn run(problem: &Problem, request: &Request, sequence: &Sequence<'_>) -> Result<Solution, ProblemError> {
    match problem.form() {
        Form::Local(local) => Ok(run_local(problem, local, request, sequence)),
        Form::Global(global) => run_global(problem, global, request, sequence),
    }
}

fn run_local(problem: &Problem, local: &Local, request: &Request, sequence: &Sequence<'_>) -> Solution {
    let task = Task { local, mu: problem.mu() };
    let mut r = vec![0.0; problem.rows()];
    let (solver, iterations) = sequence(&task, request.tolerance, request.effort, &mut r);
    let mut u = vec![0.0; r.len()];
    let residual = local_residual(local, problem.mu(), &r, &mut u);
    let outcome = outcome(&residual, request);
    Solution { outcome, solver, iterations, residual, u, v: Vec::new(), r }
}

/// The residual of the global form has other scales than that of its local form: where the first solution is not
/// good enough for it, the local tolerance is made stricter.
fn run_global(
    problem: &Problem,
    global: &Global,
    request: &Request,
    sequence: &Sequence<'_>,
) -> Result<Solution, ProblemError> {
    const TIGHTENINGS: usize = 3;
    let condensed = Condensed::new(problem.dim(), global)?;
    let task = Task { local: &condensed.local, mu: problem.mu() };
    let mut r = vec![0.0; problem.rows()];
    let (mut tolerance, mut total) = (request.tolerance, 0);
    let mut best: Option<Solution> = None;
    for _ in 0..TIGHTENINGS {
        let (solver, iterations) = sequence(&task, tolerance, request.effort, &mut r);
        total += iterations;
        let v = condensed.velocity(global, &r);
        let (residual, u) = residual(problem, &v, &r);
        let outcome = outcome(&residual, request);
        if best.as_ref().is_none_or(|b| residual.relative < b.residual.relative) {
            best = Some(Solution { outcome, solver, iterations: total, residual, u, v, r: r.clone() });
        }
        if outcome == Outcome::Solved {
            break;
        }
        tolerance *= 0.1 * (request.tolerance / residual.relative).min(1.0);
    }
    best.ok_or(ProblemError::Missing { key: "solution" })
}

fn outcome(residual: &Residual, request: &Request) -> Outcome {
    if residual.relative <= request.tolerance { Outcome::Solved } else { Outcome::NotConverged }
}

/// The attempts in order, each from the best point so far.
fn automatic(task: &Task<'_>, tolerance: f64, effort: f64, r: &mut [f64]) -> (&'static str, usize) {
    let steps = |n: usize| (n as f64 * effort) as usize;
    let first = Options { tolerance, iterations: FIRST_SWEEPS };
    let mut total = GaussSeidel.solve(task, &first, r);
    let mut u = vec![0.0; r.len()];
    let mut best = local_residual(task.local, task.mu, r, &mut u).relative;
    let mut name = GaussSeidel.name();
    if best <= tolerance {
        return (name, total);
    }
    let attempts: [(&dyn Solver, usize); 7] = [
        (&AlartCurnier, if task.mu.len() <= SMALL { SMALL_STEPS } else { 0 }),
        (&ProximalPoint { start: 1e-2, factor: 10.0 }, 300),
        (&ProximalPoint { start: 1e-4, factor: 4.0 }, 300),
        (&GaussSeidel, 1000),
        (&ProximalPoint { start: 1e-3, factor: 3.0 }, 500),
        (&AlartCurnier, 200),
        (&GaussSeidel, 20000),
    ];
    for (solver, iterations) in attempts.into_iter().filter(|a| a.1 > 0) {
        total += solver.solve(task, &Options { tolerance, iterations: steps(iterations) }, r);
        let residual = local_residual(task.local, task.mu, r, &mut u).relative;
        if residual < best {
            best = residual;
            name = solver.name();
        }
        if best <= tolerance {
            break;
        }
    }
    (name, total)
}

/// Gauss-Seidel sweeps before anything else: they solve loosely coupled problems and find most contacts that take
/// off in the others.
const FIRST_SWEEPS: usize = 3;

/// Up to this many contacts plain Newton steps come first: they mostly suffice, and cost less than the proximal
/// sequence.
const SMALL: usize = 100;
/// As many as most small problems need.
const SMALL_STEPS: usize = 15;
