//! Why a question could not be answered, and the exit status that says so (CLI.md).

use crate::diag::{Diagnostic, Source};

/// A question that could not be answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// A file that cannot be read.
    Unreadable {
        /// The file.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A result that cannot be written.
    Unwritable {
        /// Where to.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Faults of an input, each with its place.
    Input {
        /// The text they point into.
        source: Source,
        /// The faults.
        diagnostics: Vec<Diagnostic>,
    },
    /// A file that is wrong as a whole.
    File {
        /// The file.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// The question itself is wrong: an unknown state, a `--set` that makes no sense.
    Usage(String),
    /// The numbers failed: which, where, and what to try.
    Numbers(String),
    /// The equations could not be derived on this machine now: why, and what to do.
    Derivation(String),
}

impl Failure {
    /// A word that stays the same for the same kind of failure; of faults of an input the code of the first.
    pub fn code(&self) -> &'static str {
        match self {
            Failure::Unreadable { .. } => "unreadable",
            Failure::Unwritable { .. } => "unwritable",
            Failure::Input { diagnostics, .. } => diagnostics.first().map_or("input", |d| d.code),
            Failure::File { .. } => "file",
            Failure::Usage(_) => "usage",
            Failure::Numbers(_) => "numbers",
            Failure::Derivation(_) => "derivation",
        }
    }

    /// What failed, on one line: of faults of an input the messages.
    pub fn message(&self) -> String {
        match self {
            Failure::Input { diagnostics, .. } => {
                diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        }
    }

    /// Exit status: 1 the input is at fault, 2 wrong usage, 3 the numbers failed.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::Unreadable { .. } | Failure::Unwritable { .. } | Failure::File { .. } => 1,
            Failure::Input { diagnostics, .. } => status_of(diagnostics),
            Failure::Usage(_) => 2,
            Failure::Numbers(_) | Failure::Derivation(_) => 3,
        }
    }
}

/// Exit status for faults of an input: 3 if only numbers failed at a state (M4xx), else 1.
pub fn status_of(faults: &[Diagnostic]) -> u8 {
    if faults.iter().all(|f| f.code.starts_with("M4")) { 3 } else { 1 }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Unreadable { name, error } => write!(f, "{name} cannot be read: {error}"),
            Failure::Unwritable { name, error } => write!(f, "{name} cannot be written: {error}"),
            Failure::Input { source, diagnostics } => {
                write!(f, "{} has {} fault(s)", source.name, diagnostics.len())
            }
            Failure::File { name, message } => write!(f, "{name}: {message}"),
            Failure::Usage(message) | Failure::Numbers(message) | Failure::Derivation(message) => {
                write!(f, "{message}")
            }
        }
    }
}

impl std::error::Error for Failure {}
