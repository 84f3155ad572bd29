//! The local form u = W r + q in exact fractions, and its rows in the coordinates of the search: per contact the
//! weights of the generators (1, μ) and (1, −μ) of its friction cone (one, (1, 0), without friction), and a last
//! coordinate t that makes everything homogeneous.

use std::ops::Range;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::Mode;
use crate::coulomb::{Form, Global, Local, Problem};
use crate::num::integers;

/// W and q without rounding: the problem's numbers are taken as the binary fractions they are.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) W: Vec<Vec<BigRational>>,
    pub(super) q: Vec<BigRational>,
    pub(super) mu: Vec<BigRational>,
}

impl Exact {
    /// None if a number is not finite or M is singular.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        let mu = problem.mu().iter().map(|&mu| BigRational::from_float(mu)).collect::<Option<_>>()?;
        let (W, q) = match problem.form() {
            Form::Local(local) => delassus(local)?,
            Form::Global(global) => condensed(global)?,
        };
        Some(Self { W, q, mu })
    }

    /// u of the forces r.
    pub(super) fn velocity(&self, r: &[BigRational]) -> Vec<BigRational> {
        let row = |(w, q): (&Vec<BigRational>, &BigRational)| {
            w.iter().zip(r).fold(q.clone(), |u, (w, r)| u + w * r)
        };
        self.W.iter().zip(&self.q).map(row).collect()
    }
}

type Matrix = Vec<Vec<BigRational>>;

fn delassus(local: &Local) -> Option<(Matrix, Vec<BigRational>)> {
    let n = local.q.len();
    let row =
        |i: usize| (0..n).map(|j| BigRational::from_float(local.W.get(i, j))).collect::<Option<Vec<_>>>();
    let q = local.q.iter().map(|&q| BigRational::from_float(q)).collect::<Option<_>>()?;
    Some(((0..n).map(row).collect::<Option<_>>()?, q))
}

/// W = H M⁻¹ Hᵀ, q = w − H M⁻¹ f.
fn condensed(g: &Global) -> Option<(Matrix, Vec<BigRational>)> {
    let (n, rows) = (g.f.len(), g.w.len());
    let H: Matrix = (0..rows).map(|k| dense_column(&g.Ht, k, n)).collect::<Option<_>>()?;
    // [M | Hᵀ f], row by row.
    let mut system: Matrix = vec![Vec::new(); n];
    for (i, row) in system.iter_mut().enumerate() {
        *row = (0..n).map(|j| BigRational::from_float(g.M.get(i, j))).collect::<Option<_>>()?;
        row.extend(H.iter().map(|h| h[i].clone()));
        row.push(BigRational::from_float(g.f[i])?);
    }
    let solved = solve(system)?;
    let product = |h: &Vec<BigRational>, column: usize| -> BigRational {
        h.iter().zip(&solved).filter(|(a, _)| !a.is_zero()).map(|(a, row)| a * &row[column]).sum()
    };
    let W = H.iter().map(|h| (0..rows).map(|k| product(h, k)).collect()).collect();
    let offset = |(h, &w): (&Vec<BigRational>, &f64)| Some(BigRational::from_float(w)? - product(h, rows));
    Some((W, H.iter().zip(&g.w).map(offset).collect::<Option<_>>()?))
}

fn dense_column(a: &crate::linear::Sparse, k: usize, n: usize) -> Option<Vec<BigRational>> {
    let mut column = vec![BigRational::zero(); n];
    for (i, x) in a.column(k) {
        column[i] = BigRational::from_float(x)?;
    }
    Some(column)
}

/// M⁻¹ B from [M | B], by Gauss-Jordan elimination.
fn solve(mut rows: Matrix) -> Option<Matrix> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).find(|&i| !rows[i][k].is_zero())?;
        rows.swap(k, pivot);
        let inverse = rows[k][k].recip();
        rows[k].iter_mut().for_each(|x| *x *= &inverse);
        let lead = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, row)| *i != k && !row[k].is_zero()) {
            let factor = row[k].clone();
            row.iter_mut().zip(&lead).filter(|(_, l)| !l.is_zero()).for_each(|(x, l)| *x -= &factor * l);
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// The coordinates of the search.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    /// For each coordinate but the last, its contact and its generator's tangential part.
    pub(super) generators: Vec<(usize, BigRational)>,
    /// For each contact, its first coordinate.
    pub(super) first: Vec<usize>,
}

impl Coordinates {
    pub(super) fn new(mu: &[BigRational]) -> Self {
        let (mut generators, mut first) = (Vec::new(), Vec::new());
        for (i, mu) in mu.iter().enumerate() {
            first.push(generators.len());
            generators.push((i, mu.clone()));
            if !mu.is_zero() {
                generators.push((i, -mu));
            }
        }
        Self { generators, first }
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

    /// u_k·t as an integer row, and the positive factor that made it one.
    pub(super) fn velocity_row(&self, exact: &Exact, k: usize) -> (Vec<BigInt>, BigInt) {
        let generator =
            |(i, tangent): &(usize, BigRational)| &exact.W[k][2 * i] + tangent * &exact.W[k][2 * i + 1];
        let row: Vec<BigRational> =
            self.generators.iter().map(generator).chain([exact.q[k].clone()]).collect();
        integers(&row)
    }

    /// The forces r of a point, not divided by its last coordinate.
    pub(super) fn forces(&self, contacts: usize, x: &[BigInt]) -> Vec<BigRational> {
        let mut r = vec![BigRational::zero(); 2 * contacts];
        for ((i, tangent), x) in self.generators.iter().zip(x) {
            let x = BigRational::from_integer(x.clone());
            r[2 * i + 1] += tangent * &x;
            r[2 * i] += x;
        }
        r
    }

    /// The forces of weights in floating point.
    pub(super) fn near_forces(&self, x: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; 2 * self.first.len()];
        for ((i, tangent), x) in self.generators.iter().zip(x) {
            r[2 * i] += x;
            r[2 * i + 1] += tangent.to_f64().unwrap_or(f64::NAN) * x;
        }
        r
    }
}
