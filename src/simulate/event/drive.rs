//! The power of what moves by prescription inside the bodies' positions: a hinge moved by a motor, a shaft turned at a given
//! angle. Ė of the energy T + V along the motion, less what inertia, potential and forces account for:
//! d(T + V)/dt − v·(M v̇ + B + G), which vanishes where neither T nor V depends on t.

use crate::model::{Block, Kernel, Model, Output, Values};
use crate::num::{Dual, dense};

/// The energies of a mechanism that depend on t.
#[derive(Clone, Debug)]
pub(super) struct Drive {
    kernel: Kernel,
}

/// Memory of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct DriveWork {
    values: Values<Dual>,
    inputs: Vec<Dual>,
}

/// A state with the direction in which it moves: (t, q, v) and their rates, those of time and of motion being multiples of
/// the real ones by the same factor.
pub(super) struct Moving<'m> {
    pub(super) t: f64,
    pub(super) q: &'m [f64],
    pub(super) v: &'m [f64],
    pub(super) vdot: &'m [f64],
    pub(super) factor: f64,
}

impl Drive {
    /// Of a model; none if its energies do not depend on t.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let kernel = model.kernel(&[Output::KineticEnergy, Output::PotentialEnergy]);
        let time = 0;
        kernel.tape().reads(time).contains(&true).then_some(Self { kernel })
    }

    pub(super) fn work(&self, parameters: &[f64]) -> DriveWork {
        let layout = self.kernel.layout();
        let mut inputs = vec![Dual::fixed(0.0); layout.inputs()];
        let first = inputs.len() - parameters.len();
        inputs[first..].iter_mut().zip(parameters).for_each(|(input, &x)| *input = Dual::fixed(x));
        DriveWork { values: self.kernel.values(), inputs }
    }

    /// The power, times the factor; `mass`, `inertial` and `potential` are the blocks of the state.
    pub(super) fn power(
        &self,
        moving: &Moving<'_>,
        [mass, inertial, potential]: [&[f64]; 3],
        work: &mut DriveWork,
    ) -> f64 {
        let Moving { t, q, v, vdot, factor } = *moving;
        let n = q.len();
        work.inputs[0] = Dual::new(t, factor);
        for i in 0..n {
            work.inputs[1 + i] = Dual::new(q[i], factor * v[i]);
            work.inputs[1 + n + i] = Dual::new(v[i], vdot[i]);
        }
        self.kernel.evaluate(&work.inputs, &mut work.values);
        let rate = |output: Output| self.kernel.block(&work.values, Block::from(output))[0].eps;
        let mut accounted = factor * (dense::dot(v, inertial) + dense::dot(v, potential));
        for i in 0..n {
            for j in 0..n {
                accounted += v[i] * mass[dense::packed_len(i.max(j)) + i.min(j)] * vdot[j];
            }
        }
        rate(Output::KineticEnergy) + rate(Output::PotentialEnergy) - accounted
    }
}
