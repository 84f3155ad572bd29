//! Whether a solution that was found in exact arithmetic stays one when the numbers of the problem change by a rounding.
//!
//! The forces x of the contacts that have some solve A x = −q, one row and unknown for a slip (r_T = c r_N), two for a stick.
//! With |E| ≤ ε|A| and |e| ≤ ε|q| they move by at most ε |A⁻¹| (|A||x| + |q|), to first order [H02 7.2]: small against the
//! force of the contact, or the solution rests on the last digits.

use nalgebra::{DMatrix, DVector};

use crate::coulomb::Local;
use crate::num::dense::norm;

/// An unknown force: the contact, and its row with the share of the tangential row that goes with it.
struct Unknown {
    contact: usize,
    row: usize,
    friction: f64,
}

/// Whether the forces `r` with the velocities `u` of a planar problem change by no more than the share `most` of themselves.
pub(super) fn outlasts(local: &Local, u: &[f64], r: &[f64], most: f64) -> bool {
    if !u.iter().chain(r).all(|x| x.is_finite()) {
        // beyond the range of the numbers
        return false;
    }
    let unknowns = unknowns(u, r);
    let n = unknowns.len();
    let entry = |i: &Unknown, j: &Unknown| {
        let normal = local.W.get(i.row, j.row);
        if j.friction.abs() > 0.0 { normal + j.friction * local.W.get(i.row, j.row + 1) } else { normal }
    };
    let A = DMatrix::from_fn(n, n, |i, j| entry(&unknowns[i], &unknowns[j]));
    let Some(inverse) = A.clone().try_inverse() else { return false };
    let x = DVector::from_iterator(n, unknowns.iter().map(|k| r[k.row].abs()));
    let q = DVector::from_iterator(n, unknowns.iter().map(|k| local.q[k.row].abs()));
    let change = inverse.abs() * (A.abs() * x + q) * f64::EPSILON;
    let force = |contact: usize| norm(&r[2 * contact..2 * contact + 2]);
    unknowns.iter().zip(&change).all(|(k, change)| *change <= most * force(k.contact))
}

fn unknowns(u: &[f64], r: &[f64]) -> Vec<Unknown> {
    let mut found = Vec::new();
    for contact in (0..r.len() / 2).filter(|&i| r[2 * i] > 0.0) {
        let (N, T) = (2 * contact, 2 * contact + 1);
        let (slides, rubs) = (u[T].abs() > 0.0, r[T].abs() > 0.0);
        if rubs && !slides {
            found.extend([N, T].map(|row| Unknown { contact, row, friction: 0.0 }));
        } else {
            found.push(Unknown { contact, row: N, friction: r[T] / r[N] });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::outlasts;
    use crate::coulomb::{Form, Problem};
    use crate::linear::Sparse;

    fn holds(W: [[f64; 2]; 2], q: [f64; 2], r: [f64; 2]) -> bool {
        let W = Sparse::from_dense("W", &W.map(Vec::from), 2).unwrap();
        let problem = Problem::local(2, vec![1.0], &W, q.to_vec()).unwrap();
        let Form::Local(local) = problem.form() else { panic!("the problem is local") };
        outlasts(local, &[0.0, 0.0], &r, 1e-2)
    }

    /// A stick of W r = −q whose determinant is δ = 10⁻⁶, 10⁻¹² or a rounding: with q = (−1, 0) the forces are (1, 1)/δ.
    #[test]
    fn forces_by_a_determinant_that_is_rounding_do_not_last() {
        for (gap, lasts) in [(1e-6, true), (1e-12, true), (2.0 * f64::EPSILON, false)] {
            let W = [[1.0 + gap, -1.0], [-1.0, 1.0]];
            assert_eq!(holds(W, [-1.0, 0.0], [1.0 / gap, 1.0 / gap]), lasts, "{gap}");
        }
    }
}
