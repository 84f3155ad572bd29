//! What a contact does next, the equations that it imposes and the forces that it permits   [CV16 Table 1].

use super::contacts::{Contacts, Motion};
use crate::contact;
use crate::num::Tol;
use crate::num::dense::norm;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// What a contact does next. `side` is the sign of its normal force: −1 where a contact that is held on both sides is pulled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// No force: it lifts off.
    Free,
    /// λ_T = −μ |λ_N| û; the gap stays closed.
    Slip {
        /// û, a unit vector; in the plane (±1, 0). Zero where no direction is known: without friction none matters, and with it
        /// any that slip from rest in space may have is meant.
        along: [f64; 2],
        /// Sign of λ_N.
        side: f64,
    },
    /// Neither gap nor slip accelerates.
    Stick {
        /// Sign of λ_N.
        side: f64,
    },
}

impl Mode {
    /// Slip in some direction, pushed.
    pub const SOME_SLIP: Self = Self::Slip { along: [0.0; 2], side: 1.0 };
    /// Stick, pushed.
    pub const STICK: Self = Self::Stick { side: 1.0 };

    /// Slip along the first tangent, forth or back, pushed.
    pub fn slip(sign: f64) -> Self {
        Self::Slip { along: [sign, 0.0], side: 1.0 }
    }

    /// The same, the contact pulled.
    #[must_use]
    pub fn pulled(self) -> Self {
        match self {
            Self::Free => self,
            Self::Slip { along, .. } => Self::Slip { along, side: -1.0 },
            Self::Stick { .. } => Self::Stick { side: -1.0 },
        }
    }

    /// Whether a force may act.
    pub fn is_closed(self) -> bool {
        self != Self::Free
    }

    /// The direction of its slip, if it slips and that is known.
    pub fn direction(self) -> Option<[f64; 2]> {
        match self {
            Self::Slip { along, .. } if norm(&along) > 0.0 => Some(along),
            Self::Free | Self::Stick { .. } | Self::Slip { .. } => None,
        }
    }

    /// The sign of its normal force.
    pub fn side(self) -> f64 {
        match self {
            Self::Free => 1.0,
            Self::Slip { side, .. } | Self::Stick { side } => side,
        }
    }

    /// The same with a direction of slip.
    #[must_use]
    pub fn directed(self, along: [f64; 2]) -> Self {
        match self {
            Self::Slip { side, .. } => Self::Slip { along, side },
            Self::Free | Self::Stick { .. } => self,
        }
    }

    /// Whether both do the same, directions of slip to rounding; sides of what sticks do not count.
    pub fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Slip { along: a, side: s }, Self::Slip { along: b, side: t }) => {
                let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
                s * t > 0.0 && apart <= Tol::default().narrow_directions
            }
            (Self::Free, Self::Free) | (Self::Stick { .. }, Self::Stick { .. }) => true,
            _ => false,
        }
    }

    /// Whether both are the same but for the direction of a slip.
    pub(crate) fn is_alike(self, other: Self) -> bool {
        let kind = |mode: Self| std::mem::discriminant(&mode);
        kind(self) == kind(other) && self.side() * other.side() > 0.0
    }

    /// Its name, with one or two tangents.
    pub fn name(self, tangents: usize) -> ModeName {
        match self {
            Self::Free => ModeName::FREE,
            Self::Stick { .. } => ModeName::STICK,
            Self::Slip { along: [one, _], .. } if tangents == 1 && one > 0.0 => ModeName::SLIP_POS,
            Self::Slip { along: [one, _], .. } if tangents == 1 && one < 0.0 => ModeName::SLIP_NEG,
            Self::Slip { .. } => ModeName::SLIP,
        }
    }

    /// Its name where ways to go on are told apart: a slip that is pulled says so.
    pub fn word(self, tangents: usize) -> &'static str {
        match (self, self.name(tangents)) {
            (Self::Slip { side, .. }, ModeName::SLIP_POS) if side < 0.0 => "slip+ pulled",
            (Self::Slip { side, .. }, ModeName::SLIP_NEG) if side < 0.0 => "slip- pulled",
            (Self::Slip { side, .. }, _) if side < 0.0 => "slip pulled",
            (_, name) => name.0,
        }
    }

    /// The rows of a contact that have no acceleration, of as many as it has.
    pub(crate) fn held(self, rows: usize) -> usize {
        match self {
            Self::Free => 0,
            Self::Slip { .. } => 1,
            Self::Stick { .. } => rows,
        }
    }
}

impl From<contact::Mode> for Mode {
    fn from(mode: contact::Mode) -> Self {
        match mode {
            contact::Mode::Free => Self::Free,
            contact::Mode::SlipPos => Self::slip(1.0),
            contact::Mode::SlipNeg => Self::slip(-1.0),
            contact::Mode::Stick => Self::STICK,
        }
    }
}

/// A force per unit weight, with its components N, T (N, T1, T2) in the units of [`Contacts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Of which contact.
    pub contact: usize,
    /// N, T (N, T1, T2).
    pub force: [f64; 3],
}

