//! `solve`: an incremental problem given as numbers, from file to solution.

use super::{Failure, Positive, Usage};
use crate::answer::{Answer, Study, settle, solve};
use crate::coulomb::solver::{Solver, SolverName};
use crate::coulomb::{Budget, Faceted, Problem, Request, read_file, solve_with};
use crate::enumerate::{Enumeration, Limits, enumerate};
use crate::num::halt::Limit;
use crate::report::{SolutionOutcome, SolvedView};
use crate::stepping::Step;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is asked about a problem.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Relative residual to reach; the usual one if absent.
    pub tolerance: Option<f64>,
    /// The solver; automatic if absent.
    pub solver: Option<SolverName>,
    /// Iterations of a chosen solver.
    pub iterations: Option<usize>,
    /// After what the search ends, found or not. Its time is that of everything that is asked here; its iterations are those of
    /// the solvers, and as many steps of the proofs.
    pub budget: Budget,
    /// Whether a solution must exist.
    pub proofs: Proofs,
    /// Which solutions are wanted.
    pub extent: Extent,
    /// Branches after which the search for all solutions stops; the usual number if absent.
    pub branches: Option<usize>,
    /// How the time is measured.
    pub timing: Timing,
    /// Threads for problems that are large enough; one if absent. Nothing in the answer depends on it.
    pub threads: Option<NonZeroUsize>,
}

/// How the time of a solve is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// That of the one solve.
    #[default]
    Once,
    /// A short solve is repeated, and the median taken.
    Median,
}

/// Whether it is asked that a solution must exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proofs {
    /// It is.
    #[default]
    Sought,
    /// It is not.
    None,
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
    /// Time of the solver alone; none on a machine without a clock.
    pub time: Option<Duration>,
    /// All solutions, if they were asked for.
    pub enumeration: Option<Enumeration>,
    /// The mechanism's step behind the problem; v is then that of the mechanism.
    pub step: Option<Step>,
}

impl Solved {
    /// What was found, as a report sees it.
    pub fn view(&self) -> SolvedView<'_> {
        SolvedView {
            problem: &self.problem,
            status: self.study.answer(),
            solution: &self.study.solution,
            faceted: self.faceted,
            seconds: self.time.map(|time| time.as_secs_f64()),
            existence: &self.study.existence,
            refutation: self.study.refutation.as_ref(),
            enumeration: self.enumeration.as_ref(),
            step: self.step.as_ref(),
        }
    }

    /// What was found, as data that can be stored and read back.
    pub fn outcome(&self) -> SolutionOutcome {
        SolutionOutcome::of(&self.view())
    }

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
    read_file(path).map_err(|e| Failure::file(path.display().to_string(), e))
}

/// Solves a problem.
///
/// # Errors
/// [`Failure`] if M is not positive definite or the options name no solver.
pub fn solve_problem(problem: Problem, options: &SolveOptions) -> Result<Solved, Failure> {
    let limit = Limit { deadline: options.budget.deadline(), steps: None };
    limit.holds(|| solved(problem, options)).0
}

fn solved(problem: Problem, options: &SolveOptions) -> Result<Solved, Failure> {
    let threads = options.threads.map_or(1, NonZeroUsize::get);
    let mut request = Request { budget: options.budget, threads, ..Request::default() };
    if let Some(tolerance) = options.tolerance {
        request.tolerance = Positive::Tolerance.checked(tolerance)?;
    }
    let solver = options.solver.map(|name| chosen(name, &problem)).transpose()?;
    let (solution, time) = options.timing.of(|| match &solver {
        None => solve(&problem, &request),
        Some(solver) => {
            solve_with(&problem, &request, solver.as_ref(), options.iterations.unwrap_or(ITERATIONS))
        }
    });
    let mut solution = solution.map_err(|e| Failure::file(problem.name(), e))?;
    let faceted = solver.and_then(|s| Faceted::of(&problem, s.cones(), &solution, request.tolerance));
    let mut enumeration = match options.extent {
        Extent::One => None,
        Extent::All => Some(all_solutions(&problem, options.branches)?),
    };
    if let Some(all) = &mut enumeration {
        solution = settle(&problem, &request, solution, all).map_err(|e| Failure::file(problem.name(), e))?;
    }
    let study = match options.proofs {
        Proofs::Sought => {
            let limit = Limit { deadline: None, steps: options.budget.iterations };
            limit.holds(|| Study::of(&problem, solution, enumeration.as_ref())).0
        }
        Proofs::None => Study::unproven(solution, enumeration.as_ref()),
    };
    Ok(Solved { problem, study, faceted, time, enumeration, step: None })
}

/// The solver, if it can work on the problem.
fn chosen(name: SolverName, problem: &Problem) -> Result<Box<dyn Solver>, Failure> {
    let solver = name.solver();
    match solver.refusal(problem.dim(), problem.contacts()) {
        None => Ok(solver),
        Some(reason) => {
            Err(Usage::Refuses { solver: name, problem: problem.name().to_string(), reason }.into())
        }
    }
}

/// A solve shorter than this is repeated, [`REPETITIONS`] times in all: the first one mostly waits for memory.
const SHORT: Duration = Duration::from_millis(1);
const REPETITIONS: usize = 11;

impl Timing {
    /// What a function returns, and the time it takes.
    fn of<T>(self, run: impl Fn() -> T) -> (T, Option<Duration>) {
        let once = || {
            let start = now();
            let value = run();
            (value, start.map(|start| start.elapsed()))
        };
        let (value, first) = once();
        let repeated = self == Timing::Median && first.is_some_and(|time| time < SHORT);
        if !repeated {
            return (value, first);
        }
        let again = (1..REPETITIONS).map(|_| once().1);
        let mut times: Vec<Option<Duration>> = std::iter::once(first).chain(again).collect();
        times.sort_unstable();
        (value, times[REPETITIONS / 2])
    }
}

/// The time, where there is a clock.
fn now() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

fn all_solutions(problem: &Problem, branches: Option<usize>) -> Result<Enumeration, Failure> {
    let usual = Limits::default();
    let limits = Limits { branches: branches.unwrap_or(usual.branches), ..usual };
    enumerate(problem, limits)
        .map_err(|error| Usage::AllSolutions { problem: problem.name().to_string(), error }.into())
}
