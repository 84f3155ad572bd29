//! The numbers of a problem as integers: u_k = 2^e (a·r + b)/δ row by row, with one δ > 0 for all rows, which is 1 in the
//! local form and det M up to sign and a power of two in the global one.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Gap;
use crate::coulomb::{Form, Global, Problem};
use crate::num::Dyadic;

/// A row of u = W r + q: a·r + b, to be multiplied by 2^e.
pub(super) struct Row {
    pub(super) a: Vec<BigInt>,
    pub(super) b: BigInt,
    pub(super) e: i64,
}

/// μ = rise/run.
pub(super) struct Friction {
    pub(super) rise: BigInt,
    pub(super) run: BigInt,
}

/// The problem.
pub(super) struct Data {
    pub(super) rows: Vec<Row>,
    pub(super) mu: Vec<Friction>,
    /// δ.
    delta: BigInt,
}

impl Data {
    pub(super) fn of(problem: &Problem) -> Result<Self, Gap> {
        if problem.dim() != 2 {
            return Err(Gap::Problem);
        }
        let mu = problem.mu().iter().map(|&mu| friction(mu)).collect::<Result<_, _>>()?;
        let (rows, delta) = match problem.form() {
            Form::Local(local) => {
                let n = local.q.len();
                let row = |k: usize| {
                    (0..n).map(|j| exact(local.W.get(k, j))).chain([exact(local.q[k])]).collect::<Vec<_>>()
                };
                let rows = (0..n).map(|k| Ok(aligned(&row(k))?.into())).collect::<Result<_, Gap>>()?;
                (rows, BigInt::one())
            }
            Form::Global(global) => condensed(global)?,
        };
        Ok(Self { rows, mu, delta })
    }

    pub(super) fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// a and c of Σ yₖ uₖ = a·r + c, up to a common positive factor.
    pub(super) fn combined(&self, y: &[(usize, Dyadic)]) -> Result<(Vec<BigInt>, BigInt), Gap> {
        let shifted = |(k, y): &(usize, Dyadic)| Ok(y.scaled(self.rows.get(*k).ok_or(Gap::Index)?.e));
        let factors = y.iter().map(shifted).collect::<Result<Vec<_>, Gap>>()?;
        let (factors, _) = align(&factors);
        let (mut a, mut c) = (vec![BigInt::zero(); self.rows.len()], BigInt::zero());
        for ((k, _), factor) in y.iter().zip(&factors) {
            let row = &self.rows[*k];
            a.iter_mut().zip(&row.a).filter(|(_, x)| !x.is_zero()).for_each(|(a, x)| *a += x * factor);
            c += &row.b * factor;
        }
        Ok((a, c))
    }

    /// The velocity behind the value of row k for forces that were multiplied by `scale`, as a quotient.
    pub(super) fn in_units(&self, k: usize, value: BigInt, scale: &BigInt) -> (BigInt, BigInt) {
        let (power, below) = (self.rows[k].e.unsigned_abs(), &self.delta * scale);
        if self.rows[k].e >= 0 { (value << power, below) } else { (value, below << power) }
    }

    /// The velocity of row k for the forces r/t, up to a positive factor.
    pub(super) fn velocity(&self, k: usize, r: &[BigInt], t: &BigInt) -> BigInt {
        dot(&self.rows[k].a, r) + &self.rows[k].b * t
    }
}

impl From<(Vec<BigInt>, i64)> for Row {
    fn from((mut a, e): (Vec<BigInt>, i64)) -> Self {
        let b = a.pop().unwrap_or_default();
        Self { a, b, e }
    }
}

pub(super) fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
}

fn exact(x: f64) -> Result<Dyadic, Gap> {
    Dyadic::from_f64(x).ok_or(Gap::Problem)
}

fn friction(mu: f64) -> Result<Friction, Gap> {
    let (one, _) = align(&[exact(mu)?, Dyadic::one()]);
    match <[BigInt; 2]>::try_from(one) {
        Ok([rise, run]) if !rise.is_negative() => Ok(Friction { rise, run }),
        _ => Err(Gap::Problem),
    }
}

/// Integers with a common power of two that are the numbers.
fn align(x: &[Dyadic]) -> (Vec<BigInt>, i64) {
    let low = x.iter().filter(|x| !x.is_zero()).map(|x| x.parts().1).min().unwrap_or(0);
    let shifted = |x: &Dyadic| match x.parts() {
        (mantissa, _) if mantissa.is_zero() => BigInt::zero(),
        (mantissa, exponent) => mantissa << exponent.abs_diff(low),
    };
    (x.iter().map(shifted).collect(), low)
}

