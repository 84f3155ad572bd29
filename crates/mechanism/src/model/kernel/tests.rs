//! The tape's elimination against the whole saddle point system solved on numbers by Gaussian elimination, on random
//! models.

mod random_model;

use super::super::{Layout, Model, Output};
use super::{Block, Kernel, Singular, Values, packed_place};
use crate::num::{Dual, Magnitude, Real, dense};
use crate::tape::{Builder, Input, Value};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use random_model::{Sample, model, reference, sample};

fn evaluated<T: Real>(kernel: &Kernel, inputs: &[T]) -> Result<Values<T>, Singular> {
    let mut values = kernel.values();
    kernel.solve(inputs, &mut values).map(|()| values)
}

fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(1.0, |size: f64, x| size.max(x.abs()))
}

/// M's and S's condition is below 100 by construction: 1e-12 of the largest number leaves room for it.
const TOLERANCE: f64 = 1e-12;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_block_is_that_of_the_saddle_point_system(sample in sample(0usize..=2)) {
        let model = model(&sample);
        let kernel = model.kernel(&Block::SOLVED);
        let values = evaluated(&kernel, &sample.inputs).unwrap();
        let expected = reference(&model, &sample.inputs);
        prop_assert_eq!(expected.len(), Block::SOLVED.len());
        let scale = largest(expected.iter().flat_map(|(_, numbers)| numbers.iter().copied()));
        for (block, expected) in expected {
            let found = kernel.block(&values, block);
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.len(), block.len(model.layout()));
            for (x, y) in found.iter().zip(expected) {
                prop_assert!((x - y).abs() <= TOLERANCE * scale, "{block:?}: {x} {y} of {scale}");
            }
        }
    }

    #[test]
    fn derivatives_agree_too(sample in sample(0usize..=2)) {
        let model = model(&sample);
        let inputs: Vec<Dual> =
            sample.inputs.iter().enumerate().map(|(i, &x)| Dual::new(x, 0.3 - 0.1 * i as f64)).collect();
        let kernel = model.kernel(&Block::SOLVED);
        let values = evaluated(&kernel, &inputs).unwrap();
        let expected = reference(&model, &inputs);
        let scale = largest(expected.iter().flat_map(|(_, x)| x.iter().flat_map(|x| [x.re, x.eps])));
        for (block, expected) in expected {
            for (x, y) in kernel.block(&values, block).iter().zip(expected) {
                prop_assert!((x.eps - y.eps).abs() <= 100.0 * TOLERANCE * scale, "{block:?}: {x:?} {y:?}");
            }
        }
    }

    /// M v̇ + h = Wᵀλ + Jᵀν and J v̇ + j = 0 under any contact force.
    #[test]
    fn forces_and_reactions_obey_the_equations_of_motion(sample in sample(0usize..=2), seed in 0u32..100) {
        let model = model(&sample);
        let kernel = model.kernel(&Block::all());
        let values = evaluated(&kernel, &sample.inputs).unwrap();
        let forces: Vec<f64> = (0..kernel.rows()).map(|i| f64::from(seed + i as u32).sin()).collect();
        let n = model.layout().coordinates;
        let (mut vdot, mut held) = (vec![0.0; n], vec![0.0; model.layout().constraints]);
        kernel.acceleration_under(&values, &forces, &mut vdot);
        kernel.reactions_under(&values, &forces, &mut held);
        let M = kernel.block(&values, Output::MassMatrix);
        let J = kernel.block(&values, Output::ConstraintJacobian);
        let scale = largest(vdot.iter().chain(&held).copied()) * largest(M.iter().chain(J).copied());
        for i in 0..n {
            let inertia: f64 = (0..n).map(|j| M[packed_place(i, j)] * vdot[j]).sum();
            let contact = kernel.block(&values, Block::ContactJacobian).chunks_exact(n).zip(&forces);
            let constraints = J.chunks_exact(n).zip(&held);
            let applied: f64 = contact.chain(constraints).map(|(row, force)| row[i] * force).sum();
            let rest = inertia + kernel.block(&values, Output::Bias)[i] - applied;
            prop_assert!(rest.abs() <= 100.0 * TOLERANCE * scale, "{i}: {rest:e} of {scale}");
        }
        for (row, drift) in J.chunks_exact(n).zip(kernel.block(&values, Output::ConstraintDrift)) {
            prop_assert!((dense::dot(row, &vdot) + drift).abs() <= 100.0 * TOLERANCE * scale);
        }
    }

    /// Sizes are those of the tape evaluated with magnitudes.
    #[test]
    fn sizes_are_those_of_magnitudes(sample in sample(0usize..=1)) {
        let model = model(&sample);
        let kernel = Kernel::with_sizes(&model, &Block::all(), &Block::SOLVED);
        let inputs: Vec<Magnitude> = sample.inputs.iter().map(|&x| Magnitude::from_f64(x)).collect();
        let (numbers, sized) =
            (evaluated(&kernel, &sample.inputs).unwrap(), evaluated(&kernel, &inputs).unwrap());
        for block in Block::SOLVED {
            let (found, expected) = (kernel.sizes(&numbers, block), kernel.block(&sized, block));
            prop_assert_eq!(found.len(), expected.len());
            for (x, y) in found.iter().zip(expected) {
                prop_assert!((x - y.size).abs() <= TOLERANCE * y.size, "{block:?}: {x} {y:?}");
            }
        }
    }

    #[test]
    fn machine_code_that_comes_while_motions_are_on_their_way_changes_nothing(sample in sample(0usize..=1)) {
        let kernel = model(&sample).kernel(&Block::SOLVED);
        let beside = kernel.clone().compiled_beside();
        let (n, mut found, mut at) = (sample.layout.coordinates, beside.values(), sample.inputs.clone());
        beside.set_parameters(&at[1 + 2 * n..], &mut found);
        let mut more = 3;
        while more > 0 {
            at[0] += 1e-3;
            beside.solve_at(at[0], &at[1..1 + n], &at[1 + n..1 + 2 * n], &mut found).unwrap();
            let expected = evaluated(&kernel, &at).unwrap();
            let pairs = beside.numbers(&found).iter().zip(kernel.numbers(&expected));
            pairs.for_each(|(x, y)| assert_eq!(x.to_bits(), y.to_bits()));
            assert_eq!(beside.given(&found), &at[..]);
            more -= usize::from(beside.code.ready().is_some());
        }
    }

    #[test]
    fn machine_code_and_batches_give_the_same_bits(sample in sample(0usize..=1)) {
        let kernel = model(&sample).kernel(&Block::SOLVED);
        let compiled = kernel.clone().compiled();
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
        let mut one = compiled.values();
        let n = sample.layout.coordinates;
        for k in 0..states {
            let at: Vec<f64> = (0..inputs.len())
                .map(|i| if uniform.contains(&i) { sample.inputs[i] } else { columns[i][k] })
                .collect();
            compiled.set_parameters(&at[1 + 2 * n..], &mut one);
            compiled.solve_at(at[0], &at[1..1 + n], &at[1 + n..1 + 2 * n], &mut one).unwrap();
            let interpreted = evaluated(&kernel, &at).unwrap();
            prop_assert_eq!(found.check(k), Ok(()));
            for block in Block::SOLVED {
                let pairs = compiled.block(&one, block).iter().zip(kernel.block(&interpreted, block));
                for (i, (x, y)) in pairs.enumerate() {
                    prop_assert_eq!(x.to_bits(), y.to_bits());
                    prop_assert_eq!(x.to_bits(), found.column(block, i)[k].to_bits());
                }
            }
        }
    }
}

