//! Accelerated projected gradient with De Saxcé's fixed point.
//!
//! For given s = (μ‖u_T‖)ᵢ Coulomb's law is the optimality of the convex problem
//! `min ½ rᵀ W r + (q + s e_N)ᵀ r over the cones` [ACLM11 (12)–(14)], solved by Nesterov's method with adaptive step
//! and restart; the outer iteration s ← F(s) = μ‖u_T‖ is accelerated by Anderson's method and starts each convex
//! problem from the last force. An unsymmetric W is used as given in place of the gradient.

use super::workspace::Buffers;
use super::{ByRows, Monitor, Options, Task};
use crate::coulomb::cone::{project, tangent_norm};
use crate::num::dense::norm;

/// Accelerated projected gradient.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProjectedGradient;

/// Gradient steps before s is renewed.
const INNER: usize = 40;
/// Doublings of the Lipschitz estimate in one step; more than the exponent range of its true value.
const DOUBLINGS: usize = 60;
/// Decrease of the Lipschitz estimate before every step, so that it can fall again.
const RELAX: f64 = 0.9;

impl ByRows for ProjectedGradient {
    const NAME: &'static str = "gradient";

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        buffers: &mut Buffers<D, DD>,
        r: &mut [f64],
    ) -> usize {
        Run::<D>::new(task).outer(options, &mut buffers.monitor, r)
    }
}

struct Run<'a, const D: usize> {
    task: &'a Task<'a>,
    /// q + s e_N.
    b: Vec<f64>,
    y: Vec<f64>,
    gradient: Vec<f64>,
    old: Vec<f64>,
    next: Vec<f64>,
    step: Vec<f64>,
    image: Vec<f64>,
    zero: Vec<f64>,
    /// The Lipschitz estimate.
    size: f64,
}

impl<'a, const D: usize> Run<'a, D> {
    fn new(task: &'a Task<'a>) -> Self {
        let n = task.local.q.len();
        let zeros = || vec![0.0; n];
        Self {
            task,
            b: zeros(),
            y: zeros(),
            gradient: zeros(),
            old: zeros(),
            next: zeros(),
            step: zeros(),
            image: zeros(),
            zero: zeros(),
            size: (0..n).map(|i| task.local.W.get(i, i)).fold(f64::MIN_POSITIVE, f64::max),
        }
    }

    fn outer(&mut self, options: &Options, monitor: &mut Monitor, r: &mut [f64]) -> usize {
        monitor.start(self.task, r);
        let nc = self.task.mu.len();
        let (mut s, mut image) = (vec![0.0; nc], vec![0.0; nc]);
        let mut anderson = Anderson::new(nc);
        self.slip(monitor.velocity(), &mut s);
        let mut used = 0;
        while used < options.iterations && monitor.residual() > options.tolerance && !options.is_late() {
            self.shift(&s);
            used += self.convex(monitor, options, r);
            monitor.observe(self.task, r);
            self.slip(monitor.velocity(), &mut image);
            anderson.advance(&mut s, &image);
        }
        monitor.restore(r);
        used
    }

    /// s = μ ‖u_T‖.
    fn slip(&self, u: &[f64], s: &mut [f64]) {
        for ((s, u), mu) in s.iter_mut().zip(u.as_chunks::<D>().0).zip(self.task.mu) {
            *s = mu * tangent_norm(u);
        }
    }

    /// b = q + s e_N.
    fn shift(&mut self, s: &[f64]) {
        self.b.copy_from_slice(&self.task.local.q);
        self.b.as_chunks_mut::<D>().0.iter_mut().zip(s).for_each(|(b, s)| b[0] += s);
    }

    /// Nesterov's iteration from r for the present b; returns the steps taken.
    fn convex(&mut self, monitor: &mut Monitor, options: &Options, r: &mut [f64]) -> usize {
        let mut momentum = 1.0_f64;
        self.y.copy_from_slice(r);
        for step in 1..=INNER {
            self.old.copy_from_slice(r);
            self.task.local.W.apply(&self.y, &self.b, &mut self.gradient);
            self.descend();
            // restart where the step goes against the last one [O'Donoghue & Candès 2015]
            let against: f64 =
                (0..r.len()).map(|i| (self.y[i] - self.next[i]) * (self.next[i] - self.old[i])).sum();
            let following =
                if against > 0.0 { 1.0 } else { 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) };
            let beta = if against > 0.0 { 0.0 } else { (momentum - 1.0) / following };
            momentum = following;
            for i in 0..r.len() {
                self.y[i] = self.next[i] + beta * (self.next[i] - self.old[i]);
            }
            r.copy_from_slice(&self.next);
            let change = self.next.iter().zip(&self.old).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            if change <= options.tolerance * norm(r) {
                monitor.observe(self.task, r);
                return step;
            }
        }
        INNER
    }

    /// next = P(y − gradient / L), with L doubled until dᵀ W d ≤ L ‖d‖² for the step d.
    fn descend(&mut self) {
        self.size *= RELAX;
        for _ in 0..DOUBLINGS {
            for i in 0..self.task.mu.len() {
                let mut x = [0.0; D];
                (0..D).for_each(|a| x[a] = self.y[i * D + a] - self.gradient[i * D + a] / self.size);
                self.next[i * D..(i + 1) * D].copy_from_slice(&project(&x, self.task.mu[i]));
            }
            for ((step, next), y) in self.step.iter_mut().zip(&self.next).zip(&self.y) {
                *step = next - y;
            }
            self.task.local.W.apply(&self.step, &self.zero, &mut self.image);
            let curvature: f64 = self.step.iter().zip(&self.image).map(|(d, w)| d * w).sum();
            if curvature <= self.size * self.step.iter().map(|d| d * d).sum::<f64>() {
                return;
            }
            self.size *= 2.0;
        }
    }
}

/// Anderson's method of depth one for s ← F(s) ≥ 0.
struct Anderson {
    value: Vec<f64>,
    defect: Vec<f64>,
    size: f64,
}

impl Anderson {
    fn new(n: usize) -> Self {
        Self { value: vec![0.0; n], defect: vec![0.0; n], size: f64::INFINITY }
    }

    /// The next s from s and F(s); a plain step where the defect has grown.
    fn advance(&mut self, s: &mut [f64], value: &[f64]) {
        let defect = |s: &[f64], i: usize| value[i] - s[i];
        let size = (0..s.len()).map(|i| defect(s, i) * defect(s, i)).sum::<f64>().sqrt();
        let (mut above, mut below) = (0.0, 0.0);
        for i in 0..s.len() {
            let change = defect(s, i) - self.defect[i];
            above += defect(s, i) * change;
            below += change * change;
        }
        let gamma =
            if size < self.size && self.size.is_finite() && below > 0.0 { above / below } else { 0.0 };
        for i in 0..s.len() {
            let next = (value[i] - gamma * (value[i] - self.value[i])).max(0.0);
            self.defect[i] = defect(s, i);
            self.value[i] = value[i];
            s[i] = next;
        }
        self.size = size;
    }
}
