//! Data files: rows of named columns of numbers and texts, as CSV or Parquet. What is on the disk is valid at every moment:
//! whole lines of CSV, complete parts of Parquet.

mod csv;
mod fault;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod rows;

pub use fault::DataFault;
pub use rows::{DataRows, RowsFault};

use csv::CsvFile;
use lines::CsvLines;
use std::path::Path;

/// What a column holds; each cell may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKind {
    /// Numbers; one that is not defined is an empty cell.
    Real,
    /// Integers.
    Integer,
    /// Texts.
    Text,
}

/// A named column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataColumn {
    /// Name.
    pub name: String,
    /// What it holds.
    pub kind: DataKind,
}

impl DataColumn {
    /// A column of numbers.
    pub fn real(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: DataKind::Real }
    }

    /// A column of integers.
    pub fn integer(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: DataKind::Integer }
    }

    /// A column of texts.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: DataKind::Text }
    }
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum DataCell {
    /// A number; NaN is an empty cell.
    Real(f64),
    /// An integer.
    Integer(i64),
    /// A text.
    Text(String),
    /// Nothing.
    Empty,
}

impl DataCell {
    fn fits(&self, kind: DataKind) -> bool {
        match self {
            Self::Real(_) => kind == DataKind::Real,
            Self::Integer(_) => kind == DataKind::Integer,
            Self::Text(_) => kind == DataKind::Text,
            Self::Empty => true,
        }
    }
}

/// Rows of a part of a long table as Parquet.
pub const PART_ROWS: usize = 100_000;

/// A file that grows by rows.
///
/// ```
/// use mechan::report::{DataCell, DataColumn, DataFile};
///
/// let path = std::env::temp_dir().join(format!("mechan-{}.csv", std::process::id()));
/// let mut file = DataFile::create(&path, vec![DataColumn::integer("run"), DataColumn::real("t_end")])?;
/// file.append(&[DataCell::Integer(1), DataCell::Real(0.1)])?;
/// file.append(&[DataCell::Integer(2), DataCell::Empty])?;
/// file.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "run,t_end\n1,0.1\n2,\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DataFile {
    columns: Vec<DataColumn>,
    rows: usize,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Csv(CsvFile),
    #[cfg(feature = "parquet")]
    Parquet(parquet::ParquetFile),
}

impl DataFile {
    /// A file whose name ends in `.csv` or `.parquet`. CSV grows line by line; Parquet appears, complete, when it is finished.
    ///
    /// # Errors
    /// [`DataFault`].
    pub fn create(path: &Path, columns: Vec<DataColumn>) -> Result<Self, DataFault> {
        let sink = match Form::of(path)? {
            Form::Csv => Sink::Csv(CsvFile::create(path, &columns)?),
            #[cfg(feature = "parquet")]
            Form::Parquet => Sink::Parquet(parquet::ParquetFile::whole(path, &columns)),
        };
        Ok(Self { columns, rows: 0, sink })
    }

    /// That the name of a file says what it should be.
    ///
    /// # Errors
    /// [`DataFault::Ending`] and [`DataFault::NoParquet`].
    pub fn check(path: &Path) -> Result<(), DataFault> {
        Form::of(path).map(drop)
    }

    /// The same for a long run: Parquet is a folder of parts with so many rows each, each complete when it appears.
    ///
    /// # Errors
    /// [`DataFault`]; [`DataFault::Occupied`] if the folder has parts already.
    pub fn in_parts(path: &Path, columns: Vec<DataColumn>, rows_each: usize) -> Result<Self, DataFault> {
        let sink = match Form::of(path)? {
            Form::Csv => Sink::Csv(CsvFile::create(path, &columns)?),
            #[cfg(feature = "parquet")]
            Form::Parquet => Sink::Parquet(parquet::ParquetFile::in_parts(path, &columns, rows_each)?),
        };
        #[cfg(not(feature = "parquet"))]
        let _ = rows_each;
        Ok(Self { columns, rows: 0, sink })
    }

    /// Goes on with what a run of the same columns left, which may have been killed, and how many rows that is; begins where
    /// there is nothing.
    ///
    /// # Errors
    /// [`DataFault`]; [`DataFault::Foreign`] if it has other columns, [`DataFault::Occupied`] if it is a complete Parquet file.
    pub fn resume(
        path: &Path,
        columns: Vec<DataColumn>,
        rows_each: usize,
    ) -> Result<(Self, usize), DataFault> {
        let (sink, rows) = match Form::of(path)? {
            Form::Csv => CsvFile::resume(path, &columns).map(|(file, rows)| (Sink::Csv(file), rows))?,
            #[cfg(feature = "parquet")]
            Form::Parquet => parquet::ParquetFile::resume(path, &columns, rows_each)
                .map(|(file, rows)| (Sink::Parquet(file), rows))?,
        };
        #[cfg(not(feature = "parquet"))]
        let _ = rows_each;
        Ok((Self { columns, rows, sink }, rows))
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`DataFault::Row`] if it does not fit the columns, [`DataFault::Unwritable`] if the disk does not take it; what was
    /// written before stays valid.
    pub fn append(&mut self, row: &[DataCell]) -> Result<(), DataFault> {
        let fits = row.len() == self.columns.len()
            && row.iter().zip(&self.columns).all(|(cell, column)| cell.fits(column.kind));
        if !fits {
            return Err(DataFault::Row { row: self.rows, expected: self.columns.len(), found: row.len() });
        }
        match &mut self.sink {
            Sink::Csv(file) => file.append(row)?,
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.append(row)?,
        }
        self.rows += 1;
        Ok(())
    }

    /// Makes what was appended safe: lines are written, the rows of a part become a part.
    ///
    /// # Errors
    /// [`DataFault::Unwritable`].
    pub fn flush(&mut self) -> Result<(), DataFault> {
        match &mut self.sink {
            Sink::Csv(file) => file.flush(),
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.flush(),
        }
    }

    /// Writes the rest; the number of rows, those of a run before included.
    ///
    /// # Errors
    /// [`DataFault::Unwritable`].
    pub fn finish(self) -> Result<usize, DataFault> {
        match self.sink {
            Sink::Csv(mut file) => file.flush()?,
            #[cfg(feature = "parquet")]
            Sink::Parquet(file) => file.finish()?,
        }
        Ok(self.rows)
    }
}

/// What the name of a file says.
enum Form {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Form {
    fn of(path: &Path) -> Result<Self, DataFault> {
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("csv") => Ok(Self::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => Err(DataFault::NoParquet),
            _ => Err(DataFault::Ending { path: path.to_owned() }),
        }
    }
}
