//! The derivative of a step's residual R(x) = M(q_θ)(x − v_k) + h·h(q_θ, v_θ) by x, but for M itself, exactly by dual numbers.

use super::mechanics::Mechanics;
use crate::model::{Output, Values};
use crate::num::{Dual, dense};

/// A step whose residual is differentiated: q_θ = q_k + θh((1 − θ)v_k + θx), v_θ = (1 − θ)v_k + θx.
#[derive(Clone, Copy)]
pub(super) struct StepAt<'s> {
    pub(super) h: f64,
    pub(super) theta: f64,
    /// t_θ, q_θ, v_θ.
    pub(super) t: f64,
    pub(super) q: &'s [f64],
    pub(super) v: &'s [f64],
    /// x − v_k.
    pub(super) change: &'s [f64],
}

/// The symmetric part of dR/dx − M, as it was when it was asked for last, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tangent {
    values: Values<Dual>,
    inputs: Vec<Dual>,
    matrix: Vec<f64>,
    /// Step for which it was computed; 0 if for none.
    step: f64,
}

impl Tangent {
    /// Whether it is that of a step of this length, as far as it was kept.
    pub(super) fn is_of(&self, h: f64) -> bool {
        self.step.to_bits() == h.to_bits()
    }

    /// Entry i, j.
    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        let n = self.matrix.len().isqrt();
        0.5 * (self.matrix[i * n + j] + self.matrix[j * n + i])
    }

    /// Computes it.
    pub(super) fn compute(&mut self, mechanics: &Mechanics<'_>, at: &StepAt<'_>) {
        let (kernel, n) = (mechanics.forces_kernel(), at.q.len());
        let Self { values, inputs, matrix, step } = self;
        *step = at.h;
        matrix.resize(n * n, 0.0);
        inputs.clear();
        let numbers = std::iter::once(&at.t).chain(at.q).chain(at.v).chain(mechanics.parameters());
        inputs.extend(numbers.map(|&x| Dual::fixed(x)));
        for j in 0..n {
            inputs[1 + j].eps = at.theta * at.theta * at.h;
            inputs[1 + n + j].eps = at.theta;
            kernel.evaluate(inputs, values);
            (inputs[1 + j].eps, inputs[1 + n + j].eps) = (0.0, 0.0);
            let mass = kernel.block(values, Output::MassMatrix);
            let bias = kernel.block(values, Output::Bias);
            for i in 0..n {
                let place = |k: usize| dense::packed_len(i.max(k)) + i.min(k);
                let inertia: f64 = (0..n).map(|k| mass[place(k)].eps * at.change[k]).sum();
                matrix[i * n + j] = inertia + at.h * bias[i].eps;
            }
        }
    }
}
