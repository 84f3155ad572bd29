//! Parameters that follow from others: in a search over a parameter, those defined by it move with it, and generated code
//! computes them.

use super::states::default_parameters;
use super::values::{Symbols, value};
use super::{Failure, Loaded};
use crate::expression::{Expr, Symbol};
use crate::format::{Mechanism, Parameter};
use crate::model::{CodeParameter, Model, ModelError};
use crate::tape::{Builder, Tape, Value};

/// The parameters in order, for generated code; one whose value is an expression in others has the tape of it.
///
/// # Errors
/// [`Failure::Input`] if a default value is not finite.
pub fn code_parameters(loaded: &Loaded) -> Result<Vec<CodeParameter>, Failure> {
    let values = default_parameters(loaded)?;
    let count = values.len();
    let parameter = |(p, value): (&Parameter, f64)| CodeParameter {
        name: p.name.clone(),
        value,
        follows: (!p.value.is_constant()).then(|| tape(&p.value, count)),
    };
    Ok(loaded.mechanism.parameters.iter().zip(values).map(parameter).collect())
}

/// A parameter's definition as a tape whose inputs are the parameters.
fn tape(definition: &Expr, parameters: usize) -> Tape {
    let mut builder = Builder::new(parameters);
    let inputs: Vec<Value> = (0..parameters).map(|i| builder.input(i)).collect();
    let value = value(&mut builder, definition, &Symbols::parameters(&inputs));
    builder.finish(&[value])
}

/// Which parameters follow: defined, directly or not, by one of `varied`, and not given a value of their own.
pub(super) fn following(mechanism: &Mechanism, varied: &[usize], given: &[usize]) -> Vec<usize> {
    let mut moving = varied.to_vec();
    for (i, parameter) in mechanism.parameters.iter().enumerate() {
        let moves = |symbol: Symbol| matches!(symbol, Symbol::Parameter(j) if moving.contains(&j));
        let follows = parameter.value.symbols().into_iter().any(moves);
        if follows && !moving.contains(&i) && !given.contains(&i) {
            moving.push(i);
        }
    }
    moving.split_off(varied.len())
}

/// The model with the parameters `following` computed from their definitions.
///
/// # Errors
/// None for a model of this mechanism.
pub(super) fn with_following(
    mechanism: &Mechanism,
    model: &Model,
    following: &[usize],
) -> Result<Model, ModelError> {
    let first = 1 + 2 * mechanism.coordinates.len();
    let computed = following.iter().map(|&i| (first + i, mechanism.parameters[i].value.clone()));
    with_computed(mechanism, model, &computed.collect::<Vec<_>>())
}

/// The model with the inputs at these places computed, each from others and from those before it.
///
/// # Errors
/// None for a model of this mechanism.
pub(super) fn with_computed(
    mechanism: &Mechanism,
    model: &Model,
    computed: &[(usize, Expr)],
) -> Result<Model, ModelError> {
    let layout = *model.layout();
    let mut builder = Builder::new(layout.inputs());
    let mut inputs: Vec<Value> = (0..layout.inputs()).map(|i| builder.input(i)).collect();
    compute(&mut builder, mechanism, &mut inputs, computed);
    let outputs = builder.append(model.tape(), &inputs);
    Model::new(layout, builder.finish(&outputs))
}

/// Computes some of the inputs.
pub(super) fn compute(
    builder: &mut Builder,
    mechanism: &Mechanism,
    inputs: &mut [Value],
    computed: &[(usize, Expr)],
) {
    for (place, meaning) in computed {
        let known = Symbols::inputs(inputs, mechanism.coordinates.len(), &mechanism.definitions.values);
        inputs[*place] = value(builder, meaning, &known);
    }
}
