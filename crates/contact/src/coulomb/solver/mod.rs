//! The solvers of the incremental problem: one trait, one method per file.
//!
//! All of them work on the local form `u = W r + q`; a session condenses a global problem first. A solver never
//! judges itself: whoever calls it measures the point it returns with [`super::residual()`].

mod accelerated;
mod alart_curnier;
mod checkpoint;
pub(super) mod few;
mod fischer_burmeister;
pub mod fixed_point;
pub(super) mod gauss_seidel;
mod gradient;
pub mod lemke;
mod multipliers;
mod name;
mod newton;
mod one_contact;
pub(crate) mod polish;
mod proximal;
mod slabs;
mod smoothed;
mod workspace;

pub use accelerated::Accelerated;
pub(crate) use accelerated::SweepEffort;
pub use alart_curnier::AlartCurnier;
pub(crate) use checkpoint::Resumable;
pub use fischer_burmeister::FischerBurmeister;
pub use fixed_point::FixedPoint;
pub use gauss_seidel::GaussSeidel;
pub use gradient::ProjectedGradient;
pub use lemke::Lemke;
pub(super) use multipliers::Multipliers;
pub use name::{NAMES, SolverName, UnknownSolver, by_name};
pub(super) use one_contact::Contact;
pub use proximal::ProximalPoint;
pub use smoothed::Smoothed;
pub use workspace::Workspace;
pub(crate) use workspace::{assign, zeros};

use super::problem::Local;
use super::pyramid::Cones;
use super::residual::local_residual;
use crate::num::halt;
use std::time::Instant;
use workspace::Buffers;

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
    /// When to stop in any case.
    pub deadline: Option<Instant>,
    /// Threads for problems that are large enough; nothing in the answer depends on it.
    pub threads: usize,
}

impl Options {
    /// Without a deadline, on one thread.
    #[must_use]
    pub fn new(tolerance: f64, iterations: usize) -> Self {
        Self { tolerance, iterations, deadline: None, threads: 1 }
    }

    /// Whether the time is over, or nobody wants the answer any more.
    #[inline]
    pub(crate) fn is_late(&self) -> bool {
        halt::is_wanted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A method for the local problem.
pub trait Solver {
    /// The name used on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The friction cones of the law that it solves.
    fn cones(&self) -> Cones {
        Cones::SecondOrder
    }

    /// Why it cannot work in this dimension or on so many contacts; none if it can.
    fn refusal(&self, dim: usize, contacts: usize) -> Option<String> {
        let _ = (dim, contacts);
        None
    }

    /// Improves `r` (start on entry, best point found on return) and returns the iterations used. Must not make
    /// the residual of its law worse than that of the start. What `workspace` holds from other calls changes nothing but the
    /// time it takes.
    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize;
}

/// A method that is written once for the D rows of a contact in the plane and in space.
trait ByRows {
    /// As [`Solver::name`].
    const NAME: &'static str;

    /// As [`Solver::solve`].
    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        buffers: &mut Buffers<D, DD>,
        r: &mut [f64],
    ) -> usize;
}

impl<S: ByRows> Solver for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        match task.local.W.block_size() {
            2 => self.run(task, options, workspace.plane(), r),
            _ => self.run(task, options, workspace.space(), r),
        }
    }
}

/// The best point seen so far, by the one residual.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    u: Vec<f64>,
    best: Vec<f64>,
    residual: f64,
}

impl Monitor {
    /// Begins at a force.
    pub(crate) fn start(&mut self, task: &Task<'_>, r: &[f64]) {
        self.begin(r);
        self.judge_start(task);
    }

    /// Begins at a force whose residual is not known.
    pub(crate) fn begin(&mut self, r: &[f64]) {
        self.u.resize(r.len(), 0.0);
        assign(&mut self.best, r);
        self.residual = f64::INFINITY;
    }

    /// The residual of the force at which it began.
    pub(crate) fn judge_start(&mut self, task: &Task<'_>) {
        self.residual = local_residual(task.local, task.mu, &self.best, &mut self.u).relative;
    }

    /// Relative residual of `r`, which is kept if it is the best so far.
    pub(crate) fn observe(&mut self, task: &Task<'_>, r: &[f64]) -> f64 {
        let residual = self.look(task, r);
        self.keep(residual, r);
        residual
    }

    /// Relative residual of `r`.
    pub(crate) fn look(&mut self, task: &Task<'_>, r: &[f64]) -> f64 {
        local_residual(task.local, task.mu, r, &mut self.u).relative
    }

    /// Keeps a point if it is the best so far.
    pub(crate) fn keep(&mut self, residual: f64, r: &[f64]) {
        if residual < self.residual {
            self.residual = residual;
            self.best.copy_from_slice(r);
        }
    }

    /// The best point, to be overwritten by a better one.
    pub(crate) fn best(&mut self) -> &mut [f64] {
        &mut self.best
    }

    /// The residual of the best point that something else found.
    pub(crate) fn know(&mut self, residual: f64) {
        self.residual = residual;
    }

    /// Puts the best point into `r` and returns its residual.
    pub(crate) fn restore(&self, r: &mut [f64]) -> f64 {
        r.copy_from_slice(&self.best);
        self.residual
    }

    /// Residual of the best point.
    pub(crate) fn residual(&self) -> f64 {
        self.residual
    }

    /// u = W r + q of the last point observed.
    pub(crate) fn velocity(&self) -> &[f64] {
        &self.u
    }
}
