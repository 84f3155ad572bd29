//! What each contact does at a solution: take off, stick or slip.

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

/// Status of every contact of a solution (u, r). A contact without force, within the rounding of the largest
/// force, takes off; one whose sliding speed is within the tolerance of the largest velocity sticks.
pub fn statuses(dim: usize, u: &[f64], r: &[f64]) -> Vec<Status> {
    let tol = Tol::default();
    let largest = |x: &[f64]| x.chunks_exact(dim).map(norm).fold(0.0, f64::max);
    let (force, speed) = (largest(r) * tol.solved, largest(u) * tol.solved);
    u.chunks_exact(dim)
        .zip(r.chunks_exact(dim))
        .map(|(u, r)| {
            if r[0] <= force {
                Status::TakeOff
            } else if norm(&u[1..]) <= speed {
                Status::Stick
            } else {
                Status::Slip
            }
        })
        .collect()
}
