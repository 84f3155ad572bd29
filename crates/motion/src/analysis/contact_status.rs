//! Where a contact stands before any force is considered: apart, about to hit, slipping, at rest, or inside the obstacle.

use crate::contact::{Column, Scaled, Sign};
use crate::num::{Tol, dense};

/// What a contact is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactStatus {
    /// Open, or closed and parting.
    Apart,
    /// The gap is negative: no state of the rigid mechanism.
    Penetrating,
    /// Closed, v < 0: an impact is due.
    Approaching,
    /// Closed, and slipping with this velocity; in the plane (u, 0).
    Slipping([f64; 2]),
    /// Closed and at rest.
    Resting,
}

impl ContactStatus {
    /// What is said of bodies that penetrate.
    pub(crate) const PENETRATES: &str = "the bodies penetrate: this is not a state of the rigid mechanism";

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

    /// The column of Tables 2 and 3 of \[CV16\] of a contact in the plane that is pressed, or may be.
    pub fn column(self) -> Option<Column> {
        match self {
            Self::Slipping([u, _]) if u > 0.0 => Some(Column::I),
            Self::Slipping(_) => Some(Column::III),
            Self::Resting => Some(Column::II),
            Self::Apart | Self::Penetrating | Self::Approaching => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ContactStatus;
    use crate::contact::{Column, Scaled};
    use crate::num::Tol;

    #[test]
    fn every_situation_is_recognised() {
        let at = |gap: f64, u: f64, v: f64| {
            let scaled = |value| Scaled { value, scale: 1.0 };
            ContactStatus::of(scaled(gap), scaled(v), [u, 0.0], &Tol::default())
        };
        assert_eq!(at(0.1, 1.0, -1.0), ContactStatus::Apart);
        assert_eq!(at(-0.1, 1.0, 1.0), ContactStatus::Penetrating);
        assert_eq!(at(0.0, 1.0, 1e-3), ContactStatus::Apart);
        assert_eq!(at(1e-12, 1.0, -1e-3), ContactStatus::Approaching);
        assert_eq!(at(0.0, 1e-12, 0.0), ContactStatus::Resting);
        assert_eq!(at(0.0, -1e-3, 0.0).column(), Some(Column::III));
    }
}
