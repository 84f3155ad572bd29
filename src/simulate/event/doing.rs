//! What each contact does during a phase.

use crate::contact::{Friction, Mode, Slip};
use crate::num::dense::norm;
use crate::simulate::smooth::ContactMotion;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) enum Doing {
    /// No force: open, or about to be.
    Free,
    /// Closed at rest.
    Stick,
    /// Closed and slipping.
    Slip {
        /// Unit vector of the slip; in space that of its beginning; zero for a contact in the plane without friction that is at rest.
        along: [f64; 2],
        /// Sign of the normal force: −1 where a bilateral contact pulls.
        pull: f64,
    },
}

impl Doing {
    pub(in crate::simulate) fn slip(slip: Slip) -> Self {
        Self::Slip { along: [slip.sign(), 0.0], pull: 1.0 }
    }

    pub(in crate::simulate) fn is_closed(self) -> bool {
        self != Self::Free
    }

    /// The direction of its slip, if that is known.
    pub(in crate::simulate) fn direction(self) -> Option<[f64; 2]> {
        match self {
            Self::Slip { along, .. } if norm(&along) > 0.0 => Some(along),
            Self::Free | Self::Stick | Self::Slip { .. } => None,
        }
    }

    /// The sign of its normal force, if that is said.
    pub(in crate::simulate) fn pull(self) -> f64 {
        match self {
            Self::Free | Self::Stick => 1.0,
            Self::Slip { pull, .. } => pull,
        }
    }

    /// As the right-hand side takes it, with one or two tangents; `slow` is the speed up to which a
    /// spatial slip has the direction of its beginning.
    pub(in crate::simulate) fn motion(self, friction: Friction, tangents: usize, slow: f64) -> ContactMotion {
        match self {
            Self::Free => ContactMotion::Free,
            Self::Stick => ContactMotion::Sticks,
            Self::Slip { along: [one, _], pull } if tangents == 1 => {
                ContactMotion::Slips { along: [one * pull, 0.0], friction }
            }
            Self::Slip { along, pull } => ContactMotion::Turns { along, slow, friction, pull },
        }
    }

    /// The word of reports.
    pub(in crate::simulate) fn word(self, tangents: usize) -> &'static str {
        match self {
            Self::Slip { along: [one, _], pull } if tangents == 1 && pull < 0.0 => match one {
                _ if one < 0.0 => "slip- pulled",
                _ if one > 0.0 => "slip+ pulled",
                _ => "slip pulled",
            },
            Self::Free => Mode::Free.name(),
            Self::Stick => Mode::Stick.name(),
            Self::Slip { along: [one, _], .. } if tangents == 1 && one < 0.0 => Mode::SlipNeg.name(),
            Self::Slip { along: [one, _], .. } if tangents == 1 && one > 0.0 => Mode::SlipPos.name(),
            Self::Slip { .. } => "slip",
        }
    }
}
