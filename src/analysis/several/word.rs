//! Words: one choice for each closed contact, the equations that it imposes and the forces that it permits   [CV16 Table 1].

use super::contacts::{Contacts, Going};
use crate::contact::{Mode, Slip};

/// What a contact does next. A bilateral contact is pushed apart or pulled together, sign +1 or −1 of its normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// No force.
    Free,
    /// λ_T = −s μ |λ_N|, the gap stays closed.
    Slip {
        /// s.
        way: Slip,
        /// Sign of λ_N.
        pull: f64,
    },
    /// Neither gap nor slip accelerates.
    Stick {
        /// Sign of λ_N.
        pull: f64,
    },
}

impl Choice {
    /// The mode of reports.
    pub fn mode(self) -> Mode {
        match self {
            Self::Free => Mode::Free,
            Self::Slip { way: Slip::Pos, .. } => Mode::SlipPos,
            Self::Slip { way: Slip::Neg, .. } => Mode::SlipNeg,
            Self::Stick { .. } => Mode::Stick,
        }
    }

    /// The sign of its normal force.
    pub(super) fn pull(self) -> f64 {
        match self {
            Self::Free => 1.0,
            Self::Slip { pull, .. } | Self::Stick { pull } => pull,
        }
    }
}

/// A force per unit weight: a ray of the friction cone, with its components N and T in the units of [`Contacts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ray {
    pub(super) contact: usize,
    pub(super) N: f64,
    pub(super) T: f64,
}

impl Contacts {
    /// The choices that the velocity of a contact permits, in the survey's order F, P, N, T.
    pub(super) fn choices(&self, contact: usize) -> Vec<Choice> {
        let touch = &self.touches[contact];
        let (free, pulls): (_, &[f64]) =
            if self.is_unilateral(contact) { (Some(Choice::Free), &[1.0]) } else { (None, &[1.0, -1.0]) };
        let slips = |way: Slip| pulls.iter().map(move |&pull| Choice::Slip { way, pull });
        match touch.going {
            Going::Parting => vec![Choice::Free],
            Going::Sliding(way) => free.into_iter().chain(slips(way)).collect(),
            Going::Resting => {
                let sticks = pulls.iter().map(|&pull| Choice::Stick { pull });
                free.into_iter()
                    .chain([Slip::Pos, Slip::Neg].into_iter().flat_map(slips))
                    .chain(sticks)
                    .collect()
            }
        }
    }

    /// The rays whose non-negative sums are the forces of a choice: of the cone n|λ_T| ≤ t λ_N in stick.
    pub(super) fn rays(&self, contact: usize, choice: Choice) -> Vec<Ray> {
        let friction = self.touches[contact].laws.friction;
        let (n, t) = friction.parts();
        let ray = |N: f64, T: f64| {
            let (N, T) = (N * self.unit[2 * contact], T * self.unit[2 * contact + 1]);
            let size = N.hypot(T);
            Ray { contact, N: N / size, T: T / size }
        };
        match choice {
            Choice::Free => Vec::new(),
            Choice::Slip { way, pull } => vec![ray(pull * n, -way.sign() * t)],
            Choice::Stick { pull } if friction.is_zero() => vec![ray(pull, 0.0)],
            Choice::Stick { pull } if friction.is_infinite() => {
                vec![ray(pull, 0.0), ray(0.0, 1.0), ray(0.0, -1.0)]
            }
            Choice::Stick { pull } => vec![ray(pull * n, t), ray(pull * n, -t)],
        }
    }

    /// The acceleration that must be positive in a choice, as row and sign: a gap that opens, a slip that sets in.
    pub(super) fn rise(&self, contact: usize, choice: Choice) -> Option<(usize, f64)> {
        match (choice, self.touches[contact].going) {
            (Choice::Free, Going::Sliding(_) | Going::Resting) => Some((2 * contact, 1.0)),
            (Choice::Slip { way, .. }, Going::Resting) => Some((2 * contact + 1, way.sign())),
            _ => None,
        }
    }

    /// Number of words; none beyond 64 bits.
    pub(super) fn words(&self) -> Option<u64> {
        (0..self.len()).try_fold(1_u64, |count, c| count.checked_mul(self.choices(c).len() as u64))
    }
}

/// The equations of a word: rows of accelerations that are zero, in the order of the contacts.
pub(super) fn held_rows(word: &[Choice]) -> Vec<usize> {
    let rows = |(i, choice): (usize, &Choice)| match choice {
        Choice::Free => 2 * i..2 * i,
        Choice::Slip { .. } => 2 * i..2 * i + 1,
        Choice::Stick { .. } => 2 * i..2 * i + 2,
    };
    word.iter().enumerate().flat_map(rows).collect()
}
