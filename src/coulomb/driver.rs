//! From a problem to its best point: what `mechan solve` calls. A sequence of solvers works on the local form; the point is
//! judged by the residual of the problem as given, with stricter tolerances where that asks for them, and returned with it
//! whether or not it solves the problem. Few planar contacts that resist are decided by listing all solutions.

use super::attempt::{Attempt, Goal, Run};
use super::backward::BackwardError;
use super::error::ProblemError;
use super::problem::Problem;
use super::ready::{Method, Ready, Round};
use super::residual::Residual;
use super::residual::local_residual;
use super::solver::{Solver, Task};
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
    let sequence = |task: &Task<'_>, goal: &Goal, _: Round, run: &mut Run, r: &mut [f64]| {
        let used = solver.solve(task, &run.options(goal, iterations), &mut run.workspace, r);
        let residual = local_residual(task.local, task.mu, r, &mut vec![0.0; r.len()]).relative;
        run.attempts.push(Attempt { solver: solver.name(), iterations: used, residual });
        solver.name()
    };
    Ok(Ready::new(problem, request)?.run(&Method { sequence: &sequence, polished: false, starts: 1 }))
}
