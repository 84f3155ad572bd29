//! The samples of a motion: rows of one length, one after the other in one piece of memory.

use crate::num::Number;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Index;

/// Rows of one length.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Vec<Number>>")]
pub struct Rows {
    /// 0 as long as there are none.
    width: usize,
    cells: Vec<Number>,
}

/// The first row that has another length than the rows before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row} of the trajectory has another length than those before it")]
pub struct UnevenRows {
    /// Its index.
    pub row: usize,
}

impl Rows {
    /// None yet, with memory for so many.
    pub fn with_capacity(width: usize, rows: usize) -> Self {
        Self { width, cells: Vec::with_capacity(width * rows) }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has another length than those before it, or none.
    #[inline]
    pub fn push(&mut self, row: &[f64]) {
        if self.cells.is_empty() {
            self.width = row.len();
        }
        assert!(row.len() == self.width && !row.is_empty(), "rows of one length");
        self.cells.extend(row.iter().map(|x| Number(*x)));
    }

    /// Adds the rows of another motion of the same mechanism.
    ///
    /// # Panics
    /// As [`Rows::push`].
    pub fn extend(&mut self, others: &Self) {
        if self.cells.is_empty() {
            self.width = others.width;
        }
        assert!(others.is_empty() || self.width == others.width, "rows of one length");
        self.cells.extend_from_slice(&others.cells);
    }

    /// Keeps the first so many rows.
    pub fn truncate(&mut self, rows: usize) {
        self.cells.truncate(rows * self.width);
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The rows in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, Number> {
        self.cells.chunks_exact(self.width.max(1))
    }

    /// A row.
    pub fn get(&self, row: usize) -> Option<&[Number]> {
        (row < self.len()).then(|| &self[row])
    }

    /// The first row.
    pub fn first(&self) -> Option<&[Number]> {
        self.get(0)
    }

    /// The last row.
    pub fn last(&self) -> Option<&[Number]> {
        self.len().checked_sub(1).map(|last| &self[last])
    }
}

impl Index<usize> for Rows {
    type Output = [Number];

    fn index(&self, row: usize) -> &[Number] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }
}

impl<'r> IntoIterator for &'r Rows {
    type Item = &'r [Number];
    type IntoIter = std::slice::ChunksExact<'r, Number>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<R: AsRef<[f64]>> FromIterator<R> for Rows {
    /// The rows of an iterator.
    ///
    /// # Panics
    /// If they have different lengths, or none.
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut found = Self::default();
        rows.into_iter().for_each(|row| found.push(row.as_ref()));
        found
    }
}

impl TryFrom<Vec<Vec<Number>>> for Rows {
    type Error = UnevenRows;

    fn try_from(rows: Vec<Vec<Number>>) -> Result<Self, UnevenRows> {
        let width = rows.first().map_or(0, Vec::len);
        match rows.iter().position(|row| row.len() != width || row.is_empty()) {
            Some(row) => Err(UnevenRows { row }),
            None => Ok(Self { width, cells: rows.concat() }),
        }
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_and_read_as_lists() {
        let mut rows = Rows::default();
        assert_eq!(
            (rows.len(), rows.last(), serde_json::to_string(&rows).unwrap()),
            (0, None, "[]".to_string())
        );
        rows.push(&[0.0, f64::NAN]);
        rows.push(&[1.0, 2.5]);
        let text = serde_json::to_string(&rows).unwrap();
        assert_eq!(text, "[[0.0,null],[1.0,2.5]]");
        let read: Rows = serde_json::from_str(&text).unwrap();
        assert_eq!(read, rows);
        assert_eq!((read.len(), read[1][1], read.get(2)), (2, Number(2.5), None));
        assert_eq!(read.iter().map(|row| row[0].0).collect::<Vec<_>>(), [0.0, 1.0]);
        rows.truncate(1);
        assert_eq!((rows.len(), rows.first()), (1, rows.last()));
        rows.clear();
        assert!(rows.is_empty());
    }

    #[test]
    fn uneven_rows_are_refused() {
        for text in ["[[0.0],[1.0,2.0]]", "[[]]"] {
            assert!(serde_json::from_str::<Rows>(text).is_err(), "{text}");
        }
    }
}
