//! The power of what moves by prescription inside the bodies' positions: a hinge moved by a motor, a shaft turned at a given
//! angle. Ė of the energy T + V along the motion, less what inertia, potential and forces account for:
//! d(T + V)/dt − v·(M v̇ + B + G).
//!
//! With T = T₀ + T₁ + T₂ by degree in v it is Ṫ₁ + 2Ṫ₀ + .., which vanishes where nothing moves by prescription: T₀ is half the sum
//! of masses times squared prescribed velocities, so that T₀ = 0 says that there are none, and T₁ = 0 with it. That neither T nor
//! V reads t does not: a motion that is linear in t leaves T without it.

use crate::model::{Block, Kernel, Model, Output, Values};
use crate::num::{Dual, dense};
use crate::tape::{Builder, Value};

/// The energies of a mechanism in which something moves by prescription.
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
    /// Of a model; none if nothing moves by prescription: if T vanishes with v and neither energy reads t.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let kernel = Kernel::new(model, &[Output::KineticEnergy, Output::PotentialEnergy].map(Block::from));
        let time = 0;
        let driven = !rests_with_v(model) || kernel.tape().reads(time).contains(&true);
        driven.then_some(Self { kernel })
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
                accounted += v[i] * mass[dense::packed_place(i, j)] * vdot[j];
            }
        }
        rate(Output::KineticEnergy) + rate(Output::PotentialEnergy) - accounted
    }
}

/// Whether T is zero by construction at v = 0.
fn rests_with_v(model: &Model) -> bool {
    let (layout, mut builder) = (model.layout(), Builder::new(model.layout().inputs()));
    let velocities = 1 + layout.coordinates..1 + 2 * layout.coordinates;
    let inputs: Vec<Value> = (0..layout.inputs())
        .map(|i| if velocities.contains(&i) { builder.constant(0.0) } else { builder.input(i) })
        .collect();
    let outputs = builder.append(model.tape(), &inputs);
    let energies = &outputs[layout.range(Output::KineticEnergy)];
    energies.iter().all(|&T| builder.as_constant(T).is_some_and(|T| T.abs() <= 0.0))
}
