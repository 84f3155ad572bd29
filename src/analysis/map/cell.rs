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
            Self::Undefined => Class::Undefined,
        }
    }

    /// The number, if it is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(x.0),
            Self::Word(_) | Self::Undefined => None,
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
