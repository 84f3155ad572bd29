//! The checked tree: every name is resolved to an index, every number is exact, every node knows its place.

use crate::diag::Span;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

/// An expression, with the place it was written at.
///
/// It is written to files as a flat list, see `wire`, so that no nesting limit of a reader bounds its depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "super::wire::Wire", try_from = "super::wire::Wire")]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// Where it stands in the source text.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An exact literal: `2`, `0.5`, `1e-3`.
    Number(BigRational),
    /// π.
    Pi,
    /// The name of a number that is given.
    Symbol(Symbol),
    /// The i-th definition.
    Definition(usize),
    /// `dot(x)` of the i-th definition.
    DefinitionRate(usize),
    /// −x.
    Negate(Box<Expr>),
    /// x ∘ y.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// f(x) or f(x, y).
    Call(Function, Vec<Expr>),
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Symbol {
    /// `t`.
    Time,
    /// The i-th coordinate.
    Coordinate(usize),
    /// `dot(x)` of the i-th coordinate.
    Rate(usize),
    /// The i-th parameter.
    Parameter(usize),
}

/// Binary operators; `^` is [`BinaryOp::Power`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// The functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Sqrt,
    Exp,
    Log,
    Abs,
    Sign,
    Min,
    Max,
    /// Of c, x and y: x where c > 0, and y elsewhere.
    If,
}
