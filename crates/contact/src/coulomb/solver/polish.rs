//! The last digits of a force that the plain residual calls good: the light contacts, whose errors it does not see
//! beside those of the heavy ones.

use super::alart_curnier::REGULARISATION;
use super::newton::{Prox, scale};
use super::workspace::Buffers;
use super::{Task, Workspace, assign, zeros};
use crate::coulomb::backward::Terms;
use crate::coulomb::tolerance::SolverTol;

/// Improves `r`, of which `terms` are the terms, until the backward error is within the tolerance or gets no smaller;
/// `terms` are those of the new r at the end. Returns the steps taken.
pub(crate) fn polish(
    task: &Task<'_>,
    (tolerance, tol): (f64, &SolverTol),
    (terms, workspace): (&mut Terms, &mut Workspace),
    r: &mut [f64],
) -> usize {
    match task.local.W.block_size() {
        2 => polish_sized(task, (tolerance, tol), (terms, workspace.plane()), r),
        _ => polish_sized(task, (tolerance, tol), (terms, workspace.space()), r),
    }
}

fn polish_sized<const D: usize, const DD: usize>(
    task: &Task<'_>,
    (tolerance, tol): (f64, &SolverTol),
    (terms, buffers): (&mut Terms, &mut Buffers<D, DD>),
    r: &mut [f64],
) -> usize {
    let alpha = REGULARISATION * scale::<D, DD>(task);
    let Buffers { newton, sweeper, center: next, velocity: u, .. } = buffers;
    let newton = newton.get_or_insert_default();
    newton.prepare(task, 1.0);
    sweeper.prepare(task);
    zeros(u, r.len());
    assign(next, r);
    let measure = |terms: &Terms| terms.error().excess(tolerance, tol);
    let mut error = measure(terms);
    let look = |next: &[f64], u: &mut [f64], terms: &mut Terms| {
        task.local.W.apply(next, &task.local.q, u);
        terms.set(task.local, task.mu, u, next);
        measure(terms)
    };
    task.local.W.apply(r, &task.local.q, u);
    for step in 0..tol.polish_steps {
        if error <= 1.0 {
            return step;
        }
        let before = error;
        if newton.step(task, u, r, &Prox { alpha, center: r }) {
            next.iter_mut().zip(r.iter().zip(&newton.dr)).for_each(|(next, (r, d))| *next = r + d);
            error = look(next, u, terms);
        }
        if error > tol.polish_gain * before || error.is_nan() {
            // the step was too long, or there was none
            next.copy_from_slice(r);
            sweeper.sweep(task, next.as_chunks_mut::<D>().0);
            error = look(next, u, terms);
        }
        if error > tol.polish_gain * before || error.is_nan() {
            look(r, u, terms);
            return step + 1;
        }
        r.copy_from_slice(next);
    }
    tol.polish_steps
}
