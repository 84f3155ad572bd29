//! Why a set of numbers is not an incremental problem.

use std::fmt;

use super::file::FclibError;
use crate::linear::MatrixError;

/// What is wrong with the data of a problem.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemError {
    /// The file could not be read or unpacked.
    Io {
        /// What the operating system or the unpacker said.
        message: String,
    },
    /// The file begins like gzip but cannot be unpacked.
    Packed {
        /// What the unpacker said.
        message: String,
    },
    /// The text is not JSON of the expected shape (truncated, wrong type).
    Syntax {
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// The unpacked file is larger than allowed.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// An HDF5 file is not a problem of FCLIB.
    Fclib(FclibError),
    /// `format` is not `fcp-1`.
    Format {
        /// What stood there.
        found: String,
    },
    /// `kind` is neither `local` nor `global`.
    Kind {
        /// What stood there.
        found: String,
    },
    /// `dim` is neither 2 nor 3.
    Dimension {
        /// What stood there.
        found: usize,
    },
    /// A key that this kind of problem needs is absent.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A matrix or vector is not what the others ask for.
    Matrix(MatrixError),
    /// A size that the file declares is not that of its data.
    Declared {
        /// The key, such as `M.nrows`.
        key: String,
        /// Its value.
        found: usize,
        /// What it should agree with.
        with: String,
        /// The value of that.
        expected: usize,
    },
    /// A friction coefficient is negative.
    NegativeFriction {
        /// The contact.
        contact: usize,
        /// Its coefficient.
        mu: f64,
    },
    /// Two contacts have the same key.
    RepeatedKey {
        /// The key.
        key: u64,
    },
    /// A contact frame is not orthonormal.
    Frame {
        /// The contact.
        contact: usize,
        /// Largest entry of |EᵀE − I|.
        defect: f64,
    },
    /// A time step is not a positive number.
    Step {
        /// The step.
        found: f64,
    },
}

impl fmt::Display for ProblemError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { message } => write!(out, "{message}"),
            Self::Packed { message } => {
                write!(out, "cannot be unpacked with gzip ({message}); is the file truncated or damaged?")
            }
            Self::Syntax { line, column, message } => write!(out, "line {line}, column {column}: {message}"),
            Self::TooLarge { limit } => write!(out, "larger than {limit} bytes, the most that is read"),
            Self::Format { found } => write!(out, "format is {found:?}, expected \"fcp-1\""),
            Self::Kind { found } => write!(out, "kind is {found:?}, expected \"local\" or \"global\""),
            Self::Dimension { found } => write!(out, "dim is {found}, expected 2 or 3"),
            Self::Missing { key } => write!(out, "{key} is missing"),
            Self::Fclib(error) => error.fmt(out),
            Self::Matrix(error) => error.fmt(out),
            Self::Declared { key, found, with, expected } => {
                write!(out, "{key} is {found}, but {with} is {expected}")
            }
            Self::NegativeFriction { contact, mu } => {
                write!(out, "friction of contact {contact} is {mu}, expected a number >= 0")
            }
            Self::RepeatedKey { key } => write!(out, "two contacts have the key {key}"),
            Self::Frame { contact, defect } => {
                write!(out, "frame of contact {contact} is not orthonormal: defect {defect:?}")
            }
            Self::Step { found } => write!(out, "the time step is {found}, expected a number > 0"),
        }
    }
}

impl std::error::Error for ProblemError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Matrix(error) => Some(error),
            Self::Fclib(error) => Some(error),
            _ => None,
        }
    }
}

impl From<MatrixError> for ProblemError {
    fn from(error: MatrixError) -> Self {
        Self::Matrix(error)
    }
}

impl From<FclibError> for ProblemError {
    fn from(error: FclibError) -> Self {
        Self::Fclib(error)
    }
}
