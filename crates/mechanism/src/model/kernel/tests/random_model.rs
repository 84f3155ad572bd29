//! Random models, and their saddle point systems solved on numbers by Gaussian elimination.

use crate::model::kernel::{Block, packed_place};
use crate::model::{Layout, Model, Output};
use crate::num::{Real, dense};
use crate::tape::{Builder, Unary, Value};
use proptest::prelude::{Strategy, prop};

/// A random model: sizes, and the numbers that its blocks are made of.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) layout: Layout,
    pub(super) numbers: Vec<f64>,
    pub(super) inputs: Vec<f64>,
}

pub(super) fn sample(constraints: impl Strategy<Value = usize>) -> impl Strategy<Value = Sample> {
    let sizes = (constraints, 1usize..=6, 0usize..=2, 1usize..=2);
    let numbers = prop::collection::vec(-1.0f64..1.0, 61);
    let inputs = prop::collection::vec(-1.0f64..1.0, 14);
    (sizes, numbers, inputs).prop_map(|((constraints, n, contacts, tangents), numbers, inputs)| {
        // as many coordinates as leave some motion
        let coordinates = (n.max(constraints + 1)).min(6);
        let layout = Layout { coordinates, parameters: 1, constraints, contacts, tangents };
        Sample { layout, numbers, inputs: inputs[..layout.inputs()].to_vec() }
    })
}

/// Terms c, c·sin xᵢ, c·xᵢ, 0, 1 in a random order.
struct Terms<'a> {
    builder: Builder,
    numbers: std::iter::Cycle<std::slice::Iter<'a, f64>>,
    inputs: usize,
}

impl Terms<'_> {
    fn number(&mut self) -> f64 {
        *self.numbers.next().unwrap()
    }

    fn term(&mut self) -> Value {
        let (kind, which, size) = (self.number(), self.number(), self.number());
        let i = ((which + 1.0) * 0.5 * self.inputs as f64) as usize;
        let (input, size) = (self.builder.input(i.min(self.inputs - 1)), self.builder.constant(size));
        match kind {
            k if k < -0.6 => self.builder.constant(0.0),
            k if k < -0.4 => self.builder.constant(1.0),
            k if k < 0.0 => size,
            k if k < 0.5 => self.builder.mul(size, input),
            _ => {
                let sine = self.builder.unary(Unary::Sin, input);
                self.builder.mul(size, sine)
            }
        }
    }

    /// 2·1 + a aᵀ + b bᵀ, packed.
    fn mass_matrix(&mut self, n: usize) -> Vec<Value> {
        let [a, b] = [(); 2].map(|()| (0..n).map(|_| self.term()).collect::<Vec<_>>());
        let mut packed = Vec::new();
        for i in 0..n {
            for j in 0..=i {
                let (p, q) = (self.builder.mul(a[i], a[j]), self.builder.mul(b[i], b[j]));
                let sum = self.builder.add(p, q);
                let own = self.builder.constant(if i == j { 2.0 } else { 0.0 });
                packed.push(self.builder.add(sum, own));
            }
        }
        packed
    }

    /// Random terms plus twice the i-th coordinate in the i-th row, so that the rows are independent.
    fn constraints(&mut self, layout: &Layout) -> Vec<Value> {
        let n = layout.coordinates;
        let mut J: Vec<Value> = (0..layout.constraints * n).map(|_| self.term()).collect();
        for i in 0..layout.constraints {
            let large = self.builder.constant(2.0 * n as f64);
            J[i * n + i] = self.builder.add(J[i * n + i], large);
        }
        J
    }
}

pub(super) fn model(sample: &Sample) -> Model {
    let layout = sample.layout;
    let (builder, inputs) = (Builder::new(layout.inputs()), layout.inputs());
    let mut terms = Terms { builder, numbers: sample.numbers.iter().cycle(), inputs };
    let mut outputs = Vec::new();
    for output in Output::ALL {
        let block = match output {
            Output::MassMatrix => terms.mass_matrix(layout.coordinates),
            Output::ConstraintJacobian => terms.constraints(&layout),
            _ => (0..layout.len(output)).map(|_| terms.term()).collect(),
        };
        outputs.extend(block);
    }
    Model::new(layout, terms.builder.finish(&outputs)).unwrap()
}

