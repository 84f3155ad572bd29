//! What a search through the modes of a planar problem claims, as data that another program can check: a tree whose
//! branches split one contact into its modes, and at whose leaves stands why there is nothing more.
//!
//! | leaf | what it says | what shows it |
//! |---|---|---|
//! | `Refuted` | no solution in this branch | y with y·u ≥ 0 > c ≥ a·r + c = y·u there, where a = Wᵀ y and c = q·y |
//! | `Border` | its solutions also have a mode of the same contact in which it does less | the same with y·u ≥ y_k u_k and c ≤ 0: u_k = 0 |
//! | `Word` | every contact is decided; its solutions are in one set, or there are none | the faces of its cone, one by one |
//!
//! y·u ≥ 0 and a·r ≤ 0 follow contact by contact from the modes: Farkas' lemma for u = W r + q with Coulomb's law in the
//! place of inequalities. [`Proof::check`] uses the problem's numbers and this record only. It shares nothing with the
//! search: another elimination for W = H M⁻¹ Hᵀ, other coordinates, and faces in the place of double description.

mod check;
mod data;
mod json;
mod list;
mod word;

use num_rational::BigRational;

use super::Mode;
use crate::num::Dyadic;

/// Multipliers y of the velocities' rows: (row, yₖ), rows ascending, none zero.
pub type Combination = Vec<(usize, Dyadic)>;

/// A branch of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum Branch {
    /// A contact is decided: one branch for each of its modes.
    Split {
        /// The contact.
        contact: usize,
        /// Its modes.
        children: Vec<(Mode, Self)>,
    },
    /// No solution.
    Refuted(Combination),
    /// A slip that never slides, or a take-off that never opens and slides to one side at most: nothing that another
    /// mode of the contact has not.
    Border {
        /// The contact.
        contact: usize,
        /// What bounds its velocity: the tangential one of a slip; the normal one of a take-off, then its tangential one if
        /// there is friction.
        bounds: Vec<Combination>,
    },
    /// All contacts are decided; all solutions are in the set of this number.
    Word(Option<usize>),
    /// Not searched.
    Cut,
}

/// A convex set of solutions without rounding: the hull of the points plus the cone of the rays.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionSet {
    /// The modes that all of it obeys.
    pub word: Vec<Mode>,
    /// Forces of the vertices.
    pub points: Vec<Vec<BigRational>>,
    /// Forces of the extreme directions.
    pub rays: Vec<Vec<BigRational>>,
}

/// The record of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The tree.
    pub root: Branch,
    /// The sets of solutions, as the leaves number them.
    pub sets: Vec<SolutionSet>,
}

/// Why a record proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    /// A problem in space, a number that is not finite, or a singular M.
    Problem,
    /// A contact, row or set that does not exist, or a contact that is decided twice.
    Index,
    /// A mode of this contact is not looked at.
    Missing(usize),
    /// A branch was not searched.
    Cut,
    /// y_k u_k may be negative.
    Velocity(usize),
    /// The forces of this contact may make y·u larger.
    Force(usize),
    /// The constant does not contradict y·u ≥ 0.
    Constant,
    /// A border without proof that the velocity is zero.
    Unbounded,
    /// A solution of a word, or a direction, that its set does not have.
    Unlisted,
    /// A point or ray of this set is no solution, or the set is empty.
    Point(usize),
    /// What is printed about this set is not what it is.
    Printed(usize),
    /// More faces than the limit.
    Faces,
}

impl Proof {
    /// The number of its branches.
    #[must_use]
    pub fn branches(&self) -> usize {
        fn count(branch: &Branch) -> usize {
            match branch {
                Branch::Split { children, .. } => {
                    1 + children.iter().map(|(_, child)| count(child)).sum::<usize>()
                }
                Branch::Refuted(_) | Branch::Border { .. } | Branch::Word(_) | Branch::Cut => 1,
            }
        }
        count(&self.root)
    }
}
