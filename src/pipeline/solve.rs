//! `solve`: an incremental problem given as numbers, from file to solution.

use super::Failure;
use crate::answer::{Answer, Study, settle, solve};
use crate::coulomb::solver::{Solver, by_name};
use crate::coulomb::{Faceted, Problem, ProblemError, Request, read_file, solve_with};
use crate::enumerate::{Enumeration, Limits, enumerate};
use crate::stepping::Step;
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
    /// Branches after which the search for all solutions stops; the usual number if absent.
    pub branches: Option<usize>,
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
    /// The other law that the point was asked to solve, if it was.
    pub faceted: Option<Faceted>,
    /// Time of the solver alone; the median of repetitions if it is short.
    pub time: Duration,
    /// All solutions, if they were asked for.
    pub enumeration: Option<Enumeration>,
    /// The mechanism's step behind the problem; v is then that of the mechanism.
    pub step: Option<Step>,
}

impl Solved {
    /// Whether the question was answered: Coulomb's law, or the faceted one if that was asked for.
    pub fn is_answered(&self) -> bool {
        matches!(self.study.answer(), Answer::Solved | Answer::NoSolution)
            || self.faceted.is_some_and(|law| law.is_solved())
    }
}

/// Iterations of a solver chosen by name, if nothing else is said.
const ITERATIONS: usize = 10_000;

/// Reads a problem file.
///
/// # Errors
/// [`Failure`] that says what is wrong with the file.
pub(super) fn read_problem(path: &Path) -> Result<Problem, Failure> {
    read_file(path).map_err(|e| problem_failure(&path.display().to_string(), &e))
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
    let solver = options.solver.as_deref().map(|name| chosen(name, &problem)).transpose()?;
    let (solution, time) = timed(|| match &solver {
        None => solve(&problem, &request),
        Some(solver) => {
            solve_with(&problem, &request, solver.as_ref(), options.iterations.unwrap_or(ITERATIONS))
        }
    });
    let mut solution = solution.map_err(|e| problem_failure(problem.name(), &e))?;
    let faceted = solver.and_then(|s| Faceted::of(&problem, s.cones(), &solution, request.tolerance));
    let mut enumeration = match options.extent {
        Extent::One => None,
        Extent::All => Some(all_solutions(&problem, options.branches)?),
    };
    if let Some(all) = &mut enumeration {
        solution =
            settle(&problem, &request, solution, all).map_err(|e| problem_failure(problem.name(), &e))?;
    }
    let study = Study::of(&problem, solution, enumeration.as_ref());
    Ok(Solved { problem, study, faceted, time, enumeration, step: None })
}

/// The solver with this name, if it can work on the problem.
fn chosen(name: &str, problem: &Problem) -> Result<Box<dyn Solver>, Failure> {
    let solver = by_name(name).map_err(|e| Failure::Usage(e.to_string()))?;
    match solver.refusal(problem.dim(), problem.contacts()) {
        None => Ok(solver),
        Some(reason) => {
            Err(Failure::Usage(format!("--solver {name} cannot solve {}: {reason}", problem.name())))
        }
    }
}

/// A solve shorter than this is repeated, [`REPETITIONS`] times in all: the first one mostly waits for memory.
const SHORT: Duration = Duration::from_millis(1);
const REPETITIONS: usize = 11;

/// What a function returns, and the time it takes: the median of repetitions if that is short.
fn timed<T>(run: impl Fn() -> T) -> (T, Duration) {
    let once = || {
        let start = Instant::now();
        let value = run();
        (value, start.elapsed())
    };
    let (value, first) = once();
    if first >= SHORT {
        return (value, first);
    }
    let mut times: Vec<Duration> = std::iter::once(first).chain((1..REPETITIONS).map(|_| once().1)).collect();
    times.sort_unstable();
    (value, times[REPETITIONS / 2])
}

fn all_solutions(problem: &Problem, branches: Option<usize>) -> Result<Enumeration, Failure> {
    let usual = Limits::default();
    let limits = Limits { branches: branches.unwrap_or(usual.branches), ..usual };
    enumerate(problem, limits).map_err(|e| {
        let name = problem.name();
        Failure::Usage(format!("--all cannot list the solutions of {name}: {e}; without --all one is found"))
    })
}

fn problem_failure(name: &str, error: &ProblemError) -> Failure {
    Failure::File { name: name.to_string(), message: error.to_string() }
}
