//! Where a contact stands before any force is considered: apart, touching and parting, about to hit, resting, or
//! inside the obstacle.

use crate::contact::{Column, Scaled, Sign};
use crate::num::Tol;
use serde::{Deserialize, Serialize};

/// Gap and relative velocity of a contact, each with the scale its zero is judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics {
    /// Gap y, m; scale: a length of the mechanism at this state.
    pub gap: Scaled,
    /// Slip u, m/s; scale: a speed of the mechanism at this state.
    pub u: Scaled,
    /// Gap rate v, m/s; scale as for the slip.
    pub v: Scaled,
}

impl Kinematics {
    /// A closed contact with slip `u` and gap rate `v`, which are zero only if they are exactly that.
    pub fn closed(u: f64, v: f64) -> Self {
        Self { gap: Scaled::exact(0.0), u: Scaled::exact(u), v: Scaled::exact(v) }
    }
}

/// What a contact is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Situation {
    /// y > 0: no contact.
    Apart,
    /// y = 0, v > 0: contact is ending.
    Separating,
    /// y = 0, v < 0: an impact is due.
    Approaching,
    /// y = v = 0: sustained contact, in a column of Tables 2 and 3.
    Resting(Column),
    /// y < 0: not a state of the rigid mechanism.
    Penetrating,
}

impl Situation {
    /// The situation of a contact, with y, v, u taken as zero within the tolerances `closed` and `rest`.
    pub fn of(kinematics: &Kinematics, tol: &Tol) -> Self {
        match (kinematics.gap.sign(tol.closed), kinematics.v.sign(tol.rest)) {
            (Sign::Negative, _) => Self::Penetrating,
            (Sign::Positive, _) => Self::Apart,
            (Sign::Marginal, Sign::Positive) => Self::Separating,
            (Sign::Marginal, Sign::Negative) => Self::Approaching,
            (Sign::Marginal, Sign::Marginal) => Self::Resting(column(kinematics.u, tol)),
        }
    }

    /// A sentence for reports.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Apart => "the contact is open: free flight",
            Self::Separating => "the contact is closed and separating: free flight",
            Self::Approaching => "the contact is closed and approaching: an impact takes place",
            Self::Resting(Column::I) => "the contact is closed and slips in the positive direction",
            Self::Resting(Column::II) => "the contact is closed and at rest",
            Self::Resting(Column::III) => "the contact is closed and slips in the negative direction",
            Self::Penetrating => "the bodies penetrate: this is not a state of the rigid mechanism",
        }
    }
}

/// The column of a slip velocity.
fn column(u: Scaled, tol: &Tol) -> Column {
    match u.sign(tol.rest) {
        Sign::Positive => Column::I,
        Sign::Marginal => Column::II,
        Sign::Negative => Column::III,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kinematics, Situation};
    use crate::contact::{Column, Scaled};
    use crate::num::Tol;

    #[test]
    fn every_situation_is_recognised() {
        let at = |gap: f64, u: f64, v: f64| {
            let scaled = |value| Scaled { value, scale: 1.0 };
            Situation::of(&Kinematics { gap: scaled(gap), u: scaled(u), v: scaled(v) }, &Tol::default())
        };
        assert_eq!(at(0.1, 1.0, -1.0), Situation::Apart);
        assert_eq!(at(-0.1, 1.0, 1.0), Situation::Penetrating);
        assert_eq!(at(0.0, 1.0, 1e-3), Situation::Separating);
        assert_eq!(at(1e-12, 1.0, -1e-3), Situation::Approaching);
        assert_eq!(at(0.0, 1e-12, 0.0), Situation::Resting(Column::II));
        assert_eq!(at(0.0, -1e-3, 0.0), Situation::Resting(Column::III));
    }
}
