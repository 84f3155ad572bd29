//! Parquet, one row group a file, by the column writers of the library; cells are optional.

use super::{DataCell, DataColumn, DataFault, DataKind, RowsFault};
use crate::report::whole_file::whole_file;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file, or a folder of files, that takes rows.
#[derive(Debug)]
pub(super) struct ParquetFile {
    path: PathBuf,
    columns: Vec<DataColumn>,
    rows: Vec<Vec<DataCell>>,
    parts: Option<Parts>,
}

#[derive(Debug)]
struct Parts {
    rows_each: usize,
    written: usize,
}

impl ParquetFile {
    /// One file, written when it is finished.
    pub(super) fn whole(path: &Path, columns: &[DataColumn]) -> Self {
        Self { path: path.to_owned(), columns: columns.to_vec(), rows: Vec::new(), parts: None }
    }

    /// A folder of parts.
    pub(super) fn in_parts(path: &Path, columns: &[DataColumn], rows_each: usize) -> Result<Self, DataFault> {
        fs::create_dir_all(path).map_err(DataFault::unwritable(path))?;
        let mut entries = fs::read_dir(path).map_err(DataFault::unwritable(path))?;
        if entries.next().is_some() {
            return Err(DataFault::Occupied { path: path.to_owned() });
        }
        let parts = Some(Parts { rows_each: rows_each.max(1), written: 0 });
        Ok(Self { parts, ..Self::whole(path, columns) })
    }

    /// Goes on with a folder of parts, and how many rows they have; what a killed run was writing is dropped.
    pub(super) fn resume(
        path: &Path,
        columns: &[DataColumn],
        rows_each: usize,
    ) -> Result<(Self, usize), DataFault> {
        if path.is_file() {
            return Err(DataFault::Occupied { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(DataFault::unwritable(path))?;
        let (mut written, mut rows) = (0, 0);
        for entry in fs::read_dir(path).map_err(DataFault::unwritable(path))? {
            let file = entry.map_err(DataFault::unwritable(path))?.path();
            let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if name.starts_with(".part-") {
                fs::remove_file(&file).map_err(DataFault::unwritable(&file))?;
                continue;
            }
            rows += rows_of(&file, columns)?;
            written += 1;
        }
        let foreign = || DataFault::Foreign { path: path.to_owned() };
        if !(0..written).all(|k| path.join(part(k)).is_file()) {
            return Err(foreign());
        }
        let parts = Some(Parts { rows_each: rows_each.max(1), written });
        Ok((Self { parts, ..Self::whole(path, columns) }, rows))
    }

    pub(super) fn append(&mut self, row: &[DataCell]) -> Result<(), DataFault> {
        self.rows.push(row.to_vec());
        match &self.parts {
            Some(parts) if self.rows.len() >= parts.rows_each => self.flush(),
            _ => Ok(()),
        }
    }

    /// Of a folder, what waits becomes a part; a single file waits for its end.
    pub(super) fn flush(&mut self) -> Result<(), DataFault> {
        let Some(parts) = &mut self.parts else { return Ok(()) };
        if self.rows.is_empty() {
            return Ok(());
        }
        let path = self.path.join(part(parts.written));
        write(&path, &self.columns, &self.rows)?;
        parts.written += 1;
        self.rows.clear();
        Ok(())
    }

    /// Writes what waits; also a table without rows has a file, which says its columns.
    pub(super) fn finish(mut self) -> Result<(), DataFault> {
        match self.parts {
            Some(Parts { written: 0, .. }) if self.rows.is_empty() => {
                write(&self.path.join(part(0)), &self.columns, &[])
            }
            Some(_) => self.flush(),
            None => write(&self.path, &self.columns, &self.rows),
        }
    }
}

/// The rows of a file, or of the parts of a folder in their order.
#[derive(Debug)]
pub(super) struct ParquetRows {
    files: std::vec::IntoIter<PathBuf>,
    rows: std::vec::IntoIter<Vec<DataCell>>,
    columns: Vec<DataColumn>,
}

impl ParquetRows {
    pub(super) fn open(path: &Path, columns: &[DataColumn]) -> Result<Self, RowsFault> {
        let parts = (0..).map(|k| path.join(part(k))).take_while(|part| part.is_file());
        let files: Vec<PathBuf> = if path.is_dir() { parts.collect() } else { vec![path.to_owned()] };
        for file in &files {
            rows_of(file, columns).map_err(|fault| match fault {
                DataFault::Unwritable { error, .. } => RowsFault::Unreadable(error),
                _ => RowsFault::Columns,
            })?;
        }
        Ok(Self { files: files.into_iter(), rows: Vec::new().into_iter(), columns: columns.to_vec() })
    }

    /// The cells of the next row, if they are of their columns' kinds.
    pub(super) fn next_row(&mut self) -> io::Result<Option<Option<Vec<DataCell>>>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Ok(Some(Some(row)));
            }
            let Some(file) = self.files.next() else { return Ok(None) };
            let Some(rows) = read(&file, &self.columns)? else { return Ok(Some(None)) };
            self.rows = rows.into_iter();
        }
    }
}

