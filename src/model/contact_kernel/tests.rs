//! The tape's elimination against [`Dynamics`], which works on numbers in another order, on random models.

use super::super::{Dynamics, Kernel, Layout, Model, Output, Singular};
use super::{ContactKernel, ContactQuantity, ContactValues};
use crate::num::{Dual, Real, dense};
use crate::tape::{Builder, Input, Unary, Value};
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, proptest};

/// A random model: sizes, and the numbers that its blocks are made of.
#[derive(Clone, Debug)]
struct Sample {
    layout: Layout,
    numbers: Vec<f64>,
    inputs: Vec<f64>,
}

fn sample(constraints: impl Strategy<Value = usize>) -> impl Strategy<Value = Sample> {
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

fn model(sample: &Sample) -> Model {
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

/// What [`Dynamics`] says, quantity by quantity, with the size of the terms of each.
fn reference<T: Real>(model: &Model, inputs: &[T]) -> Vec<(ContactQuantity, T, f64)> {
    let kernel = model.kernel(&Output::ALL);
    let mut values = kernel.values::<T>();
    kernel.evaluate(inputs, &mut values);
    let mut dynamics = Dynamics::new(kernel.layout());
    dynamics.update(&kernel, &values).unwrap();
    let mut found = kinematics(&kernel, &values, inputs);
    let rows = dynamics.rows();
    for i in 0..rows {
        let free = dynamics.free_contact_acceleration()[i];
        let size = |j: usize| (dynamics.contact_row(i)[j] * dynamics.free_acceleration()[j]).value().abs();
        let terms: f64 = (0..model.layout().coordinates).map(size).sum();
        found.push((ContactQuantity::FreeAcceleration(i), free, 1.0 + terms + free.value().abs()));
        for j in 0..rows {
            let diagonal = |k: usize| dense::dot(dynamics.contact_row(k), dynamics.contact_row(k)).value();
            let scale = (diagonal(i) * diagonal(j)).sqrt();
            found.push((ContactQuantity::Delassus(i, j), dynamics.delassus_entry(i, j), 1.0 + scale));
        }
    }
    found
}

fn kinematics<T: Real>(
    kernel: &Kernel,
    values: &super::super::Values<T>,
    inputs: &[T],
) -> Vec<(ContactQuantity, T, f64)> {
    let (n, d) = (kernel.layout().coordinates, kernel.layout().tangents);
    let v = &inputs[1 + n..1 + 2 * n];
    let block = |output| kernel.block(values, output);
    let along =
        |jacobian, row: usize, rate: T| dense::dot(&block(jacobian)[row * n..(row + 1) * n], v) + rate;
    let mut found = Vec::new();
    for i in 0..kernel.layout().contacts {
        let rate = along(Output::NormalJacobian, i, block(Output::GapRate)[i]);
        found.push((ContactQuantity::Gap(i), block(Output::Gap)[i], 1.0));
        found.push((ContactQuantity::GapRate(i), rate, 1.0 + n as f64));
        for k in 0..d {
            let row = i * d + k;
            let slip = along(Output::TangentJacobian, row, block(Output::SlipRate)[row]);
            found.push((ContactQuantity::Slip(i, k), slip, 1.0 + n as f64));
        }
    }
    found
}

fn evaluated<T: Real>(kernel: &ContactKernel, inputs: &[T]) -> Result<ContactValues<T>, Singular> {
    let (mut values, mut scratch) = (kernel.values(), kernel.scratch());
    kernel.evaluate(inputs, &mut values, &mut scratch).map(|()| values)
}

/// M's and S's condition is below 100 by construction: 1e-12 leaves room for it.
const TOLERANCE: f64 = 1e-12;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_tape_agrees_with_the_elimination_on_numbers(sample in sample(0usize..=2)) {
        let model = model(&sample);
        let values = evaluated(&ContactKernel::new(&model), &sample.inputs).unwrap();
        for (quantity, expected, scale) in reference(&model, &sample.inputs) {
            let error = (values.get(quantity) - expected).abs();
            prop_assert!(error <= TOLERANCE * scale, "{quantity:?}: {error:e} of {scale}");
        }
    }

    #[test]
    fn derivatives_agree_too(sample in sample(0usize..=2)) {
        let model = model(&sample);
        let inputs: Vec<Dual> =
            sample.inputs.iter().enumerate().map(|(i, &x)| Dual::new(x, 0.3 - 0.1 * i as f64)).collect();
        let values = evaluated(&ContactKernel::new(&model), &inputs).unwrap();
        for (quantity, expected, scale) in reference(&model, &inputs) {
            let error = (values.get(quantity).eps - expected.eps).abs();
            prop_assert!(error <= 10.0 * TOLERANCE * (scale + expected.eps.abs()), "{quantity:?}: {error:e}");
        }
    }

    #[test]
    fn machine_code_and_batches_give_the_same_bits(sample in sample(0usize..=1)) {
        let kernel = ContactKernel::new(&model(&sample));
        let compiled = kernel.compile();
        let uniform: Vec<usize> = (1 + 2 * sample.layout.coordinates..sample.layout.inputs()).collect();
        let batch = kernel.batch(&uniform);
        let states = 70;
        let column = |x: f64| (0..states).map(|k| x + 1e-3 * k as f64).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = sample.inputs.iter().map(|&x| column(x)).collect();
        let inputs: Vec<Input> = (0..sample.inputs.len())
            .map(|i| if uniform.contains(&i) { Input::Uniform(sample.inputs[i]) } else { Input::Each(&columns[i]) })
            .collect();
        let mut found = batch.columns(states);
        batch.evaluate(&inputs, &mut found, &mut batch.scratch()).unwrap();
        let (mut one, mut scratch) = (compiled.values(), compiled.scratch());
        for k in 0..states {
            let at: Vec<f64> = (0..inputs.len())
                .map(|i| if uniform.contains(&i) { sample.inputs[i] } else { columns[i][k] })
                .collect();
            compiled.evaluate(&at, &mut one, &mut scratch).unwrap();
            let interpreted = evaluated(&kernel, &at).unwrap();
            prop_assert_eq!(found.check(k), Ok(()));
            for (quantity, ..) in quantities(&sample.layout) {
                let bits = one.get(quantity).to_bits();
                prop_assert_eq!(bits, interpreted.get(quantity).to_bits());
                prop_assert_eq!(bits, found.column(quantity)[k].to_bits());
            }
        }
    }
}

/// Every quantity, and the place among the named slices where it also stands.
fn quantities(layout: &Layout) -> Vec<(ContactQuantity, usize)> {
    let (m, d) = (layout.contacts, layout.tangents);
    let rows = m * (1 + d);
    let mut all = Vec::new();
    for i in 0..m {
        all.extend([(ContactQuantity::Gap(i), i), (ContactQuantity::GapRate(i), i)]);
        all.extend((0..d).map(|k| (ContactQuantity::Slip(i, k), k)));
    }
    for i in 0..rows {
        all.push((ContactQuantity::FreeAcceleration(i), i));
        all.extend((0..rows).map(|j| (ContactQuantity::Delassus(i, j), j)));
    }
    all
}

/// M = [[p, 1], [1, 1]], singular at p = 1 and indefinite below.
fn nearly_singular(constraints: usize) -> Model {
    let layout = Layout { coordinates: 2, parameters: 1, constraints, contacts: 1, tangents: 1 };
    let mut b = Builder::new(layout.inputs());
    let (p, zero, one) = (b.input(5), b.constant(0.0), b.constant(1.0));
    let mut outputs = Vec::new();
    for output in Output::ALL {
        outputs.extend(match output {
            Output::MassMatrix => vec![one, one, p],
            Output::NormalJacobian => vec![one, zero],
            Output::TangentJacobian => vec![zero, one],
            Output::ConstraintJacobian => [one, p].repeat(constraints),
            _ => vec![zero; layout.len(output)],
        });
    }
    Model::new(layout, b.finish(&outputs)).unwrap()
}

#[test]
fn a_singular_mass_matrix_names_its_coordinate_and_pivot() {
    let kernel = ContactKernel::new(&nearly_singular(0));
    let compiled = kernel.compile();
    let (mut values, mut scratch) = (compiled.values(), compiled.scratch());
    for (p, pivot) in [(1.0, 0.0), (1.0 + 1e-15, 1e-15), (0.25, -0.75)] {
        let inputs = [0.0, 0.0, 0.0, 0.0, 0.0, p];
        let interpreted = evaluated(&kernel, &inputs).unwrap_err();
        assert_eq!(compiled.evaluate(&inputs, &mut values, &mut scratch), Err(interpreted));
        let Singular::MassMatrix { coordinate, pivot: found } = interpreted else {
            panic!("{interpreted:?}")
        };
        assert!(coordinate == 1 && (found - pivot).abs() < 2e-16);
    }
    let regular = evaluated(&kernel, &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]).unwrap();
    assert!((regular.delassus_entry(0, 0) - 1.5).abs() < 1e-15);
    let nan = evaluated(&kernel, &[0.0, 0.0, 0.0, 0.0, 0.0, f64::NAN]);
    assert!(matches!(nan, Err(Singular::MassMatrix { coordinate: 1, pivot }) if pivot.is_nan()));
}

