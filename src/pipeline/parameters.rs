//! The parameters of a mechanism for generated code: their default values, and how some follow from others.

use super::states::default_parameters;
use super::{Failure, Loaded};
use crate::expression::{BinaryOp, Expr, Function, Node, Symbol};
use crate::model::CodeParameter;
use crate::tape::{Builder, Tape, Unary, Value};
use num_traits::ToPrimitive;

/// The parameters in order; one whose value is an expression in others has the tape of it.
///
/// # Errors
/// [`Failure::Input`] if a default value is not finite.
pub fn code_parameters(loaded: &Loaded) -> Result<Vec<CodeParameter>, Failure> {
    let values = default_parameters(loaded)?;
    let count = values.len();
    let parameters = loaded.mechanism.parameters.iter().zip(values);
    let parameter = |(p, value): (&crate::format::Parameter, f64)| CodeParameter {
        name: p.name.clone(),
        value,
        follows: (!p.value.is_constant()).then(|| tape(&p.value, count)),
    };
    Ok(parameters.map(parameter).collect())
}

/// An expression in parameters as a tape whose inputs they are.
fn tape(expr: &Expr, parameters: usize) -> Tape {
    let mut builder = Builder::new(parameters);
    let value = emit(expr, &mut builder);
    builder.finish(&[value])
}

fn emit(expr: &Expr, builder: &mut Builder) -> Value {
    match &expr.node {
        Node::Number(x) => builder.constant(x.to_f64().unwrap_or(f64::NAN)),
        Node::Pi => builder.constant(std::f64::consts::PI),
        Node::Symbol(Symbol::Parameter(i)) => builder.input(*i),
        // what is no parameter has no value here, and a parameter's value has no such symbols
        Node::Symbol(Symbol::Time | Symbol::Coordinate(_) | Symbol::Rate(_)) => builder.constant(f64::NAN),
        Node::Negate(x) => {
            let x = emit(x, builder);
            builder.neg(x)
        }
        Node::Binary(op, x, y) => binary(*op, x, y, builder),
        Node::Call(Function::Atan2, arguments) => {
            let values: Vec<Value> = arguments.iter().map(|x| emit(x, builder)).collect();
            match values[..] {
                [y, x] => builder.atan2(y, x),
                _ => builder.constant(f64::NAN),
            }
        }
        Node::Call(function, arguments) => match arguments.first().map(|x| emit(x, builder)) {
            Some(x) => builder.unary(unary(*function), x),
            None => builder.constant(f64::NAN),
        },
    }
}

fn binary(op: BinaryOp, x: &Expr, y: &Expr, builder: &mut Builder) -> Value {
    let base = emit(x, builder);
    if let (BinaryOp::Power, Some(n)) = (op, y.exact_integer()) {
        return builder.powi(base, n);
    }
    let other = emit(y, builder);
    match op {
        BinaryOp::Add => builder.add(base, other),
        BinaryOp::Subtract => builder.sub(base, other),
        BinaryOp::Multiply => builder.mul(base, other),
        BinaryOp::Divide => builder.div(base, other),
        BinaryOp::Power => builder.powf(base, other),
    }
}

/// The tape's name of a function of one argument; that of two is written by the caller.
fn unary(function: Function) -> Unary {
    match function {
        Function::Sin => Unary::Sin,
        Function::Cos => Unary::Cos,
        Function::Tan => Unary::Tan,
        Function::Asin => Unary::Asin,
        Function::Acos => Unary::Acos,
        Function::Atan | Function::Atan2 => Unary::Atan,
        Function::Sinh => Unary::Sinh,
        Function::Cosh => Unary::Cosh,
        Function::Tanh => Unary::Tanh,
        Function::Sqrt => Unary::Sqrt,
        Function::Exp => Unary::Exp,
        Function::Log => Unary::Ln,
        Function::Abs => Unary::Abs,
    }
}
