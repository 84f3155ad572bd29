//! What a contact does during a smooth motion.

use crate::contact::{Friction, Mode, Slip};

/// What a contact does during a smooth motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMotion {
    /// No force: open, or lifting off.
    Free,
    /// Closed at rest.
    Sticks,
    /// Closed and slipping.
    Slips {
        /// Unit vector of the slip along the tangents; in the plane ±1 and 0.
        along: [f64; 2],
        /// Coefficient of friction.
        friction: Friction,
    },
    /// Closed and slipping in space the way it slips at each state.
    Turns {
        /// Unit vector of the slip where the contact is at rest.
        along: [f64; 2],
        /// Speed up to which it is.
        slow: f64,
        /// Coefficient of friction.
        friction: Friction,
        /// Sign of the normal force: −1 where a bilateral contact pulls.
        pull: f64,
    },
}

impl ContactMotion {
    /// The motion of a mode of the plane.
    pub fn of(mode: Mode, friction: Friction) -> Self {
        let slips = |slip: Slip| Self::Slips { along: [slip.sign(), 0.0], friction };
        match mode {
            Mode::Free => Self::Free,
            Mode::SlipPos => slips(Slip::Pos),
            Mode::SlipNeg => slips(Slip::Neg),
            Mode::Stick => Self::Sticks,
        }
    }

    pub(super) fn unknowns(self, tangents: usize) -> usize {
        match self {
            Self::Free => 0,
            Self::Sticks => 1 + tangents,
            Self::Slips { .. } | Self::Turns { .. } => 1,
        }
    }
}