fn aligned(x: &[Result<Dyadic, Gap>]) -> Result<(Vec<BigInt>, i64), Gap> {
    let x = x.iter().cloned().collect::<Result<Vec<_>, _>>()?;
    Ok(align(&x))
}

/// δ u = H X r + (δ w − H x) with M X = δ Hᵀ, M x = δ f.
fn condensed(g: &Global) -> Result<(Vec<Row>, BigInt), Gap> {
    let (n, rows) = (g.f.len(), g.w.len());
    let mut H = vec![vec![Dyadic::zero(); n]; rows];
    for (k, h) in H.iter_mut().enumerate() {
        for (i, x) in g.Ht.column(k) {
            h[i] = exact(x)?;
        }
    }
    let mut system = Vec::new();
    for i in 0..n {
        let mass = (0..n).map(|j| exact(g.M.get(i, j)));
        let right = H.iter().map(|h| Ok(h[i].clone())).chain([exact(g.f[i])]);
        system.push(aligned(&mass.chain(right).collect::<Vec<_>>())?.0);
    }
    let (X, delta) = solved(system)?;
    let of_contact = |(h, &w): (&Vec<Dyadic>, &f64)| {
        // h and w share a power of two, and the products with X are integers.
        let numbers = h.iter().cloned().map(Ok).chain([exact(w)]).collect::<Vec<_>>();
        let (mut h, e) = aligned(&numbers)?;
        let w = h.pop().unwrap_or_default();
        let column = |k: usize| h.iter().zip(&X).map(|(h, x)| h * &x[k]).sum::<BigInt>();
        let a = (0..rows).map(column).collect();
        Ok(Row { a, b: w * &delta - column(rows), e })
    };
    let rows = H.iter().zip(&g.w).map(of_contact).collect::<Result<_, _>>()?;
    Ok((rows, delta))
}

/// X with M X = δ B and δ > 0 from [M | B], by Gauss-Jordan elimination in integers [Bareiss 1968]; multiplied out again at
/// the end.
fn solved(system: Vec<Vec<BigInt>>) -> Result<(Vec<Vec<BigInt>>, BigInt), Gap> {
    let (n, mut rows, mut last) = (system.len(), system.clone(), BigInt::one());
    for k in 0..n {
        let pivot = (k..n).find(|&i| !rows[i][k].is_zero()).ok_or(Gap::Problem)?;
        rows.swap(k, pivot);
        let lead = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k].clone();
            row.iter_mut().zip(&lead).for_each(|(x, l)| *x = (&*x * &lead[k] - &factor * l) / &last);
        }
        last = lead[k].clone();
    }
    let sign = if last.is_negative() { -BigInt::one() } else { BigInt::one() };
    let X: Vec<Vec<BigInt>> = rows.iter().map(|row| row[n..].iter().map(|x| x * &sign).collect()).collect();
    let delta = last * sign;
    let right = |row: &Vec<BigInt>, k: usize| {
        (0..n).map(|j| &row[j] * &X[j][k]).sum::<BigInt>() == &delta * &row[n + k]
    };
    let holds = system.iter().all(|row| (0..row.len() - n).all(|k| right(row, k)));
    if holds { Ok((X, delta)) } else { Err(Gap::Problem) }
}

/// Whether `near` is next to x/below: no other double lies between them.
pub(super) fn is_rounded(x: &BigInt, below: &BigInt, near: f64) -> bool {
    match (Dyadic::from_f64(near.next_down()), Dyadic::from_f64(near.next_up())) {
        (Some(low), Some(high)) => compared(x, below, &low).is_ge() && compared(x, below, &high).is_le(),
        // beyond the range of doubles
        _ => {
            BigRational::new(x.clone(), below.clone()).to_f64().is_some_and(|x| x.to_bits() == near.to_bits())
        }
    }
}

/// The order of x/below, with below > 0, and another number.
fn compared(x: &BigInt, below: &BigInt, other: &Dyadic) -> Ordering {
    let (mantissa, exponent) = other.parts();
    let product = mantissa * below;
    match exponent >= 0 {
        true => x.cmp(&(product << exponent.unsigned_abs())),
        false => (x << exponent.unsigned_abs()).cmp(&product),
    }
}
