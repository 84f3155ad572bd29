//! Why a set of numbers is not the matrix that is asked for.

/// What is wrong with a matrix or vector.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A size does not fit the others.
    #[error("{what} has size {found}, expected {expected}")]
    Size {
        /// The key or matrix.
        what: &'static str,
        /// Its size in the data.
        found: usize,
        /// The size that the other data ask for.
        expected: usize,
    },
    /// An index of a matrix entry is out of range.
    #[error("{matrix}.{list}[{entry}] is {found}, expected less than {bound} (they count from 0)")]
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
    #[error("{matrix} has two entries at row {row}, column {col}; add them up into one")]
    Duplicate {
        /// The matrix.
        matrix: &'static str,
        /// Row.
        row: usize,
        /// Column.
        col: usize,
    },
    /// An entry stands below one of a later row.
    #[error("{matrix} has row {row} of column {col} after a later one; rows must ascend")]
    Unsorted {
        /// The matrix.
        matrix: &'static str,
        /// Row.
        row: usize,
        /// Column.
        col: usize,
    },
    /// A number is NaN or infinite.
    #[error("entry {index} of {what} is not a finite number")]
    NotFinite {
        /// The key.
        what: &'static str,
        /// Position in it.
        index: usize,
    },
    /// A matrix that must be symmetric is far from it.
    #[error(
        "M is not symmetric: relative asymmetry {relative:?}, expected at most {allowed:?}; give both triangles of M"
    )]
    Asymmetric {
        /// max |Mᵢⱼ − Mⱼᵢ| / max |Mᵢⱼ|.
        relative: f64,
        /// The largest value that is still taken as rounding of the program that recorded it.
        allowed: f64,
    },
    /// A matrix that must be positive definite is not.
    #[error(
        "M is not positive definite: the factorisation fails at coordinate {row} (they count from 0) with relative pivot \
         {pivot:?}"
    )]
    Indefinite {
        /// The row at which the factorisation failed.
        row: usize,
        /// The pivot found there, in units of the diagonal entry.
        pivot: f64,
    },
}
