//! CSV read back, line by line: only whole lines count, so that what a killed run left is what it had written.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The lines of a CSV file as this program writes them: no cell goes over several lines.
#[derive(Debug)]
pub(super) struct CsvLines {
    reader: BufReader<File>,
    line: String,
}

impl CsvLines {
    /// Of a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { reader: BufReader::new(File::open(path)?), line: String::new() })
    }

    /// The cells of the next whole line; none at the end, or at the beginning of a line that was not finished.
    ///
    /// # Errors
    /// If it cannot be read, or is no text.
    pub(super) fn next_cells(&mut self) -> io::Result<Option<Vec<String>>> {
        self.line.clear();
        self.reader.read_line(&mut self.line)?;
        Ok(self.line.strip_suffix('\n').map(cells))
    }
}

/// The cells of a line; a quote within quotes is doubled.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn cells_are_those_that_were_written() {
        assert_eq!(cells("1,,\"a \"\"b\"\", c\",2"), ["1", "", "a \"b\", c", "2"]);
        assert_eq!(cells(""), [""]);
        assert_eq!(cells("x,"), ["x", ""]);
    }
}
