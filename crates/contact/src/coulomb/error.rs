//! Why a set of numbers is not an incremental problem.

use super::file::FclibError;
use crate::linear::MatrixError;

/// What is wrong with the data of a problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The file could not be read or unpacked.
    #[error("{message}")]
    Io {
        /// What the operating system or the unpacker said.
        message: String,
    },
    /// The file begins like gzip but cannot be unpacked.
    #[error("cannot be unpacked with gzip ({message}); is the file truncated or damaged?")]
    Packed {
        /// What the unpacker said.
        message: String,
    },
    /// The text is not JSON of the expected shape (truncated, wrong type).
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// The unpacked file is larger than allowed.
    #[error("larger than {limit} bytes, the most that is read")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// An HDF5 file is not a problem of FCLIB.
    #[error("{0}")]
    Fclib(#[from] FclibError),
    /// `format` is not `fcp-1`.
    #[error("format is {found:?}, expected \"fcp-1\"")]
    Format {
        /// What stood there.
        found: String,
    },
    /// `kind` is neither `local` nor `global`.
    #[error("kind is {found:?}, expected \"local\" or \"global\"")]
    Kind {
        /// What stood there.
        found: String,
    },
    /// `dim` is neither 2 nor 3.
    #[error("dim is {found}, expected 2 or 3")]
    Dimension {
        /// What stood there.
        found: usize,
    },
    /// A key that this kind of problem needs is absent.
    #[error("{key} is missing")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A matrix or vector is not what the others ask for.
    #[error("{0}")]
    Matrix(#[from] MatrixError),
    /// A size that the file declares is not that of its data.
    #[error("{key} is {found}, but {with} is {expected}")]
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
    #[error("friction of contact {contact} is {mu}, expected a number >= 0")]
    NegativeFriction {
        /// The contact.
        contact: usize,
        /// Its coefficient.
        mu: f64,
    },
    /// Two contacts have the same key.
    #[error("two contacts have the key {key}")]
    RepeatedKey {
        /// The key.
        key: u64,
    },
    /// A contact frame is not orthonormal.
    #[error("frame of contact {contact} is not orthonormal: defect {defect:?}")]
    Frame {
        /// The contact.
        contact: usize,
        /// Largest entry of |EᵀE − I|.
        defect: f64,
    },
    /// A time step is not a positive number.
    #[error("the time step is {found}, expected a number > 0")]
    Step {
        /// The step.
        found: f64,
    },
}
