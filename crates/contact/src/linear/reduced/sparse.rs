//! Sparse LU factorisation by D×D blocks, without exchanges between contacts.
//!
//! For matrices that stay sparse. The pattern of the factors is found again for every set of contacts with force,
//! which costs little beside the numbers. Rows are eliminated one by one: `L_ik = A_ik U_kk⁻¹`, `A_ij −= L_ik U_kj`.
//! Unused rows of a block are those of the identity.

use super::super::block::BlockMatrix;
use super::super::inverse;
use super::{Maps, reduce};

const NONE: u32 = u32::MAX;

/// The factors and the work space.
#[derive(Debug)]
pub(crate) struct SparseBlocks<const D: usize, const DD: usize> {
    /// order[k] = contact eliminated k-th; place[contact] = k.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Elimination tree and, per row k, the columns of L (ascending) and U (ascending, without the diagonal).
    parent: Vec<u32>,
    lower_start: Vec<u32>,
    lower_cols: Vec<u32>,
    upper_start: Vec<u32>,
    upper_cols: Vec<u32>,
    lower: Vec<[f64; DD]>,
    upper: Vec<[f64; DD]>,
    diagonal: Vec<[f64; DD]>,
    /// Which contacts had unknowns when the pattern was found.
    active: Vec<bool>,
    mark: Vec<u32>,
    row: Vec<[f64; DD]>,
    x: Vec<[f64; D]>,
}

