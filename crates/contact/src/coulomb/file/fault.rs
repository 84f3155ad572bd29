//! What is wrong with a file of the field's collection FCLIB, with the place in it.

use std::fmt;

/// Why an HDF5 file is not a problem of FCLIB that can be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FclibError {
    /// The build is one without HDF5.
    #[error("this build has no HDF5: use JSON in the format fcp-1, or build with `--features hdf5`")]
    NoHdf5,
    /// The name announces HDF5, the first bytes do not.
    #[error("does not begin like an HDF5 file; is it damaged?")]
    Signature,
    /// The file cannot be read as HDF5.
    #[error("cannot be read as HDF5 ({message}); is the file truncated or damaged?")]
    Container {
        /// What the reader said.
        message: String,
    },
    /// It is shorter than it says.
    #[error("truncated: an HDF5 file of {expected} bytes, of which {found} are there")]
    Truncated {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have.
        expected: u64,
    },
    /// It holds neither `fclib_local` nor `fclib_global`.
    #[error("an HDF5 file with {}, expected the group fclib_local or fclib_global of FCLIB", listed(.found))]
    NoProblem {
        /// What stands at its top.
        found: Vec<String>,
    },
    /// It holds a local and a global problem.
    #[error("has fclib_local and fclib_global, two problems; expected one of them")]
    TwoProblems,
    /// It has a part that is beyond contacts with Coulomb's law.
    #[error("{path}: {what} cannot be taken into account")]
    Beyond {
        /// Its path.
        path: String,
        /// What it is about.
        what: &'static str,
    },
    /// A dataset is absent.
    #[error("{path} is missing")]
    Missing {
        /// Its path.
        path: String,
    },
    /// A dataset cannot be read.
    #[error("{path} cannot be read: {message}")]
    Unreadable {
        /// Its path.
        path: String,
        /// What the reader said.
        message: String,
    },
    /// A dataset has other values than integers where sizes or indices are expected.
    #[error("{path} has numbers of type {found}, expected integers")]
    NotIntegers {
        /// Its path.
        path: String,
        /// Their type.
        found: String,
    },
    /// A dataset is not a list of numbers, or not one number.
    #[error(fmt = other_shape)]
    Shape {
        /// Its path.
        path: String,
        /// Its extents.
        found: Vec<u64>,
    },
    /// A dataset declares more numbers than a file of its size can hold.
    #[error("{path} declares {numbers} numbers, more than a file of {file} bytes holds")]
    TooMany {
        /// Its path.
        path: String,
        /// How many it declares.
        numbers: u64,
        /// Bytes of the file.
        file: usize,
    },
    /// A size is negative.
    #[error("{path} is {found}, expected a number >= 0")]
    Negative {
        /// Its path.
        path: String,
        /// Its value.
        found: i64,
    },
    /// `nz` is neither a number of entries, nor −1 (columns), nor −2 (rows).
    #[error("{path} is {found}, expected the number of entries, -1 (by columns) or -2 (by rows)")]
    Storage {
        /// Its path.
        path: String,
        /// Its value.
        found: i64,
    },
    /// A list of a matrix is too short.
    #[error("{path} has {found} entries, expected at least {least}")]
    Short {
        /// Its path.
        path: String,
        /// Its length.
        found: usize,
        /// The least length.
        least: usize,
    },
    /// The beginnings of columns or rows do not ascend from 0.
    #[error(
        "{path}[{entry}] is {found}; where columns or rows begin must ascend from 0 to the number of entries"
    )]
    Beginnings {
        /// Their path.
        path: String,
        /// Position in the list.
        entry: usize,
        /// The value there.
        found: i64,
    },
    /// An index is out of range.
    #[error("{path}[{entry}] is {found}, expected 0 to {}", .bound.saturating_sub(1))]
    Index {
        /// The path of its list.
        path: String,
        /// Position in the list.
        entry: usize,
        /// The index found.
        found: i64,
        /// Indices must be below this.
        bound: usize,
    },
    /// A number is NaN or infinite.
    #[error("{path}[{entry}] is not a finite number")]
    NotFinite {
        /// The path of its list.
        path: String,
        /// Position in the list.
        entry: usize,
    },
    /// A size or an index of the problem does not fit the 32 bits that FCLIB has for it.
    #[error("{path} does not fit the 32 bits of FCLIB; write fcp-1")]
    Wide {
        /// The path at which it would stand.
        path: String,
    },
}

fn listed(found: &[String]) -> String {
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}

fn other_shape(path: &str, found: &[u64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let extents = found.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
    let expected = if found.len() == 1 { "one number" } else { "a list" };
    write!(f, "{path} is a table of {extents}, expected {expected}")
}
