//! The Delassus matrix W by contacts: square blocks of 2×2 or 3×3, by block rows, the diagonal always stored.
//! With every block present it is a dense matrix; with few it is sparse; the kernels are the same.

use super::origin::Origin;
use super::sparse::Sparse;

/// Some blocks of a row, and their columns.
type Beside<'a, const DD: usize> = (&'a [[f64; DD]], &'a [u32]);

/// A square matrix of d×d blocks in compressed block rows; block columns ascend within a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    d: usize,
    start: Vec<u32>,
    cols: Vec<u32>,
    diagonal: Vec<u32>,
    vals: Vec<f64>,
    /// What it is the product of, where that is known and worth it.
    origin: Option<Box<Origin>>,
}

impl BlockMatrix {
    /// From a matrix whose size is a multiple of `d`, keeping every block that has a stored entry.
    pub fn from_sparse(d: usize, a: &Sparse) -> Self {
        let n = a.ncols() / d;
        let (start, cols) = pattern(d, n, a);
        let mut out = Self::with_pattern(d, start, cols);
        for (i, j, x) in a.coordinates() {
            if let Some(k) = out.find(i / d, j / d) {
                out.vals[k * d * d + (i % d) * d + j % d] = x;
            }
        }
        out
    }

    /// Takes another pattern, unless it is its own; the values are then those of no matrix, and to be overwritten.
    pub(crate) fn set_pattern(&mut self, d: usize, start: &[u32], cols: &[u32]) {
        if self.d == d && self.start == start && self.cols == cols {
            return;
        }
        self.d = d;
        self.start.clear();
        self.start.extend_from_slice(start);
        self.cols.clear();
        self.cols.extend_from_slice(cols);
        self.vals.clear();
        self.vals.resize(cols.len() * d * d, 0.0);
        self.find_diagonal();
    }

    fn find_diagonal(&mut self) {
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.clear();
        diagonal.extend((0..self.start.len() - 1).map(|i| self.find(i, i).unwrap_or(0) as u32));
        self.diagonal = diagonal;
    }