/// All rows of one file.
fn read(path: &Path, columns: &[DataColumn]) -> io::Result<Option<Vec<Vec<DataCell>>>> {
    let reader = SerializedFileReader::new(fs::File::open(path)?).map_err(io_error)?;
    let rows = reader.get_row_iter(None).map_err(io_error)?;
    let cells = |row: Row| -> Option<Vec<DataCell>> {
        row.get_column_iter().zip(columns).map(|((_, field), column)| cell(field, column.kind)).collect()
    };
    rows.map(|row| row.map(cells).map_err(io_error)).collect()
}

fn cell(field: &Field, kind: DataKind) -> Option<DataCell> {
    match (field, kind) {
        (Field::Null, _) => Some(DataCell::Empty),
        (Field::Double(x), DataKind::Real) => Some(DataCell::Real(*x)),
        (Field::Long(count), DataKind::Integer) => Some(DataCell::Integer(*count)),
        (Field::Str(text), DataKind::Text) => Some(DataCell::Text(text.clone())),
        _ => None,
    }
}

/// The name of a part.
fn part(k: usize) -> String {
    format!("part-{k:05}.parquet")
}

/// The rows of a part with these columns.
fn rows_of(path: &Path, columns: &[DataColumn]) -> Result<usize, DataFault> {
    let file = fs::File::open(path).map_err(DataFault::unwritable(path))?;
    let foreign = || DataFault::Foreign { path: path.to_owned() };
    let reader = SerializedFileReader::new(file).map_err(|_| foreign())?;
    let about = reader.metadata().file_metadata();
    let expected = schema(columns).map_err(|_| foreign())?;
    let same = about.schema().get_fields() == expected.get_fields();
    if same { usize::try_from(about.num_rows()).map_err(|_| foreign()) } else { Err(foreign()) }
}

fn write(path: &Path, columns: &[DataColumn], rows: &[Vec<DataCell>]) -> Result<(), DataFault> {
    whole_file(path, |file| {
        let properties = Arc::new(WriterProperties::builder().build());
        let fill = || -> Result<(), ParquetError> {
            let mut writer = SerializedFileWriter::new(file, schema(columns)?, properties)?;
            let mut group = writer.next_row_group()?;
            for (i, column) in columns.iter().enumerate() {
                let Some(mut cells) = group.next_column()? else { break };
                write_column(&mut cells, column.kind, rows.iter().filter_map(|row| row.get(i)))?;
                cells.close()?;
            }
            group.close()?;
            writer.close().map(drop)
        };
        fill().map_err(io_error)
    })
    .map_err(DataFault::unwritable(path))
}

/// The disk's own error, where there is one.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(own) => *own,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn schema(columns: &[DataColumn]) -> Result<TypePtr, ParquetError> {
    let field = |(i, column): (usize, &DataColumn)| -> Result<TypePtr, ParquetError> {
        let (physical, logical) = match column.kind {
            DataKind::Real => (Physical::DOUBLE, None),
            DataKind::Integer => (Physical::INT64, None),
            DataKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        // readers of Parquet want names that are different: as pandas names those of CSV
        let before = columns[..i].iter().filter(|other| other.name == column.name).count();
        let name = if before > 0 { format!("{}.{before}", column.name) } else { column.name.clone() };
        let field = Type::primitive_type_builder(&name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().enumerate().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}

fn write_column<'c>(
    cells: &mut SerializedColumnWriter,
    kind: DataKind,
    column: impl Iterator<Item = &'c DataCell>,
) -> Result<(), ParquetError> {
    match kind {
        DataKind::Real => write_values::<DoubleType>(cells, column, |cell| match cell {
            DataCell::Real(x) if !x.is_nan() => Some(*x + 0.0),
            _ => None,
        }),
        DataKind::Integer => write_values::<Int64Type>(cells, column, |cell| match cell {
            DataCell::Integer(n) => Some(*n),
            _ => None,
        }),
        DataKind::Text => write_values::<ByteArrayType>(cells, column, |cell| match cell {
            DataCell::Text(text) => Some(ByteArray::from(text.as_str())),
            _ => None,
        }),
    }
}

/// Values, and of each cell whether it has one.
fn write_values<'c, T: DataType>(
    cells: &mut SerializedColumnWriter,
    column: impl Iterator<Item = &'c DataCell>,
    value: impl Fn(&DataCell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let (mut values, mut present) = (Vec::new(), Vec::new());
    for cell in column {
        let value = value(cell);
        present.push(i16::from(value.is_some()));
        values.extend(value);
    }
    cells.typed::<T>().write_batch(&values, Some(&present), None).map(drop)
}
