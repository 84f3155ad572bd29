//! CSV (RFC 4180, lines ending in \n): numbers to the last bit, an empty cell for what is not defined.

use super::{DataCell, DataColumn, DataFault};
use std::fmt::{Arguments, Write as _};
use std::fs::{self, File};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
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
        csv.append(&header(columns))?;
        csv.flush()?;
        Ok(csv)
    }

    /// Goes on with a file, and how many rows it has; a line that was cut off is dropped.
    pub(super) fn resume(path: &Path, columns: &[DataColumn]) -> Result<(Self, usize), DataFault> {
        let unwritable = DataFault::unwritable(path);
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((Self::create(path, columns)?, 0));
            }
            Err(error) => return Err(unwritable(error)),
        };
        let (lines, length) = whole_lines(&text);
        let mut names = String::new();
        push_row(&mut names, &header(columns));
        if lines == 0 && names.as_bytes().starts_with(&text) {
            return Ok((Self::create(path, columns)?, 0));
        }
        if !text.starts_with(names.as_bytes()) {
            return Err(DataFault::Foreign { path: path.to_owned() });
        }
        let open = || {
            let mut file = File::options().write(true).open(path)?;
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            Ok(file)
        };
        let file = open().map_err(unwritable)?;
        Ok((
            Self { path: path.to_owned(), file, length, waiting: String::new() },
            lines - whole_lines(names.as_bytes()).0,
        ))
    }

    pub(super) fn append(&mut self, row: &[DataCell]) -> Result<(), DataFault> {
        push_row(&mut self.waiting, row);
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

fn header(columns: &[DataColumn]) -> Vec<DataCell> {
    columns.iter().map(|c| DataCell::Text(c.name.clone())).collect()
}

/// The number of lines that are whole, and their bytes; a line ends outside of quotes.
fn whole_lines(text: &[u8]) -> (usize, u64) {
    let (mut quoted, mut lines, mut length) = (false, 0, 0);
    for (i, byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => (lines, length) = (lines + 1, i as u64 + 1),
            _ => {}
        }
    }
    (lines, length)
}

fn push_row(line: &mut String, row: &[DataCell]) {
    for (i, cell) in row.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        push_cell(line, cell);
    }
    line.push('\n');
}

fn push_cell(line: &mut String, cell: &DataCell) {
    match cell {
        DataCell::Real(x) if x.is_nan() => {}
        // −0 is 0, as in the JSON
        DataCell::Real(x) => push_shortest(line, *x + 0.0),
        DataCell::Integer(n) => push(line, format_args!("{n}")),
        DataCell::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            line.push('"');
            line.push_str(&text.replace('"', "\"\""));
            line.push('"');
        }
        DataCell::Text(text) => line.push_str(text),
        DataCell::Empty => {}
    }
}

/// Characters that a power of ten has to save.
const WORTH: usize = 4;

/// The shortest digits that read back to the same number; a power of ten where zeros would be many.
fn push_shortest(line: &mut String, x: f64) {
    let begin = line.len();
    push(line, format_args!("{x}"));
    // a power of ten saves no more than the zeros before or after the digits
    if line.as_bytes()[begin..].iter().filter(|byte| **byte == b'0').count() < WORTH {
        return;
    }
    let scientific = format!("{x:e}");
    if line.len() - begin >= scientific.len() + WORTH {
        line.truncate(begin);
        line.push_str(&scientific);
    }
}

fn push(line: &mut String, text: Arguments<'_>) {
    // strings take all that is written
    let _ = line.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::{DataCell, push_cell, push_shortest};

    fn shortest(x: f64) -> String {
        let mut text = String::new();
        push_shortest(&mut text, x);
        text
    }

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

    /// Those that are not compared with their powers of ten have few zeros.
    #[test]
    fn the_shorter_form_is_taken() {
        for digits in ["1", "1.5", "2.25", "9.999999", "1.00000007", "1.2345678901234567"] {
            for power in -30..30 {
                let x: f64 = format!("-{digits}e{power}").parse().unwrap();
                let (plain, scientific) = (x.to_string(), format!("{x:e}"));
                let expected = if plain.len() <= scientific.len() + 3 { plain } else { scientific };
                assert_eq!(shortest(x), expected);
            }
        }
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
