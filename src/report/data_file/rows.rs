//! Data files read back, row by row: CSV, a Parquet file, or a folder of its parts. What a killed run did not finish is not there.

#[cfg(feature = "parquet")]
use super::parquet::ParquetRows;
use super::{CsvLines, DataCell, DataColumn, DataFault, DataKind, Form};
use std::io;
use std::path::Path;

/// The rows of a file with known columns.
#[derive(Debug)]
pub struct DataRows {
    columns: Vec<DataColumn>,
    source: Source,
    row: usize,
}

#[derive(Debug)]
enum Source {
    Csv(CsvLines),
    #[cfg(feature = "parquet")]
    Parquet(ParquetRows),
}

/// Why a file does not have the rows that it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowsFault {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// Its name says nothing that can be read.
    #[error("{0}")]
    Form(DataFault),
    /// Its columns are others.
    #[error("its columns are others")]
    Columns,
    /// A row whose cells are not of their columns' kinds; where it stands in the file.
    #[error("the cells of {place} do not fit its columns")]
    Cells {
        /// `line 3` or `row 2`.
        place: String,
    },
}

impl DataRows {
    /// Of a file or folder with these columns.
    ///
    /// # Errors
    /// [`RowsFault`].
    pub fn open(path: &Path, columns: Vec<DataColumn>) -> Result<Self, RowsFault> {
        let source = match Form::of(path).map_err(RowsFault::Form)? {
            Form::Csv => {
                let mut lines = CsvLines::open(path).map_err(RowsFault::Unreadable)?;
                let header = lines.next_cells().map_err(RowsFault::Unreadable)?.unwrap_or_default();
                if !header.iter().eq(columns.iter().map(|column| &column.name)) {
                    return Err(RowsFault::Columns);
                }
                Source::Csv(lines)
            }
            #[cfg(feature = "parquet")]
            Form::Parquet => Source::Parquet(ParquetRows::open(path, &columns)?),
        };
        Ok(Self { columns, source, row: 0 })
    }

    /// The cells of the next row; none after the last.
    ///
    /// # Errors
    /// [`RowsFault`].
    pub fn next_row(&mut self) -> Result<Option<Vec<DataCell>>, RowsFault> {
        self.row += 1;
        let place = self.place();
        let cells = match &mut self.source {
            Source::Csv(lines) => {
                let Some(words) = lines.next_cells().map_err(RowsFault::Unreadable)? else { return Ok(None) };
                let parsed = words.iter().zip(&self.columns).map(|(word, column)| parsed(word, column.kind));
                parsed.collect::<Option<Vec<_>>>().filter(|_| words.len() == self.columns.len())
            }
            #[cfg(feature = "parquet")]
            Source::Parquet(rows) => {
                let Some(cells) = rows.next_row().map_err(RowsFault::Unreadable)? else { return Ok(None) };
                cells
            }
        };
        cells.map(Some).ok_or(RowsFault::Cells { place })
    }

    /// Where the row that was read last stands in its file: `line 3` of CSV, `row 2` of Parquet.
    pub fn place(&self) -> String {
        match self.source {
            Source::Csv(_) => format!("line {}", self.row + 1),
            #[cfg(feature = "parquet")]
            Source::Parquet(_) => format!("row {}", self.row),
        }
    }
}

/// A cell of CSV; an empty number is not defined.
fn parsed(word: &str, kind: DataKind) -> Option<DataCell> {
    match kind {
        DataKind::Text => Some(DataCell::Text(word.to_owned())),
        DataKind::Real | DataKind::Integer if word.is_empty() => Some(DataCell::Empty),
        DataKind::Real => word.parse().ok().map(DataCell::Real),
        DataKind::Integer => word.parse().ok().map(DataCell::Integer),
    }
}
