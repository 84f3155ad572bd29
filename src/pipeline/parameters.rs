//! Parameters that follow from others: in a search over a parameter, those defined by it move with it, and generated code
//! computes them.

use super::states::default_parameters;
use super::{Failure, Loaded};
use crate::expression::{BinaryOp, Expr, Function, Node, Symbol};
use crate::format::{Mechanism, Parameter};
use crate::model::{CodeParameter, Model, ModelError};
use crate::tape::{Builder, Tape, Unary, Value};
use num_traits::ToPrimitive;

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
    let value = value(&mut builder, definition, &inputs, 0);
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
    let layout = *model.layout();
    let mut builder = Builder::new(layout.inputs());
    let mut inputs: Vec<Value> = (0..layout.inputs()).map(|i| builder.input(i)).collect();
    let first = 1 + 2 * layout.coordinates;
    for &i in following {
        inputs[first + i] = value(&mut builder, &mechanism.parameters[i].value, &inputs, first);
    }
    let outputs = builder.append(model.tape(), &inputs);
    Model::new(layout, builder.finish(&outputs))
}

/// A parameter's definition as a value; it names earlier parameters only, which stand in the inputs from `first` on.
fn value(b: &mut Builder, expr: &Expr, inputs: &[Value], first: usize) -> Value {
    match &expr.node {
        Node::Number(number) => b.constant(number.to_f64().unwrap_or(f64::NAN)),
        Node::Pi => b.constant(std::f64::consts::PI),
        Node::Symbol(Symbol::Parameter(i)) => inputs[first + i],
        Node::Symbol(_) | Node::Definition(_) | Node::DefinitionRate(_) => b.constant(f64::NAN),
        Node::Negate(x) => {
            let x = value(b, x, inputs, first);
            b.neg(x)
        }
        Node::Binary(op, x, y) => {
            let whole = y.exact_integer();
            let (x, y) = (value(b, x, inputs, first), value(b, y, inputs, first));
            match (op, whole) {
                (BinaryOp::Add, _) => b.add(x, y),
                (BinaryOp::Subtract, _) => b.sub(x, y),
                (BinaryOp::Multiply, _) => b.mul(x, y),
                (BinaryOp::Divide, _) => b.div(x, y),
                (BinaryOp::Power, Some(n)) => b.powi(x, n),
                (BinaryOp::Power, None) => b.powf(x, y),
            }
        }
        Node::Call(function, arguments) => {
            let arguments: Vec<Value> = arguments.iter().map(|x| value(b, x, inputs, first)).collect();
            call(b, *function, &arguments)
        }
    }
}

fn call(b: &mut Builder, function: Function, arguments: &[Value]) -> Value {
    match (unary(function), arguments) {
        (Some(f), [x]) => b.unary(f, *x),
        (None, &[x, y]) => match function {
            Function::Min => b.min(x, y),
            Function::Max => b.max(x, y),
            _ => b.atan2(x, y),
        },
        (None, &[c, x, y]) => b.choice(c, [x, y]),
        _ => b.constant(f64::NAN),
    }
}

fn unary(function: Function) -> Option<Unary> {
    Some(match function {
        Function::Sin => Unary::Sin,
        Function::Cos => Unary::Cos,
        Function::Tan => Unary::Tan,
        Function::Asin => Unary::Asin,
        Function::Acos => Unary::Acos,
        Function::Atan => Unary::Atan,
        Function::Sinh => Unary::Sinh,
        Function::Cosh => Unary::Cosh,
        Function::Tanh => Unary::Tanh,
        Function::Sqrt => Unary::Sqrt,
        Function::Exp => Unary::Exp,
        Function::Log => Unary::Ln,
        Function::Abs => Unary::Abs,
        Function::Sign => Unary::Signum,
        Function::Atan2 | Function::Min | Function::Max | Function::If => return None,
    })
}
