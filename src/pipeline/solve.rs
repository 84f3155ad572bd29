//! `solve`: an incremental problem given as numbers, from file to solution.

use super::Failure;
use crate::incremental::enumerate::{Enumeration, Limits, enumerate};
use crate::incremental::existence::{Existence, Kinematics, Refutation, assess, refute};
use crate::incremental::solver::by_name;
use crate::incremental::{
    Cones, Outcome, Problem, ProblemError, Request, Residual, Solution, read_file, residual_of, solve,
    solve_with,
};
use std::path::Path;
use std::time::{Duration, Instant};

/// What is asked about a problem.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Relative residual to reach; the usual one if absent.
    pub tolerance: Option<f64>,
    /// The solver, by name; automatic if absent.
    pub solver: Option<String>,
    /// Iterations of a solver chosen by name.
    pub iterations: Option<usize>,
    /// Which solutions are wanted.
    pub extent: Extent,
}

/// One solution or all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// One solution.
    #[default]
    One,
    /// All solutions of a planar problem with few contacts.
    All,
}

/// A problem with what was found about it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The problem.
    pub problem: Problem,
    /// The best point.
    pub solution: Solution,
    /// The other law that the point was asked to solve, if it was.
    pub faceted: Option<Faceted>,
    /// Time of the solver alone.
    pub time: Duration,
    /// What is proven about existence.
    pub existence: Existence,
    /// The proof that there is no solution, if one was looked for and found.
    pub refutation: Option<Refutation>,
    /// All solutions, if they were asked for.
    pub enumeration: Option<Enumeration>,
}

/// A law with a pyramid in place of Coulomb's cone, and how well a point solves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faceted {
    /// Facets of the pyramid.
    pub facets: usize,
    /// Residual of the point by that law.
    pub residual: Residual,
    /// The tolerance that was asked for.
    pub tolerance: f64,
}

impl Faceted {
    /// Whether the point solves that law.
    pub fn is_solved(&self) -> bool {
        self.residual.relative <= self.tolerance
    }
}

/// How a problem ended, as `mechan.solution/1` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A solution was found.
    Solved,
    /// It is proven that there is none.
    NoSolution,
    /// Neither.
    NotConverged,
}

impl Solved {
    /// Whether the question was answered: Coulomb's law, or the faceted one if that was asked for.
    pub fn is_answered(&self) -> bool {
        self.status() != Status::NotConverged || self.faceted.is_some_and(|law| law.is_solved())
    }

    /// How it ended: a point within tolerance counts before a proof about the exact problem.
    pub fn status(&self) -> Status {
        match self.solution.outcome {
            Outcome::Solved => Status::Solved,
            Outcome::NotConverged if self.refutation.is_some() => Status::NoSolution,
            _ => Status::NotConverged,
        }
    }
}

/// Iterations of a solver chosen by name, if nothing else is said.
const ITERATIONS: usize = 10_000;

/// Reads and solves a problem file.
///
/// # Errors
/// [`Failure`] if the file is at fault or the options name no solver.
pub fn solve_file(path: &Path, options: &SolveOptions) -> Result<Solved, Failure> {
    let name = path.display().to_string();
    let problem = read_file(path).map_err(|e| problem_failure(&name, &e))?;
    solve_problem(problem, options)
}

/// Solves a problem.
///
/// # Errors
/// [`Failure`] if M is not positive definite or the options name no solver.
pub fn solve_problem(problem: Problem, options: &SolveOptions) -> Result<Solved, Failure> {
    let mut request = Request::default();
    if let Some(tolerance) = options.tolerance {
        request.tolerance = tolerance;
    }
    let solver = options.solver.as_deref().map(by_name).transpose();
    let solver = solver.map_err(|e| Failure::Usage(e.to_string()))?;
    let start = Instant::now();
    let solution = match &solver {
        None => solve(&problem, &request),
        Some(solver) => {
            solve_with(&problem, &request, solver.as_ref(), options.iterations.unwrap_or(ITERATIONS))
        }
    };
    let time = start.elapsed();
    let solution = solution.map_err(|e| problem_failure(problem.name(), &e))?;
    let faceted = solver.and_then(|s| faceted(&problem, s.cones(), &solution, request.tolerance));
    let existence = assess(&Kinematics::of(&problem));
    let unsolved = solution.outcome != Outcome::Solved;
    let refutation = if unsolved { refute(&problem, &existence, Limits::default()) } else { None };
    let enumeration = match options.extent {
        Extent::One => None,
        Extent::All => Some(all_solutions(&problem)?),
    };
    Ok(Solved { problem, solution, faceted, time, existence, refutation, enumeration })
}

/// The residual by the law of a pyramid; in the plane Coulomb's cone is one already.
fn faceted(problem: &Problem, cones: Cones, solution: &Solution, tolerance: f64) -> Option<Faceted> {
    match cones {
        Cones::Faceted(facets) if problem.dim() == 3 => {
            let (residual, _) = residual_of(cones, problem, &solution.v, &solution.r);
            Some(Faceted { facets, residual, tolerance })
        }
        Cones::Faceted(_) | Cones::SecondOrder => None,
    }
}

fn all_solutions(problem: &Problem) -> Result<Enumeration, Failure> {
    enumerate(problem, Limits::default())
        .map_err(|e| Failure::Usage(format!("--all cannot list the solutions of {}: {e}", problem.name())))
}

fn problem_failure(name: &str, error: &ProblemError) -> Failure {
    Failure::File { name: name.to_string(), message: error.to_string() }
}
