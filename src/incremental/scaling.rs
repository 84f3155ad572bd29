//! Balanced units for the solvers. With powers of two, so that nothing is rounded,
//!
//! `r_j = 2^(f + d_j − g) r̃_j`, `u_i = 2^(f − d_i) ũ_i`, `W̃_ij = 2^(d_i + d_j − g) W_ij`, `q̃_i = 2^(d_i − f) q_i`:
//!
//! one factor for N and T of a contact, so that the friction cones stay as they are, and one power u·r for all. The d_i
//! and g make the largest diagonal entry of every contact lie in [1, 4), f makes the largest q lie in [1, 2). Problems
//! that differ by such factors alone are one and the same in these units, to the last bit.

use super::problem::Local;
use super::tolerance::SolverTol;

/// The exponents of balanced units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scaling {
    /// d_i.
    contact: Vec<i32>,
    /// g.
    matrix: i32,
    /// f.
    free: i32,
}

impl Scaling {
    /// The balanced units of a problem; none if it is near enough to them as it is.
    pub(crate) fn of(local: &Local, tol: &SolverTol) -> Option<Self> {
        let W = &local.W;
        let d = W.block_size();
        let own = |i: usize| (0..d).map(|a| W.block(W.diagonal(i))[a * (d + 1)].abs()).fold(0.0, f64::max);
        let sizes = (0..W.blocks()).map(|i| exponent(own(i)));
        let (mut least, mut most, mut first) = (i32::MAX, i32::MIN, None);
        for size in sizes.clone().flatten() {
            (least, most) = (least.min(size), most.max(size));
            first.get_or_insert(size);
        }
        let largest = local.q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        let near = |x: Option<i32>, range: i32| x.is_none_or(|x| x.abs() <= range);
        let even = least > most || most - least <= tol.balanced;
        if even && near(first, tol.balanced) && near(exponent(largest), tol.free_motion) {
            return None;
        }
        let matrix = first.unwrap_or(0);
        let contact: Vec<i32> =
            sizes.map(|size| -(size.unwrap_or(matrix) - matrix).div_euclid(2)).collect();
        let scaled = local.q.chunks_exact(d).zip(&contact).flat_map(|(q, d)| {
            q.iter().filter_map(move |q| exponent(q.abs()).map(|e| e + d))
        });
        let free = scaled.max().unwrap_or(0);
        Some(Self { contact, matrix, free })
    }

    /// The problem in balanced units.
    pub(crate) fn balanced(&self, local: &Local) -> Local {
        let d = local.W.block_size();
        let W = local.W.scaled(|i, j| self.contact[i] + self.contact[j] - self.matrix);
        let q = local.q.iter().enumerate().map(|(k, q)| times(*q, self.contact[k / d] - self.free)).collect();
        Local { W, q }
    }

    /// r from r̃.
    pub(crate) fn force(&self, r: &[f64]) -> Vec<f64> {
        self.shifted(r, 1)
    }

    /// r̃ from r.
    pub(crate) fn balanced_force(&self, r: &[f64]) -> Vec<f64> {
        self.shifted(r, -1)
    }

    fn shifted(&self, r: &[f64], sign: i32) -> Vec<f64> {
        let d = r.len() / self.contact.len().max(1);
        let power = |k: usize| sign * (self.free + self.contact[k / d] - self.matrix);
        r.iter().enumerate().map(|(k, r)| times(*r, power(k))).collect()
    }
}

/// The e with 2^e ≤ x < 2^(e + 1); none of 0 and of what is not finite.
fn exponent(x: f64) -> Option<i32> {
    const BIAS: i32 = 1023;
    // enough to make every subnormal number a normal one
    const LIFT: i32 = 64;
    let biased = |x: f64| ((x.to_bits() >> (f64::MANTISSA_DIGITS - 1)) & 0x7ff) as i32 - BIAS;
    match x {
        x if !(x > 0.0 && x.is_finite()) => None,
        x if x < f64::MIN_POSITIVE => Some(biased(x * 2.0_f64.powi(LIFT)) - LIFT),
        x => Some(biased(x)),
    }
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
