//! A dense matrix by rows in one vector, filled again and again.

/// Rows of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: usize,
    entries: Vec<f64>,
}

impl Table {
    /// Empties it, for rows of this length.
    pub fn clear(&mut self, columns: usize) {
        self.columns = columns;
        self.entries.clear();
    }

    /// Adds a row; it must have as many entries as there are columns.
    pub fn push(&mut self, row: impl IntoIterator<Item = f64>) {
        self.entries.extend(row);
    }

    /// Length of a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.entries.len() / self.columns.max(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Row i.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// Row i, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// All rows.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.entries.chunks_exact(self.columns.max(1))
    }

    /// Exchanges two rows.
    pub fn swap(&mut self, i: usize, j: usize) {
        (0..self.columns).for_each(|k| self.entries.swap(i * self.columns + k, j * self.columns + k));
    }

    /// Keeps the first rows.
    pub fn truncate(&mut self, rows: usize) {
        self.entries.truncate(rows * self.columns);
    }

    /// Becomes the product of the rows of one table with another.
    pub(super) fn product(&mut self, rows: &Self, with: &Self) {
        self.clear(with.columns);
        for row in rows.rows() {
            let entry = |k: usize| row.iter().zip(with.rows()).map(|(x, y)| x * y[k]).sum::<f64>();
            self.entries.extend((0..with.columns).map(entry));
        }
    }

    /// Becomes the transpose.
    pub(super) fn transpose(&mut self, of: &Self) {
        self.clear(of.len());
        (0..of.columns).for_each(|k| self.entries.extend(of.rows().map(|row| row[k])));
    }
}
