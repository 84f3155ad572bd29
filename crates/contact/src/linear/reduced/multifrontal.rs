//! Multifrontal sparse LU factorisation (Liu 1992): small dense fronts, each eliminating a few contacts and sending
//! what it leaves to the front that needs it. Rows are exchanged within the contacts of one front only.

use crate::num::lanes::Arch;

use super::super::block::BlockMatrix;
use super::front::{Group, LANES, backward, dot, eliminate, forward, padded};
use super::symbolic::{Front, NONE, Symbolic};
use super::{Maps, reduce};

/// The factors and the work space.
#[derive(Debug)]
pub(crate) struct Multifrontal<const D: usize, const DD: usize> {
    arch: Arch,
    symbolic: Symbolic,
    /// Index of the block (j, i) for each block (i, j) of W.
    transpose: Vec<u32>,
    /// First unknown of every place of the sequence, and their number at the end.
    offsets: Vec<u32>,
    /// The contacts with R = C = 1 in their first coordinates, of which W's blocks are taken as they are.
    plain: Vec<bool>,
    /// Where each front's factors begin, in groups, and its exchanges.
    starts: Vec<u32>,
    factors: Vec<Group>,
    swaps: Vec<u32>,
    work: Work,
    x: Vec<f64>,
}

/// Buffers of the numerical phase.
#[derive(Debug, Default)]
struct Work {
    front: Vec<Group>,
    /// Updates that wait for the front they go to.
    stack: Vec<f64>,
    /// Position in the present front of every place of the sequence.
    local: Vec<u32>,
    waiting: Vec<u32>,
    positions: Vec<u32>,
    part: Vec<f64>,
}

/// Sizes of one front: unknowns to eliminate, the same padded, unknowns to update, groups per row.
#[derive(Clone, Copy, Debug)]
struct Shape {
    own: usize,
    pivots: usize,
    updates: usize,
    width: usize,
}

impl<const D: usize, const DD: usize> Multifrontal<D, DD> {
    /// For matrices of the pattern of `W`, whose contacts are eliminated in about the given order.
    pub(crate) fn new(W: &BlockMatrix, order: Vec<u32>) -> Self {
        Self {
            arch: Arch::new(),
            symbolic: Symbolic::new(order),
            transpose: transpose(W),
            offsets: Vec::new(),
            plain: Vec::new(),
            starts: Vec::new(),
            factors: Vec::new(),
            swaps: Vec::new(),
            work: Work::default(),
            x: Vec::new(),
        }
    }

    pub(crate) fn factor(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        self.symbolic.update(W, maps.iter().map(|m| m.size > 0));
        self.number(maps);
        self.plain.clear();
        self.plain.extend(maps.iter().map(Maps::is_plain));
        self.swaps.clear();
        self.starts.clear();
        self.reserve();
        self.work.stack.clear();
        self.work.waiting.clear();
        self.work.local.resize(self.symbolic.sequence.len(), NONE);
        for f in 0..self.symbolic.fronts.len() {
            let front = self.symbolic.fronts[f];
            let shape = self.shape(&front);
            self.assemble(&front, &shape, W, maps, shift);
            self.extend(&front, &shape);
            let begin = self.swaps.len();
            self.swaps.resize(begin + shape.pivots, 0);
            if !eliminate(self.arch, &mut self.work.front, shape.width, &mut self.swaps[begin..]) {
                return false;
            }
            self.store(f, &shape);
        }
        true
    }

    /// Room for all factors: growing would copy them again and again.
    fn reserve(&mut self) {
        let size = |front: &Front| {
            let Shape { pivots, updates, width, .. } = self.shape(front);
            pivots * width + updates * (pivots / LANES)
        };
        let size = self.symbolic.fronts.iter().map(size).sum();
        self.factors.clear();
        self.factors.reserve(size);
    }

    /// Numbers the unknowns in the order of elimination.
    fn number(&mut self, maps: &[Maps<D>]) {
        self.offsets.clear();
        let mut next = 0;
        for &i in &self.symbolic.sequence {
            self.offsets.push(next);
            next += maps[i as usize].size as u32;
        }
        self.offsets.push(next);
    }

