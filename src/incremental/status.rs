//! What each contact does at a solution: take off, stick or slip.

use super::problem::Local;
use super::residual::norm;
use crate::num::Tol;

/// State of one contact at a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// No force: r = 0.
    TakeOff,
    /// A force, and no relative motion.
    Stick,
    /// A force on the border of the cone, and relative motion.
    Slip,
}

impl Status {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::TakeOff => "take-off",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }
}

/// Status of every contact of a solution (u, r) of a local form. A contact takes off if its force is within the
/// tolerance of the largest one, or moves it by no more than the tolerance of the largest speed, with or without
/// forces; it sticks if its sliding speed is within the tolerance of that speed.
pub(super) fn statuses(local: &Local, u: &[f64], r: &[f64]) -> Vec<Status> {
    let (dim, tol) = (local.W.block_size(), Tol::default().solved);
    let largest = |x: &[f64]| x.chunks_exact(dim).map(norm).fold(0.0, f64::max);
    let (force, speed) = (largest(r) * tol, largest(u).max(largest(&local.q)) * tol);
    let contacts = u.chunks_exact(dim).zip(r.chunks_exact(dim)).enumerate();
    let status = |(i, (u, r)): (usize, (&[f64], &[f64]))| {
        if r[0] <= force || r[0] * local.W.block(local.W.diagonal(i))[0] <= speed {
            Status::TakeOff
        } else if norm(&u[1..]) <= speed {
            Status::Stick
        } else {
            Status::Slip
        }
    };
    contacts.map(status).collect()
}
