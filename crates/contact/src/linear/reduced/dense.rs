//! Dense LU factorisation with partial pivoting of the reduced system, in buffers that are reserved once.

use crate::num::lanes::Arch;

use super::super::block::BlockMatrix;
use super::front::{Group, LANES, backward, eliminate, forward, padded};
use super::{Maps, reduce};

/// A dense factorisation of at most the size it was made for.
#[derive(Debug)]
pub(crate) struct Dense {
    arch: Arch,
    /// Unknowns, padded.
    n: usize,
    a: Vec<Group>,
    swaps: Vec<u32>,
    offsets: Vec<usize>,
    x: Vec<f64>,
}

impl Dense {
    /// Room for `rows` unknowns.
    pub(crate) fn new(rows: usize) -> Self {
        let mut out = Self {
            arch: Arch::new(),
            n: 0,
            a: Vec::new(),
            swaps: Vec::new(),
            offsets: Vec::with_capacity(rows),
            x: Vec::new(),
        };
        out.resize(rows);
        out
    }

    /// The same for another number of unknowns, in the memory that is there.
    pub(crate) fn resize(&mut self, rows: usize) {
        let n = padded(rows);
        self.a.resize(n * n / LANES, [0.0; LANES]);
        self.swaps.resize(n, 0);
        self.x.resize(n, 0.0);
    }

    pub(crate) fn factor<const D: usize, const DD: usize>(
        &mut self,
        W: &BlockMatrix,
        maps: &[Maps<D>],
        shift: f64,
    ) -> bool {
        self.assemble::<D, DD>(W, maps, shift);
        let (n, width) = (self.n, self.n / LANES);
        eliminate(self.arch, &mut self.a[..n * width], width, &mut self.swaps[..n])
    }

    fn assemble<const D: usize, const DD: usize>(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) {
        self.offsets.clear();
        let mut used = 0;
        for map in maps {
            self.offsets.push(used);
            used += map.size;
        }
        let n = padded(used);
        self.n = n;
        let a = self.a[..n * n / LANES].as_flattened_mut();
        a.fill(0.0);
        let blocks = W.chunks::<DD>();
        for (i, left) in maps.iter().enumerate().filter(|(_, m)| m.size > 0) {
            for k in W.row(i) {
                let j = W.column(k);
                if maps[j].size > 0 {
                    let block = reduce::<D, DD>(&blocks[k], left, &maps[j]);
                    let at = self.offsets[i] * n + self.offsets[j];
                    for (row, values) in block.iter().enumerate().take(left.size) {
                        put(&mut a[at + row * n..], values, maps[j].size);
                    }
                }
            }
            let at = self.offsets[i] * (n + 1);
            for row in 0..left.size {
                (0..left.size).for_each(|column| a[at + row * n + column] += left.own[row][column]);
                a[at + row * (n + 1)] += shift;
            }
        }
        (used..n).for_each(|k| a[k * (n + 1)] = 1.0);
    }

    pub(crate) fn solve<const D: usize>(&mut self, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        let (n, width) = (self.n, self.n / LANES);
        self.x[..n].fill(0.0);
        for (i, map) in maps.iter().enumerate() {
            put(&mut self.x[self.offsets[i]..], &x[i], map.size);
        }
        forward(&self.a, width, &self.swaps[..n], &mut self.x[..n]);
        backward(&self.a, width, n, &mut self.x[..n]);
        for (i, map) in maps.iter().enumerate() {
            x[i].iter_mut().zip(&self.x[self.offsets[i]..]).take(map.size).for_each(|(x, y)| *x = *y);
        }
    }
}

/// The first `size` of `values`, at the beginning of `to`; one by one, for a call to copy so few takes longer.
#[inline(always)]
fn put<const D: usize>(to: &mut [f64], values: &[f64; D], size: usize) {
    match size {
        0 => {}
        1 => to[0] = values[0],
        2 => (to[0], to[1]) = (values[0], values[1]),
        _ if size == D => to[..D].copy_from_slice(values),
        _ => to[..size].copy_from_slice(&values[..size]),
    }
}
