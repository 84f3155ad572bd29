//! What the pattern of M alone decides: the order of elimination, its tree, and where every entry of M goes.

use super::super::elimination::{Tree, minimum_degree};
use super::super::sparse::Sparse;

/// The symbolic analysis of a square matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// The pattern of M.
    start: Vec<usize>,
    rows: Vec<usize>,
    pub(super) shape: Shape,
    /// The k-th coordinate eliminated, and the place of every coordinate.
    pub(super) order: Vec<usize>,
    pub(super) inverse: Vec<usize>,
    tree: Tree,
    /// Where the columns of L begin.
    pub(super) columns: Vec<usize>,
    /// The upper triangle of P (M + Mᵀ) Pᵀ, diagonal included, by columns with ascending rows; of a triangular M the strict part of
    /// its triangle, by the columns of the factor.
    pub(super) above: Pattern,
    /// The place of every entry of M in it; nothing for the diagonal of a triangular M.
    pub(super) place: Vec<usize>,
    sorting: Sorting,
}

/// Which entries a matrix has: where there is nothing to eliminate, order and fill do not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// None beside the diagonal.
    Diagonal,
    /// None below the diagonal: L = 1. Recorded stiffness matrices may have one half alone.
    Upper,
    /// None above the diagonal: U = 1.
    Lower,
    /// On both sides.
    #[default]
    Full,
}

/// A pattern by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    start: Vec<usize>,
    pub(super) rows: Vec<usize>,
}

/// Memory of the sorting by counting.
#[derive(Clone, Debug, Default)]
struct Sorting {
    entries: Vec<(usize, usize)>,
    next: Vec<usize>,
    by_row: Vec<usize>,
    by_column: Vec<usize>,
}

/// Up to so many coordinates the given order is taken if it makes little fill: finding a better one takes longer.
const SMALL: usize = 64;

impl Shape {
    fn of(M: &Sparse) -> Self {
        let (mut above, mut below) = (false, false);
        for j in 0..M.ncols() {
            let (start, rows) = M.pattern();
            // rows ascend
            let rows = &rows[start[j]..start[j + 1]];
            above |= rows.first().is_some_and(|i| *i < j);
            below |= rows.last().is_some_and(|i| *i > j);
        }
        match (above, below) {
            (false, false) => Self::Diagonal,
            (true, false) => Self::Upper,
            (false, true) => Self::Lower,
            (true, true) => Self::Full,
        }
    }
}

impl Pattern {
    /// The places of column k.
    pub(super) fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.start[k]..self.start[k + 1]
    }

    /// The row of a place.
    pub(super) fn row(&self, place: usize) -> usize {
        self.rows[place]
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The upper triangle of P (M + Mᵀ) Pᵀ; `place` becomes the place of every entry of M in it. Sorted by counting, rows first,
    /// then columns.
    fn set_upper(&mut self, M: &Sparse, inverse: &[usize], place: &mut Vec<usize>, sorting: &mut Sorting) {
        let n = M.ncols();
        let Sorting { entries, next, by_row, by_column } = sorting;
        let at = |i: usize, j: usize| (inverse[i].min(inverse[j]), inverse[i].max(inverse[j]));
        entries.clear();
        entries.extend(M.coordinates().map(|(i, j, _)| at(i, j)));
        sort(n, 0..entries.len(), |item| entries[item].0, next, by_row);
        sort(n, by_row.iter().copied(), |item| entries[item].1, next, by_column);
        self.rows.clear();
        zeros(&mut self.start, n + 1);
        zeros(place, entries.len());
        let mut last = None;
        for &item in &*by_column {
            let (row, column) = entries[item];
            if last != Some(entries[item]) {
                last = Some(entries[item]);
                self.rows.push(row);
                self.start[column + 1] += 1;
            }
            place[item] = self.rows.len() - 1;
        }
        (0..n).for_each(|k| self.start[k + 1] += self.start[k]);
    }

    /// The entries of a triangular M beside its diagonal, by the rows of an upper and the columns of a lower one.
    fn set_strict(&mut self, M: &Sparse, shape: Shape, place: &mut Vec<usize>, next: &mut Vec<usize>) {
        let n = M.ncols();
        let at = |i: usize, j: usize| if shape == Shape::Upper { (i, j) } else { (j, i) };
        let strict = || M.coordinates().filter(|(i, j, _)| i != j).map(|(i, j, _)| at(i, j));
        zeros(&mut self.start, n + 1);
        strict().for_each(|(column, _)| self.start[column + 1] += 1);
        (0..n).for_each(|k| self.start[k + 1] += self.start[k]);
        next.clear();
        next.extend_from_slice(&self.start);
        zeros(&mut self.rows, self.start[n]);
        place.clear();
        for (i, j, _) in M.coordinates() {
            let (column, row) = at(i, j);
            place.push(next[column]);
            if i != j {
                self.rows[next[column]] = row;
                next[column] += 1;
            }
        }
    }
}

