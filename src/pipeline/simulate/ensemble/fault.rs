//! Ensembles that make no sense: what was asked for, and what can be.

use crate::diag::Diagnostic;

/// An ensemble that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleFault {
    /// A range that is not written as one.
    #[error("`{text}`: expected {expected}")]
    Form {
        /// The text.
        text: String,
        /// How it is written.
        expected: &'static str,
    },
    /// A range of something that cannot be set, or with an end that is no expression in parameters.
    #[error("`{text}`: {}", .fault.in_one_line())]
    Expression {
        /// The text.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A range whose lower end is above the upper one, or that is not finite.
    #[error("`{text}`: the range is from {lo} to {hi}, expected a lower end that is not above the upper one")]
    Order {
        /// The text.
        text: String,
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// A logarithmic range with an end that is not positive.
    #[error("`{text}`: the lower end is {lo}, expected one > 0 for a logarithmic range")]
    Logarithm {
        /// The text.
        text: String,
        /// Lower end.
        lo: f64,
    },
    /// A normal distribution that is none.
    #[error(
        "`{text}`: the mean is {mean} and the deviation {deviation}, expected finite numbers, and a deviation >= 0"
    )]
    Normal {
        /// The text.
        text: String,
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
    },
    /// A file of samples that is none.
    #[error("`{text}`: {reason}")]
    Samples {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A grid without points.
    #[error("`{text}`: a grid needs at least one point")]
    Points {
        /// The text.
        text: String,
    },
    /// A name that varies twice.
    #[error("`{name}` varies twice: give it one --random or one --grid")]
    Twice {
        /// The name.
        name: String,
    },
    /// Nothing varies.
    #[error("nothing varies: say what does with --random NAME=LO:HI or --grid NAME=LO:HI:N")]
    Nothing,
    /// Random values without a number of runs.
    #[error("--random needs the number of runs: --runs N")]
    NoRuns,
    /// Zero runs.
    #[error("--runs is 0, expected at least 1")]
    ZeroRuns,
    /// The same motion several times: a grid alone has as many runs as points.
    #[error(
        "--runs {runs} would follow each motion {runs} times: without --random there is one run at each point of the grid"
    )]
    Same {
        /// Runs that were asked for.
        runs: u64,
    },
    /// More runs than can be counted.
    #[error("these are more runs than can be counted")]
    TooMany,
    /// A part that there is not.
    #[error("--chunk {text}: expected I/N, the I-th of N parts, with I from 1 to N")]
    Chunk {
        /// The text.
        text: String,
    },
    /// To go on in a file without a file.
    #[error("--resume goes on in a file: name it with --output, ending in .csv")]
    ResumeWhat,
    /// No parts to merge.
    #[error("nothing to merge: name the parts")]
    NoParts,
    /// Parts that would be overwritten by their merger.
    #[error("--output {file} is one of the parts; choose another name")]
    Onto {
        /// The file.
        file: String,
    },
}

/// A file that is no part of the ensemble it should be part of.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PartFault {
    /// A file whose question is not known.
    #[error("what was asked is not known: {beside} {reason}; it is written beside every ensemble")]
    Unasked {
        /// Where it should stand.
        beside: String,
        /// Why it does not.
        reason: String,
    },
    /// A file of another question.
    #[error("this belongs to another question: {key} is {found}, expected {expected}")]
    Other {
        /// The first key that differs.
        key: String,
        /// What the file has.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Rows that are not of this ensemble.
    #[error("it has not the rows of this ensemble: {reason}")]
    Rows {
        /// Which, and why.
        reason: String,
    },
    /// Fewer rows than the part has runs.
    #[error("it has {rows} of {runs} runs: let it go on with --resume")]
    Unfinished {
        /// Rows.
        rows: u64,
        /// Runs.
        runs: u64,
    },
    /// A file that is no part of a map.
    #[error("it is no part of a map: {reason}; `mechan map .. --chunk I/N --output PART.json` writes them")]
    NoPart {
        /// Why.
        reason: String,
    },
    /// Fewer rows than a part of a map has.
    #[error("it has {rows} of {of} rows: it was interrupted, and is to be computed again")]
    Cut {
        /// Rows.
        rows: usize,
        /// Rows that were asked for.
        of: usize,
    },
    /// A part that is there twice.
    #[error("part {part} is there twice")]
    Overlap {
        /// Which.
        part: u64,
    },
    /// A part that is missing.
    #[error("part {part} of {of} is missing")]
    Gap {
        /// Which.
        part: u64,
        /// Of how many.
        of: u64,
    },
}
