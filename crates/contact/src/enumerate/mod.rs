//! All solutions of a planar problem. In the plane Coulomb's law is a union of polyhedra, one per word of modes
//! (take-off, stick, slip+, slip−), 4ⁿ words for n contacts [AC11 4.5.3]; a tree search over the words drops a branch
//! as soon as the decided contacts contradict each other or the bounds of the others. The data are taken as the
//! binary fractions they are. Floating point only looks for contradictions: each is shown by multipliers, and the polyhedra
//! at the leaves are exact. The search writes down why it dropped what, and a list is called complete only after
//! [`proof`] has checked that record: an empty one is then a proof.
//!
//! What W cannot distinguish is reported as a family: a polytope, by its vertices and extreme rays. A polyhedron inside
//! another one (a border case of two modes) is not listed again.
#![allow(non_snake_case)]

mod border;
pub mod cone;
mod exact;
mod families;
pub mod farkas;
pub mod integral;
mod leaf;
mod mode;
mod narrow;
pub mod proof;
pub mod relax;
mod search;

use std::sync::Arc;

use crate::coulomb::Problem;
use crate::num::Tol;
use border::border_cases;
pub(crate) use border::{border, is_listed};
use exact::Exact;
pub use mode::Mode;
use proof::Proof;
use search::{Found, Search};

/// How much work to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Contacts above which the search is not begun.
    pub contacts: usize,
    /// Extreme rays of one polyhedron above which a branch is given up.
    pub rays: usize,
    /// Branches above which the search stops; each costs a fraction of a millisecond, so that the usual ones end within
    /// about a second.
    pub branches: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { contacts: 16, rays: 2000, branches: 3_000 }
    }
}

/// A force and the velocity that belongs to it, rounded to the nearest `f64`.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Forces [N, T] by contact.
    pub r: Vec<f64>,
    /// Relative velocities, likewise.
    pub u: Vec<f64>,
}

/// A convex set of solutions: the vertices' convex hull plus the cone of the rays.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The modes of a point in its relative interior.
    pub modes: Vec<Mode>,
    /// Vertices; a single one if the solution is isolated.
    pub vertices: Vec<Point>,
    /// Extreme directions in which r (and u, by W r) may grow without bound.
    pub rays: Vec<Point>,
    /// Dimension of the set of forces: 0 for an isolated solution.
    pub dimension: usize,
    /// Dimension of the set of velocities: 0 if the motion is unique although the forces may not be.
    pub motion_dimension: usize,
    /// What one rounding of each entry of W makes of the vertices' velocities, as a share of the largest of u and q.
    pub rounding: f64,
}

impl Family {
    /// Whether it rests on the last digits of W: numbers that differ by a rounding may have no such solution.
    #[must_use]
    pub fn rests_on_last_digits(&self, tol: &Tol) -> bool {
        self.rounding > tol.solved
    }

    /// The mean of the vertices, a solution too.
    #[must_use]
    pub fn centre(&self) -> Point {
        let n = self.vertices.len() as f64;
        let mean = |part: fn(&Point) -> &Vec<f64>| {
            let mut sum = vec![0.0; part(&self.vertices[0]).len()];
            self.vertices.iter().for_each(|p| sum.iter_mut().zip(part(p)).for_each(|(s, x)| *s += x / n));
            sum
        };
        Point { r: mean(|p| &p.r), u: mean(|p| &p.u) }
    }
}

/// A solution of numbers that are within the tolerance of those given, which have none there.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// What each contact does.
    pub modes: Vec<Mode>,
    /// The point.
    pub point: Point,
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// All families found, by modes of their interiors.
    pub families: Vec<Family>,
    /// Points found that solve the problem within the tolerance, but are near no solution of the numbers exactly as they
    /// stand.
    pub border: Vec<Border>,
    /// Whether the whole tree was searched, and its record was checked: nothing is missing, and nothing listed is wrong. An
    /// empty list is then a proof that no solution exists.
    pub complete: bool,
    /// Branches looked at.
    pub branches: usize,
    /// The record.
    pub proof: Arc<Proof>,
}

impl Enumeration {
    /// Whether it is proven that there is no solution, and none was found that rounding makes one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.complete && self.families.is_empty() && self.border.is_empty()
    }
}

/// Why a problem cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnumerationError {
    /// The cones of space are not polyhedral.
    #[error("the friction cones of space are not polyhedral; only planar problems are enumerated")]
    Space,
    /// More contacts than the limit.
    #[error("it has {found} contacts, and at most {limit} are enumerated")]
    TooManyContacts {
        /// Contacts of the problem.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// M is singular.
    #[error("M is singular")]
    SingularMass,
}

/// All solutions of a planar problem.
///
/// # Errors
/// [`EnumerationError`]: a problem in space, with too many contacts or with a singular M.
pub fn enumerate(problem: &Problem, limits: Limits) -> Result<Enumeration, EnumerationError> {
    if problem.dim() != 2 {
        return Err(EnumerationError::Space);
    }
    if problem.contacts() > limits.contacts {
        return Err(EnumerationError::TooManyContacts { found: problem.contacts(), limit: limits.contacts });
    }
    let exact = Exact::of(problem).ok_or(EnumerationError::SingularMass)?;
    let quick = checked(problem, Search::new(exact.clone(), limits, true).run());
    match quick {
        // A multiplier in floating point was rounded once too often.
        (all, true) if !all.complete => Ok(checked(problem, Search::new(exact, limits, false).run()).0),
        (all, _) => Ok(all),
    }
}

/// What was found, complete if the record of a whole search passes the check; and whether the search was whole.
fn checked(problem: &Problem, found: Found) -> (Enumeration, bool) {
    let Found { families, proof, near, complete: whole, branches } = found;
    let complete = whole && proof.check(problem, &families).is_ok();
    let mut all = Enumeration { families, border: Vec::new(), complete, branches, proof: Arc::new(proof) };
    border_cases(problem, &mut all, &near);
    (all, whole)
}