impl Analysis {
    /// Becomes that of the pattern of `M`.
    pub(super) fn set(&mut self, M: &Sparse) {
        let n = M.ncols();
        let (start, rows) = M.pattern();
        self.start.clear();
        self.start.extend_from_slice(start);
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.shape = Shape::of(M);
        let Self { shape, order, inverse, tree, columns, above, place, sorting, .. } = self;
        for numbers in [&mut *order, &mut *inverse] {
            numbers.clear();
            numbers.extend(0..n);
        }
        match shape {
            Shape::Diagonal => return zeros(columns, n + 1),
            Shape::Upper | Shape::Lower => {
                above.set_strict(M, *shape, place, &mut sorting.next);
                columns.clear();
                columns.extend_from_slice(&above.start);
                if *shape == Shape::Upper {
                    tree.find_parents(n, |k| M.column(k).map(|(i, _)| i));
                } else {
                    let rows = M.transpose();
                    tree.find_parents(n, |k| rows.column(k).map(|(i, _)| i));
                }
                return;
            }
            Shape::Full => above.set_upper(M, inverse, place, sorting),
        }
        let row = |k: usize| above.range(k).map(|p| above.rows[p]);
        if n > SMALL || !tree.find(n, row, above.len()) {
            *order = minimum_degree(start, rows);
            order.iter().enumerate().for_each(|(k, &j)| inverse[j] = k);
            above.set_upper(M, inverse, place, sorting);
            tree.find(n, |k| above.range(k).map(|p| above.rows[p]), usize::MAX);
        }
        columns.clear();
        columns.push(0);
        tree.counts.iter().for_each(|c| columns.push(columns[columns.len() - 1] + c));
    }

    /// Parents in the elimination tree; a triangular matrix has that of M + Mᵀ, a diagonal one none.
    pub(super) fn parent(&self) -> &[usize] {
        &self.tree.parent
    }

    /// Whether it is that of the pattern of `M`.
    pub(super) fn fits(&self, M: &Sparse) -> bool {
        M.pattern() == (&self.start, &self.rows)
    }

    /// Fits no matrix any more.
    pub(super) fn forget(&mut self) {
        self.start.clear();
    }

    /// Entries of L below the diagonal.
    pub(super) fn fill(&self) -> usize {
        self.columns.last().copied().unwrap_or(0)
    }
}

/// n zeros in the memory that is there.
fn zeros(numbers: &mut Vec<usize>, n: usize) {
    numbers.clear();
    numbers.resize(n, 0);
}

/// The items by their keys below n, those with one key in the order given.
fn sort(
    n: usize,
    items: impl ExactSizeIterator<Item = usize> + Clone,
    key: impl Fn(usize) -> usize,
    next: &mut Vec<usize>,
    out: &mut Vec<usize>,
) {
    zeros(next, n + 1);
    zeros(out, items.len());
    items.clone().for_each(|item| next[key(item) + 1] += 1);
    (0..n).for_each(|k| next[k + 1] += next[k]);
    for item in items {
        let at = &mut next[key(item)];
        out[*at] = item;
        *at += 1;
    }
}
