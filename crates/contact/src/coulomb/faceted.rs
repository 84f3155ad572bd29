//! How well a point solves the law with a pyramid in the place of Coulomb's cone: for comparison only.

use super::problem::Problem;
use super::pyramid::Cones;
use super::residual::{Residual, residual_of};
use super::solution::Solution;

/// A law with a pyramid in place of Coulomb's cone, and how well a point solves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faceted {
    /// Facets of the pyramid.
    pub facets: usize,
    /// Residual of the point by that law.
    pub residual: Residual,
    /// The tolerance that was asked for.
    pub tolerance: f64,
}

impl Faceted {
    /// The residual by the law of a pyramid; in the plane Coulomb's cone is one already.
    pub fn of(problem: &Problem, cones: Cones, solution: &Solution, tolerance: f64) -> Option<Self> {
        match cones {
            Cones::Faceted(facets) if problem.dim() == 3 => {
                let (residual, _) = residual_of(cones, problem, &solution.v, &solution.r);
                Some(Self { facets, residual, tolerance })
            }
            Cones::Faceted(_) | Cones::SecondOrder => None,
        }
    }

    /// Whether the point solves that law.
    pub fn is_solved(&self) -> bool {
        self.residual.relative <= self.tolerance
    }
}
