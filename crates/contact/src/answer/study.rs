//! What is said about a problem beside the best point found: whether a solution must exist, and where none was found,
//! whether it is proven that there is none.

use crate::coulomb::{Outcome, Problem, Solution, SolverTol, is_lost};
use crate::enumerate::{Enumeration, Limits};
use crate::existence::{Existence, Kinematics, Refutation, assess, refute, refute_by};
use serde::{Deserialize, Serialize};

/// A point, and what is proven.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The best point.
    pub solution: Solution,
    /// What is proven about existence.
    pub existence: Existence,
    /// The proof that there is no solution, if one was looked for and found.
    pub refutation: Option<Refutation>,
}

/// How a problem ended, in the words of the machine-readable output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A solution was found.
    Solved,
    /// It is proven that there is none.
    NoSolution,
    /// Neither.
    NotConverged,
    /// Neither, and the budget is used up.
    Budget,
    /// Rounding forbids a statement.
    Undecided,
}

impl Answer {
    /// The word of the machine-readable output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::NoSolution => "no_solution",
            Self::NotConverged => "not_converged",
            Self::Budget => "budget",
            Self::Undecided => "undecided",
        }
    }
}

impl Study {
    /// What is proven about a problem whose best point is known, and perhaps all its solutions.
    #[must_use]
    pub fn of(problem: &Problem, solution: Solution, all: Option<&Enumeration>) -> Self {
        let lost = is_lost(problem, &SolverTol::default());
        let existence = if lost { Existence::unassessed() } else { assess(&Kinematics::of(problem)) };
        let refutation = match (solution.outcome, all) {
            (_, None) if lost => None,
            (Outcome::Solved, _) => None,
            (_, None) => refute(problem, &existence, Limits::default()),
            (_, Some(_)) => refute_by(&existence, || all),
        };
        Self { solution, existence, refutation }
    }

    /// What is known without looking for proofs of existence: perhaps all solutions.
    #[must_use]
    pub fn unproven(solution: Solution, all: Option<&Enumeration>) -> Self {
        let existence = Existence::unassessed();
        let refutation = match solution.outcome {
            Outcome::Solved => None,
            Outcome::NotConverged | Outcome::Budget | Outcome::Undecided => refute_by(&existence, || all),
        };
        Self { solution, existence, refutation }
    }

    /// How it ended: a point within tolerance counts before a proof about the exact problem.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match self.solution.outcome {
            Outcome::Solved => Answer::Solved,
            _ if self.refutation.is_some() => Answer::NoSolution,
            Outcome::NotConverged => Answer::NotConverged,
            Outcome::Budget => Answer::Budget,
            Outcome::Undecided => Answer::Undecided,
        }
    }
}
