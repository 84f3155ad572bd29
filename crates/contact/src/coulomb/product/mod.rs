//! The Delassus matrix W = H M⁻¹ Hᵀ = Zᵀ D⁻¹ Y by blocks, with the sparse Y = L⁻¹ P Hᵀ and Z = U⁻ᵀ P Hᵀ of the factored M. Of a
//! symmetric M (Z = Y) one half is computed and mirrored, so that W is symmetric to the last bit.

mod moved;

use crate::linear::{BlockMatrix, HalfSolve, Ldu, Sparse, Triangle};
use moved::Moved;

/// The memory of the product, which stays for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    Y: Sparse,
    Zt: Sparse,
    half: HalfSolve,
    next: Vec<usize>,
    moved: Moved,
    columns: Columns,
    rows: Rows,
}

/// Blocks by block columns; of a symmetric matrix from the diagonal down.
#[derive(Clone, Debug, Default)]
struct Columns {
    start: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// The column that is being summed up, and which of its blocks are used.
    sum: Vec<f64>,
    used: Vec<bool>,
}

/// Where the block rows of W begin, their columns, and the next place of each.
#[derive(Clone, Debug, Default)]
struct Rows {
    start: Vec<u32>,
    columns: Vec<u32>,
    next: Vec<u32>,
}

impl Product {
    /// W of the rows Hᵀ of contacts with `dim` rows each.
    pub(super) fn compute(&mut self, dim: usize, Ht: &Sparse, factor: &Ldu, W: &mut BlockMatrix) {
        match dim {
            2 => self.compute_sized::<2, 4>(Ht, factor, W),
            _ => self.compute_sized::<3, 9>(Ht, factor, W),
        }
    }

    fn compute_sized<const D: usize, const DD: usize>(
        &mut self,
        Ht: &Sparse,
        factor: &Ldu,
        W: &mut BlockMatrix,
    ) {
        if factor.is_diagonal() {
            self.moved.set::<D>(Ht);
            self.moved.multiply::<D, DD>(|k| factor.pivot(k), &mut self.columns);
        } else {
            self.sum_up::<D>(Ht, factor);
        }
        let (rows, symmetric) = (&mut self.rows, factor.is_symmetric());
        rows.find(&self.columns, symmetric);
        W.set_pattern(D, &rows.start, &rows.columns);
        rows.fill(D, &self.columns, symmetric, W);
    }

    /// The columns of Zᵀ D⁻¹ Y.
    fn sum_up<const D: usize>(&mut self, Ht: &Sparse, factor: &Ldu) {
        let Self { Y, Zt, half, next, columns, .. } = self;
        if !factor.is_symmetric() {
            factor.half_solve(Ht, Triangle::Upper, half, Y);
            Y.transpose_in(Zt, next);
        }
        factor.half_solve(Ht, Triangle::Lower, half, Y);
        if factor.is_symmetric() {
            Y.transpose_in(Zt, next);
        }
        let symmetric = factor.is_symmetric();
        // where the rows of Zᵀ that are still wanted begin
        next.clear();
        next.extend_from_slice(&Zt.pattern().0[..factor.size()]);
        columns.clear(D, Ht.ncols() / D);
        for j in 0..Ht.ncols() / D {
            columns.touch(j);
            for b in 0..D {
                for (k, y) in Y.column(j * D + b) {
                    columns.add::<D>(b, (j, symmetric), Zt, (k, &mut next[k]), y / factor.pivots()[k]);
                }
            }
            columns.end(D, j, symmetric);
        }
    }
}

impl Columns {
    fn clear(&mut self, dim: usize, contacts: usize) {
        self.start.clear();
        self.start.push(0);
        self.rows.clear();
        self.values.clear();
        self.sum.resize(dim * dim * contacts, 0.0);
        self.used.resize(contacts, false);
    }

    /// The block in row i of the column that is being summed up.
    fn touch(&mut self, i: usize) {
        if !self.used[i] {
            self.used[i] = true;
            self.rows.push(i as u32);
        }
    }

    /// Adds `share` times column k of Zᵀ, whose wanted rows begin at `next`, to column b of the blocks of column j.
    fn add<const D: usize>(
        &mut self,
        b: usize,
        (j, symmetric): (usize, bool),
        Zt: &Sparse,
        (k, next): (usize, &mut usize),
        share: f64,
    ) {
        let ((start, rows), values) = (Zt.pattern(), Zt.values());
        let end = start[k + 1];
        while symmetric && *next < end && rows[*next] < j * D {
            *next += 1;
        }
        for (&row, z) in rows[*next..end].iter().zip(&values[*next..end]) {
            self.touch(row / D);
            self.sum[row * D + b] += z * share;
        }
    }

    /// Adds h shareᵀ to the block in row i of the column that is being summed up.
    #[inline]
    fn add_block<const D: usize, const DD: usize>(&mut self, i: usize, h: &[f64; D], share: &[f64; D]) {
        self.touch(i);
        let sum = &mut self.sum.as_chunks_mut::<DD>().0[i];
        for a in 0..D {
            for b in 0..D {
                sum[a * D + b] += h[a] * share[b];
            }
        }
    }

