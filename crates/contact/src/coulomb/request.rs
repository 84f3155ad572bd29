//! What is asked of a solution, and what it may cost.

use super::tolerance::SolverTol;
use std::time::{Duration, Instant};

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Backward error to reach, and relative residual on the way.
    pub tolerance: f64,
    /// How much work may be spent, in multiples of the usual limits.
    pub effort: f64,
    /// How much work may be spent in all.
    pub budget: Budget,
    /// The other bounds.
    pub tol: SolverTol,
    /// Threads for problems that are large enough; nothing in the answer depends on it. One by default.
    pub threads: usize,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            tolerance: crate::num::Tol::default().solved,
            effort: 1.0,
            budget: Budget::default(),
            tol: SolverTol::default(),
            threads: 1,
        }
    }
}

/// After what a search ends, found or not; nothing by default. With a bound on the iterations alone the same problem has the
/// same answer on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Iterations of all solvers together.
    pub iterations: Option<usize>,
    /// Time of one solve. It is looked at between iterations, so that a long one may exceed it; without effect in a browser, where
    /// there is no clock.
    pub time: Option<Duration>,
}

impl Budget {
    /// When the time of a solve that begins now is over.
    pub fn deadline(&self) -> Option<Instant> {
        let time = self.time.filter(|_| !cfg!(target_family = "wasm"))?;
        Instant::now().checked_add(time)
    }
}
