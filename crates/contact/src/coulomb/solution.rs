//! The best point that was found, and how good it is.

use super::backward::{BackwardError, Verdict};
use super::problem::Problem;
use super::residual::Residual;
use super::status::Status;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The backward error is within the tolerance, by terms of which q has its share.
    Solved,
    /// It is not; the best point is returned, and nothing is claimed about existence.
    NotConverged,
    /// It is not, and the budget is used up.
    Budget,
    /// Rounding forbids a statement: the forces are so large, or the entries of W so far apart, that the velocities are lost
    /// in the rounding of W r.
    Undecided,
}

impl Outcome {
    /// What the backward error says.
    pub(crate) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Within => Self::Solved,
            Verdict::Beyond => Self::NotConverged,
            Verdict::Hidden => Self::Undecided,
        }
    }
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

impl Default for Solution {
    /// Nothing was found yet.
    fn default() -> Self {
        Self {
            outcome: Outcome::NotConverged,
            solver: "none",
            iterations: 0,
            residual: Residual::INFINITE,
            backward_error: BackwardError::INFINITE,
            u: Vec::new(),
            v: Vec::new(),
            r: Vec::new(),
            statuses: Vec::new(),
        }
    }
}

impl Solution {
    /// No force, of which nothing is known.
    pub(crate) fn zero(problem: &Problem) -> Self {
        Self {
            u: vec![0.0; problem.rows()],
            v: vec![0.0; problem.dof()],
            r: vec![0.0; problem.rows()],
            statuses: vec![Status::TakeOff; problem.contacts()],
            ..Self::default()
        }
    }

    /// Whether it is nearer to an answer than another point.
    pub(crate) fn is_better(&self, other: &Self) -> bool {
        let rank = |outcome: Outcome| match outcome {
            Outcome::Solved => 0,
            Outcome::Undecided => 1,
            Outcome::NotConverged | Outcome::Budget => 2,
        };
        (rank(self.outcome), self.backward_error.single) < (rank(other.outcome), other.backward_error.single)
    }
}