    /// The entries of stored block `k`, by rows.
    pub(crate) fn block_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.vals[k * self.d * self.d..(k + 1) * self.d * self.d]
    }

    /// Becomes a copy of another matrix in the memory that it has.
    pub(crate) fn assign(&mut self, other: &Self) {
        self.d = other.d;
        self.start.clone_from(&other.start);
        self.cols.clone_from(&other.cols);
        self.diagonal.clone_from(&other.diagonal);
        self.vals.clone_from(&other.vals);
        match &other.origin {
            Some(origin) => self.origin.get_or_insert_default().assign(origin),
            None => self.origin = None,
        }
    }

    /// Keeps what it is the product of: M and the rows Hᵀ of its contacts.
    pub(crate) fn keep_origin(&mut self, Ht: &Sparse, M: &Sparse) {
        if !self.origin.get_or_insert_default().set(self.d, Ht, M) {
            self.origin = None;
        }
    }

    /// Forgets it.
    pub(crate) fn forget_origin(&mut self) {
        self.origin = None;
    }

    /// What it is the product of, if that is known.
    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origin.as_deref()
    }

    /// The same for new units: see [`Origin::scale`].
    pub(crate) fn scale_origin(&mut self, contact: impl Fn(usize) -> i32, matrix: i32) {
        self.origin.iter_mut().for_each(|origin| origin.scale(&contact, matrix));
    }

    /// The zero matrix with the given block pattern (rows compressed, columns ascending, diagonal present).
    pub(crate) fn with_pattern(d: usize, start: Vec<u32>, cols: Vec<u32>) -> Self {
        let vals = vec![0.0; cols.len() * d * d];
        let mut out = Self { d, start, cols, diagonal: Vec::new(), vals, origin: None };
        out.find_diagonal();
        out
    }

    /// Block size: 2 or 3.
    pub fn block_size(&self) -> usize {
        self.d
    }

    /// Number of block rows: contacts.
    pub fn blocks(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks.
    pub fn stored(&self) -> usize {
        self.cols.len()
    }

    /// The stored blocks of block row `i`: index of each, to be used with [`BlockMatrix::column`] and
    /// [`BlockMatrix::block`].
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// Block column of stored block `k`.
    pub fn column(&self, k: usize) -> usize {
        self.cols[k] as usize
    }

    /// Index of the diagonal block of row `i`.
    pub fn diagonal(&self, i: usize) -> usize {
        self.diagonal[i] as usize
    }

    /// The entries of stored block `k`, by rows.
    pub fn block(&self, k: usize) -> &[f64] {
        &self.vals[k * self.d * self.d..(k + 1) * self.d * self.d]
    }

    /// The stored block at block row `i` and column `j`.
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.row(i);
        self.cols[range.clone()].binary_search(&(j as u32)).ok().map(|k| range.start + k)
    }

    /// The entry at scalar row `i`, column `j`; 0 where no block is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let d = self.d;
        self.find(i / d, j / d).map_or(0.0, |k| self.block(k)[(i % d) * d + j % d])
    }

    /// All blocks as fixed-size arrays of D·D entries; D·D must be the square of the block size.
    pub(crate) fn chunks<const DD: usize>(&self) -> &[[f64; DD]] {
        self.vals.as_chunks::<DD>().0
    }

    /// The blocks and columns of block row `i` before the diagonal, and those after it.
    #[inline]
    pub(crate) fn beside<const DD: usize>(&self, i: usize) -> (Beside<'_, DD>, Beside<'_, DD>) {
        let (row, own, blocks) = (self.row(i), self.diagonal(i), self.chunks::<DD>());
        let part = |range: std::ops::Range<usize>| (&blocks[range.clone()], &self.cols[range]);
        (part(row.start..own), part(own + 1..row.end))
    }

    /// The compressed block pattern: row starts and columns.
    pub(crate) fn pattern(&self) -> (&[u32], &[u32]) {
        (&self.start, &self.cols)
    }

    /// y = A x + b.
    pub fn apply(&self, x: &[f64], b: &[f64], y: &mut [f64]) {
        if self.d == 2 { self.apply_sized::<2, 4>(x, b, y) } else { self.apply_sized::<3, 9>(x, b, y) }
    }

    fn apply_sized<const D: usize, const DD: usize>(&self, x: &[f64], b: &[f64], y: &mut [f64]) {
        let (x, b) = (x.as_chunks::<D>().0, b.as_chunks::<D>().0);
        let (vals, rows) = (self.chunks::<DD>(), self.start.windows(2).map(|ends| (ends[0], ends[1])));
        for ((y, b), (from, to)) in y.as_chunks_mut::<D>().0.iter_mut().zip(b).zip(rows) {
            let (from, to) = (from as usize, to as usize);
            let mut sum = *b;
            for (block, column) in vals[from..to].iter().zip(&self.cols[from..to]) {
                mul_add::<D, DD>(block, &x[*column as usize], &mut sum);
            }
            *y = sum;
        }
    }

    /// Multiplies every block by a power of two: `power` of its block row and column.
    pub(crate) fn scale(&mut self, power: impl Fn(usize, usize) -> i32) {
        let size = self.d * self.d;
        for i in 0..self.blocks() {
            for k in self.row(i) {
                let power = power(i, self.column(k));
                self.vals[k * size..(k + 1) * size].iter_mut().for_each(|x| *x = times(*x, power));
            }
        }
    }

    /// The matrix with its blocks in another order: block row and column i are those of `from[i]`; those that are not named are left out.
    pub(crate) fn permuted(&self, from: &[usize]) -> Self {
        const NOWHERE: u32 = u32::MAX;
        let mut to = vec![NOWHERE; self.blocks()];
        (0_u32..).zip(from).for_each(|(new, &old)| to[old] = new);
        let (mut start, mut cols) = (vec![0], Vec::with_capacity(self.cols.len()));
        for &old in from {
            let begin = cols.len();
            cols.extend(self.row(old).map(|k| to[self.column(k)]).filter(|new| *new != NOWHERE));
            cols[begin..].sort_unstable();
            start.push(cols.len() as u32);
        }
        let mut out = Self::with_pattern(self.d, start, cols);
        let size = self.d * self.d;
        for (new, &old) in from.iter().enumerate() {
            for k in self.row(old) {
                if let Some(place) = out.find(new, to[self.column(k)] as usize) {
                    out.vals[place * size..][..size].copy_from_slice(self.block(k));
                }
            }
        }
        // a part is no product of a part of M
        let whole = self.origin.as_ref().filter(|_| from.len() == self.blocks());
        out.origin = whole.map(|origin| Box::new(origin.permuted(from)));
        out
    }

    /// The mean of the blocks' largest diagonal entries.
    pub(crate) fn size(&self) -> f64 {
        let d = self.d;
        let largest = |i: usize| {
            let block = self.block(self.diagonal(i));
            (0..d).map(|a| block[a * (d + 1)].abs()).fold(0.0, f64::max)
        };
        (0..self.blocks()).map(largest).sum::<f64>() / self.blocks().max(1) as f64
    }

    /// The largest |Aᵢⱼ|, infinite if one is not a number.
    pub(crate) fn largest(&self) -> f64 {
        self.vals.iter().fold(0.0, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x.abs()) })
    }

    /// max |Aᵢⱼ − Aⱼᵢ| / max |Aᵢⱼ|; 0 for a zero matrix.
    pub fn asymmetry(&self) -> f64 {
        let d = self.d;
        let scale = self.vals.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut worst = 0.0_f64;
        for i in 0..self.blocks() {
            for k in self.row(i) {
                let other = self.find(self.column(k), i);
                for (e, &x) in self.block(k).iter().enumerate() {
                    let y = other.map_or(0.0, |o| self.block(o)[(e % d) * d + e / d]);
                    worst = worst.max((x - y).abs());
                }
            }
        }
        if scale > 0.0 { worst / scale } else { 0.0 }
    }

    /// The matrix by compressed columns, stored zeros dropped.
    pub fn to_sparse(&self) -> Sparse {
        let (d, n) = (self.d, self.blocks());
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n * d];
        for i in 0..n {
            for a in 0..d {
                for k in self.row(i) {
                    for b in 0..d {
                        let x = self.block(k)[a * d + b];
                        if x.abs() > 0.0 {
                            columns[self.column(k) * d + b].push((i * d + a, x));
                        }
                    }
                }
            }
        }
        let mut start = vec![0];
        columns.iter().for_each(|c| start.push(start[start.len() - 1] + c.len()));
        let (rows, vals) = columns.into_iter().flatten().unzip();
        Sparse::from_parts(n * d, start, rows, vals)
    }
}

