//! What a motion took, and how much of it was shown to have no event that was overlooked.

use serde::{Deserialize, Serialize};

/// What a motion took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Steps, rejected ones included.
    pub steps: usize,
    /// Evaluations of the right-hand side, those for events included.
    pub evaluations: usize,
    /// Steps that were taken of which it was shown, as a whole or in pieces, that no event before their end was overlooked.
    #[serde(default)]
    pub shown: usize,
    /// Those of them that had to be cut into pieces for that.
    #[serde(default)]
    pub subdivided: usize,
    /// Steps that were only looked at in places.
    #[serde(default)]
    pub sampled: Sampled,
}

/// Steps that were only looked at in places, by what kept the rest of them from being enclosed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sampled {
    /// Their forces could not be bounded: near a singular configuration, where slip sets in in space, with many bodies.
    #[serde(skip_serializing_if = "is_zero")]
    pub bounds: usize,
    /// A number that is watched stays too near zero.
    #[serde(skip_serializing_if = "is_zero")]
    pub near: usize,
    /// An expression that is watched cannot be enclosed.
    #[serde(skip_serializing_if = "is_zero")]
    pub expression: usize,
}

/// Why a step is not shown to have no event that was overlooked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unshown {
    /// [`Sampled::bounds`].
    Bounds,
    /// [`Sampled::near`].
    Near,
    /// [`Sampled::expression`].
    Expression,
}

impl Sampled {
    /// How many they are.
    pub fn total(&self) -> usize {
        self.named().into_iter().map(|(_, count)| count).sum()
    }

    /// What kept them from being shown, in words, and how many.
    pub fn named(&self) -> [(&'static str, usize); 3] {
        [
            ("with forces that could not be bounded", self.bounds),
            ("with a number that stays near zero", self.near),
            ("with an expression that cannot be enclosed", self.expression),
        ]
    }

    /// Counts another one.
    pub fn count(&mut self, why: Unshown) {
        *match why {
            Unshown::Bounds => &mut self.bounds,
            Unshown::Near => &mut self.near,
            Unshown::Expression => &mut self.expression,
        } += 1;
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