impl<const D: usize, const DD: usize> SparseBlocks<D, DD> {
    /// For contacts that are eliminated in the given order.
    pub(crate) fn new(order: Vec<u32>) -> Self {
        let n = order.len();
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k as u32);
        Self {
            order,
            place,
            parent: vec![NONE; n],
            lower_start: Vec::with_capacity(n + 1),
            lower_cols: Vec::new(),
            upper_start: Vec::with_capacity(n + 1),
            upper_cols: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            diagonal: vec![[0.0; DD]; n],
            active: Vec::new(),
            mark: vec![NONE; n],
            row: vec![[0.0; DD]; n],
            x: vec![[0.0; D]; n],
        }
    }

    pub(crate) fn factor(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        let same = self.active.len() == maps.len()
            && self.active.iter().zip(maps).all(|(&active, map)| active == (map.size > 0));
        if !same {
            self.active.clear();
            self.active.extend(maps.iter().map(|m| m.size > 0));
            self.symbolic(W);
        }
        (0..self.order.len())
            .all(|k| !self.active[self.order[k] as usize] || self.eliminate_row(k, W, maps, shift))
    }

    /// Patterns of L and U for the active contacts; W's pattern is taken as symmetric (both triangles are used).
    fn symbolic(&mut self, W: &BlockMatrix) {
        let n = self.order.len();
        self.lower_start.clear();
        self.lower_cols.clear();
        self.lower_start.push(0);
        self.mark.fill(NONE);
        self.parent.fill(NONE);
        for k in 0..n {
            let i = self.order[k] as usize;
            let begin = self.lower_cols.len();
            if self.active[i] {
                self.mark[k] = k as u32;
                for b in W.row(i) {
                    let j = W.column(b);
                    if self.active[j] {
                        self.climb(self.place[j], k as u32);
                    }
                }
            }
            self.lower_cols[begin..].sort_unstable();
            self.lower_start.push(self.lower_cols.len() as u32);
        }
        self.transpose_pattern();
    }

    /// Adds the tree path from column `j` to row `k` to the pattern of row `k`.
    fn climb(&mut self, mut j: u32, k: u32) {
        while j < k && self.mark[j as usize] != k {
            self.mark[j as usize] = k;
            self.lower_cols.push(j);
            if self.parent[j as usize] == NONE {
                self.parent[j as usize] = k;
            }
            j = self.parent[j as usize];
        }
    }

    /// Row k of U has the pattern of column k of L.
    fn transpose_pattern(&mut self) {
        let n = self.order.len();
        self.upper_start.clear();
        self.upper_start.resize(n + 1, 0);
        self.lower_cols.iter().for_each(|&j| self.upper_start[j as usize + 1] += 1);
        (0..n).for_each(|j| self.upper_start[j + 1] += self.upper_start[j]);
        self.upper_cols.clear();
        self.upper_cols.resize(self.lower_cols.len(), 0);
        let mut next = self.upper_start.clone();
        for k in 0..n {
            for p in self.lower_start[k]..self.lower_start[k + 1] {
                let j = self.lower_cols[p as usize] as usize;
                self.upper_cols[next[j] as usize] = k as u32;
                next[j] += 1;
            }
        }
        self.lower.resize(self.lower_cols.len(), [0.0; DD]);
        self.upper.resize(self.upper_cols.len(), [0.0; DD]);
    }

    fn eliminate_row(&mut self, k: usize, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        let i = self.order[k] as usize;
        self.scatter(k, i, W, maps, shift);
        let lower = self.lower_start[k] as usize..self.lower_start[k + 1] as usize;
        for p in lower {
            let j = self.lower_cols[p] as usize;
            let l = product::<D, DD>(&std::mem::replace(&mut self.row[j], [0.0; DD]), &self.diagonal[j]);
            self.lower[p] = l;
            let range = self.upper_start[j] as usize..self.upper_start[j + 1] as usize;
            for (c, u) in self.upper_cols[range.clone()].iter().zip(&self.upper[range]) {
                subtract::<D, DD>(&l, u, &mut self.row[*c as usize]);
            }
        }
        for p in self.upper_start[k] as usize..self.upper_start[k + 1] as usize {
            self.upper[p] = std::mem::replace(&mut self.row[self.upper_cols[p] as usize], [0.0; DD]);
        }
        self.diagonal[k] = inverse::<D, DD>(&std::mem::replace(&mut self.row[k], [0.0; DD]));
        self.diagonal[k].iter().all(|x| x.is_finite())
    }

    /// Puts row `i` of the reduced matrix into the work row.
    fn scatter(&mut self, k: usize, i: usize, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) {
        let blocks = W.chunks::<DD>();
        for b in W.row(i) {
            let j = W.column(b);
            if maps[j].size > 0 {
                let block = reduce::<D, DD>(&blocks[b], &maps[i], &maps[j]);
                self.row[self.place[j] as usize] = flat::<D, DD>(&block);
            }
        }
        let own = &mut self.row[k];
        for a in 0..D {
            for b in 0..D {
                own[a * D + b] += if a < maps[i].size { maps[i].own[a][b] } else { 0.0 };
            }
            own[a * D + a] += if a < maps[i].size { shift } else { 1.0 };
        }
    }

    pub(crate) fn solve(&mut self, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        let n = self.order.len();
        for k in 0..n {
            let i = self.order[k] as usize;
            let mut sum = [0.0; D];
            sum[..maps[i].size].copy_from_slice(&x[i][..maps[i].size]);
            for p in self.lower_start[k] as usize..self.lower_start[k + 1] as usize {
                subtract_vector::<D, DD>(&self.lower[p], &self.x[self.lower_cols[p] as usize], &mut sum);
            }
            self.x[k] = sum;
        }
        for k in (0..n).rev() {
            let mut sum = self.x[k];
            for p in self.upper_start[k] as usize..self.upper_start[k + 1] as usize {
                subtract_vector::<D, DD>(&self.upper[p], &self.x[self.upper_cols[p] as usize], &mut sum);
            }
            let i = self.order[k] as usize;
            let mut out = [0.0; D];
            if self.active[i] {
                subtract_vector::<D, DD>(&self.diagonal[k], &sum, &mut out);
            }
            self.x[k] = out.map(|x| -x);
            x[i] = self.x[k];
        }
    }
}

#[inline]
fn flat<const D: usize, const DD: usize>(block: &[[f64; D]; D]) -> [f64; DD] {
    let mut out = [0.0; DD];
    for a in 0..D {
        for b in 0..D {
            out[a * D + b] = block[a][b];
        }
    }
    out
}

#[inline(always)]
fn product<const D: usize, const DD: usize>(a: &[f64; DD], b: &[f64; DD]) -> [f64; DD] {
    let mut out = [0.0; DD];
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                out[i * D + j] += a[i * D + k] * b[k * D + j];
            }
        }
    }
    out
}

/// c −= a b.
#[inline(always)]
fn subtract<const D: usize, const DD: usize>(a: &[f64; DD], b: &[f64; DD], c: &mut [f64; DD]) {
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                c[i * D + j] -= a[i * D + k] * b[k * D + j];
            }
        }
    }
}

/// y −= a x.
#[inline(always)]
fn subtract_vector<const D: usize, const DD: usize>(a: &[f64; DD], x: &[f64; D], y: &mut [f64; D]) {
    for i in 0..D {
        for j in 0..D {
            y[i] -= a[i * D + j] * x[j];
        }
    }
}
