//! The solvers of the incremental problem: one trait, one method per file.
//!
//! All of them work on the local form `u = W r + q`; the driver condenses a global problem first. A solver never
//! judges itself: whoever calls it measures the point it returns with [`super::residual()`].

use super::problem::Local;

/// What a solver is given: the local form and the friction coefficients.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// u = W r + q.
    pub local: &'a Local,
    /// Friction coefficients.
    pub mu: &'a [f64],
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Relative residual to reach, as [`super::residual()`] measures it.
    pub tolerance: f64,
    /// Largest number of iterations, in the solver's own sense.
    pub iterations: usize,
}

/// A method for the local problem.
pub trait Solver {
    /// The name used on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Improves `r` (start on entry, best point found on return) and returns the iterations used. Must not make
    /// the residual worse than that of the start.
    fn solve(&self, task: &Task<'_>, options: &Options, r: &mut [f64]) -> usize;
}
