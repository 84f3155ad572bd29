//! The derivative of a step's residual by its unknown x, but for M itself, exactly by dual numbers:
//! d/dx [M(q) c + h·h(t, q, v)] at a fixed change c, where q and v move along x with given factors.

use super::mechanics::Mechanics;
use crate::model::{Output, Values};
use crate::num::{Dual, dense};

/// A step whose residual is differentiated.
#[derive(Clone, Copy)]
pub(super) struct StepAt<'s> {
    /// The factor of the forces, and what the matrix is known by.
    pub(super) h: f64,
    /// dq/dx and dv/dx.
    pub(super) along: [f64; 2],
    /// Where the forces are taken.
    pub(super) t: f64,
    pub(super) q: &'s [f64],
    pub(super) v: &'s [f64],
    /// c.
    pub(super) change: &'s [f64],
}

/// The symmetric part of the derivative as it was when it was asked for last, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tangent {
    values: Values<Dual>,
    inputs: Vec<Dual>,
    packed: Vec<f64>,
    columns: Vec<f64>,
    /// Whether the whole derivative is symmetric, so that nothing of it is left out.
    symmetric: bool,
    /// The step for which it was computed; 0 if for none.
    step: f64,
}

impl Tangent {
    /// Whether it is that of a step of this length, as far as it was kept.
    pub(super) fn is_of(&self, h: f64) -> bool {
        self.step.to_bits() == h.to_bits()
    }

    /// Whether the derivative is its symmetric part.
    pub(super) fn is_whole(&self) -> bool {
        self.symmetric
    }

    /// Its lower triangle.
    pub(super) fn packed(&self) -> &[f64] {
        &self.packed
    }

    /// Leaves it out of steps of this length, until it is computed again.
    pub(super) fn omit(&mut self, h: f64) {
        self.packed.fill(0.0);
        self.symmetric = false;
        self.step = h;
    }

    /// Computes it.
    pub(super) fn compute(&mut self, mechanics: &Mechanics<'_>, at: &StepAt<'_>) {
        let (kernel, n) = (mechanics.forces_kernel(), at.q.len());
        let Self { values, inputs, packed, columns, symmetric, step } = self;
        *step = at.h;
        columns.clear();
        inputs.clear();
        let numbers = std::iter::once(&at.t).chain(at.q).chain(at.v).chain(mechanics.parameters());
        inputs.extend(numbers.map(|&x| Dual::fixed(x)));
        for j in 0..n {
            [inputs[1 + j].eps, inputs[1 + n + j].eps] = at.along;
            kernel.evaluate(inputs, values);
            [inputs[1 + j].eps, inputs[1 + n + j].eps] = [0.0; 2];
            let mass = kernel.block(values, Output::MassMatrix);
            let bias = kernel.block(values, Output::Bias);
            for i in 0..n {
                let place = |k: usize| dense::packed_place(i, k);
                let inertia: f64 = (0..n).map(|k| mass[place(k)].eps * at.change[k]).sum();
                columns.push(inertia + at.h * bias[i].eps);
            }
        }
        packed.clear();
        *symmetric = true;
        for i in 0..n {
            for j in 0..=i {
                let (lower, upper) = (columns[j * n + i], columns[i * n + j]);
                packed.push(0.5 * (lower + upper));
                *symmetric &= (lower - upper).abs() <= f64::EPSILON * (lower.abs() + upper.abs());
            }
        }
    }
}
