//! From a problem to its best point: what `mechan solve` calls. A sequence of solvers works on the local form; the point is
//! judged by the residual of the problem as given, with stricter tolerances where that asks for them, and returned with it
//! whether or not it solves the problem. Few planar contacts that resist are decided by listing all solutions.

use super::automatic::{automatic, first_attempts};
use super::condense::Condensed;
use super::enumerate::{Limits, enumerate};
use super::error::ProblemError;
use super::listing::settle;
use super::problem::{Form, Global, Local, Problem};
use super::residual::{Residual, coulomb_defect, local_residual, norm, residual};
use super::solver::{Options, Solver, Task};
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
    /// The residual is below the tolerance, and the defect is small beside the velocities too.
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
    /// Take-off, stick or slip of each contact.
    pub statuses: Vec<Status>,
}

/// Solves `problem` by the automatic sequence.
///
/// # Errors
/// `Indefinite` when M cannot be factored; not reaching the tolerance is an outcome, not an error.
pub fn solve(problem: &Problem, request: &Request) -> Result<Solution, ProblemError> {
    if problem.dim() == 2 && problem.contacts() <= FEW.contacts {
        let first = run(problem, request, &first_attempts)?;
        if first.outcome == Outcome::Solved {
            return Ok(first);
        }
        if let Ok(mut all) = enumerate(problem, FEW) {
            let complete = all.complete;
            let answer = settle(problem, request, first, &mut all)?;
            if complete || answer.outcome == Outcome::Solved {
                return Ok(answer);
            }
        }
    }
    let last = run(problem, request, &automatic)?;
    match last.outcome {
        Outcome::Solved => Ok(last),
        Outcome::NotConverged => match enumerate(problem, Limits::default()) {
            Ok(mut all) => settle(problem, request, last, &mut all),
            Err(_) => Ok(last),
        },
    }
}

/// Planar problems of which all solutions are listed if the first attempts find none: more attempts find none either if
/// there is none, and take longer to say so.
const FEW: Limits = Limits { contacts: 8, rays: 1000, branches: 500 };

/// The point with the forces r, judged like those of the solvers.
///
/// # Errors
/// As [`solve`].
pub(super) fn given(
    problem: &Problem,
    request: &Request,
    r: &[f64],
    branches: usize,
) -> Result<Solution, ProblemError> {
    run(problem, request, &|_: &Task<'_>, _: f64, _: f64, out: &mut [f64]| {
        out.copy_from_slice(r);
        ("enumeration", branches)
    })
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

/// The residual of the global form has other scales than that of its local form, and a force that grows without
/// bound makes any relative residual small: where the first point is not good enough, the tolerance of the solvers
/// is made stricter.
const TIGHTENINGS: usize = 3;

/// A defect that is this share of the velocities is no solution, however large the force; the share is smaller where
/// the velocities are small differences of large terms W r, since a force that grows without bound looks like that.
const VELOCITY_SHARE: f64 = 1e-2;

/// Whether a defect of velocities is small enough: [`VELOCITY_SHARE`] of `scale`, less by the factor in which the terms
/// of W r exceed it, and counting the rounding of those terms.
fn is_small(defect: f64, terms: f64, scale: f64) -> bool {
    defect + f64::EPSILON * terms <= VELOCITY_SHARE * scale * (scale / terms).min(1.0)
}

fn run_local(problem: &Problem, local: &Local, request: &Request, sequence: &Sequence<'_>) -> Solution {
    tighten(problem, local, request, sequence, &|r| {
        let mut u = vec![0.0; r.len()];
        let residual = local_residual(local, problem.mu(), r, &mut u);
        (residual, u, Vec::new())
    })
}

fn run_global(
    problem: &Problem,
    global: &Global,
    request: &Request,
    sequence: &Sequence<'_>,
) -> Result<Solution, ProblemError> {
    let condensed = Condensed::new(problem.dim(), global)?;
    Ok(tighten(problem, &condensed.local, request, sequence, &|r| {
        let v = condensed.velocity(global, r);
        let (residual, u) = residual(problem, &v, r);
        (residual, u, v)
    }))
}

/// Residual, u and v of a force.
type Judge<'a> = dyn Fn(&[f64]) -> (Residual, Vec<f64>, Vec<f64>) + 'a;

fn tighten(
    problem: &Problem,
    local: &Local,
    request: &Request,
    sequence: &Sequence<'_>,
    judge: &Judge<'_>,
) -> Solution {
    let task = Task { local, mu: problem.mu() };
    let mut r = vec![0.0; problem.rows()];
    let (mut tolerance, mut total) = (request.tolerance, 0);
    let mut best = None::<Solution>;
    for _ in 0..TIGHTENINGS {
        let (solver, iterations) = sequence(&task, tolerance, request.effort, &mut r);
        total += iterations;
        let (residual, u, v) = judge(&r);
        let scale = norm(&local.q).max(norm(&u));
        let terms = local.W.magnitude(&r);
        let bounded = is_small(velocity_defect(problem, &u, &r, scale), terms, scale);
        let relative = residual.relative;
        let outcome =
            if relative <= request.tolerance && bounded { Outcome::Solved } else { Outcome::NotConverged };
        if best.as_ref().is_none_or(|b| outcome == Outcome::Solved || relative < b.residual.relative) {
            let statuses = statuses(local, &u, &r);
            best =
                Some(Solution { outcome, solver, iterations: total, residual, u, v, r: r.clone(), statuses });
        }
        if outcome == Outcome::Solved {
            break;
        }
        let reached = local_residual(local, problem.mu(), &r, &mut vec![0.0; r.len()]).relative;
        if reached > tolerance {
            break;
        }
        tolerance = TIGHTER
            * if bounded {
                reached.min(tolerance) * (request.tolerance / relative).min(1.0)
            } else {
                reached.min(VELOCITY_SHARE * scale / norm(&r))
            };
    }
    best.unwrap_or_else(|| nothing(problem))
}

/// The Coulomb part of the residual, the larger of that with r as it is and with r no larger than the velocities: the law
/// is one of cones, so that r may be scaled, and a force of 1e300 would hide every velocity in its rounding.
fn velocity_defect(problem: &Problem, u: &[f64], r: &[f64], scale: f64) -> f64 {
    let defect = |r: &[f64]| coulomb_defect(problem.dim(), problem.mu(), u, r);
    let force = norm(r);
    if force <= scale {
        return defect(r);
    }
    let scaled: Vec<f64> = r.iter().map(|x| x * (scale / force)).collect();
    defect(r).max(defect(&scaled))
}

/// The stricter tolerance, relative to the one that should just do.
const TIGHTER: f64 = 0.1;

/// The point r = 0, with an infinite residual.
fn nothing(problem: &Problem) -> Solution {
    Solution {
        outcome: Outcome::NotConverged,
        solver: "none",
        iterations: 0,
        residual: Residual::INFINITE,
        u: vec![0.0; problem.rows()],
        v: vec![0.0; problem.dof()],
        r: vec![0.0; problem.rows()],
        statuses: vec![Status::TakeOff; problem.contacts()],
    }
}
