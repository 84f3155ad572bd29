//! Where a contact in space stands before any force is considered.

use crate::contact::{Scaled, Sign};
use crate::num::{Tol, dense};

/// What a contact is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stands {
    /// Open, or closed and parting.
    Apart,
    /// The gap is negative: no state of the rigid mechanism.
    Penetrating,
    /// Closed, v < 0: an impact is due.
    Approaching,
    /// Closed, and slipping with this velocity.
    Slipping([f64; 2]),
    /// Closed and at rest.
    Resting,
}

impl Stands {
    /// By gap, gap rate and slip; the velocities are measured by the scale of the rate.
    pub fn of(gap: Scaled, rate: Scaled, slip: [f64; 2], tol: &Tol) -> Self {
        match (gap.sign(tol.closed), rate.sign(tol.rest)) {
            (Sign::Negative, _) => Self::Penetrating,
            (Sign::Positive, _) | (Sign::Marginal, Sign::Positive) => Self::Apart,
            (Sign::Marginal, Sign::Negative) => Self::Approaching,
            (Sign::Marginal, Sign::Marginal) if dense::norm(&slip) <= tol.rest * rate.scale => Self::Resting,
            (Sign::Marginal, Sign::Marginal) => Self::Slipping(slip),
        }
    }

    /// The unit vector along the slip, if it slips.
    pub fn direction(self) -> Option<[f64; 2]> {
        match self {
            Self::Slipping(slip) => {
                let speed = dense::norm(&slip);
                Some(slip.map(|u| u / speed))
            }
            Self::Apart | Self::Penetrating | Self::Approaching | Self::Resting => None,
        }
    }
}
