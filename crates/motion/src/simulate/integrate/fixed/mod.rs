//! Runge-Kutta steps of a given length, explicit or implicit, for any tableau: y₁ = y₀ + h Σ bᵢ kᵢ,
//! kᵢ = f(t₀ + cᵢ h, y₀ + zᵢ), zᵢ = h Σ aᵢⱼ kⱼ   [HNW93 (II.1)].
//!
//! Stages of an implicit method are solved to rounding by simplified Newton iterations on z [HW96 (IV.8)], with a Jacobian by
//! differences that is kept as long as it serves. Nothing is estimated and no step is rejected here: a step that is cut to
//! end at a rough event is computed anew with another length. [`Radau`](super::Radau) is for stiff motions with steps of its own
//! choice; at a given length both compute the same step (tested).

mod newton;
mod tableau;

pub use tableau::{Exact, Surd, TABLEAUX, Tableau};

use super::Flow;
use newton::Newton;

/// Why there is no step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FixedError<E> {
    /// f has no value at a stage.
    Flow(E),
    /// The stages are not found: the step is too long for the iteration.
    Stages,
}

/// Steps of one method, with their memory.
#[derive(Clone, Debug)]
pub struct FixedStep {
    tableau: Tableau,
    n: usize,
    /// f at the beginning of the step, and at its end.
    rate: Vec<f64>,
    last: Vec<f64>,
    /// k of the stages, one after the other.
    k: Vec<f64>,
    stage: Vec<f64>,
    newton: Option<Newton>,
}

impl FixedStep {
    /// For n unknowns, of which f depends on the first `moving`, and on the others through the time at most.
    pub fn new(tableau: Tableau, n: usize, moving: usize) -> Self {
        let stages = tableau.weights.len();
        let newton = (!tableau.is_explicit).then(|| Newton::new(&tableau, n, moving));
        let zeros = || vec![0.0; n];
        let (rate, last, stage) = (zeros(), zeros(), zeros());
        Self { n, rate, last, k: vec![0.0; stages * n], stage, newton, tableau }
    }

    /// The method.
    pub fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    /// Begins anew: what was known of f is of another motion.
    pub fn forget(&mut self) {
        if let Some(newton) = &mut self.newton {
            newton.forget();
        }
    }

    /// What changes of the numbers are rounding against, beside the numbers themselves and their rates: sizes of the terms that
    /// they are made of.
    pub fn measure(&mut self, sizes: impl Iterator<Item = f64>) {
        if let Some(newton) = &mut self.newton {
            newton.measure(sizes);
        }
    }

    /// Sets f at the beginning of the steps that follow.
    ///
    /// # Errors
    /// Where f has no value.
    pub fn start<F: Flow>(&mut self, flow: &mut F, t: f64, y: &[f64]) -> Result<(), F::Error> {
        flow.rate(t, y, &mut self.rate)
    }

    /// A step of length h from y(t), from where [`FixedStep::start`] was called; its end is left in `end`.
    ///
    /// # Errors
    /// [`FixedError`]; `end` is then of no use.
    pub fn step<F: Flow>(
        &mut self,
        flow: &mut F,
        (t, y): (f64, &[f64]),
        h: f64,
        end: &mut [f64],
    ) -> Result<(), FixedError<F::Error>> {
        match &mut self.newton {
            Some(newton) => newton.step(flow, &self.tableau, (t, y, &self.rate), h, end),
            None => self.explicit(flow, (t, y), h, end).map_err(FixedError::Flow),
        }
    }

    /// f at the end of the step, so that flow and step have arrived there.
    ///
    /// # Errors
    /// Where f has no value.
    pub fn arrive<F: Flow>(&mut self, flow: &mut F, t: f64, end: &[f64]) -> Result<(), F::Error> {
        flow.rate(t, end, &mut self.last)
    }

    /// f at the beginning of the step.
    pub fn begin_rate(&self) -> &[f64] {
        &self.rate
    }

    /// f at its end, after [`FixedStep::arrive`].
    pub fn end_rate(&self) -> &[f64] {
        &self.last
    }

    /// The next step begins where the last one arrived.
    pub fn accept(&mut self) {
        std::mem::swap(&mut self.rate, &mut self.last);
    }

    fn explicit<F: Flow>(
        &mut self,
        flow: &mut F,
        (t, y): (f64, &[f64]),
        h: f64,
        end: &mut [f64],
    ) -> Result<(), F::Error> {
        let Self { tableau, n, rate, k, stage, .. } = self;
        let n = *n;
        k[..n].copy_from_slice(rate);
        for i in 1..tableau.weights.len() {
            let (before, own) = k.split_at_mut(i * n);
            combine(y, h, &tableau.matrix[i], before, stage);
            flow.rate(t + tableau.nodes[i] * h, stage, &mut own[..n])?;
        }
        combine(y, h, &tableau.weights, k, end);
        Ok(())
    }
}

/// sum = y + h Σ wᵢ kᵢ.
fn combine(y: &[f64], h: f64, weights: &[f64], k: &[f64], sum: &mut [f64]) {
    sum.fill(0.0);
    for (k, &w) in k.chunks_exact(y.len()).zip(weights) {
        if w.abs() > 0.0 {
            sum.iter_mut().zip(k).for_each(|(sum, k)| *sum += w * k);
        }
    }
    sum.iter_mut().zip(y).for_each(|(sum, y)| *sum = y + h * *sum);
}

#[cfg(test)]
mod tests;
