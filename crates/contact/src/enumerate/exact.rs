//! The local form u = W r + q without rounding, as integers over one denominator for each row, and its rows in the coordinates
//! of the search: per contact the weights of the generators (1, μ) and (1, −μ) of its friction cone (one, (1, 0), without
//! friction), and a last coordinate t that makes everything homogeneous.

use std::ops::Range;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::integral::{Integral, dot, quotient, triangular};
use super::{Mode, Point};
use crate::coulomb::{Form, Global, Local, Problem};

/// W and q without rounding: the problem's numbers are taken as the binary fractions they are.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    /// [W | q] row by row.
    rows: Vec<Integral>,
    /// Friction coefficients.
    pub(super) mu: Integral,
}

impl Exact {
    /// None if a number is not finite or M is singular.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        let rows = match problem.form() {
            Form::Local(local) => delassus(local)?,
            Form::Global(global) => condensed(global)?,
        };
        Some(Self { rows, mu: Integral::of(problem.mu().iter().copied())? })
    }

    pub(super) fn contacts(&self) -> usize {
        self.mu.x.len()
    }

    pub(super) fn is_frictionless(&self, contact: usize) -> bool {
        self.mu.x[contact].is_zero()
    }

    /// The velocities of the forces r, one row after the other, each with its denominator; without q where `free` is zero.
    pub(super) fn velocities(&self, r: &Integral, free: bool) -> impl Iterator<Item = (BigInt, BigInt)> {
        self.rows.iter().map(move |row| {
            let forced = dot(&row.x, &r.x);
            let value = if free { forced + &row.x[r.x.len()] * &r.over } else { forced };
            (value, &row.over * &r.over)
        })
    }

    /// What one rounding of each entry of W makes of the velocities of a point, as a share of the largest of u and q.
    pub(super) fn rounding(&self, point: &Point) -> f64 {
        let (mut moved, mut size) = (0.0_f64, 0.0_f64);
        for (row, u) in self.rows.iter().zip(&point.u) {
            let entry = |x: &BigInt| quotient(x, &row.over).abs();
            let terms = row.x.iter().zip(&point.r).map(|(x, r)| entry(x) * r.abs());
            moved = moved.max(f64::EPSILON * terms.sum::<f64>());
            size = size.max(u.abs()).max(row.x.last().map_or(0.0, entry));
        }
        if moved > 0.0 { moved / size } else { 0.0 }
    }

    /// The sign of velocity k of the forces r.
    pub(super) fn direction(&self, k: usize, r: &Integral) -> num_bigint::Sign {
        let row = &self.rows[k].x;
        (dot(row, &r.x) + &row[r.x.len()] * &r.over).sign()
    }
}

fn delassus(local: &Local) -> Option<Vec<Integral>> {
    let n = local.q.len();
    let row = |i: usize| Integral::of((0..n).map(|j| local.W.get(i, j)).chain([local.q[i]]));
    (0..n).map(row).collect()
}

/// [W | q] = [0 | w] + H M⁻¹ [Hᵀ | −f], which elimination without fractions leaves times det M in the lower right corner of
/// `[M, Hᵀ, −f; −H, 0, w]`. Every row is multiplied by a power of two of its own that makes it one of integers.
fn condensed(g: &Global) -> Option<Vec<Integral>> {
    let (n, rows) = (g.f.len(), g.w.len());
    let mut H = vec![vec![0.0; n]; rows];
    for (k, h) in H.iter_mut().enumerate() {
        g.Ht.column(k).for_each(|(i, x)| h[i] = x);
    }
    let mass = |i: usize| (0..n).map(move |j| g.M.get(i, j));
    let upper = (0..n).map(|i| Integral::of(mass(i).chain(H.iter().map(move |h| h[i])).chain([-g.f[i]])));
    let lower = H
        .iter()
        .zip(&g.w)
        .map(|(h, w)| Integral::of(h.iter().map(|x| -x).chain(std::iter::repeat_n(0.0, rows)).chain([*w])));
    let (mut system, mut over) = (Vec::new(), Vec::new());
    for row in upper.chain(lower) {
        let Integral { x, over: power } = row?;
        system.push(x);
        over.push(power);
    }
    let determinant = triangular(&mut system, n)?;
    let contact = |(row, power): (&mut Vec<BigInt>, &BigInt)| {
        let mut x = row.split_off(n);
        if determinant.is_negative() {
            x.iter_mut().for_each(|x| *x = -std::mem::take(x));
        }
        Integral { x, over: determinant.abs() * power }
    };
    Some(system[n..].iter_mut().zip(&over[n..]).map(contact).collect())
}

