//! Ensembles that make no sense: what was asked for, and what can be.

use crate::diag::Diagnostic;
use std::fmt;

/// An ensemble that makes no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EnsembleFault {
    /// A range that is not written as one.
    Form {
        /// The text.
        text: String,
        /// How it is written.
        expected: &'static str,
    },
    /// A range of something that cannot be set, or with an end that is no expression in parameters.
    Expression {
        /// The text.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A range whose lower end is above the upper one, or that is not finite.
    Order {
        /// The text.
        text: String,
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// A logarithmic range with an end that is not positive.
    Logarithm {
        /// The text.
        text: String,
        /// Lower end.
        lo: f64,
    },
    /// A grid without points.
    Points {
        /// The text.
        text: String,
    },
    /// A name that varies twice.
    Twice {
        /// The name.
        name: String,
    },
    /// Nothing varies.
    Nothing,
    /// Random values without a number of runs.
    NoRuns,
    /// Zero runs.
    ZeroRuns,
    /// The same motion several times: a grid alone has as many runs as points.
    Same {
        /// Runs that were asked for.
        runs: u64,
    },
    /// More runs than can be counted.
    TooMany,
    /// A part that there is not.
    Chunk {
        /// The text.
        text: String,
    },
    /// To go on in a file without a file.
    ResumeWhat,
    /// No parts to merge.
    NoParts,
    /// Parts that would be overwritten by their merger.
    Onto {
        /// The file.
        file: String,
    },
}

impl fmt::Display for EnsembleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form { text, expected } => write!(f, "`{text}`: expected {expected}"),
            Self::Expression { text, fault } => {
                let hint = fault.hint.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
                write!(f, "`{text}`: {}{hint}", fault.message)
            }
            Self::Order { text, lo, hi } => {
                write!(
                    f,
                    "`{text}`: the range is from {lo} to {hi}, expected a lower end that is not above the upper one"
                )
            }
            Self::Logarithm { text, lo } => {
                write!(f, "`{text}`: the lower end is {lo}, expected one > 0 for a logarithmic range")
            }
            Self::Points { text } => write!(f, "`{text}`: a grid needs at least one point"),
            Self::Twice { name } => {
                write!(f, "`{name}` varies twice: give it one --random or one --grid")
            }
            Self::Nothing => {
                write!(f, "nothing varies: say what does with --random NAME=LO:HI or --grid NAME=LO:HI:N")
            }
            Self::NoRuns => write!(f, "--random needs the number of runs: --runs N"),
            Self::ZeroRuns => write!(f, "--runs is 0, expected at least 1"),
            Self::Same { runs } => write!(
                f,
                "--runs {runs} would follow each motion {runs} times: without --random there is one run at each point of the grid"
            ),
            Self::TooMany => write!(f, "these are more runs than can be counted"),
            Self::Chunk { text } => {
                write!(f, "--chunk {text}: expected I/N, the I-th of N parts, with I from 1 to N")
            }
            Self::ResumeWhat => {
                write!(f, "--resume goes on in a file: name it with --output, ending in .csv")
            }
            Self::NoParts => write!(f, "nothing to merge: name the parts"),
            Self::Onto { file } => write!(f, "--output {file} is one of the parts; choose another name"),
        }
    }
}

impl std::error::Error for EnsembleFault {}

/// A file that is no part of the ensemble it should be part of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartFault {
    /// A file whose question is not known.
    Unasked {
        /// Where it should stand.
        beside: String,
        /// Why it does not.
        reason: String,
    },
    /// A file of another question.
    Other {
        /// The first key that differs.
        key: String,
        /// What the file has.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Rows that are not of this ensemble.
    Rows {
        /// Which, and why.
        reason: String,
    },
    /// Fewer rows than the part has runs.
    Unfinished {
        /// Rows.
        rows: u64,
        /// Runs.
        runs: u64,
    },
    /// A file that is no part of a map.
    NoPart {
        /// Why.
        reason: String,
    },
    /// Fewer rows than a part of a map has.
    Cut {
        /// Rows.
        rows: usize,
        /// Rows that were asked for.
        of: usize,
    },
    /// A part that is there twice.
    Overlap {
        /// Which.
        part: u64,
    },
    /// A part that is missing.
    Gap {
        /// Which.
        part: u64,
        /// Of how many.
        of: u64,
    },
}

impl fmt::Display for PartFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unasked { beside, reason } => {
                write!(
                    f,
                    "what was asked is not known: {beside} {reason}; it is written beside every ensemble"
                )
            }
            Self::Other { key, found, expected } => {
                write!(f, "this belongs to another question: {key} is {found}, expected {expected}")
            }
            Self::Rows { reason } => write!(f, "it has not the rows of this ensemble: {reason}"),
            Self::Unfinished { rows, runs } => {
                write!(f, "it has {rows} of {runs} runs: let it go on with --resume")
            }
            Self::NoPart { reason } => write!(
                f,
                "it is no part of a map: {reason}; `mechan map .. --chunk I/N --output PART.json` writes them"
            ),
            Self::Cut { rows, of } => {
                write!(f, "it has {rows} of {of} rows: it was interrupted, and is to be computed again")
            }
            Self::Overlap { part } => write!(f, "part {part} is there twice"),
            Self::Gap { part, of } => write!(f, "part {part} of {of} is missing"),
        }
    }
}

impl std::error::Error for PartFault {}
