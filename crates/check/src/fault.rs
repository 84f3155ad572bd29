//! Why a certificate establishes nothing.

use crate::certificate::Answer;
use std::fmt;

/// Why a certificate does not establish its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It is too long to be read.
    Large {
        /// Its length.
        bytes: usize,
    },
    /// It is not JSON, or nested too deep, or has not the form of a certificate.
    Json(String),
    /// Something is not what it has to be.
    Form {
        /// Where it stands.
        place: String,
        /// What was expected there.
        expected: &'static str,
    },
    /// The check was told to stop.
    Stopped,
    /// The tree is not one.
    Tree {
        /// Which of its characters.
        at: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A box does not show what its leaf says.
    Leaf {
        /// Which leaf, from 1.
        leaf: u64,
        /// Its character.
        mark: char,
        /// Its box.
        place: String,
    },
    /// The answer is not what tree or witness say.
    Answer {
        /// What it says.
        answer: Answer,
        /// Why it does not follow.
        why: &'static str,
    },
    /// The witness does not refute the claim.
    Witness {
        /// What of it is not shown.
        why: &'static str,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Large { bytes } => write!(f, "{bytes} bytes: at most {} are read", crate::MOST_BYTES),
            Self::Json(why) => write!(f, "this is not JSON of a certificate: {why}"),
            Self::Form { place, expected } => write!(f, "{place}: expected {expected}"),
            Self::Stopped => write!(f, "the check was stopped"),
            Self::Tree { at, why } => write!(f, "tree, character {at}: {why}"),
            Self::Leaf { leaf, mark, place } => {
                let by = if matches!(mark, ':' | '=') { "by slopes " } else { "" };
                let is_claim = matches!(mark, '.' | ':');
                let what = if is_claim { "the claim holds" } else { "nothing satisfies the assumptions" };
                write!(f, "leaf {leaf} of the tree does not show {by}that {what}{place}")
            }
            Self::Answer { answer, why } => write!(f, "the answer is {answer:?}, yet {why}"),
            Self::Witness { why } => write!(f, "the witness does not refute the claim: {why}"),
        }
    }
}

impl std::error::Error for Fault {}
