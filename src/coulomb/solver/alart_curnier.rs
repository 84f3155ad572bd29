//! Nonsmooth Newton method on the function of Alart and Curnier, with a nonmonotone line search.
//!
//! The matrix is that of W + αI with a tiny α centred at the current force, so that a singular W (hyperstatic
//! contacts) gives the step nearest to it instead of none. A Gauss-Seidel sweep follows a step that was cut short.

use super::gauss_seidel::Sweeper;
use super::newton::{History, Newton, Prox, scale};
use super::{Monitor, Options, Solver, Task};
use crate::coulomb::tolerance::METHODS;

/// Nonsmooth Newton on the function of Alart and Curnier.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlartCurnier;

/// α relative to the largest diagonal entry of W.
pub(crate) const REGULARISATION: f64 = METHODS.alart_curnier;
/// Steps shorter than this are followed by a Gauss-Seidel sweep.
const SHORT: f64 = 0.25;

impl Solver for AlartCurnier {
    fn name(&self) -> &'static str {
        "alart-curnier"
    }

    fn solve(&self, task: &Task<'_>, options: &Options, r: &mut [f64]) -> usize {
        match task.local.W.block_size() {
            2 => iterate::<2, 4>(task, options, r),
            _ => iterate::<3, 9>(task, options, r),
        }
    }
}

fn iterate<const D: usize, const DD: usize>(task: &Task<'_>, options: &Options, r: &mut [f64]) -> usize {
    let mut monitor = Monitor::new(task, r);
    let mut newton = Newton::<D, DD>::new(task, 1.0);
    let mut sweeper = None;
    let alpha = REGULARISATION * scale::<D, DD>(task);
    let (mut history, mut center) = (History::new(), r.to_vec());
    for iteration in 0..options.iterations {
        if monitor.residual() <= options.tolerance {
            monitor.restore(r);
            return iteration;
        }
        center.copy_from_slice(r);
        let prox = Prox { alpha, center: &center };
        let mut tau = 0.0;
        if newton.step(task, monitor.velocity(), r, &prox) {
            history.push(newton.merit(task, monitor.velocity(), r, &prox, 0.0));
            (tau, _) = newton.search(task, (monitor.velocity(), r), &prox, &history);
            r.iter_mut().zip(&newton.dr).for_each(|(r, d)| *r += tau * d);
        }
        if monitor.observe(task, r) > options.tolerance && tau < SHORT {
            let sweeper = sweeper.get_or_insert_with(|| Sweeper::<D, DD>::new(task));
            sweeper.sweep(task, r.as_chunks_mut::<D>().0);
            monitor.observe(task, r);
        }
    }
    monitor.restore(r);
    options.iterations
}