/// y += A x for one block.
#[inline(always)]
pub(crate) fn mul_add<const D: usize, const DD: usize>(a: &[f64; DD], x: &[f64; D], y: &mut [f64; D]) {
    for i in 0..D {
        for j in 0..D {
            y[i] += a[i * D + j] * x[j];
        }
    }
}

/// Block rows of the entries of `a` and of its transpose, columns ascending, the diagonal added.
fn pattern(d: usize, n: usize, a: &Sparse) -> (Vec<u32>, Vec<u32>) {
    let mut last = vec![u32::MAX; n];
    let (mut pairs, mut start) = (Vec::with_capacity(2 * n), vec![0_u32; n + 2]);
    for bj in 0..n {
        let tag = bj as u32;
        last[bj] = tag;
        pairs.push((tag, tag));
        for j in bj * d..(bj + 1) * d {
            for (i, _) in a.column(j) {
                let bi = (i / d) as u32;
                if last[i / d] != tag {
                    last[i / d] = tag;
                    pairs.extend([(bi, tag), (tag, bi)]);
                }
            }
        }
    }
    // sorted by counting: start[i + 1] ends as the end of row i
    pairs.iter().for_each(|&(i, _)| start[i as usize + 2] += 1);
    (0..n).for_each(|i| start[i + 2] += start[i + 1]);
    let mut cols = vec![0; pairs.len()];
    for (i, j) in pairs {
        let at = &mut start[i as usize + 1];
        cols[*at as usize] = j;
        *at += 1;
    }
    let row = |range: &[u32]| cols[range[0] as usize..range[1] as usize].iter().copied();
    compressed(start[..n + 1].windows(2).map(row))
}

/// Compressed rows with ascending columns, each once, from rows in any order.
pub(crate) fn compressed<I: Iterator<Item = u32>>(rows: impl Iterator<Item = I>) -> (Vec<u32>, Vec<u32>) {
    let (mut start, mut cols, mut row) = (vec![0], Vec::new(), Vec::new());
    for given in rows {
        row.clear();
        row.extend(given);
        row.sort_unstable();
        row.dedup();
        cols.extend_from_slice(&row);
        start.push(cols.len() as u32);
    }
    (start, cols)
}

/// x 2^e, in steps that do not overflow before the result does.
pub(crate) fn times(x: f64, e: i32) -> f64 {
    const STEP: i32 = 1000;
    let (mut x, mut e) = (x, e);
    while e.abs() > STEP {
        x *= 2.0_f64.powi(e.signum() * STEP);
        e -= e.signum() * STEP;
    }
    x * 2.0_f64.powi(e)
}

/// The largest diagonal entry of a block; 0 if none is positive.
#[inline]
pub(crate) fn largest_diagonal<const D: usize, const DD: usize>(block: &[f64; DD]) -> f64 {
    (0..D).map(|a| block[a * (D + 1)]).fold(0.0, f64::max)
}

/// Inverse of a 2×2 or 3×3 block; not finite when it is singular.
pub(crate) fn inverse<const D: usize, const DD: usize>(a: &[f64; DD]) -> [f64; DD] {
    let mut out = [0.0; DD];
    if D == 2 {
        let det = a[0] * a[3] - a[1] * a[2];
        for (o, x) in out.iter_mut().zip([a[3], -a[1], -a[2], a[0]]) {
            *o = x / det;
        }
        return out;
    }
    let minor =
        |r: usize, s: usize, c: usize, d: usize| a[3 * r + c] * a[3 * s + d] - a[3 * r + d] * a[3 * s + c];
    #[rustfmt::skip]
    let adjugate = [
         minor(1, 2, 1, 2), -minor(0, 2, 1, 2),  minor(0, 1, 1, 2),
        -minor(1, 2, 0, 2),  minor(0, 2, 0, 2), -minor(0, 1, 0, 2),
         minor(1, 2, 0, 1), -minor(0, 2, 0, 1),  minor(0, 1, 0, 1),
    ];
    let det = a[0] * adjugate[0] + a[1] * adjugate[3] + a[2] * adjugate[6];
    for (o, x) in out.iter_mut().zip(adjugate) {
        *o = x / det;
    }
    out
}
