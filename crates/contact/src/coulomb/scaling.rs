//! Balanced units for the solvers. With powers of two, so that nothing is rounded,
//!
//! `r_j = 2^(f + d_j − g) r̃_j`, `u_i = 2^(f − d_i) ũ_i`, `W̃_ij = 2^(d_i + d_j − g) W_ij`, `q̃_i = 2^(d_i − f) q_i`:
//!
//! one factor for N and T of a contact, so that the friction cones stay as they are, and one power u·r for all. The d_i
//! and g make the largest diagonal entry of every contact lie in [1, 4), f makes the largest q lie in [1, 2). Problems
//! that differ by such factors alone are one and the same in these units, to the last bit.

use super::problem::{Form, Local, Problem};
use super::tolerance::SolverTol;
use crate::linear::times;

/// The exponents of balanced units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scaling {
    /// d_i.
    contact: Vec<i32>,
    /// g.
    matrix: i32,
    /// f.
    free: i32,
}

/// Whether some entry of W is so large that the diagonal blocks are lost in the rounding of its products, in balanced
/// units too: nothing is decided about such a problem in floating point, and exact arithmetic would take long over it.
pub(crate) fn is_lost(problem: &Problem, tol: &SolverTol) -> bool {
    match problem.form() {
        // ‖W_ij‖² ≤ ‖W_ii‖ ‖W_jj‖ for a positive definite M
        Form::Global(_) => false,
        Form::Local(local) => has_lost(local, tol),
    }
}

/// The same for a local form.
pub(crate) fn has_lost(local: &Local, tol: &SolverTol) -> bool {
    let sizes = Sizes::of(local);
    // within this factor of what it would be in balanced units
    let near = 2.0_f64.powi(-2 * tol.balanced);
    let largest = times(local.W.largest(), -sizes.first);
    let balanced = || {
        let (mut scaling, mut balanced) = (Scaling::default(), Local::default());
        scaling.set(local);
        scaling.balance(local, &mut balanced);
        balanced
    };
    (!sizes.are_even(tol) || largest > near * tol.lost) && balanced().W.largest() > tol.lost
}

/// Binary exponents of the diagonal blocks of W.
struct Sizes {
    least: i32,
    most: i32,
    /// That of the first which is not zero.
    first: i32,
}

impl Sizes {
    fn of(local: &Local) -> Self {
        let mut sizes = (0..local.W.blocks()).filter_map(|i| size(local, i));
        let first = sizes.next().unwrap_or(0);
        let range = |(least, most): (i32, i32), size: i32| (least.min(size), most.max(size));
        let (least, most) = sizes.fold((first, first), range);
        Self { least, most, first }
    }

    fn are_even(&self, tol: &SolverTol) -> bool {
        self.most - self.least <= tol.balanced
    }
}

/// The exponent of the largest diagonal entry of a contact; none if all are zero.
fn size(local: &Local, i: usize) -> Option<i32> {
    let (W, d) = (&local.W, local.W.block_size());
    let block = W.block(W.diagonal(i));
    exponent((0..d).map(|a| block[a * (d + 1)].abs()).fold(0.0, f64::max))
}

impl Scaling {
    /// Whether a problem is far from its balanced units.
    pub(crate) fn is_needed(local: &Local, tol: &SolverTol) -> bool {
        let sizes = Sizes::of(local);
        let free = exponent(local.q.iter().fold(0.0, |m, q| m.max(q.abs()))).unwrap_or(0);
        let near = sizes.first.abs() <= tol.balanced && free.abs() <= tol.free_motion;
        !near || !sizes.are_even(tol)
    }

    /// Becomes the balanced units of a problem.
    pub(crate) fn set(&mut self, local: &Local) {
        let (sizes, d) = (Sizes::of(local), local.W.block_size());
        let power = |i: usize| -(size(local, i).unwrap_or(sizes.first) - sizes.first).div_euclid(2);
        self.contact.clear();
        self.contact.extend((0..local.W.blocks()).map(power));
        let free = |(k, q): (usize, &f64)| Some(exponent(q.abs())? + self.contact[k / d]);
        self.free = local.q.iter().enumerate().filter_map(free).max().unwrap_or(0);
        self.matrix = sizes.first;
    }

    /// The problem in balanced units.
    pub(crate) fn balance(&self, local: &Local, balanced: &mut Local) {
        let d = local.W.block_size();
        balanced.W.assign(&local.W);
        balanced.W.scale(|i, j| self.contact[i] + self.contact[j] - self.matrix);
        balanced.W.scale_origin(|i| self.contact[i], self.matrix);
        let q = local.q.iter().enumerate().map(|(k, q)| times(*q, self.contact[k / d] - self.free));
        balanced.q.clear();
        balanced.q.extend(q);
    }

    /// r from r̃.
    pub(crate) fn force(&self, r: &mut [f64]) {
        self.shift(r, 1);
    }

    /// r̃ from r.
    pub(crate) fn balanced_force(&self, r: &mut [f64]) {
        self.shift(r, -1);
    }

    fn shift(&self, r: &mut [f64], sign: i32) {
        let d = r.len() / self.contact.len().max(1);
        let power = |k: usize| sign * (self.free + self.contact[k / d] - self.matrix);
        r.iter_mut().enumerate().for_each(|(k, r)| *r = times(*r, power(k)));
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
