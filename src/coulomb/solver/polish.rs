//! The last digits of a force that the plain residual calls good: the light contacts, whose errors it does not see
//! beside those of the heavy ones.

use super::Task;
use super::alart_curnier::REGULARISATION;
use super::gauss_seidel::Sweeper;
use super::newton::{Newton, Prox, scale};
use crate::coulomb::backward::Terms;
use crate::coulomb::tolerance::SolverTol;

/// Improves `r`, of which `terms` are the terms, until the backward error is within the tolerance or gets no smaller;
/// `terms` are those of the new r at the end. Returns the steps taken.
pub(crate) fn polish(
    task: &Task<'_>,
    (tolerance, tol): (f64, &SolverTol),
    terms: &mut Terms,
    r: &mut [f64],
) -> usize {
    match task.local.W.block_size() {
        2 => polish_sized::<2, 4>(task, (tolerance, tol), terms, r),
        _ => polish_sized::<3, 9>(task, (tolerance, tol), terms, r),
    }
}

fn polish_sized<const D: usize, const DD: usize>(
    task: &Task<'_>,
    (tolerance, tol): (f64, &SolverTol),
    terms: &mut Terms,
    r: &mut [f64],
) -> usize {
    let alpha = REGULARISATION * scale::<D, DD>(task);
    let mut newton = Newton::<D, DD>::new(task, 1.0);
    let mut sweeper = Sweeper::<D, DD>::new(task);
    let (mut u, mut next) = (vec![0.0; r.len()], r.to_vec());
    let measure = |terms: &Terms| terms.error().excess(tolerance, tol);
    let mut error = measure(terms);
    let look = |next: &[f64], u: &mut [f64], terms: &mut Terms| {
        task.local.W.apply(next, &task.local.q, u);
        terms.set(task.local, task.mu, u, next);
        measure(terms)
    };
    task.local.W.apply(r, &task.local.q, &mut u);
    for step in 0..tol.polish_steps {
        if error <= 1.0 {
            return step;
        }
        let before = error;
        if newton.step(task, &u, r, &Prox { alpha, center: r }) {
            next.iter_mut().zip(r.iter().zip(&newton.dr)).for_each(|(next, (r, d))| *next = r + d);
            error = look(&next, &mut u, terms);
        }
        if error > tol.polish_gain * before || error.is_nan() {
            // the step was too long, or there was none
            next.copy_from_slice(r);
            sweeper.sweep(task, next.as_chunks_mut::<D>().0);
            error = look(&next, &mut u, terms);
        }
        if error > tol.polish_gain * before || error.is_nan() {
            look(r, &mut u, terms);
            return step + 1;
        }
        r.copy_from_slice(&next);
    }
    tol.polish_steps
}
