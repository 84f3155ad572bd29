//! Why data were not written.

use crate::diag::Unwritable;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why data were not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum DataFault {
    /// The name of the file does not say what it should be.
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// This build writes no Parquet.
    NoParquet,
    /// A row has other cells than the columns say.
    Row {
        /// Which, from 0.
        row: usize,
        /// The number of columns.
        expected: usize,
        /// The number of cells.
        found: usize,
    },
    /// The folder of parts has parts of something else already.
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The file to go on with has other columns, or is no such file.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The disk does not take it.
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

impl fmt::Display for DataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ending { path } => {
                let path = path.display();
                write!(f, "`{path}` is no name of a data file: it should end in .csv, .parquet or .json")
            }
            Self::NoParquet => {
                write!(f, "this build writes no Parquet: write .csv, or build with `--features parquet`")
            }
            Self::Row { row, expected, found } if expected == found => {
                write!(f, "row {row} has a cell of another kind than its column")
            }
            Self::Row { row, expected, found } => {
                write!(f, "row {row} has {found} cells, expected {expected}")
            }
            Self::Occupied { path } => {
                write!(f, "{} has results already: remove it, or choose another name", path.display())
            }
            Self::Foreign { path } => {
                write!(f, "{} has other columns: this run cannot go on with it", path.display())
            }
            Self::Unwritable { path, error } => write!(f, "{}", Unwritable { path, error }),
        }
    }
}

impl std::error::Error for DataFault {}
