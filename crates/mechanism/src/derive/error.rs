//! Why equations could not be derived.

use super::worker::protocol::COMMAND;

/// Why equations could not be derived; each says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The algebra gave an expression that no instruction stands for.
    #[error("no instruction stands for `{expression}`")]
    Unexpected {
        /// The expression.
        expression: String,
    },
    /// A vector of the mechanism has the wrong number of components.
    #[error("{what} has the wrong number of components")]
    Shape {
        /// Which.
        what: String,
    },
    /// The derived tape and its layout disagree.
    #[error("{0}")]
    Model(crate::model::ModelError),
    /// The worker could not be started or talked to.
    #[error("the process that derives could not be run: {0}")]
    Worker(std::io::Error),
    /// The machine-wide lock on derivations could not be had in time.
    #[error(
        "other mechan processes have been deriving for {waited} s; try again, or analyse a model file (`mechan derive \
         --format model`)"
    )]
    Busy {
        /// Seconds waited.
        waited: u64,
    },
    /// Another Symbolica program runs on this machine, and an unlicensed one may run only once.
    #[error(
        "another program that uses Symbolica is running, and without a licence only one may: end it, set \
         SYMBOLICA_LICENSE, or analyse a model file (`mechan derive --format model`){}",
        last_words(.notice)
    )]
    ForeignInstance {
        /// What the worker said on standard error.
        notice: String,
    },
    /// The worker took too long.
    #[error("the derivation was stopped after {waited} s; MECHAN_DERIVE_TIMEOUT=SECONDS allows it more")]
    Timeout {
        /// Seconds waited.
        waited: u64,
    },
    /// Nobody wanted the equations any more.
    #[error("the derivation was interrupted")]
    Halted,
    /// The worker ended without an answer.
    #[error("the process that derives ended with {status} and no answer{}", last_words(.notice))]
    Died {
        /// How it ended.
        status: String,
        /// What it said on standard error.
        notice: String,
    },
    /// The program that was to derive does not: it neither answered as a worker nor was it asked to.
    #[error(
        "{} does not derive: name the program `mechan`, or let the main function of your own begin with \
         `mechan::derive::worker::serve_if_asked` (it is started with `{COMMAND}`)",
        .program.display()
    )]
    NotAWorker {
        /// The program.
        program: std::path::PathBuf,
    },
    /// The program that was to derive is of another version, whose data are not these.
    #[error(
        "{} is of version {found}, and {expected} is needed: install the version of this library",
        .program.display()
    )]
    OtherVersion {
        /// The program.
        program: std::path::PathBuf,
        /// Its version.
        found: String,
        /// The version of the caller.
        expected: &'static str,
    },
    /// Equations that were to be written out in coordinates are too long for that.
    #[error("written out in coordinates the equations would fill pages: {what}; leave out --expand")]
    Unreadable {
        /// Why.
        what: &'static str,
    },
    /// An expression of the mechanism divides by one that is zero everywhere.
    #[error("an expression divides by one that is zero everywhere")]
    ZeroDivisor {
        /// Where it stands in the mechanism file.
        span: crate::diag::Span,
    },
    /// The worker refused its task.
    #[error("{0}")]
    Refused(String),
    /// The worker's answer cannot be read.
    #[error("the answer of the process that derives is damaged: {0}")]
    Answer(serde_json::Error),
}

/// The last line that was said in words, if any.
fn last_words(notice: &str) -> String {
    let words = |line: &str| line.trim_matches(|c: char| !c.is_alphanumeric()).to_string();
    let last = notice.lines().rev().map(words).find(|line| !line.is_empty());
    last.map(|line| format!(" (it said: {line})")).unwrap_or_default()
}
