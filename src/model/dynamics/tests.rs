//! The projection against closed forms and against a dense solve of the whole saddle-point system.

use super::super::{Layout, Model, Output, State};
use super::{Dynamics, Singular};
use crate::num::Dual;
use crate::tape::Builder;
use nalgebra::{DMatrix, DVector};

/// A tape whose blocks are given constants.
fn constant_model(layout: Layout, blocks: &[(Output, Vec<f64>)]) -> Model {
    let mut builder = Builder::new(layout.inputs());
    let mut outputs = Vec::new();
    for output in Output::ALL {
        let given = blocks.iter().find(|(o, _)| *o == output).map(|(_, x)| x.clone());
        for x in given.unwrap_or_else(|| vec![0.0; layout.len(output)]) {
            outputs.push(builder.constant(x));
        }
    }
    Model::new(layout, builder.finish(&outputs)).unwrap()
}

const LAYOUT: Layout = Layout { coordinates: 3, parameters: 0, constraints: 1, contacts: 1, tangents: 1 };

fn blocks() -> Vec<(Output, Vec<f64>)> {
    vec![
        (Output::MassMatrix, vec![2.0, 0.5, 3.0, -0.2, 0.1, 1.5]),
        (Output::Bias, vec![1.0, -2.0, 0.5]),
        (Output::NormalJacobian, vec![0.0, 1.0, -0.7]),
        (Output::NormalDrift, vec![0.3]),
        (Output::TangentJacobian, vec![1.0, 0.0, 0.4]),
        (Output::TangentDrift, vec![-0.6]),
        (Output::ConstraintJacobian, vec![0.8, -0.3, 0.2]),
        (Output::ConstraintDrift, vec![0.9]),
    ]
}

fn dynamics_of(model: &Model) -> Result<Dynamics<f64>, Singular> {
    let kernel = model.kernel(&Dynamics::<f64>::NEEDED);
    let mut values = kernel.values();
    let n = model.layout().coordinates;
    let state = State { t: 0.0, q: vec![0.0; n], v: vec![0.0; n], parameters: Vec::new() };
    kernel.evaluate(&state.inputs::<f64>(), &mut values);
    let mut dynamics = Dynamics::new(kernel.layout());
    dynamics.update(&kernel, &values).map(|()| dynamics)
}

/// Free motion and response to contact forces from [[M, Jᵀ], [J, 0]] solved as one system.
#[test]
fn the_constrained_inverse_is_that_of_the_saddle_point_system() {
    let dynamics = dynamics_of(&constant_model(LAYOUT, &blocks())).unwrap();
    #[rustfmt::skip]
    let saddle = DMatrix::from_row_slice(4, 4, &[
         2.0, 0.5, -0.2,  0.8,
         0.5, 3.0,  0.1, -0.3,
        -0.2, 0.1,  1.5,  0.2,
         0.8, -0.3, 0.2,  0.0,
    ]);
    let inverse = saddle.try_inverse().unwrap();
    let W = DMatrix::from_row_slice(2, 4, &[0.0, 1.0, -0.7, 0.0, 1.0, 0.0, 0.4, 0.0]);
    let delassus = &W * &inverse * W.transpose();
    let free = &W * &inverse * DVector::from_column_slice(&[-1.0, 2.0, -0.5, -0.9]);
    let drift = [0.3, -0.6];
    for i in 0..2 {
        assert!((dynamics.free_contact_acceleration()[i] - free[i] - drift[i]).abs() < 1e-14);
        for j in 0..2 {
            assert!((dynamics.delassus_entry(i, j) - delassus[(i, j)]).abs() < 1e-14);
        }
    }
    let J = [0.8, -0.3, 0.2];
    let along: f64 = J.iter().zip(dynamics.free_acceleration()).map(|(j, v)| j * v).sum();
    assert!((along + 0.9).abs() < 1e-14);
}

#[test]
fn an_indefinite_mass_matrix_names_its_coordinate() {
    let mut blocks = blocks();
    blocks[0].1 = vec![2.0, 0.5, -3.0, 0.0, 0.0, 1.0];
    let error = dynamics_of(&constant_model(LAYOUT, &blocks)).unwrap_err();
    assert!(matches!(error, Singular::MassMatrix { coordinate: 1, pivot } if pivot < 0.0));
}

#[test]
fn dependent_constraints_are_named() {
    let layout = Layout { constraints: 2, ..LAYOUT };
    let mut blocks = blocks();
    blocks[6].1 = vec![0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    blocks[7].1 = vec![0.0, 0.0];
    let error = dynamics_of(&constant_model(layout, &blocks)).unwrap_err();
    assert!(matches!(error, Singular::Constraints { constraint: 1, .. }));
}

/// Dual numbers go through the factorisation: d/dm of 1/m.
#[test]
fn derivatives_pass_through_the_solve() {
    let layout = Layout { coordinates: 1, parameters: 1, constraints: 0, contacts: 1, tangents: 1 };
    let mut builder = Builder::new(layout.inputs());
    let m = builder.input(3);
    let (zero, one) = (builder.constant(0.0), builder.constant(1.0));
    let outputs: Vec<_> = Output::ALL
        .iter()
        .flat_map(|&o| {
            let value = match o {
                Output::MassMatrix => m,
                Output::NormalJacobian => one,
                _ => zero,
            };
            vec![value; layout.len(o)]
        })
        .collect();
    let model = Model::new(layout, builder.finish(&outputs)).unwrap();
    let kernel = model.kernel(&Dynamics::<Dual>::NEEDED);
    let mut values = kernel.values::<Dual>();
    let mut inputs = State { t: 0.0, q: vec![0.0], v: vec![0.0], parameters: vec![4.0] }.inputs::<Dual>();
    inputs[3] = Dual::new(4.0, 1.0);
    kernel.evaluate(&inputs, &mut values);
    let mut dynamics = Dynamics::new(kernel.layout());
    dynamics.update(&kernel, &values).unwrap();
    let response = dynamics.delassus_entry(0, 0);
    assert!((response.re - 0.25).abs() < 1e-15 && (response.eps + 1.0 / 16.0).abs() < 1e-15);
}