/// A block of one kernel is that of another, whatever else is asked for; a kernel may use another one's memory.
#[test]
fn what_else_is_asked_for_changes_no_number() {
    let layout = Layout { coordinates: 3, parameters: 1, constraints: 1, contacts: 2, tangents: 2 };
    let numbers: Vec<f64> = (0..61).map(|k| (k as f64 * 0.37).sin()).collect();
    let sample = Sample { layout, numbers, inputs: (0..8).map(|k| 0.1 * k as f64).collect() };
    let model = model(&sample);
    let all = model.kernel(&Block::all());
    let expected = evaluated(&all, &sample.inputs).unwrap();
    let mut values = Values::default();
    for block in Block::all() {
        let one = model.kernel(&[block]);
        one.solve(&sample.inputs, &mut values).unwrap();
        let (x, y) = (one.block(&values, block), all.block(&expected, block));
        assert!(x.len() == block.len(&layout) && x.iter().zip(y).all(|(x, y)| x.to_bits() == y.to_bits()));
        let other = if block == Block::Slip { Block::Delassus } else { Block::Slip };
        assert!(one.block(&values, other).is_empty());
    }
    assert!(all.delassus(&expected, 0, 3).to_bits() == all.delassus(&expected, 3, 0).to_bits());
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
    let kernel = nearly_singular(0).kernel(&Block::SOLVED);
    let compiled = kernel.clone().compiled();
    let mut values = compiled.values();
    for (p, pivot) in [(1.0, 0.0), (1.0 + 1e-15, 1e-15), (0.25, -0.75)] {
        let inputs = [0.0, 0.0, 0.0, 0.0, 0.0, p];
        let interpreted = evaluated(&kernel, &inputs).unwrap_err();
        assert_eq!(compiled.solve(&inputs, &mut values), Err(interpreted));
        let Singular::MassMatrix { coordinate, pivot: found } = interpreted else {
            panic!("{interpreted:?}")
        };
        assert!(coordinate == 1 && (found - pivot).abs() < 2e-16);
    }
    let regular = evaluated(&kernel, &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]).unwrap();
    assert!((kernel.delassus(&regular, 0, 0) - 1.5).abs() < 1e-15);
    let nan = evaluated(&kernel, &[0.0, 0.0, 0.0, 0.0, 0.0, f64::NAN]);
    assert!(matches!(nan, Err(Singular::MassMatrix { coordinate: 1, pivot }) if pivot.is_nan()));
}

