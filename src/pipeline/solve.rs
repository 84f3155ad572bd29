//! `solve`: an incremental problem given as numbers, from file to solution.

use super::Failure;
use crate::incremental::enumerate::{Enumeration, Limits, enumerate};
use crate::incremental::solver::by_name;
use crate::incremental::{Problem, ProblemError, Request, Step, Study, read_file, solve, solve_with};
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
    /// The best point and what is proven.
    pub study: Study,
    /// Time of the solver alone.
    pub time: Duration,
    /// All solutions, if they were asked for.
    pub enumeration: Option<Enumeration>,
    /// The mechanism's step behind the problem; v is then that of the mechanism.
    pub step: Option<Step>,
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
    let start = Instant::now();
    let solution = match &options.solver {
        None => solve(&problem, &request),
        Some(name) => {
            let solver =
                by_name(name).ok_or_else(|| Failure::Usage(format!("there is no solver `{name}`")))?;
            solve_with(&problem, &request, solver.as_ref(), options.iterations.unwrap_or(ITERATIONS))
        }
    };
    let time = start.elapsed();
    let solution = solution.map_err(|e| problem_failure(problem.name(), &e))?;
    let study = Study::of(&problem, solution);
    let enumeration = match options.extent {
        Extent::One => None,
        Extent::All => Some(all_solutions(&problem)?),
    };
    Ok(Solved { problem, study, time, enumeration, step: None })
}

fn all_solutions(problem: &Problem) -> Result<Enumeration, Failure> {
    enumerate(problem, Limits::default())
        .map_err(|e| Failure::Usage(format!("--all cannot list the solutions of {}: {e}", problem.name())))
}

fn problem_failure(name: &str, error: &ProblemError) -> Failure {
    Failure::File { name: name.to_string(), message: error.to_string() }
}
