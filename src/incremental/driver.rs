//! From a problem to its best point: what `mechan solve` calls. A sequence of solvers works on the local form; the point is
//! judged by the residual of the problem as given, with stricter tolerances where that asks for them, and returned with it
//! whether or not it solves the problem. Few planar contacts that resist are decided by listing all solutions.

use super::automatic::{automatic, first_attempts};
use super::backward::BackwardError;
use super::enumerate::{Limits, enumerate};
use super::error::ProblemError;
use super::listing::settle_ready;
use super::problem::Problem;
use super::ready::{Method, Ready, Round};
use super::residual::Residual;
use super::scaling::is_lost;
use super::solver::{Options, Solver, Task};
use super::status::Status;
use super::tolerance::SolverTol;

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Backward error to reach, and relative residual on the way.
    pub tolerance: f64,
    /// How much work may be spent, in multiples of the usual limits.
    pub effort: f64,
    /// The other bounds.
    pub tol: SolverTol,
}

impl Default for Request {
    fn default() -> Self {
        Self { tolerance: crate::num::Tol::default().solved, effort: 1.0, tol: SolverTol::default() }
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The backward error is within the tolerance, by terms of which q has its share.
    Solved,
    /// It is not; the best point is returned, and nothing is claimed about existence.
    NotConverged,
    /// Rounding forbids a statement: the forces are so large, or the entries of W so far apart, that the velocities are lost
    /// in the rounding of W r.
    Undecided,
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
    /// Plain residual of the problem as given.
    pub residual: Residual,
    /// Backward errors, without units.
    pub backward_error: BackwardError,
    /// Velocities of the contacts, in the problem's order.
    pub u: Vec<f64>,
    /// Generalized velocities, empty for the local form.
    pub v: Vec<f64>,
    /// Forces (impulses), in the problem's order.
    pub r: Vec<f64>,
    /// Take-off, stick or slip of each contact.
    pub statuses: Vec<Status>,
}

/// Solves `problem` by the automatic sequence.
///
/// # Errors
/// `Indefinite` when M cannot be factored; not reaching the tolerance is an outcome, not an error.
pub fn solve(problem: &Problem, request: &Request) -> Result<Solution, ProblemError> {
    let ready = Ready::new(problem, request)?;
    if problem.dim() == 2 && problem.contacts() <= FEW.contacts {
        let first = ready.run(&Method { sequence: &first_attempts, polished: true, starts: 1 });
        if first.outcome == Outcome::Solved {
            return Ok(first);
        }
        if is_lost(problem, &request.tol) {
            return Ok(Solution { outcome: Outcome::Undecided, ..first });
        }
        if let Ok(mut all) = enumerate(problem, FEW) {
            let complete = all.complete;
            let answer = settle_ready(&ready, first, &mut all);
            if complete || answer.outcome == Outcome::Solved {
                return Ok(answer);
            }
        }
    }
    let last = ready.run(&Method { sequence: &automatic, polished: true, starts: request.tol.starts });
    if last.outcome == Outcome::Solved {
        return Ok(last);
    }
    if is_lost(problem, &request.tol) {
        // a point may solve such a problem, but nothing can be said where none does
        return Ok(Solution { outcome: Outcome::Undecided, ..last });
    }
    match enumerate(problem, Limits::default()) {
        Ok(mut all) => Ok(settle_ready(&ready, last, &mut all)),
        Err(_) => Ok(last),
    }
}

/// Planar problems of which all solutions are listed if the first attempts find none: more attempts find none either if
/// there is none, and take longer to say so.
const FEW: Limits = Limits { contacts: 8, rays: 1000, branches: 500 };

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
    let sequence = |task: &Task<'_>, (tolerance, _): (f64, f64), _: Round, r: &mut [f64]| {
        let used = solver.solve(task, &Options { tolerance, iterations }, r);
        (solver.name(), used)
    };
    Ok(Ready::new(problem, request)?.run(&Method { sequence: &sequence, polished: false, starts: 1 }))
}
