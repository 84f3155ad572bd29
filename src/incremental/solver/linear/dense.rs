//! Dense LU factorisation with partial pivoting of the reduced system, in buffers that are reserved once.

use super::super::super::block::BlockMatrix;
use super::{Maps, reduce};

/// A dense factorisation of at most the size it was made for.
#[derive(Debug)]
pub(crate) struct Dense {
    n: usize,
    a: Vec<f64>,
    pivots: Vec<usize>,
    offsets: Vec<usize>,
    x: Vec<f64>,
}

impl Dense {
    /// Room for `rows` unknowns.
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            n: 0,
            a: vec![0.0; rows * rows],
            pivots: vec![0; rows],
            offsets: Vec::with_capacity(rows),
            x: vec![0.0; rows],
        }
    }

    pub(crate) fn factor<const D: usize, const DD: usize>(
        &mut self,
        W: &BlockMatrix,
        maps: &[Maps<D>],
        shift: f64,
    ) -> bool {
        self.assemble::<D, DD>(W, maps, shift);
        self.eliminate()
    }

    fn assemble<const D: usize, const DD: usize>(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) {
        self.offsets.clear();
        let mut n = 0;
        for map in maps {
            self.offsets.push(n);
            n += map.size;
        }
        self.n = n;
        self.a[..n * n].fill(0.0);
        let blocks = W.chunks::<DD>();
        for (i, left) in maps.iter().enumerate().filter(|(_, m)| m.size > 0) {
            for k in W.row(i) {
                let j = W.column(k);
                let mut block = reduce::<D, DD>(&blocks[k], left, &maps[j]);
                if i == j {
                    for (a, (row, own)) in block.iter_mut().zip(&left.own).enumerate().take(left.size) {
                        row.iter_mut().zip(own).for_each(|(x, o)| *x += o);
                        row[a] += shift;
                    }
                }
                for (a, row) in block.iter().enumerate().take(left.size) {
                    let at = (self.offsets[i] + a) * n + self.offsets[j];
                    self.a[at..at + maps[j].size].copy_from_slice(&row[..maps[j].size]);
                }
            }
        }
    }

    /// Row-oriented elimination with row exchanges.
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        let a = &mut self.a[..n * n];
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[p * n + k].abs() {
                    p = i;
                }
            }
            self.pivots[k] = p;
            if p != k {
                let (upper, lower) = a.split_at_mut(p * n);
                upper[k * n..k * n + n].swap_with_slice(&mut lower[..n]);
            }
            let pivot = a[k * n + k];
            if pivot.is_nan() || pivot.abs() <= f64::MIN_POSITIVE {
                return false;
            }
            let (upper, lower) = a.split_at_mut((k + 1) * n);
            let top = &upper[k * n + k + 1..k * n + n];
            for row in lower.chunks_exact_mut(n) {
                let l = row[k] / pivot;
                row[k] = l;
                if l.abs() > 0.0 {
                    row[k + 1..].iter_mut().zip(top).for_each(|(x, t)| *x -= l * t);
                }
            }
        }
        true
    }

    pub(crate) fn solve<const D: usize>(&mut self, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        let n = self.n;
        for (i, map) in maps.iter().enumerate() {
            let at = self.offsets[i];
            self.x[at..at + map.size].copy_from_slice(&x[i][..map.size]);
        }
        // the row exchanges were applied to whole rows, multipliers included
        (0..n).for_each(|k| self.x.swap(k, self.pivots[k]));
        for i in 0..n {
            let sum: f64 = self.a[i * n..i * n + i].iter().zip(&self.x).map(|(l, x)| l * x).sum();
            self.x[i] -= sum;
        }
        for i in (0..n).rev() {
            let row = &self.a[i * n..(i + 1) * n];
            let sum: f64 = row[i + 1..].iter().zip(&self.x[i + 1..n]).map(|(u, x)| u * x).sum();
            self.x[i] = (self.x[i] - sum) / row[i];
        }
        for (i, map) in maps.iter().enumerate() {
            let at = self.offsets[i];
            x[i][..map.size].copy_from_slice(&self.x[at..at + map.size]);
        }
    }
}
