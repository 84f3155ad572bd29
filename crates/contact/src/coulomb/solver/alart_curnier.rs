//! Nonsmooth Newton method on the function of Alart and Curnier, with a nonmonotone line search.
//!
//! The matrix is that of W + αI with a tiny α centred at the current force, so that a singular W (hyperstatic
//! contacts) gives the step nearest to it instead of none. A Gauss-Seidel sweep follows a step that was cut short.

use super::newton::{History, Prox, scale};
use super::workspace::Buffers;
use super::{ByRows, Options, Task, assign};
use crate::coulomb::tolerance::METHODS;

/// Nonsmooth Newton on the function of Alart and Curnier.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlartCurnier;

/// α relative to the largest diagonal entry of W.
pub(crate) const REGULARISATION: f64 = METHODS.alart_curnier;
/// Steps shorter than this are followed by a Gauss-Seidel sweep.
pub(super) const SHORT: f64 = 0.25;

impl ByRows for AlartCurnier {
    const NAME: &'static str = "alart-curnier";

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        buffers: &mut Buffers<D, DD>,
        r: &mut [f64],
    ) -> usize {
        let Buffers { monitor, newton, sweeper, center, .. } = buffers;
        monitor.start(task, r);
        let newton = newton.get_or_insert_default();
        newton.prepare(task, 1.0);
        let alpha = REGULARISATION * scale::<D, DD>(task);
        let (mut history, mut swept) = (History::new(), false);
        for iteration in 0..options.iterations {
            if monitor.residual() <= options.tolerance || options.is_late() {
                monitor.restore(r);
                return iteration;
            }
            assign(center, r);
            let prox = Prox { alpha, center };
            let mut tau = 0.0;
            if newton.step(task, monitor.velocity(), r, &prox) {
                history.push(newton.merit(task, monitor.velocity(), r, &prox, 0.0));
                (tau, _) = newton.search(task, (monitor.velocity(), r), &prox, &history);
                r.iter_mut().zip(&newton.dr).for_each(|(r, d)| *r += tau * d);
            }
            if monitor.observe(task, r) > options.tolerance && tau < SHORT {
                if !std::mem::replace(&mut swept, true) {
                    sweeper.prepare(task);
                }
                sweeper.sweep(task, r.as_chunks_mut::<D>().0);
                monitor.observe(task, r);
            }
        }
        monitor.restore(r);
        options.iterations
    }
}