/// [[M, Jᵀ], [J, 0]] x = (y, −j) by Gaussian elimination with pivoting: v̇ and −ν under the generalised forces y.
fn saddle_solution<T: Real>(M: &[T], J: &[T], forces: &[T], drift: &[T]) -> Vec<T> {
    let (n, c, zero) = (forces.len(), drift.len(), T::from_f64(0.0));
    let mut rows: Vec<Vec<T>> = vec![vec![zero; n + c + 1]; n + c];
    for i in 0..n {
        (0..n).for_each(|j| rows[i][j] = M[packed_place(i, j)]);
        (0..c).for_each(|k| (rows[i][n + k], rows[n + k][i]) = (J[k * n + i], J[k * n + i]));
        rows[i][n + c] = forces[i];
    }
    (0..c).for_each(|k| rows[n + k][n + c] = -drift[k]);
    for k in 0..n + c {
        let size = |&i: &usize| rows[i][k].value().abs();
        let pivot = (k..n + c).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap();
        rows.swap(k, pivot);
        let leading = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / leading[k];
            row.iter_mut().zip(&leading).for_each(|(x, &l)| *x = *x - factor * l);
        }
    }
    (0..n + c).map(|i| rows[i][n + c] / rows[i][i]).collect()
}

/// Every block that is not the model's, by the dense solution of the whole system.
pub(super) fn reference<T: Real>(model: &Model, inputs: &[T]) -> Vec<(Block, Vec<T>)> {
    let kernel = model.kernel(&Output::ALL);
    let mut values = kernel.values::<T>();
    kernel.evaluate(inputs, &mut values);
    let (n, d, m) = (model.layout().coordinates, model.layout().tangents, model.layout().contacts);
    let block = |output| kernel.block(&values, output);
    let (M, J, v) = (block(Output::MassMatrix), block(Output::ConstraintJacobian), &inputs[1 + n..1 + 2 * n]);
    let solution = |forces: &[T], drift: &[T]| {
        let mut x = saddle_solution(M, J, forces, drift);
        let held: Vec<T> = x.split_off(n).into_iter().map(|x| -x).collect();
        (x, held)
    };
    let bias: Vec<T> = block(Output::Bias).iter().map(|&h| -h).collect();
    let (free, reaction) = solution(&bias, block(Output::ConstraintDrift));
    let along = |jacobian, explicit| -> Vec<T> {
        let rows = block(jacobian).chunks_exact(n).zip(block(explicit));
        rows.map(|(row, &rate)| dense::dot(row, v) + rate).collect()
    };
    let rows: Vec<Vec<T>> = (0..m)
        .flat_map(|i| {
            let tangents = block(Output::TangentJacobian)[i * d * n..(i + 1) * d * n].chunks_exact(n);
            std::iter::once(&block(Output::NormalJacobian)[i * n..(i + 1) * n]).chain(tangents)
        })
        .map(<[T]>::to_vec)
        .collect();
    let drifts = (0..m).flat_map(|i| {
        let tangents = &block(Output::TangentDrift)[i * d..(i + 1) * d];
        std::iter::once(&block(Output::NormalDrift)[i]).chain(tangents)
    });
    let still = vec![T::from_f64(0.0); model.layout().constraints];
    let responses: Vec<(Vec<T>, Vec<T>)> = rows.iter().map(|row| solution(row, &still)).collect();
    let mobility = |i: usize, j: usize| dense::dot(&rows[i], &responses[j].0);
    let explicit = (0..m).flat_map(|i| {
        let tangents = &block(Output::SlipRate)[i * d..(i + 1) * d];
        std::iter::once(&block(Output::GapRate)[i]).chain(tangents)
    });
    vec![
        (Block::GapVelocity, along(Output::NormalJacobian, Output::GapRate)),
        (Block::Slip, along(Output::TangentJacobian, Output::SlipRate)),
        (Block::ConstraintVelocity, along(Output::ConstraintJacobian, Output::ConstraintRate)),
        (Block::ContactJacobian, rows.concat()),
        (
            Block::ContactVelocity,
            rows.iter().zip(explicit).map(|(row, &rate)| dense::dot(row, v) + rate).collect(),
        ),
        (
            Block::Delassus,
            (0..rows.len()).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| mobility(i, j)).collect(),
        ),
        (
            Block::FreeContactAcceleration,
            rows.iter().zip(drifts).map(|(row, &drift)| dense::dot(row, &free) + drift).collect(),
        ),
        (Block::FreeAcceleration, free),
        (Block::Response, responses.iter().flat_map(|r| r.0.clone()).collect()),
        (Block::FreeReaction, reaction),
        (Block::ReactionResponse, responses.iter().flat_map(|r| r.1.clone()).collect()),
    ]
}
