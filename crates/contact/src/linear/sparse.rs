//! Sparse matrices by columns: M and Hᵀ of the global form, and the interchange form of W.

use super::MatrixError;
use crate::num::InOrder;

/// A sparse matrix in compressed columns; rows ascend within a column, no place twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    nrows: usize,
    ncols: usize,
    start: Vec<usize>,
    rows: Vec<usize>,
    vals: Vec<f64>,
}

impl Sparse {
    /// From coordinates (row, column, value) in any order.
    ///
    /// # Errors
    /// `Size`, `Index`, `Duplicate`, `NotFinite`; `name` says which matrix.
    pub fn from_coordinates(
        name: &'static str,
        shape: (usize, usize),
        rows: &[usize],
        cols: &[usize],
        vals: &[f64],
    ) -> Result<Self, MatrixError> {
        let (nrows, ncols) = shape;
        for (len, what) in [(rows.len(), "rows of a matrix"), (cols.len(), "cols of a matrix")] {
            if len != vals.len() {
                return Err(MatrixError::Size { what, found: len, expected: vals.len() });
            }
        }
        check_indices(name, "rows", rows, nrows)?;
        check_indices(name, "cols", cols, ncols)?;
        check_finite(name, vals)?;
        let mut order: Vec<usize> = (0..vals.len()).collect();
        order.put_in_order_of(|&k| (cols[k], rows[k]));
        for pair in order.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if (cols[a], rows[a]) == (cols[b], rows[b]) {
                return Err(MatrixError::Duplicate { matrix: name, row: rows[a], col: cols[a] });
            }
        }
        let mut start = vec![0; ncols + 1];
        cols.iter().for_each(|&c| start[c + 1] += 1);
        (0..ncols).for_each(|c| start[c + 1] += start[c]);
        let entries = (order.iter().map(|&k| rows[k]).collect(), order.iter().map(|&k| vals[k]).collect());
        Ok(Self { nrows, ncols, start, rows: entries.0, vals: entries.1 })
    }

    /// From a dense matrix given by rows, dropping zeros.
    ///
    /// # Errors
    /// As [`Sparse::from_coordinates`]; `Size` when the rows differ in length.
    pub fn from_dense(name: &'static str, dense: &[Vec<f64>], ncols: usize) -> Result<Self, MatrixError> {
        let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
        for (i, row) in dense.iter().enumerate() {
            if row.len() != ncols {
                return Err(MatrixError::Size { what: name, found: row.len(), expected: ncols });
            }
            for (j, &x) in row.iter().enumerate().filter(|&(_, &x)| x.abs() > 0.0 || x.is_nan()) {
                rows.push(i);
                cols.push(j);
                vals.push(x);
            }
        }
        Self::from_coordinates(name, (dense.len(), ncols), &rows, &cols, &vals)
    }

    /// From already sorted and checked columns.
    pub(crate) fn from_parts(nrows: usize, start: Vec<usize>, rows: Vec<usize>, vals: Vec<f64>) -> Self {
        Self { nrows, ncols: start.len() - 1, start, rows, vals }
    }

    /// Empties it, to be filled again column by column in the memory that it has.
    pub fn clear(&mut self, nrows: usize) {
        (self.nrows, self.ncols) = (nrows, 0);
        self.start.clear();
        self.start.push(0);
        self.rows.clear();
        self.vals.clear();
    }

    /// Adds an entry to the column that is being filled; its rows must ascend.
    pub fn push(&mut self, row: usize, value: f64) {
        self.rows.push(row);
        self.vals.push(value);
    }

    /// Ends the column that is being filled.
    pub fn end_column(&mut self) {
        self.ncols += 1;
        self.start.push(self.rows.len());
    }

    /// Whether it is a matrix, filled by whomever.
    ///
    /// # Errors
    /// `Index`, `Duplicate`, `Unsorted`, `NotFinite`; `name` says which matrix.
    pub fn check(&self, name: &'static str) -> Result<(), MatrixError> {
        check_indices(name, "rows", &self.rows, self.nrows)?;
        for col in 0..self.ncols {
            let rows = &self.rows[self.start[col]..self.start[col + 1]];
            if let Some(pair) = rows.windows(2).find(|pair| pair[0] >= pair[1]) {
                let row = pair[1];
                return Err(match pair[0] == row {
                    true => MatrixError::Duplicate { matrix: name, row, col },
                    false => MatrixError::Unsorted { matrix: name, row, col },
                });
            }
        }
        check_finite(name, &self.vals)
    }

    /// Becomes a copy of another matrix in the memory that it has.
    pub fn assign(&mut self, other: &Self) {
        (self.nrows, self.ncols) = (other.nrows, other.ncols);
        self.start.clone_from(&other.start);
        self.rows.clone_from(&other.rows);
        self.vals.clone_from(&other.vals);
    }

    /// The compressed pattern: where the columns begin, and the rows of the entries.
    pub fn pattern(&self) -> (&[usize], &[usize]) {
        (&self.start, &self.rows)
    }

    /// The values of the entries.
    pub fn values(&self) -> &[f64] {
        &self.vals
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.nrows
    }

    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.vals.len()
    }

    /// The rows and values of column `j`.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[j]..self.start[j + 1];
        self.rows[range.clone()].iter().copied().zip(self.vals[range].iter().copied())
    }

    /// The i-th D columns row by row, from the first to the last in which one of them has an entry.
    #[inline]
    pub(crate) fn merged<const D: usize>(&self, i: usize, mut visit: impl FnMut(usize, [f64; D])) {
        let mut at: [usize; D] = std::array::from_fn(|a| self.start[i * D + a]);
        let end: [usize; D] = std::array::from_fn(|a| self.start[i * D + a + 1]);
        loop {
            let mut row = usize::MAX;
            for a in 0..D {
                if at[a] < end[a] {
                    row = row.min(self.rows[at[a]]);
                }
            }
            if row == usize::MAX {
                return;
            }
            let mut values = [0.0; D];
            for a in 0..D {
                if at[a] < end[a] && self.rows[at[a]] == row {
                    values[a] = self.vals[at[a]];
                    at[a] += 1;
                }
            }
            visit(row, values);
        }
    }

    /// The entry at (i, j), 0 where none is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let range = self.start[j]..self.start[j + 1];
        let rows = &self.rows[range.clone()];
        rows.binary_search(&i).map_or(0.0, |k| self.vals[range][k])
    }

    /// y += A x.
    pub fn mul_add(&self, x: &[f64], y: &mut [f64]) {
        for (j, &xj) in x.iter().enumerate().take(self.ncols) {
            for k in self.start[j]..self.start[j + 1] {
                y[self.rows[k]] += self.vals[k] * xj;
            }
        }
    }

    /// y += Aᵀ x.
    pub fn transpose_mul_add(&self, x: &[f64], y: &mut [f64]) {
        for (j, yj) in y.iter_mut().enumerate().take(self.ncols) {
            *yj += self.column(j).map(|(i, a)| a * x[i]).sum::<f64>();
        }
    }

    /// max |Aᵢⱼ|.
    pub fn max_abs(&self) -> f64 {
        self.vals.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    /// Whether nothing is stored beside the diagonal.
    pub(crate) fn is_diagonal(&self) -> bool {
        (0..self.ncols).all(|j| self.column(j).all(|(i, _)| i == j))
    }

    /// max |Aᵢⱼ − Aⱼᵢ| / max |Aᵢⱼ|, of a square matrix; 0 for a zero matrix.
    pub fn asymmetry(&self) -> f64 {
        if self.is_diagonal() {
            return 0.0;
        }
        let (scale, transpose) = (self.max_abs(), self.transpose());
        let mut worst = 0.0_f64;
        for j in 0..self.ncols {
            // the entries of column j and of row j, merged
            let (mut column, mut row) = (self.column(j).peekable(), transpose.column(j).peekable());
            loop {
                let (a, b) = (column.peek().copied(), row.peek().copied());
                let (in_column, in_row) = match (a, b) {
                    (None, None) => break,
                    (Some(_), None) => (true, false),
                    (None, Some(_)) => (false, true),
                    (Some((i, _)), Some((k, _))) => (i <= k, k <= i),
                };
                let a = if in_column { column.next() } else { None };
                let b = if in_row { row.next() } else { None };
                worst = worst.max((a.map_or(0.0, |a| a.1) - b.map_or(0.0, |b| b.1)).abs());
            }
        }
        if scale > 0.0 { worst / scale } else { 0.0 }
    }

    /// The transpose.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut out = Self::default();
        self.transpose_in(&mut out, &mut Vec::new());
        out
    }

    /// The transpose in the memory of `out`, with that for one number per row.
    pub(crate) fn transpose_in(&self, out: &mut Self, next: &mut Vec<usize>) {
        (out.nrows, out.ncols) = (self.ncols, self.nrows);
        out.start.clear();
        out.start.resize(self.nrows + 1, 0);
        self.rows.iter().for_each(|&i| out.start[i + 1] += 1);
        (0..self.nrows).for_each(|i| out.start[i + 1] += out.start[i]);
        next.clone_from(&out.start);
        out.rows.resize(self.nnz(), 0);
        out.vals.resize(self.nnz(), 0.0);
        for j in 0..self.ncols {
            for (i, a) in self.column(j) {
                out.rows[next[i]] = j;
                out.vals[next[i]] = a;
                next[i] += 1;
            }
        }
    }

    /// The coordinates (row, column, value), sorted by column, then row.
    pub fn coordinates(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.ncols).flat_map(move |j| self.column(j).map(move |(i, a)| (i, j, a)))
    }
}

fn check_indices(
    matrix: &'static str,
    list: &'static str,
    indices: &[usize],
    bound: usize,
) -> Result<(), MatrixError> {
    match indices.iter().position(|&i| i >= bound) {
        Some(entry) => Err(MatrixError::Index { matrix, list, entry, found: indices[entry], bound }),
        None => Ok(()),
    }
}

/// The first value that is not finite is an error.
pub(crate) fn check_finite(what: &'static str, vals: &[f64]) -> Result<(), MatrixError> {
    match vals.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(MatrixError::NotFinite { what, index }),
        None => Ok(()),
    }
}
