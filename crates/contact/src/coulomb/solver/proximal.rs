//! Proximal point method around the nonsmooth Newton method: the problem with W + αI, q − α c is solved for a
//! falling sequence of α, each from the solution c of the one before.
//!
//! The most robust method on hyperstatic problems, where W is singular: W + αI is not, and the force found is the
//! one nearest to the last. A subproblem that resists gets a larger α.

use super::gauss_seidel::Sweeper;
use super::newton::{History, Newton, Prox, scale};
use super::workspace::Buffers;
use super::{ByRows, Monitor, Options, Task, assign};
use crate::coulomb::tolerance::METHODS;

/// Proximal point around the nonsmooth Newton method of Alart and Curnier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProximalPoint {
    /// First α, relative to the largest diagonal entry of W.
    pub start: f64,
    /// α is divided by this after each success.
    pub factor: f64,
    /// ρ of the function of Alart and Curnier, relative to the inverse of the contact's own block: it decides which
    /// contacts are tried with force.
    pub rho: f64,
    /// It gives up after so many Newton steps that have not made the residual a tenth of that at the start.
    pub patience: usize,
}

impl Default for ProximalPoint {
    fn default() -> Self {
        Self { start: METHODS.proximal_start, factor: 10.0, rho: 1.0, patience: usize::MAX }
    }
}

/// Smallest α, relative to the largest diagonal entry of W: below, the matrix is singular to rounding.
const SMALLEST: f64 = METHODS.proximal_floor;
/// Newton steps for one subproblem.
const STEPS: usize = 30;
/// A subproblem counts as solved when ‖F‖ has fallen by this factor.
const REDUCTION: f64 = 0.1;
/// A step that the line search makes shorter than this is taken in full all the same, but not again before as many
/// short steps: the merit rises, but the next step starts from another set of contacts with force, and a few steps
/// later this mostly is the right one, where short steps stay for long with the wrong one.
const SHORT: f64 = 0.3;
const LEAP_AFTER: usize = 2;
/// After a failure α grows this much more than it falls after a success, so that it does not return to the same.
const RAISE: f64 = 3.0;
/// After so many failures the best point is taken up again; before, the last one, for returning every time would
/// repeat the same steps.
const RETURN_AFTER: usize = 2;
/// The residual over that at the start, after [`ProximalPoint::patience`] steps, above which they lead nowhere.
const GAIN: f64 = 0.1;
/// Gauss-Seidel sweeps at the start, which find most contacts that take off.
const SWEEPS: usize = 3;

impl ByRows for ProximalPoint {
    const NAME: &'static str = "proximal";

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        buffers: &mut Buffers<D, DD>,
        r: &mut [f64],
    ) -> usize {
        let Buffers { monitor, newton, sweeper, center, .. } = buffers;
        let newton = newton.get_or_insert_default();
        newton.prepare(task, self.rho);
        sweeper.prepare(task);
        monitor.start(task, r);
        let size = scale::<D, DD>(task);
        let patience = self.patience;
        Run { task, options: *options, newton, sweeper, size, center, steps: 0, patience, goal: 0.0 }
            .outer(self, monitor, r)
    }
}

struct Run<'a, const D: usize, const DD: usize> {
    task: &'a Task<'a>,
    options: Options,
    newton: &'a mut Newton<D, DD>,
    sweeper: &'a mut Sweeper<D, DD>,
    size: f64,
    center: &'a mut Vec<f64>,
    steps: usize,
    patience: usize,
    /// The residual that is to be reached by then.
    goal: f64,
}

/// How a subproblem ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inner {
    /// The problem itself is solved.
    Solved,
    /// The subproblem is.
    Reduced,
    /// Neither.
    Failed,
}

impl<const D: usize, const DD: usize> Run<'_, D, DD> {
    fn outer(&mut self, method: &ProximalPoint, monitor: &mut Monitor, r: &mut [f64]) -> usize {
        if monitor.residual() > self.options.tolerance {
            self.sweep(SWEEPS, r);
            monitor.observe(self.task, r);
        }
        let mut alpha = method.start * self.size;
        let mut failures = 0;
        self.goal = if method.patience < usize::MAX { GAIN * monitor.residual() } else { f64::INFINITY };
        while self.steps < self.options.iterations
            && monitor.residual() > self.options.tolerance
            && !self.options.is_late()
            && !self.is_hopeless(monitor)
        {
            assign(self.center, r);
            match self.inner(alpha, monitor, r) {
                Inner::Solved => break,
                Inner::Reduced => alpha = (alpha / method.factor).max(SMALLEST * self.size),
                Inner::Failed => {
                    alpha = (alpha * method.factor * RAISE).min(self.size);
                    failures += 1;
                    if failures % RETURN_AFTER == 0 {
                        monitor.restore(r);
                    }
                    self.sweep(1, r);
                    monitor.observe(self.task, r);
                }
            }
        }
        monitor.restore(r);
        self.steps
    }

    /// Newton steps on the subproblem centred at `self.center`, of which r is the start.
    fn inner(&mut self, alpha: f64, monitor: &mut Monitor, r: &mut [f64]) -> Inner {
        let prox = Prox { alpha, center: self.center };
        let (mut history, mut wait) = (History::new(), 0);
        let mut merit = self.newton.merit(self.task, monitor.velocity(), r, &prox, 0.0);
        let goal = merit * REDUCTION * REDUCTION;
        for _ in 0..STEPS.min(self.options.iterations - self.steps) {
            self.steps += 1;
            if !self.newton.step(self.task, monitor.velocity(), r, &prox) {
                return Inner::Failed;
            }
            history.push(merit);
            let mut tau;
            (tau, merit) = self.newton.search(self.task, (monitor.velocity(), r), &prox, &history);
            if tau < SHORT && wait == 0 {
                (tau, wait) = (1.0, LEAP_AFTER);
                merit = self.newton.merit(self.task, monitor.velocity(), r, &prox, tau);
                history = History::new();
            } else if tau < SHORT {
                wait -= 1;
            }
            r.iter_mut().zip(&self.newton.dr).for_each(|(r, d)| *r += tau * d);
            if monitor.observe(self.task, r) <= self.options.tolerance {
                return Inner::Solved;
            }
            if merit <= goal {
                return Inner::Reduced;
            }
            if self.is_hopeless(monitor) {
                return Inner::Failed;
            }
        }
        Inner::Failed
    }

    /// Whether so many steps have led nowhere that more will not either.
    fn is_hopeless(&self, monitor: &Monitor) -> bool {
        self.steps >= self.patience && monitor.residual() > self.goal
    }

    fn sweep(&mut self, times: usize, r: &mut [f64]) {
        (0..times).for_each(|_| {
            self.sweeper.sweep(self.task, r.as_chunks_mut::<D>().0);
        });
    }
}
