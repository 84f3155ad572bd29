//! Why data were not written.

use crate::diag::Unwritable;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why data were not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataFault {
    /// The name of the file does not say what it should be.
    #[error("`{}` is no name of a data file: it should end in .csv, .parquet or .json", .path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// This build writes no Parquet.
    #[error("this build writes no Parquet: write .csv, or build with `--features parquet`")]
    NoParquet,
    /// A row has other cells than the columns say.
    #[error(fmt = wrong_row)]
    Row {
        /// Which, from 0.
        row: usize,
        /// The number of columns.
        expected: usize,
        /// The number of cells.
        found: usize,
    },
    /// The folder of parts has parts of something else already.
    #[error("{} has results already: remove it, or choose another name", .path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The file to go on with has other columns, or is no such file.
    #[error("{} has other columns: this run cannot go on with it", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The disk does not take it.
    #[error("{}", Unwritable { path, error })]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl DataFault {
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Unwritable { path, error }
    }
}

fn wrong_row(row: &usize, expected: &usize, found: &usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if expected == found {
        return write!(f, "row {row} has a cell of another kind than its column");
    }
    write!(f, "row {row} has {found} cells, expected {expected}")
}
