//! Whether a solution that was found in exact arithmetic stays one when the numbers of the problem change by a rounding.
//!
//! The forces x of the contacts that have some solve A x = −q, one row and unknown for a slip (r_T = c r_N), two for a stick.
//! With |E| ≤ ε|A| and |e| ≤ ε|q| they move by at most ε |A⁻¹| (|A||x| + |q|), to first order [H02 7.2]: small against the
//! force of the contact, or the solution rests on the last digits.

use nalgebra::{DMatrix, DVector};

use crate::coulomb::{Form, Local, Problem, SolverTol};
use crate::num::dense::norm;

/// Whether a point of a problem in local form holds to rounding only: a rounding of the terms of W r outweighs what they sum up to,
/// velocities and q, by the share that a solution has to outlast. Forces of that size are those of a W that is singular but for rounding.
pub fn rests_on_rounding(problem: &Problem, u: &[f64], r: &[f64]) -> bool {
    let Form::Local(Local { W, q }) = problem.form() else { return false };
    let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let terms = |row: usize| {
        let (d, i) = (W.block_size(), row / W.block_size());
        let of_block = |k: usize| {
            let (columns, start) = (W.column(k) * d, (row % d) * d);
            let entries = &W.block(k)[start..start + d];
            entries.iter().zip(&r[columns..columns + d]).map(|(w, r)| (w * r).abs()).sum::<f64>()
        };
        W.row(i).map(of_block).sum::<f64>()
    };
    let rounding = f64::EPSILON * (0..r.len()).map(terms).fold(0.0, f64::max);
    rounding > SolverTol::default().outlasting * largest(q).max(largest(u))
}

/// An unknown force: the contact, and its row with the share of the tangential row that goes with it.
struct Unknown {
    contact: usize,
    row: usize,
    friction: f64,
}

/// Whether the forces `r` with the velocities `u` of a planar problem change by no more than the share `most` of themselves.
pub(super) fn survives_rounding(local: &Local, u: &[f64], r: &[f64], most: f64) -> bool {
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
    use super::{rests_on_rounding, survives_rounding};
    use crate::coulomb::{Form, Problem};
    use crate::linear::Sparse;

    fn holds(W: [[f64; 2]; 2], q: [f64; 2], r: [f64; 2]) -> bool {
        let W = Sparse::from_dense("W", &W.map(Vec::from), 2).unwrap();
        let problem = Problem::local(2, vec![1.0], &W, q.to_vec()).unwrap();
        let Form::Local(local) = problem.form() else { panic!("the problem is local") };
        survives_rounding(local, &[0.0, 0.0], &r, 1e-2)
    }

    /// W = H Hᵀ of random contacts with fewer motions than rows is singular but for rounding: forces of its null space, scaled up, hold to
    /// rounding only; those of the size of q do not, whether or not they are unique.
    #[test]
    fn forces_out_of_proportion_rest_on_rounding() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for contacts in 2..6 {
            let n = 2 * contacts;
            let h: Vec<f64> = (0..n).map(|_| random()).collect();
            let W: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| h[i] * h[j]).collect()).collect();
            let W = Sparse::from_dense("W", &W, n).unwrap();
            let q: Vec<f64> = h.iter().map(|h| -h).collect();
            let problem = Problem::local(2, vec![1.0; contacts], &W, q).unwrap();
            // h·r = 1 gives u = 0; to that any multiple of a vector orthogonal to h may be added
            let fit: f64 = h.iter().map(|h| h * h).sum();
            for (size, rests) in [(0.0, false), (1.0, false), (1e6, false), (1e16, true)] {
                let mut r: Vec<f64> = h.iter().map(|h| h / fit).collect();
                r[0] += size * h[1];
                r[1] -= size * h[0];
                let u = vec![0.0; n];
                assert_eq!(rests_on_rounding(&problem, &u, &r), rests, "{contacts} contacts, {size}");
            }
        }
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
