//! What the steps of a contact are as events: impacts, touches, lift-offs, the begin and the end of slip.

use crate::simulate::trajectory::EventKind;
use crate::stepping::StepOutcome;

/// A contact between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Contact {
    /// It is open, or has just bounced.
    #[default]
    Open,
    /// It is closed and does not slip.
    Sticks,
    /// It is closed and slips; with its sign in the plane.
    Slips(f64),
}

/// The step of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactStep<'s> {
    pub(super) doing: StepOutcome,
    /// U at the beginning and at the end, normal first.
    pub(super) before: &'s [f64],
    pub(super) after: &'s [f64],
    /// Change of the gap's rate in the step before.
    pub(super) drifting: f64,
    /// Whether it bounces.
    pub(super) bounces: bool,
}

impl Contact {
    /// What a step makes of it, and the event that this is.
    pub(super) fn stepped(self, step: &ContactStep<'_>) -> (Self, Option<EventKind>) {
        let Some(now) = pressed(step) else {
            return (Self::Open, (self != Self::Open).then_some(EventKind::LiftOff));
        };
        let kind = match (self, now) {
            (Self::Open, _) if hits(step) => {
                let after = if step.bounces { Self::Open } else { now };
                return (after, Some(EventKind::Impact));
            }
            (Self::Open, _) => Some(EventKind::Touch),
            (Self::Slips(_), Self::Sticks) => Some(EventKind::Stick),
            (Self::Sticks, Self::Slips(_)) => Some(EventKind::Slip),
            (Self::Slips(old), Self::Slips(new)) if old * new < 0.0 => Some(EventKind::Reversal),
            (Self::Sticks | Self::Slips(_), _) => None,
        };
        (now, kind)
    }

    /// The word of the mode.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Open => "free",
            Self::Sticks => "stick",
            Self::Slips(sign) if sign > 0.0 => "slip+",
            Self::Slips(sign) if sign < 0.0 => "slip-",
            Self::Slips(_) => "slip",
        }
    }
}

fn pressed(step: &ContactStep<'_>) -> Option<Contact> {
    match step.doing {
        StepOutcome::Open | StepOutcome::TakesOff => None,
        StepOutcome::Sticks => Some(Contact::Sticks),
        StepOutcome::Slips => Some(Contact::Slips(match step.after {
            // without friction a contact at rest slips no more than one that sticks
            [_, slip] if slip.abs() <= 0.0 => return Some(Contact::Sticks),
            [_, slip] => slip.signum(),
            _ => 0.0,
        })),
    }
}

/// Whether the approach is more than what forces made of it in one step.
fn hits(step: &ContactStep<'_>) -> bool {
    step.before[0] < 0.0 && -step.before[0] > step.drifting.abs()
}
