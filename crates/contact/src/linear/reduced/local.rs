//! The unknowns of one patch that meet nothing outside it.

use crate::num::lanes::Arch;

use super::Maps;
use super::front::{Group, LANES, backward, dot, eliminate, forward, padded};
use super::patches::{Basis, RANK};

/// `R v + E x = b`, `y = C x` of one patch, v and y its components: n unknowns x, of which those after the first `kept`, once turned,
/// are eliminated.
#[derive(Debug, Default)]
pub(crate) struct Local {
    n: usize,
    kept: usize,
    /// E = `shift` and R = Cᵀ = T: all contacts stick. The unknowns outside the range of T are b/shift.
    sticks: bool,
    shift: f64,
    /// R, and Cᵀ, by rows.
    rows: Vec<[f64; RANK]>,
    columns: Vec<[f64; RANK]>,
    /// E by rows; n² numbers.
    own: Vec<f64>,
    /// The reflections that make Q and Z: vectors of n numbers.
    left: Vec<f64>,
    right: Vec<f64>,
    sums: Vec<f64>,
    /// E with the eliminated unknowns first, factored.
    front: Vec<Group>,
    swaps: Vec<u32>,
}

impl Local {
    /// The rows of all contacts of a patch.
    pub(crate) fn gather<const D: usize>(
        &mut self,
        contacts: &[u32],
        basis: &[Basis<D>],
        maps: &[Maps<D>],
        shift: f64,
    ) {
        self.rows.clear();
        self.columns.clear();
        self.n = contacts.iter().map(|&i| maps[i as usize].size).sum();
        self.own.clear();
        self.own.resize(self.n * self.n, 0.0);
        self.sticks = shift > 0.0 && contacts.iter().all(|&i| maps[i as usize].is_unit());
        self.shift = shift;
        for &i in contacts {
            let (map, basis) = (&maps[i as usize], &basis[i as usize]);
            let first = self.rows.len();
            for k in 0..map.size {
                self.rows.push(seen(&map.rows[k], basis));
                self.columns.push(seen(&map.columns[k], basis));
                let own = &mut self.own[(first + k) * self.n + first..][..map.size];
                own.copy_from_slice(&map.own[k][..map.size]);
                own[k] += shift;
            }
        }
    }

    /// Eliminates what is more than `rank` unknowns; false when a pivot vanishes.
    pub(crate) fn eliminate(&mut self, rank: usize, arch: Arch) -> bool {
        self.kept = self.n.min(rank);
        self.left.clear();
        self.right.clear();
        self.sticks &= self.kept < self.n;
        if self.kept == self.n || self.sticks {
            return true;
        }
        let n = self.n;
        for k in 0..self.kept {
            let v = reflection(&mut self.rows, k, &mut self.left);
            self.own_times_left(k, v);
            let v = reflection(&mut self.columns, k, &mut self.right);
            self.own_times_right(k, v);
        }
        let pivots = padded(n - self.kept);
        let width = (pivots + padded(self.kept)) / LANES;
        self.front.clear();
        self.front.resize((pivots + self.kept) * width, [0.0; LANES]);
        let (kept, a) = (self.kept, self.front.as_flattened_mut());
        let place = |k: usize| if k < kept { pivots + k } else { k - kept };
        for i in 0..n {
            for j in 0..n {
                a[place(i) * width * LANES + place(j)] = self.own[i * n + j];
            }
        }
        (n - kept..pivots).for_each(|k| a[k * (width * LANES + 1)] = 1.0);
        self.swaps.clear();
        self.swaps.resize(pivots, 0);
        eliminate(arch, &mut self.front, width, &mut self.swaps)
    }

    /// E −= 2 v vᵀ E for the reflection of column `k`, whose vector v begins `at` there.
    fn own_times_left(&mut self, k: usize, at: usize) {
        let n = self.n;
        let v = &self.left[at + k..at + n];
        self.sums.clear();
        self.sums.resize(n, 0.0);
        for (row, v) in self.own.chunks_exact(n).skip(k).zip(v) {
            self.sums.iter_mut().zip(row).for_each(|(s, x)| *s += v * x);
        }
        for (row, v) in self.own.chunks_exact_mut(n).skip(k).zip(v) {
            row.iter_mut().zip(&self.sums).for_each(|(x, s)| *x -= 2.0 * v * s);
        }
    }

    /// E −= 2 E v vᵀ.
    fn own_times_right(&mut self, k: usize, at: usize) {
        let v = &self.right[at + k..at + self.n];
        for row in self.own.chunks_exact_mut(self.n) {
            reflect(v, &mut row[k..]);
        }
    }

    /// Unknowns of the contacts.
    pub(crate) fn unknowns(&self) -> usize {
        self.n
    }

