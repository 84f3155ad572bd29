//! Expressions of a file as values of a tape.

use crate::expression::{BinaryOp, Expr, Function, Node, Symbol};
use crate::tape::{Builder, Unary, Value};
use num_traits::ToPrimitive;

/// The values that names stand for; those that are missing have none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Symbols<'v> {
    pub(super) t: Option<Value>,
    pub(super) q: &'v [Value],
    pub(super) v: &'v [Value],
    pub(super) parameters: &'v [Value],
    pub(super) definitions: &'v [Expr],
}

impl<'v> Symbols<'v> {
    /// Parameters alone.
    pub(super) fn parameters(parameters: &'v [Value]) -> Self {
        Symbols { parameters, ..Self::default() }
    }

    /// All inputs of a model with so many coordinates.
    pub(super) fn inputs(inputs: &'v [Value], coordinates: usize, definitions: &'v [Expr]) -> Self {
        let (states, parameters) = inputs.split_at(1 + 2 * coordinates);
        let (q, v) = states[1..].split_at(coordinates);
        Symbols { t: Some(states[0]), q, v, parameters, definitions }
    }

    fn value(&self, symbol: Symbol) -> Option<Value> {
        match symbol {
            Symbol::Time => self.t,
            Symbol::Coordinate(i) => self.q.get(i).copied(),
            Symbol::Rate(i) => self.v.get(i).copied(),
            Symbol::Parameter(i) => self.parameters.get(i).copied(),
        }
    }
}

/// An expression as a value. What has no value here, and rates of definitions, are not a number.
pub(super) fn value(b: &mut Builder, expr: &Expr, symbols: &Symbols<'_>) -> Value {
    match &expr.node {
        Node::Number(number) => b.constant(number.to_f64().unwrap_or(f64::NAN)),
        Node::Pi => b.constant(std::f64::consts::PI),
        Node::Symbol(symbol) => symbols.value(*symbol).unwrap_or_else(|| b.constant(f64::NAN)),
        Node::Definition(i) => match symbols.definitions.get(*i) {
            Some(meaning) => value(b, meaning, symbols),
            None => b.constant(f64::NAN),
        },
        Node::DefinitionRate(_) => b.constant(f64::NAN),
        Node::Negate(x) => {
            let x = value(b, x, symbols);
            b.neg(x)
        }
        Node::Binary(op, x, y) => {
            let whole = y.exact_integer();
            let (x, y) = (value(b, x, symbols), value(b, y, symbols));
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
            let arguments: Vec<Value> = arguments.iter().map(|x| value(b, x, symbols)).collect();
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
