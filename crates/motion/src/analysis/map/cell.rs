//! A value of a map, and the class that it belongs to.

use crate::num::Number;
use serde::Serialize;

/// The value of a quantity at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(Number),
    /// A word.
    Word(&'static str),
    /// Nothing: the state cannot be analysed there, or has no such number.
    Undefined,
    /// Nothing, of a motion, and why.
    #[serde(serialize_with = "nothing")]
    Lacking(Lack),
}

/// Why a motion has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// It cannot begin at the state.
    Refused,
    /// There was no such event.
    NoEvent,
    /// What is asked for is no number at its end.
    NoNumber,
    /// It ended before its time at a jam.
    Jam,
    /// .. where no motion satisfies the laws.
    Inconsistent,
    /// .. where several do.
    Indeterminate,
    /// .. where rounding forbids a statement.
    Undecided,
    /// .. as its budget was used up.
    Budget,
    /// .. as the numbers failed.
    Failed,
}

impl Lack {
    const ALL: [Self; 9] = [
        Self::Refused,
        Self::NoEvent,
        Self::NoNumber,
        Self::Jam,
        Self::Inconsistent,
        Self::Indeterminate,
        Self::Undecided,
        Self::Budget,
        Self::Failed,
    ];

    /// The word in reports: that of the motion's status, if it ended early.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::NoEvent => "no event",
            Self::NoNumber => "no number",
            Self::Jam => "jam",
            Self::Inconsistent => "inconsistent",
            Self::Indeterminate => "indeterminate",
            Self::Undecided => "undecided",
            Self::Budget => "budget",
            Self::Failed => "failed",
        }
    }

    /// Read back; none if there is no such word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lack| lack.name() == word)
    }
}

fn nothing<S: serde::Serializer>(_: &Lack, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_unit()
}

/// What a boundary lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing is said.
    Undefined,
    /// So many levels lie below the number.
    Above(usize),
    /// A word.
    Word(&'static str),
}

impl Cell {
    /// Of a number; one that is not defined is none.
    pub fn number(x: f64) -> Self {
        if x.is_nan() { Self::Undefined } else { Self::Number(Number(x)) }
    }

    /// Its class under some levels in order.
    pub fn class(&self, levels: &[f64]) -> Class {
        match self {
            Self::Number(x) => Class::Above(levels.iter().filter(|level| **level < x.0).count()),
            Self::Word(word) => Class::Word(word),
            Self::Undefined | Self::Lacking(_) => Class::Undefined,
        }
    }

    /// The number, if it is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(x.0),
            Self::Word(_) | Self::Undefined | Self::Lacking(_) => None,
        }
    }
}

/// Words of regions.
const WORDS: [&str; 11] = [
    "consistent",
    "inconsistent",
    "indeterminate",
    "marginal",
    "undecided",
    "strong",
    "ambiguous",
    "none",
    "unknown",
    "stable",
    "unstable",
];

/// A region's word, read back; none if there is no such word.
pub fn known_word(text: &str) -> Option<&'static str> {
    WORDS.into_iter().find(|word| *word == text)
}
