//! What a contact does during a smooth motion.

use crate::contact::Friction;
use crate::predict::Mode;

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
    /// The motion of a mode, with one or two tangents; `slow` is the speed up to which a slip in space has the direction of its beginning.
    pub fn of(mode: Mode, friction: Friction, tangents: usize, slow: f64) -> Self {
        match mode {
            Mode::Free => Self::Free,
            Mode::Stick { .. } => Self::Sticks,
            Mode::Slip { along: [one, _], side } if tangents == 1 => {
                Self::Slips { along: [one * side, 0.0], friction }
            }
            Mode::Slip { along, side } => Self::Turns { along, slow, friction, pull: side },
        }
    }

    /// Its mode, pushed.
    pub(in crate::simulate) fn mode(self) -> Mode {
        match self {
            Self::Free => Mode::Free,
            Self::Sticks => Mode::STICK,
            Self::Slips { along, .. } | Self::Turns { along, .. } => Mode::Slip { along, side: 1.0 },
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