impl Contacts {
    /// The modes that the velocity of a contact permits, in the survey's order F, P, N, T.
    pub fn modes(&self, contact: usize) -> Vec<Mode> {
        let unilateral = self.is_unilateral(contact);
        let sides: &[f64] = if unilateral { &[1.0] } else { &[1.0, -1.0] };
        let smooth = self.friction(contact).is_zero();
        let directions: &[[f64; 2]] = match self.motion(contact) {
            Motion::Parting => return vec![Mode::Free],
            Motion::Slipping(along) => &[along],
            Motion::Resting if smooth || self.tangents > 1 => &[[0.0; 2]],
            Motion::Resting => &[[1.0, 0.0], [-1.0, 0.0]],
        };
        let slips =
            directions.iter().flat_map(|&along| sides.iter().map(move |&side| Mode::Slip { along, side }));
        let mut found: Vec<Mode> = unilateral.then_some(Mode::Free).into_iter().chain(slips).collect();
        // without friction nothing sticks
        if self.rests(contact) && !smooth {
            found.extend(sides.iter().map(|&side| Mode::Stick { side }));
        }
        found
    }

    /// The same with a direction for each slip in the plane, and rest of a contact without friction as stick.
    pub fn directed_modes(&self, contact: usize) -> Vec<Mode> {
        let each = |mode: Mode| match mode {
            Mode::Slip { side, .. } if mode.direction().is_none() => {
                let slip = |sign| Mode::Slip { along: [sign, 0.0], side };
                vec![slip(1.0), slip(-1.0), Mode::Stick { side }]
            }
            _ => vec![mode],
        };
        self.modes(contact).into_iter().flat_map(each).collect()
    }

    /// The rays whose non-negative sums are the forces of a mode in the plane, and of slip in space.
    pub fn rays(&self, contact: usize, mode: Mode) -> Vec<Ray> {
        let [n, t] = self.cone(contact);
        let friction = self.friction(contact);
        let ray = |N: f64, T: [f64; 2]| Ray { contact, force: [N, T[0], T[1]] };
        match mode {
            Mode::Free => Vec::new(),
            Mode::Slip { side, .. } | Mode::Stick { side } if friction.is_zero() => vec![ray(side, [0.0; 2])],
            Mode::Slip { along, side } => vec![ray(side * n, along.map(|x| -t * x))],
            Mode::Stick { side } if friction.is_infinite() => {
                vec![ray(side, [0.0; 2]), ray(0.0, [1.0, 0.0]), ray(0.0, [-1.0, 0.0])]
            }
            Mode::Stick { side } => vec![ray(side * n, [t, 0.0]), ray(side * n, [-t, 0.0])],
        }
    }

    /// The acceleration that must be positive in a mode, as rows with factors: a gap that opens, a slip that sets in.
    pub(crate) fn rise(&self, contact: usize, mode: Mode) -> Option<Rise> {
        let row = self.normal(contact);
        match (mode, self.motion(contact)) {
            (_, Motion::Parting) => None,
            (Mode::Free, _) => Some(Rise { row, factors: [1.0, 0.0], rows: 1 }),
            (Mode::Slip { .. }, Motion::Resting) => {
                let factors = mode.direction()?;
                Some(Rise { row: row + 1, factors, rows: self.tangents })
            }
            _ => None,
        }
    }

    /// The rows without acceleration of modes, in the order of the contacts.
    pub(crate) fn held_rows(&self, modes: &[Mode]) -> Vec<usize> {
        let rows = |(i, mode): (usize, &Mode)| {
            let first = self.normal(i);
            first..first + mode.held(self.dim())
        };
        modes.iter().enumerate().flat_map(rows).collect()
    }
}

/// An acceleration that must be positive: factors of neighbouring rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rise {
    row: usize,
    factors: [f64; 2],
    rows: usize,
}

impl Rise {
    /// Rows with their factors.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.rows).map(|k| (self.row + k, self.factors[k]))
    }

    /// The sum of a number of each row times its factor.
    pub(crate) fn of(&self, number: impl Fn(usize) -> f64) -> f64 {
        self.terms().map(|(row, factor)| factor * number(row)).sum()
    }

    /// The same of sizes.
    pub(crate) fn size(&self, size: impl Fn(usize) -> f64) -> f64 {
        self.terms().map(|(row, factor)| factor.abs() * size(row)).sum()
    }
}

/// The words of modes, contact by contact.
pub fn words(modes: &[Mode], tangents: usize) -> String {
    modes.iter().map(|mode| mode.word(tangents)).collect::<Vec<_>>().join(",")
}

/// The name of a mode in reports: `free`, `stick`, in the plane `slip+` and `slip-`, in space `slip`; in the plane `slip`, too, without friction
/// and without motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ModeName(&'static str);

impl ModeName {
    /// It lifts off.
    pub const FREE: Self = Self("free");
    /// It slips.
    pub const SLIP: Self = Self("slip");
    /// It slips with u > 0.
    pub const SLIP_POS: Self = Self("slip+");
    /// It slips with u < 0.
    pub const SLIP_NEG: Self = Self("slip-");
    /// It sticks.
    pub const STICK: Self = Self("stick");

    /// As it is printed.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The mode that is called so.
    pub fn named(text: &str) -> Option<Self> {
        let all = [Self::FREE, Self::SLIP, Self::SLIP_POS, Self::SLIP_NEG, Self::STICK];
        all.into_iter().find(|name| name.0 == text)
    }
}

impl From<contact::Mode> for ModeName {
    fn from(mode: contact::Mode) -> Self {
        Self(mode.name())
    }
}

impl<'de> Deserialize<'de> for ModeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::named(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no mode of a contact")))
    }
}