#[test]
fn a_batch_marks_the_states_that_are_singular() {
    let batch = ContactKernel::new(&nearly_singular(0)).batch(&[0, 1, 2, 3, 4]);
    let p = [3.0, 1.0, 2.0];
    let inputs = [[Input::Uniform(0.0); 5].as_slice(), &[Input::Each(&p)]].concat();
    let mut columns = batch.columns(3);
    batch.evaluate(&inputs, &mut columns, &mut batch.scratch()).unwrap();
    assert_eq!([0, 1, 2].map(|k| columns.check(k).is_ok()), [true, false, true]);
    assert!((columns.column(ContactQuantity::Delassus(0, 0))[2] - 2.0).abs() < 1e-15);
    let short = [0.0; 2];
    let inputs = [[Input::Uniform(0.0); 5].as_slice(), &[Input::Each(&short)]].concat();
    assert!(batch.evaluate(&inputs, &mut columns, &mut batch.scratch()).is_err());
}

#[test]
fn dependent_constraints_are_named() {
    let error = evaluated(&ContactKernel::new(&nearly_singular(2)), &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    assert!(matches!(error, Err(Singular::Constraints { constraint: 1, .. })));
}

/// The named slices are the quantities.
#[test]
fn slices_and_quantities_are_the_same_numbers() {
    let layout = Layout { coordinates: 3, parameters: 1, constraints: 0, contacts: 2, tangents: 2 };
    let numbers: Vec<f64> = (0..61).map(|k| (k as f64 * 0.37).sin()).collect();
    let sample = Sample { layout, numbers, inputs: (0..8).map(|k| 0.1 * k as f64).collect() };
    let values = evaluated(&ContactKernel::new(&model(&sample)), &sample.inputs).unwrap();
    for (quantity, place) in quantities(&layout) {
        let named = match quantity {
            ContactQuantity::Gap(_) => values.gaps()[place],
            ContactQuantity::GapRate(_) => values.gap_rates()[place],
            ContactQuantity::Slip(i, _) => values.slip(i)[place],
            ContactQuantity::FreeAcceleration(_) => values.free_contact_acceleration()[place],
            ContactQuantity::Delassus(i, j) => values.delassus_entry(i, j),
        };
        assert_eq!(named.to_bits(), values.get(quantity).to_bits());
    }
    assert_eq!(values.rows(), 6);
}

/// M = diag(p, 1, 2): what is constant is not computed, and a constant positive pivot is not looked at.
#[test]
fn zeros_and_constants_of_the_mass_matrix_cost_nothing() {
    let layout = Layout { coordinates: 3, parameters: 1, constraints: 0, contacts: 1, tangents: 1 };
    let mut b = Builder::new(layout.inputs());
    let (p, zero, one, two) = (b.input(7), b.constant(0.0), b.constant(1.0), b.constant(2.0));
    let mut outputs = Vec::new();
    for output in Output::ALL {
        outputs.extend(match output {
            Output::MassMatrix => vec![p, zero, one, zero, zero, two],
            Output::NormalJacobian => vec![one, zero, zero],
            Output::TangentJacobian => vec![zero, one, one],
            _ => vec![zero; layout.len(output)],
        });
    }
    let kernel = ContactKernel::new(&Model::new(layout, b.finish(&outputs)).unwrap());
    // 1/p, and the sum of two velocities that the slip is
    assert_eq!(kernel.tape().len(), 2);
    // gap, gap rate, slip, two free accelerations, three entries of D, and p
    assert_eq!(kernel.tape().outputs(), 9);
}