    /// The places that a front updates.
    fn updates(&self, front: &Front) -> &[u32] {
        &self.symbolic.updates[front.start as usize..(front.start + front.count) as usize]
    }

    fn unknowns(&self, place: u32) -> std::ops::Range<u32> {
        self.offsets[place as usize]..self.offsets[place as usize + 1]
    }

    fn shape(&self, front: &Front) -> Shape {
        let own = (self.offsets[front.end as usize] - self.offsets[front.first as usize]) as usize;
        let updates = self.updates(front).iter().map(|&j| self.unknowns(j).len()).sum();
        let pivots = padded(own);
        Shape { own, pivots, updates, width: (pivots + padded(updates)) / LANES }
    }

    /// The front's entries of the reduced matrix; rows and columns beyond its own unknowns are those of the identity.
    fn assemble(&mut self, front: &Front, shape: &Shape, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) {
        let first = self.offsets[front.first as usize];
        for k in front.first..front.end {
            self.work.local[k as usize] = self.offsets[k as usize] - first;
        }
        let mut next = shape.pivots as u32;
        for at in front.start..front.start + front.count {
            let j = self.symbolic.updates[at as usize] as usize;
            self.work.local[j] = next;
            next += self.offsets[j + 1] - self.offsets[j];
        }
        let stride = shape.width * LANES;
        self.work.front.clear();
        self.work.front.resize((shape.pivots + shape.updates) * shape.width, [0.0; LANES]);
        let a = self.work.front.as_flattened_mut();
        let (blocks, plain) = (W.chunks::<DD>(), &self.plain);
        let mut put = |(i, at_i): (usize, u32), (j, at_j): (usize, u32), block: usize| {
            let reduced;
            let values = match plain[i] && plain[j] {
                true => blocks[block].as_chunks::<D>().0,
                false => {
                    reduced = reduce::<D, DD>(&blocks[block], &maps[i], &maps[j]);
                    &reduced
                }
            };
            for (row, values) in values.iter().enumerate().take(maps[i].size) {
                let at = (at_i as usize + row) * stride + at_j as usize;
                a[at..at + maps[j].size].copy_from_slice(&values[..maps[j].size]);
            }
        };
        for k in front.first..front.end {
            let row = (self.symbolic.sequence[k as usize] as usize, self.work.local[k as usize]);
            for b in W.row(row.0) {
                let j = W.column(b);
                let place = self.symbolic.place[j];
                if place == NONE || place < front.first {
                    continue;
                }
                let column = (j, self.work.local[place as usize]);
                put(row, column, b);
                if place >= front.end {
                    put(column, row, self.transpose[b] as usize);
                }
            }
        }
        for k in front.first..front.end {
            let map = &maps[self.symbolic.sequence[k as usize] as usize];
            let at = self.work.local[k as usize] as usize * (stride + 1);
            for row in 0..map.size {
                (0..map.size).for_each(|column| a[at + row * stride + column] += map.own[row][column]);
                a[at + row * (stride + 1)] += shift;
            }
        }
        (shape.own..shape.pivots).for_each(|k| a[k * (stride + 1)] = 1.0);
    }

    /// Adds the updates that wait for the front.
    fn extend(&mut self, front: &Front, shape: &Shape) {
        let stride = shape.width * LANES;
        for _ in 0..front.children {
            let Some(child) = self.work.waiting.pop() else { return };
            let child = self.symbolic.fronts[child as usize];
            let mut positions = std::mem::take(&mut self.work.positions);
            positions.clear();
            for &j in self.updates(&child) {
                let local = self.work.local[j as usize];
                positions.extend(local..local + self.unknowns(j).len() as u32);
            }
            let count = positions.len();
            let begin = self.work.stack.len() - count * count;
            let a = self.work.front.as_flattened_mut();
            for (&i, values) in positions.iter().zip(self.work.stack[begin..].chunks_exact(count)) {
                let row = &mut a[i as usize * stride..][..stride];
                positions.iter().zip(values).for_each(|(&j, x)| row[j as usize] += x);
            }
            self.work.stack.truncate(begin);
            self.work.positions = positions;
        }
    }

