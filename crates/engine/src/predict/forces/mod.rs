//! Forces that their equations do not determine: whether some lie in all cones, how far each may differ, and whether the accelerations
//! depend on the choice.
//!
//! In the plane cones have edges, and linear programs decide with rounding bounded, or without any (`polyhedral`, by `simplex`, `near` and `exact`); in space cones are
//! round, and what a solver of cone programs finds counts as far as multipliers verify it (`conic`). Contacts of infinite friction that
//! stick are eliminated there (`infinite`). Where accelerations depend on the choice, `rigid_limit` makes it.

mod cone_program;
mod conic;
mod exact;
mod infinite;
mod near;
mod polyhedral;
mod reduced;
mod rigid_limit;
mod simplex;

pub(super) use cone_program::ConeProgram;
pub(super) use conic::{frictionless, has_one_motion};

pub use rigid_limit::{CHANGES, wrongly_pressed};

use super::contacts::{Basis, Contacts};
use super::mode::Mode;
use crate::num::Tol;

/// What is known of the forces of a combination.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ForceSet {
    /// Forces inside all cones, with gaps that open and slips that set in.
    Inside(Forces),
    /// Forces on the border of a cone only.
    Edge(Forces),
    /// Forces, but an acceleration of this contact, which should be positive, is zero in all of them: the motion is that of other modes.
    Still(usize),
    /// No forces.
    Empty,
    /// Nothing that could be confirmed.
    Unknown,
}

/// Forces of a combination and how far they may differ, in the units of [`Contacts`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Forces {
    /// Those shown, by row.
    pub(crate) shown: Vec<f64>,
    /// Least and largest, by row; infinite where no bound is proven.
    pub(crate) ranges: Vec<[f64; 2]>,
    /// Rows whose acceleration depends on the choice of forces, with its range.
    pub(crate) moving: Vec<(usize, [f64; 2])>,
}

/// A force of which no bound is proven.
const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Contacts {
    /// The forces of modes with these independent rows.
    pub(super) fn force_set(&self, modes: &[Mode], basis: &Basis, tol: &Tol) -> ForceSet {
        if self.tangents == 1 {
            polyhedral::force_set(self, modes, basis)
        } else {
            infinite::force_set(self, modes, tol)
        }
    }
}