    fn end(&mut self, dim: usize, j: usize, symmetric: bool) {
        let size = dim * dim;
        if symmetric {
            let own = &mut self.sum[j * size..(j + 1) * size];
            (0..dim).for_each(|a| (0..a).for_each(|b| own[b * dim + a] = own[a * dim + b]));
        }
        let begin = self.start[j];
        self.rows[begin..].sort_unstable();
        for &i in &self.rows[begin..] {
            let block = &mut self.sum[i as usize * size..(i as usize + 1) * size];
            self.values.extend_from_slice(block);
            block.fill(0.0);
            self.used[i as usize] = false;
        }
        self.start.push(self.rows.len());
    }

    /// The blocks (i, j) in the order of the columns, with their places.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let column = |j: usize| (self.start[j]..self.start[j + 1]).map(move |at| (j, at));
        (0..self.start.len() - 1).flat_map(column).map(|(j, at)| (self.rows[at] as usize, j, at))
    }
}

impl Rows {
    /// The pattern by rows, columns ascending.
    fn find(&mut self, columns: &Columns, symmetric: bool) {
        let contacts = columns.start.len() - 1;
        self.start.clear();
        self.start.resize(contacts + 1, 0);
        self.each(columns, symmetric, |rows, i, _, _| rows.start[i + 1] += 1);
        (0..contacts).for_each(|i| self.start[i + 1] += self.start[i]);
        self.columns.resize(self.start[contacts] as usize, 0);
        self.begin();
        self.each(columns, symmetric, |rows, i, j, _| {
            let place = rows.take(i);
            rows.columns[place] = j as u32;
        });
    }

    /// Puts the blocks in their places.
    fn fill(&mut self, dim: usize, columns: &Columns, symmetric: bool, W: &mut BlockMatrix) {
        self.begin();
        let size = dim * dim;
        self.each(columns, symmetric, |rows, i, j, at| {
            let (place, mirrored) = (rows.take(i), symmetric && j > i);
            let (from, to) = (&columns.values[at * size..(at + 1) * size], W.block_mut(place));
            for (e, x) in to.iter_mut().enumerate() {
                *x = from[if mirrored { e % dim * dim + e / dim } else { e }];
            }
        });
    }

    /// Every block (i, j) and the place of its numbers in the columns: in every row the columns ascend.
    fn each(
        &mut self,
        columns: &Columns,
        symmetric: bool,
        mut visit: impl FnMut(&mut Self, usize, usize, usize),
    ) {
        for (i, j, at) in columns.blocks() {
            visit(self, i, j, at);
            if symmetric && i != j {
                visit(self, j, i, at);
            }
        }
    }

    fn begin(&mut self) {
        self.next.clear();
        self.next.extend_from_slice(&self.start);
    }

    /// The next place of row i.
    fn take(&mut self, i: usize) -> usize {
        self.next[i] += 1;
        self.next[i] as usize - 1
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// A diagonally dominant M that couples neighbours by `coupling`, unsymmetric by `skew`, and rows of contacts that touch few coordinates.
    fn case(dim: usize, (coupling, skew): (f64, f64), shift: usize) -> (Sparse, Sparse, DMatrix<f64>) {
        let (n, rows) = (9, 4 * dim);
        let M = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 4.0 + i as f64,
            1 => coupling + if i < j { skew } else { -skew },
            _ => 0.0,
        });
        let touches = |i: usize, k: usize| (i / dim * 2 + shift + k).is_multiple_of(4);
        let H =
            DMatrix::from_fn(
                rows,
                n,
                |i, k| if touches(i, k) { ((3 * i + 5 * k) % 7) as f64 - 3.0 } else { 0.0 },
            );
        let sparse = |name, m: &DMatrix<f64>| {
            let rows: Vec<Vec<f64>> = m.row_iter().map(|r| r.iter().copied().collect()).collect();
            Sparse::from_dense(name, &rows, m.ncols()).unwrap()
        };
        let W = &H * M.clone().try_inverse().unwrap() * H.transpose();
        (sparse("M", &M), sparse("H", &H).transpose(), W)
    }

    /// One product after the other in the same memory, with and without symmetry, in both dimensions and with other patterns.
    #[test]
    fn it_is_the_product_of_the_dense_matrices() {
        let (mut product, mut W) = (Product::default(), BlockMatrix::default());
        for (dim, coupling, skew, shift) in [
            (2, 1.0, 0.0, 0),
            (3, 1.0, 0.0, 1),
            (3, 0.0, 0.0, 1),
            (3, 1.0, 0.3, 1),
            (2, 1.0, 0.3, 1),
            (2, 0.0, 0.0, 0),
            (2, 1.0, 0.0, 1),
            (2, 1.0, 0.0, 0),
        ] {
            let (M, Ht, expected) = case(dim, (coupling, skew), shift);
            let factor = Ldu::new(&M).unwrap();
            assert_eq!(factor.is_symmetric(), skew.abs() <= 0.0);
            assert_eq!(factor.is_diagonal(), coupling.abs() <= 0.0);
            product.compute(dim, &Ht, &factor, &mut W);
            for i in 0..expected.nrows() {
                for j in 0..expected.ncols() {
                    assert!(
                        (W.get(i, j) - expected[(i, j)]).abs() < 1e-12,
                        "{dim} {coupling} {skew} ({i}, {j})"
                    );
                    assert!(skew > 0.0 || W.get(i, j).to_bits() == W.get(j, i).to_bits(), "({i}, {j})");
                }
            }
            let mut fresh = BlockMatrix::default();
            Product::default().compute(dim, &Ht, &factor, &mut fresh);
            assert_eq!(W, fresh);
        }
    }
}
