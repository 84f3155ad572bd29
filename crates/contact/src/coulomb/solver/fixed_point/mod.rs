//! The fixed point s = F(s) of convex programs [ACLM11 §3.3]: with the sliding speeds s given, the problem is
//! min ½vᵀM v + fᵀv, H v + w + E s ∈ L* [ACLM11 (3.15)], or its dual min ½rᵀW r + (q + E s)ᵀr, r ∈ L [ACLM11 (4.7)];
//! F gives back the sliding speeds of the solution. Clarabel takes the quadratic objective as it is, and from one s to
//! the next only the linear data are replaced.
//!
//! Global problems keep v as the variable, so that the data stay as sparse as M and H. For an unsymmetric W the
//! objective has its symmetric part, and the rest acts at the last r: at the fixed point the problem is the given one.
//! Where r is not unique the speeds still are, for the inner programs; the outer iteration need not converge.

mod gauges;
mod matrices;
mod mixing;
mod polish;
mod program;
mod successive;

pub use crate::coulomb::pyramid::Cones;
pub use successive::{Approximations, ConvexMethod, Stopping, Successive};

use super::{Options, Solver, Task, Workspace};
use crate::coulomb::problem::{Form, Problem};
use crate::coulomb::residual::{local_residual_of, residual_of};
use mixing::Mixing;
use program::Inner;

/// What turns F into the next s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceleration {
    /// s ← F(s).
    Plain,
    /// Anderson's mixing of this many earlier steps, dropped whenever it made |F(s) − s| grow.
    Anderson(usize),
}

/// The fixed-point solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    /// Inner cones.
    pub cones: Cones,
    /// Outer iteration.
    pub acceleration: Acceleration,
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self { cones: Cones::SecondOrder, acceleration: Acceleration::Anderson(4) }
    }
}

/// What an outer iteration left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The best forces found.
    pub r: Vec<f64>,
    /// The velocities v that belong to them (global form; else empty).
    pub v: Vec<f64>,
    /// Inner programs solved.
    pub programs: usize,
    /// Those of them that Clarabel solved; the others followed from the last by Newton's method.
    pub conic: usize,
    /// max |F(s) − s| after each program.
    pub changes: Vec<f64>,
}

/// Facets that a pyramid may have: fewer are none, and with more it is Coulomb's cone to three digits.
pub const FACETS: std::ops::RangeInclusive<usize> = 3..=64;

impl Solver for FixedPoint {
    fn name(&self) -> &'static str {
        match (self.cones, self.acceleration) {
            (Cones::SecondOrder, Acceleration::Anderson(_)) => "fixed-point",
            (Cones::SecondOrder, Acceleration::Plain) => "fixed-point-plain",
            (Cones::Faceted(_), _) => "facets",
        }
    }

    fn cones(&self) -> Cones {
        self.cones
    }

    fn solve(&self, task: &Task<'_>, options: &Options, _: &mut Workspace, r: &mut [f64]) -> usize {
        let mut u = vec![0.0; r.len()];
        let before = local_residual_of(self.cones, task.local, task.mu, r, &mut u).relative;
        let Some(mut inner) = Inner::force(task, self.cones) else { return 0 };
        let measure = |_: &[f64], r: &[f64]| {
            local_residual_of(self.cones, task.local, task.mu, r, &mut vec![0.0; r.len()]).relative
        };
        let start = self.cones.speeds(task.local.W.block_size(), &u);
        let path = self.iterate(&mut inner, options, start, &measure);
        if measure(&[], &path.r) < before {
            r.copy_from_slice(&path.r);
        }
        path.programs
    }
}

impl FixedPoint {
    /// Solves a problem in the form in which it is given, from s = 0; none if Clarabel refuses the data.
    #[must_use]
    pub fn solve_problem(&self, problem: &Problem, options: &Options) -> Option<Path> {
        let mut inner = match problem.form() {
            Form::Global(global) => Inner::velocity(problem, global, self.cones)?,
            Form::Local(local) => Inner::force(&Task { local, mu: problem.mu() }, self.cones)?,
        };
        let measure = |v: &[f64], r: &[f64]| residual_of(self.cones, problem, v, r).0.relative;
        Some(self.iterate(&mut inner, options, vec![0.0; problem.contacts()], &measure))
    }

    fn iterate(
        &self,
        inner: &mut Inner<'_>,
        options: &Options,
        mut s: Vec<f64>,
        measure: &dyn Fn(&[f64], &[f64]) -> f64,
    ) -> Path {
        let (r, v) = (vec![0.0; inner.rows()], vec![0.0; inner.velocities()]);
        let mut path = Path { r, v, programs: 0, conic: 0, changes: Vec::new() };
        let (mut best, mut mixing) = (measure(&path.v, &path.r), Mixing::default());
        while path.programs < options.iterations && best > options.tolerance && !options.is_late() {
            let Some(answer) = inner.solve(&s) else { break };
            path.programs += 1;
            let f = self.cones.speeds(path.r.len() / s.len(), &answer.u);
            let relative = measure(&answer.v, &answer.r);
            if relative < best {
                best = relative;
                (path.r, path.v) = (answer.r, answer.v);
            }
            path.changes.push(s.iter().zip(&f).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs())));
            s = match self.acceleration {
                Acceleration::Plain => f,
                Acceleration::Anderson(depth) => mixing.next(s, f, depth),
            };
        }
        path.conic = inner.conic;
        path
    }
}