    /// What is left, as rows and columns of one contact.
    pub(crate) fn maps(&self) -> Maps<RANK> {
        if self.sticks {
            return Maps::unit(self.kept, self.shift);
        }
        let mut out = Maps::NONE;
        out.size = self.kept;
        for k in 0..self.kept {
            out.rows[k] = self.rows[k];
            out.columns[k] = self.columns[k];
            (0..self.kept).for_each(|l| out.own[k][l] = self.left_over(k, l));
        }
        out
    }

    fn left_over(&self, k: usize, l: usize) -> f64 {
        if self.kept == self.n {
            return self.own[k * self.n + l];
        }
        let pivots = self.swaps.len();
        let at = (pivots + k) * self.width() * LANES + pivots + l;
        self.front[at / LANES][at % LANES]
    }

    /// Groups in a row of the front.
    fn width(&self) -> usize {
        (self.swaps.len() + padded(self.kept)) / LANES
    }

    /// The right-hand side of what is left; `b` becomes what [`Local::backward`] needs.
    pub(crate) fn forward(&self, b: &mut [f64]) -> [f64; RANK] {
        if self.sticks {
            return self.component(b);
        }
        let mut out = [0.0; RANK];
        if self.kept < self.n {
            self.left.chunks_exact(self.n).for_each(|v| reflect(v, b));
            let (pivots, width) = (self.swaps.len(), self.width());
            let mut part = b[self.kept..].to_vec();
            part.resize(pivots, 0.0);
            forward(&self.front, width, &self.swaps, &mut part);
            let below = self.front[pivots * width..].chunks_exact(width);
            for (b, row) in b.iter_mut().zip(below) {
                *b -= dot(row[..pivots / LANES].as_flattened(), &part);
            }
            let eliminated = self.n - self.kept;
            b[self.kept..].copy_from_slice(&part[..eliminated]);
        }
        out[..self.kept].copy_from_slice(&b[..self.kept]);
        out
    }

    /// Tᵀ b.
    fn component(&self, b: &[f64]) -> [f64; RANK] {
        let mut out = [0.0; RANK];
        for (row, b) in self.rows.iter().zip(b) {
            out.iter_mut().zip(row).for_each(|(o, t)| *o += t * b);
        }
        out
    }

    /// All unknowns from those that were left.
    pub(crate) fn backward(&self, kept: &[f64; RANK], x: &mut [f64]) {
        if self.sticks {
            let inside = self.component(x);
            for (row, x) in self.rows.iter().zip(x) {
                *x = (*x - dot(row, &inside)) / self.shift + dot(row, kept);
            }
            return;
        }
        x[..self.kept].copy_from_slice(&kept[..self.kept]);
        if self.kept < self.n {
            let (pivots, width) = (self.swaps.len(), self.width());
            let mut part = x[self.kept..].to_vec();
            part.resize(pivots, 0.0);
            part.extend_from_slice(&x[..self.kept]);
            part.resize(width * LANES, 0.0);
            backward(&self.front, width, pivots, &mut part);
            let eliminated = self.n - self.kept;
            x[self.kept..].copy_from_slice(&part[..eliminated]);
            self.right.chunks_exact(self.n).rev().for_each(|v| reflect(v, x));
        }
    }
}

/// A direction of a contact as its patch sees it, Tᵀ d.
fn seen<const D: usize>(direction: &[f64; D], basis: &Basis<D>) -> [f64; RANK] {
    let mut out = [0.0; RANK];
    for (d, row) in direction.iter().zip(basis) {
        out.iter_mut().zip(row).for_each(|(o, t)| *o += d * t);
    }
    out
}

/// Householder's reflection that makes column `k` zero below row k, applied; its unit vector goes to the end of `vectors`, where
/// it begins is returned.
fn reflection(rows: &mut [[f64; RANK]], k: usize, vectors: &mut Vec<f64>) -> usize {
    let at = vectors.len();
    vectors.resize(at + k, 0.0);
    vectors.extend(rows[k..].iter().map(|row| row[k]));
    let v = &mut vectors[at..];
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v[k] += length.copysign(v[k]);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        v.iter_mut().for_each(|x| *x /= length);
    }
    let mut sums = [0.0; RANK];
    for (row, v) in rows.iter().zip(&*v).skip(k) {
        sums.iter_mut().zip(row).for_each(|(s, x)| *s += v * x);
    }
    for (row, v) in rows.iter_mut().zip(&*v).skip(k) {
        row.iter_mut().zip(&sums).for_each(|(x, s)| *x -= 2.0 * v * s);
    }
    at
}

/// x −= 2 v vᵀ x.
fn reflect(v: &[f64], x: &mut [f64]) {
    let part = 2.0 * dot(v, x);
    x.iter_mut().zip(v).for_each(|(x, v)| *x -= part * v);
}
