//! CSV (RFC 4180, lines ending in \n): numbers to the last bit, an empty cell for what is not defined.

use super::{DataCell, DataColumn, DataFault};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes that are collected before they are written.
const CHUNK: usize = 1 << 16;

/// A file of whole lines.
#[derive(Debug)]
pub(super) struct CsvFile {
    path: PathBuf,
    file: File,
    /// Bytes of the file that are whole lines.
    length: u64,
    /// Whole lines that are not written yet.
    waiting: String,
}

impl CsvFile {
    pub(super) fn create(path: &Path, columns: &[DataColumn]) -> Result<Self, DataFault> {
        let file = File::create(path).map_err(DataFault::unwritable(path))?;
        let mut csv = Self { path: path.to_owned(), file, length: 0, waiting: String::new() };
        let names: Vec<DataCell> = columns.iter().map(|c| DataCell::Text(c.name.clone())).collect();
        csv.append(&names)?;
        csv.flush()?;
        Ok(csv)
    }

    /// Goes on after the first `length` bytes, which are whole lines; what stands behind them is cut off.
    pub(super) fn resume(path: &Path, length: u64) -> Result<Self, DataFault> {
        let opened = File::options().write(true).open(path).and_then(|mut file| {
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            Ok(file)
        });
        let file = opened.map_err(DataFault::unwritable(path))?;
        Ok(Self { path: path.to_owned(), file, length, waiting: String::new() })
    }

    pub(super) fn append(&mut self, row: &[DataCell]) -> Result<(), DataFault> {
        for (i, cell) in row.iter().enumerate() {
            if i > 0 {
                self.waiting.push(',');
            }
            push_cell(&mut self.waiting, cell);
        }
        self.waiting.push('\n');
        if self.waiting.len() < CHUNK { Ok(()) } else { self.flush() }
    }

    /// Writes what waits. Where the disk does not take all of it, the file is cut back to whole lines, and they wait on.
    pub(super) fn flush(&mut self) -> Result<(), DataFault> {
        match self.file.write_all(self.waiting.as_bytes()) {
            Ok(()) => {
                self.length += self.waiting.len() as u64;
                self.waiting.clear();
                Ok(())
            }
            Err(error) => {
                // a device that cannot be cut has nothing to keep
                let cut = self.file.set_len(self.length);
                drop(cut.and_then(|()| self.file.seek(SeekFrom::Start(self.length))));
                Err(DataFault::Unwritable { path: self.path.clone(), error })
            }
        }
    }
}

impl Drop for CsvFile {
    fn drop(&mut self) {
        // a caller who wants to know asks `finish`
        drop(self.flush());
    }
}

fn push_cell(line: &mut String, cell: &DataCell) {
    match cell {
        DataCell::Real(x) if x.is_nan() => {}
        // −0 is 0, as in the JSON
        DataCell::Real(x) => line.push_str(&shortest(*x + 0.0)),
        DataCell::Integer(n) => line.push_str(&n.to_string()),
        DataCell::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            line.push('"');
            line.push_str(&text.replace('"', "\"\""));
            line.push('"');
        }
        DataCell::Text(text) => line.push_str(text),
        DataCell::Empty => {}
    }
}

/// The shortest digits that read back to the same number; a power of ten where zeros would be many.
fn shortest(x: f64) -> String {
    let (plain, scientific) = (x.to_string(), format!("{x:e}"));
    if plain.len() <= scientific.len() + 3 { plain } else { scientific }
}

#[cfg(test)]
mod tests {
    use super::{DataCell, push_cell, shortest};

    #[test]
    fn numbers_read_back_to_the_last_bit() {
        for x in [0.1, -1.0 / 3.0, 1e300, 5e-324, f64::MAX, 123456789.125, f64::INFINITY, -1e-7] {
            assert_eq!(shortest(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(
            (shortest(1e300), shortest(1e-7), shortest(1500.0)),
            ("1e300".into(), "1e-7".into(), "1500".into())
        );
    }

    #[test]
    fn texts_that_could_be_mistaken_are_quoted() {
        let cell = |cell: DataCell| {
            let mut line = String::new();
            push_cell(&mut line, &cell);
            line
        };
        assert_eq!(cell(DataCell::Text("a \"b\", c\n".into())), "\"a \"\"b\"\", c\n\"");
        assert_eq!(cell(DataCell::Real(-0.0)), "0");
        assert_eq!(cell(DataCell::Real(f64::NAN)), "");
    }
}
