//! Whether modes satisfy the contact laws, and how many motions there are.

use crate::contact::Sign;
use serde::{Deserialize, Serialize};

/// Whether a mode satisfies the contact law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Consistency {
    /// Every inequality holds, strictly.
    Yes,
    /// An inequality is violated.
    No,
    /// None is violated, but one is an equality within the tolerance.
    Marginal,
}

impl Consistency {
    /// Of a number that has to be positive.
    pub fn positive(sign: Sign) -> Self {
        match sign {
            Sign::Positive => Self::Yes,
            Sign::Negative => Self::No,
            Sign::Marginal => Self::Marginal,
        }
    }

    /// Of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            (Self::Marginal, _) | (_, Self::Marginal) => Self::Marginal,
        }
    }
}

/// The answer to "what can happen next?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Exactly one mode is consistent.
    Consistent,
    /// No mode is consistent.
    Inconsistent,
    /// Two or more modes are consistent.
    Indeterminate,
    /// The state lies on a boundary between different answers.
    Marginal,
    /// It is not proven how many modes are consistent.
    Undecided,
}

impl Verdict {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Consistent => "consistent",
            Verdict::Inconsistent => "inconsistent",
            Verdict::Indeterminate => "indeterminate",
            Verdict::Marginal => "marginal",
            Verdict::Undecided => "undecided",
        }
    }

    /// By the number of motions.
    pub fn of(motions: usize) -> Self {
        match motions {
            0 => Self::Inconsistent,
            1 => Self::Consistent,
            _ => Self::Indeterminate,
        }
    }
}
