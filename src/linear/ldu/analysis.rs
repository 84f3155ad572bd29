//! What the pattern of M alone decides: the order of elimination, its tree, and where every entry of M goes.

use super::super::elimination::{elimination_tree, minimum_degree};
use super::super::sparse::Sparse;

/// The symbolic analysis of a square matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// The pattern of M.
    start: Vec<usize>,
    rows: Vec<usize>,
    /// The k-th coordinate eliminated, and the place of every coordinate.
    pub(super) order: Vec<usize>,
    pub(super) inverse: Vec<usize>,
    pub(super) parent: Vec<usize>,
    /// Where the columns of L begin.
    pub(super) columns: Vec<usize>,
    /// The upper triangle of P (M + Mᵀ) Pᵀ, diagonal included, by columns with ascending rows.
    pub(super) above: Pattern,
    /// The place of every entry of M in it.
    pub(super) place: Vec<usize>,
}

/// A pattern by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    start: Vec<usize>,
    rows: Vec<usize>,
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
}

impl Analysis {
    pub(super) fn new(M: &Sparse) -> Self {
        let order = fill_reducing_order(M);
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &j)| inverse[j] = k);
        let (above, place) = upper(M, &inverse);
        let row = |k: usize| above.range(k).map(|p| above.rows[p]);
        let (parent, counts) = elimination_tree(order.len(), row);
        let mut columns = vec![0];
        counts.iter().for_each(|c| columns.push(columns[columns.len() - 1] + c));
        let (start, rows) = M.pattern();
        let (start, rows) = (start.to_vec(), rows.to_vec());
        Self { start, rows, order, inverse, parent, columns, above, place }
    }

    /// Whether it is that of the pattern of `M`.
    pub(super) fn fits(&self, M: &Sparse) -> bool {
        M.pattern() == (&self.start, &self.rows)
    }

    /// Entries of L below the diagonal.
    pub(super) fn fill(&self) -> usize {
        self.columns.last().copied().unwrap_or(0)
    }
}

/// Approximate minimum degree order of the pattern of M; the natural order for a diagonal matrix.
fn fill_reducing_order(M: &Sparse) -> Vec<usize> {
    if M.is_diagonal() {
        return (0..M.ncols()).collect();
    }
    let (start, rows) = M.pattern();
    minimum_degree(start, rows)
}

/// The pattern of the upper triangle of P (M + Mᵀ) Pᵀ, and the place of every entry of M in it. Sorted by counting, rows first,
/// then columns.
fn upper(M: &Sparse, inverse: &[usize]) -> (Pattern, Vec<usize>) {
    let n = M.ncols();
    let place = |i: usize, j: usize| (inverse[i].min(inverse[j]), inverse[i].max(inverse[j]));
    let entries: Vec<(usize, usize)> = M.coordinates().map(|(i, j, _)| place(i, j)).collect();
    let by_row = sorted(n, 0..entries.len(), |at| entries[at].0);
    let by_column = sorted(n, by_row.into_iter(), |at| entries[at].1);
    let (mut start, mut rows, mut place) = (vec![0; n + 1], Vec::new(), vec![0; entries.len()]);
    let mut last = None;
    for at in by_column {
        let (row, column) = entries[at];
        if last != Some(entries[at]) {
            last = Some(entries[at]);
            rows.push(row);
            start[column + 1] += 1;
        }
        place[at] = rows.len() - 1;
    }
    (0..n).for_each(|k| start[k + 1] += start[k]);
    (Pattern { start, rows }, place)
}

/// The items by their keys below n, those with one key in the order given.
fn sorted(
    n: usize,
    items: impl ExactSizeIterator<Item = usize> + Clone,
    key: impl Fn(usize) -> usize,
) -> Vec<usize> {
    let (mut next, mut out) = (vec![0; n + 1], vec![0; items.len()]);
    items.clone().for_each(|item| next[key(item) + 1] += 1);
    (0..n).for_each(|k| next[k + 1] += next[k]);
    for item in items {
        let at = &mut next[key(item)];
        out[*at] = item;
        *at += 1;
    }
    out
}