/// The coordinates of the search.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    /// For each coordinate but the last, its contact and its generator's tangential part, as a multiple of 1/`unit`.
    pub(super) generators: Vec<(usize, BigInt)>,
    /// The denominator of the friction coefficients.
    unit: BigInt,
    /// For each contact, its first coordinate.
    pub(super) first: Vec<usize>,
}

impl Coordinates {
    pub(super) fn new(mu: &Integral) -> Self {
        let (mut generators, mut first) = (Vec::new(), Vec::new());
        for (i, mu) in mu.x.iter().enumerate() {
            first.push(generators.len());
            generators.push((i, mu.clone()));
            if !mu.is_zero() {
                generators.push((i, -mu));
            }
        }
        Self { generators, unit: mu.over.clone(), first }
    }

    /// Number of coordinates, t included.
    pub(super) fn dimension(&self) -> usize {
        self.generators.len() + 1
    }

    /// The weights of contact i that a mode sets to zero. Generators in order: r_T = +μ r_N, which opposes slip−, then
    /// r_T = −μ r_N; without friction there is but one.
    pub(super) fn zero(&self, i: usize, mode: Mode) -> Range<usize> {
        let first = self.first[i];
        let next = self.first.get(i + 1).copied().unwrap_or(self.generators.len());
        match mode {
            Mode::TakeOff => first..next,
            Mode::Slide | Mode::Stick => first..first,
            Mode::SlipPos => first..first + 1,
            Mode::SlipNeg => first + 1..first + 2,
        }
    }

    /// u_k·t as an integer row, and the positive factor that made it one, the least possible.
    pub(super) fn velocity_row(&self, exact: &Exact, k: usize) -> (Vec<BigInt>, BigInt) {
        let Integral { x, over } = &exact.rows[k];
        let generator = |(i, tangent): &(usize, BigInt)| &x[2 * i] * &self.unit + tangent * &x[2 * i + 1];
        let free = &x[x.len() - 1] * &self.unit;
        let row = self.generators.iter().map(generator).chain([free]).collect();
        let Integral { x, over } = Integral { x: row, over: over * &self.unit }.reduced();
        (x, over)
    }

    /// The forces r of a point, not divided by its last coordinate, as multiples of 1/`unit`.
    pub(super) fn forces(&self, x: &[BigInt]) -> Vec<BigInt> {
        let mut r = vec![BigInt::zero(); 2 * self.first.len()];
        for ((i, tangent), x) in self.generators.iter().zip(x).filter(|(_, x)| !x.is_zero()) {
            r[2 * i + 1] += tangent * x;
            r[2 * i] += &self.unit * x;
        }
        r
    }

    /// The denominator of these forces at a point with the last coordinate t.
    pub(super) fn denominator(&self, t: &BigInt) -> BigInt {
        &self.unit * t
    }

    /// The forces of weights in floating point.
    pub(super) fn near_forces(&self, x: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; 2 * self.first.len()];
        for ((i, tangent), x) in self.generators.iter().zip(x) {
            r[2 * i] += x;
            r[2 * i + 1] += quotient(tangent, &self.unit) * x;
        }
        r
    }
}