#[test]
fn a_batch_marks_the_states_that_are_singular() {
    let batch = nearly_singular(0).kernel(&Block::SOLVED).batch(&[0, 1, 2, 3, 4]);
    let p = [3.0, 1.0, 2.0];
    let inputs = [[Input::Uniform(0.0); 5].as_slice(), &[Input::Each(&p)]].concat();
    let mut columns = batch.columns(3);
    batch.evaluate(&inputs, &mut columns, &mut batch.scratch()).unwrap();
    assert_eq!([0, 1, 2].map(|k| columns.check(k).is_ok()), [true, false, true]);
    assert!((columns.column(Block::Delassus, 0)[2] - 2.0).abs() < 1e-15);
    let short = [0.0; 2];
    let inputs = [[Input::Uniform(0.0); 5].as_slice(), &[Input::Each(&short)]].concat();
    assert!(batch.evaluate(&inputs, &mut columns, &mut batch.scratch()).is_err());
}

#[test]
fn dependent_constraints_are_named() {
    let error = evaluated(&nearly_singular(2).kernel(&Block::SOLVED), &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    assert!(matches!(error, Err(Singular::Constraints { constraint: 1, .. })));
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
    let wanted = [
        Block::Model(Output::Gap),
        Block::GapVelocity,
        Block::Slip,
        Block::FreeContactAcceleration,
        Block::Delassus,
    ];
    let kernel = Kernel::new(&Model::new(layout, b.finish(&outputs)).unwrap(), &wanted);
    // 1/p, and the sum of two velocities that the slip is
    assert_eq!(kernel.tape().len(), 2);
    // gap, gap rate, slip, two free accelerations, three entries of D, and p
    assert_eq!(kernel.tape().outputs(), 9);
}

/// d/dm of 1/m goes through the factorisation.
#[test]
fn derivatives_pass_through_the_solution() {
    let layout = Layout { coordinates: 1, parameters: 1, constraints: 0, contacts: 1, tangents: 1 };
    let mut builder = Builder::new(layout.inputs());
    let (m, zero, one) = (builder.input(3), builder.constant(0.0), builder.constant(1.0));
    let block = |output: Output| match output {
        Output::MassMatrix => m,
        Output::NormalJacobian => one,
        _ => zero,
    };
    let outputs: Vec<Value> = Output::ALL.iter().flat_map(|&o| vec![block(o); layout.len(o)]).collect();
    let kernel = Model::new(layout, builder.finish(&outputs)).unwrap().kernel(&[Block::Delassus]);
    let fixed = Dual::fixed(0.0);
    let values = evaluated(&kernel, &[fixed, fixed, fixed, Dual::new(4.0, 1.0)]).unwrap();
    let response = kernel.delassus(&values, 0, 0);
    assert!((response.re - 0.25).abs() < 1e-15 && (response.eps + 1.0 / 16.0).abs() < 1e-15);
}

/// A pivot of 1e-3 of its diagonal entry is regular or not as the tolerance says.
#[test]
fn what_counts_as_singular_is_the_tolerance() {
    let kernel = nearly_singular(0).kernel(&Block::SOLVED);
    let inputs = [0.0, 0.0, 0.0, 0.0, 0.0, 1.001];
    assert!(evaluated(&kernel, &inputs).is_ok());
    assert!(evaluated(&kernel.with_tolerance(1e-2), &inputs).is_err());
}
