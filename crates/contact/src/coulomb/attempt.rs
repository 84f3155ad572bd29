//! What a plan of solvers is asked for, and what each of them did.

use super::solver::{Options, Workspace};
use super::tolerance::SolverTol;
use std::time::Instant;

/// What one solver of a plan did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The row of the plan, counted from 1; 0 for a solver that was asked for by name, and for a small problem that took no plan.
    pub row: usize,
    /// Its name.
    pub solver: &'static str,
    /// Its iterations.
    pub iterations: usize,
    /// The relative residual of the best point before, infinite for none.
    pub before: f64,
    /// The relative residual of the point that it left, in the units and the form of the solvers.
    pub residual: f64,
}

/// What is to be reached, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// Relative residual, as the solvers see it.
    pub(crate) tolerance: f64,
    /// Multiple of the usual iterations of an attempt.
    pub(crate) effort: f64,
    /// Iterations of all attempts together.
    pub(crate) iterations: usize,
    /// When to stop in any case.
    pub(crate) deadline: Option<Instant>,
    /// What counts as lost in rounding.
    pub(crate) tol: SolverTol,
    /// As [`Options::threads`].
    pub(crate) threads: usize,
}

/// What a plan begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// The force of a problem like this one.
    Warm,
    /// No force.
    First,
    /// A point that reached the tolerance of the round before.
    Continued,
    /// Such a point that could not be improved: from the beginning, but otherwise.
    Again,
}

/// The memory of the solvers, and the record of what they did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) workspace: Workspace,
    /// In the order in which they came.
    pub(crate) attempts: Vec<Attempt>,
    /// A force that is tried, and its velocities.
    pub(crate) point: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    /// The contacts that miss what is asked for where the whole does not.
    pub(crate) missing: Vec<usize>,
    /// Whether they have just been mended.
    pub(crate) mended: bool,
    /// Whether what was done last was too little to reach its tolerance.
    pub(crate) brief: bool,
    /// The memory for mending.
    pub(crate) part: Option<Box<Run>>,
}

impl Run {
    /// Iterations of all attempts so far.
    pub(crate) fn iterations(&self) -> usize {
        self.attempts.iter().map(|attempt| attempt.iterations).sum()
    }

    /// For an attempt of at most `iterations`, within what is left of the budget.
    pub(crate) fn options(&self, goal: &Goal, iterations: usize) -> Options {
        let left = goal.iterations.saturating_sub(self.iterations());
        let Goal { tolerance, deadline, threads, .. } = *goal;
        Options { tolerance, iterations: iterations.min(left), deadline, threads }
    }

    /// Whether the budget is used up.
    pub(crate) fn is_over(&self, goal: &Goal) -> bool {
        let options = self.options(goal, 1);
        options.iterations == 0 || options.is_late()
    }
}