    /// Keeps the rows of U and the columns of L, and puts the update on the stack.
    fn store(&mut self, f: usize, shape: &Shape) {
        self.starts.push(self.factors.len() as u32);
        let (top, below) = self.work.front.split_at(shape.pivots * shape.width);
        self.factors.extend_from_slice(top);
        let own = shape.pivots / LANES;
        for row in below.chunks_exact(shape.width) {
            self.factors.extend_from_slice(&row[..own]);
            self.work.stack.extend_from_slice(&row[own..].as_flattened()[..shape.updates]);
        }
        if shape.updates > 0 {
            self.work.waiting.push(f as u32);
        }
    }

    pub(crate) fn solve(&mut self, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        self.x.clear();
        for &i in &self.symbolic.sequence {
            self.x.extend_from_slice(&x[i as usize][..maps[i as usize].size]);
        }
        let mut part = std::mem::take(&mut self.work.part);
        let mut swaps = 0;
        for f in 0..self.symbolic.fronts.len() {
            swaps += self.forward(f, swaps, &mut part);
        }
        for f in (0..self.symbolic.fronts.len()).rev() {
            self.backward(f, &mut part);
        }
        self.work.part = part;
        for (k, &i) in self.symbolic.sequence.iter().enumerate() {
            let range = self.offsets[k] as usize..self.offsets[k + 1] as usize;
            x[i as usize][..range.len()].copy_from_slice(&self.x[range]);
        }
    }

    /// One front of x ← L⁻¹ P x; `swaps` is where its exchanges begin. Returns their number.
    fn forward(&mut self, f: usize, swaps: usize, part: &mut Vec<f64>) -> usize {
        let front = self.symbolic.fronts[f];
        let shape = self.shape(&front);
        let first = self.offsets[front.first as usize] as usize;
        part.clear();
        part.extend_from_slice(&self.x[first..first + shape.own]);
        part.resize(shape.pivots, 0.0);
        let factors = &self.factors[self.starts[f] as usize..];
        forward(factors, shape.width, &self.swaps[swaps..swaps + shape.pivots], part);
        self.x[first..first + shape.own].copy_from_slice(&part[..shape.own]);
        let mut rows = factors[shape.pivots * shape.width..].chunks_exact(shape.pivots / LANES);
        let updates = &self.symbolic.updates[front.start as usize..(front.start + front.count) as usize];
        for &j in updates {
            let range = self.offsets[j as usize] as usize..self.offsets[j as usize + 1] as usize;
            for (x, row) in self.x[range].iter_mut().zip(&mut rows) {
                *x -= dot(row.as_flattened(), part);
            }
        }
        shape.pivots
    }

    /// One front of x ← U⁻¹ x.
    fn backward(&mut self, f: usize, part: &mut Vec<f64>) {
        let front = self.symbolic.fronts[f];
        let shape = self.shape(&front);
        let first = self.offsets[front.first as usize] as usize;
        part.clear();
        part.extend_from_slice(&self.x[first..first + shape.own]);
        part.resize(shape.pivots, 0.0);
        for &j in self.updates(&front) {
            let range = self.unknowns(j);
            part.extend_from_slice(&self.x[range.start as usize..range.end as usize]);
        }
        part.resize(shape.width * LANES, 0.0);
        backward(&self.factors[self.starts[f] as usize..], shape.width, shape.pivots, part);
        self.x[first..first + shape.own].copy_from_slice(&part[..shape.own]);
    }
}

/// Index of (j, i) for every stored (i, j); the pattern is symmetric, so column j is met in the order of row j.
fn transpose(W: &BlockMatrix) -> Vec<u32> {
    let mut next: Vec<u32> = (0..W.blocks()).map(|i| W.row(i).start as u32).collect();
    (0..W.stored())
        .map(|b| {
            let at = &mut next[W.column(b)];
            *at += 1;
            *at - 1
        })
        .collect()
}
