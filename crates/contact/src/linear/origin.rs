//! What a Delassus matrix W = H M⁻¹ Hᵀ was made of, by blocks: contacts are rows of H, bodies are blocks of coordinates.
//!
//! In a crowd there are fewer bodies than contacts, and a body meets only those that it touches, while a contact meets all
//! contacts of both its bodies: systems in the velocities of the bodies have a fraction of the fill (`reduced/by_bodies.rs`).

use super::block::{BlockMatrix, times};
use super::sparse::Sparse;

/// M and H by blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Origin {
    /// M with a block for every two bodies that meet at a contact; the last body is filled up with ones on the diagonal.
    M: BlockMatrix,
    /// Where the bodies of every contact begin, and which they are.
    start: Vec<u32>,
    bodies: Vec<u32>,
    /// A block of H, by rows, for each of them.
    H: Vec<f64>,
    /// Contacts of every body.
    met: Vec<u32>,
    at: Vec<u32>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    mark: Vec<u32>,
}

/// Bodies of a contact from which on systems in their velocities are no longer thin.
const CROWD: usize = 4;

/// Coordinates of a body where contacts have so many rows.
pub(crate) const fn coordinates(dim: usize) -> usize {
    if dim == 2 { 3 } else { 6 }
}

impl Origin {
    /// Becomes that of the rows Hᵀ of contacts with `dim` rows each and of M; false if some contact moves too many bodies.
    pub(crate) fn set(&mut self, dim: usize, Ht: &Sparse, M: &Sparse) -> bool {
        let size = coordinates(dim);
        self.find_bodies(dim, Ht);
        if self.start.windows(2).any(|ends| (ends[1] - ends[0]) as usize > CROWD) {
            return false;
        }
        self.find_pattern(size, M);
        self.M.set_pattern(size, &self.rows, &self.columns);
        (0..self.M.stored()).for_each(|k| self.M.block_mut(k).fill(0.0));
        for (i, j, x) in M.coordinates() {
            if let Some(k) = self.M.find(i / size, j / size) {
                self.M.block_mut(k)[i % size * size + j % size] = x;
            }
        }
        for i in M.ncols()..self.M.blocks() * size {
            let own = self.M.diagonal(i / size);
            self.M.block_mut(own)[i % size * (size + 1)] = 1.0;
        }
        true
    }

    /// The bodies of every contact in ascending order, and the blocks of H.
    fn find_bodies(&mut self, dim: usize, Ht: &Sparse) {
        let size = coordinates(dim);
        self.start.clear();
        self.start.push(0);
        self.bodies.clear();
        self.H.clear();
        for i in 0..Ht.ncols() / dim {
            let first = self.bodies.len();
            for column in i * dim..(i + 1) * dim {
                for (row, _) in Ht.column(column) {
                    let body = (row / size) as u32;
                    if !self.bodies[first..].contains(&body) {
                        self.bodies.push(body);
                    }
                }
            }
            self.bodies[first..].sort_unstable();
            self.start.push(self.bodies.len() as u32);
            self.H.resize(self.bodies.len() * dim * size, 0.0);
            for a in 0..dim {
                for (row, x) in Ht.column(i * dim + a) {
                    let body = (row / size) as u32;
                    let k = first + self.bodies[first..].partition_point(|&b| b < body);
                    self.H[(k * dim + a) * size + row % size] = x;
                }
            }
        }
    }

    /// The pattern of M and of the pairs of bodies that meet, by rows.
    fn find_pattern(&mut self, size: usize, M: &Sparse) {
        let count = M.ncols().div_ceil(size);
        self.find_met(count);
        // blocks (i, j) of M stand in column j alone: both rows get the other
        self.mark.clear();
        self.mark.resize(count, u32::MAX);
        self.rows.clear();
        self.rows.push(0);
        self.columns.clear();
        for body in 0..count {
            let (first, own) = (self.columns.len(), body as u32);
            let (mark, columns) = (&mut self.mark, &mut self.columns);
            let mut put = |other: u32| {
                if mark[other as usize] != own {
                    mark[other as usize] = own;
                    columns.push(other);
                }
            };
            put(own);
            for &i in &self.met[self.at[body] as usize..self.at[body + 1] as usize] {
                let range = self.start[i as usize] as usize..self.start[i as usize + 1] as usize;
                self.bodies[range].iter().for_each(|&other| put(other));
            }
            for column in body * size..((body + 1) * size).min(M.ncols()) {
                M.column(column).for_each(|(row, _)| put((row / size) as u32));
            }
            self.columns[first..].sort_unstable();
            self.rows.push(self.columns.len() as u32);
        }
    }

    fn find_met(&mut self, count: usize) {
        self.at.clear();
        self.at.resize(count + 2, 0);
        self.bodies.iter().for_each(|&b| self.at[b as usize + 2] += 1);
        (1..count + 2).for_each(|b| self.at[b] += self.at[b - 1]);
        self.met.clear();
        self.met.resize(self.bodies.len(), 0);
        for i in 0..self.start.len() - 1 {
            for k in self.start[i]..self.start[i + 1] {
                let at = &mut self.at[self.bodies[k as usize] as usize + 1];
                self.met[*at as usize] = i as u32;
                *at += 1;
            }
        }
    }

    /// Becomes a copy of another one in the memory that it has.
    pub(crate) fn assign(&mut self, other: &Self) {
        self.M.assign(&other.M);
        self.start.clone_from(&other.start);
        self.bodies.clone_from(&other.bodies);
        self.H.clone_from(&other.H);
    }

    /// Rows of contact i of H times 2^`contact(i)`, M times 2^`matrix`.
    pub(crate) fn scale(&mut self, contact: impl Fn(usize) -> i32, matrix: i32) {
        let count = self.start.len() - 1;
        let block = self.H.len() / self.bodies.len().max(1);
        for i in 0..count {
            let range = self.start[i] as usize * block..self.start[i + 1] as usize * block;
            self.H[range].iter_mut().for_each(|x| *x = times(*x, contact(i)));
        }
        self.M.scale(|_, _| matrix);
    }

    /// With the contacts in another order: contact i is that of `from[i]`.
    pub(crate) fn permuted(&self, from: &[usize]) -> Self {
        let block = self.H.len() / self.bodies.len().max(1);
        let mut out = Self { M: self.M.clone(), start: vec![0], ..Self::default() };
        for &i in from {
            let range = self.start[i] as usize..self.start[i + 1] as usize;
            out.bodies.extend_from_slice(&self.bodies[range.clone()]);
            out.H.extend_from_slice(&self.H[range.start * block..range.end * block]);
            out.start.push(out.bodies.len() as u32);
        }
        out
    }

    /// M, with a block for every two bodies that meet.
    pub(crate) fn mass(&self) -> &BlockMatrix {
        &self.M
    }

    /// The bodies of contact i and where its blocks of H begin.
    pub(crate) fn bodies(&self, i: usize) -> (&[u32], usize) {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        (&self.bodies[range.clone()], range.start)
    }

    /// Row a of block k of H, for contacts with D rows and bodies with B coordinates.
    #[inline]
    pub(crate) fn row<const D: usize, const B: usize>(&self, k: usize, a: usize) -> &[f64; B] {
        &self.H.as_chunks::<B>().0[k * D + a]
    }

    /// Whether systems of both have one pattern.
    pub(crate) fn is_like(&self, start: &[u32], bodies: &[u32]) -> bool {
        self.start == start && self.bodies == bodies
    }

    /// Where the bodies of every contact begin, and which they are.
    pub(crate) fn pattern(&self) -> (&[u32], &[u32]) {
        (&self.start, &self.bodies)
    }
}
