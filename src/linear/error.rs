//! Why a set of numbers is not the matrix that is asked for.

use std::fmt;

/// What is wrong with a matrix or vector.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MatrixError {
    /// A size does not fit the others.
    Size {
        /// The key or matrix.
        what: &'static str,
        /// Its size in the data.
        found: usize,
        /// The size that the other data ask for.
        expected: usize,
    },
    /// An index of a matrix entry is out of range.
    Index {
        /// The matrix.
        matrix: &'static str,
        /// Which of its indices: `rows` or `cols`.
        list: &'static str,
        /// Position in the list of entries.
        entry: usize,
        /// The index found.
        found: usize,
        /// Indices must be below this.
        bound: usize,
    },
    /// A matrix has two entries at the same place.
    Duplicate {
        /// The matrix.
        matrix: &'static str,
        /// Row.
        row: usize,
        /// Column.
        col: usize,
    },
    /// An entry stands below one of a later row.
    Unsorted {
        /// The matrix.
        matrix: &'static str,
        /// Row.
        row: usize,
        /// Column.
        col: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// The key.
        what: &'static str,
        /// Position in it.
        index: usize,
    },
    /// A matrix that must be symmetric is far from it.
    Asymmetric {
        /// max |Mᵢⱼ − Mⱼᵢ| / max |Mᵢⱼ|.
        relative: f64,
        /// The largest value that is still taken as rounding of the program that recorded it.
        allowed: f64,
    },
    /// A matrix that must be positive definite is not.
    Indefinite {
        /// The row at which the factorisation failed.
        row: usize,
        /// The pivot found there, in units of the diagonal entry.
        pivot: f64,
    },
}

impl fmt::Display for MatrixError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, found, expected } => {
                write!(out, "{what} has size {found}, expected {expected}")
            }
            Self::Index { matrix, list, entry, found, bound } => {
                write!(
                    out,
                    "{matrix}.{list}[{entry}] is {found}, expected less than {bound} (they count from 0)"
                )
            }
            Self::Duplicate { matrix, row, col } => {
                write!(out, "{matrix} has two entries at row {row}, column {col}; add them up into one")
            }
            Self::Unsorted { matrix, row, col } => {
                write!(out, "{matrix} has row {row} of column {col} after a later one; rows must ascend")
            }
            Self::NotFinite { what, index } => write!(out, "entry {index} of {what} is not a finite number"),
            Self::Asymmetric { relative, allowed } => write!(
                out,
                "M is not symmetric: relative asymmetry {relative:?}, expected at most {allowed:?}; give both \
                 triangles of M"
            ),
            Self::Indefinite { row, pivot } => write!(
                out,
                "M is not positive definite: the factorisation fails at coordinate {row} (they count from 0) with \
                 relative pivot {pivot:?}"
            ),
        }
    }
}

impl std::error::Error for MatrixError {}
