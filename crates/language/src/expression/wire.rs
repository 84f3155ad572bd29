//! Expressions in files: operations in postfix order beside their places. A flat list has no depth that a
//! reader could run out of.

use super::parse::MAX_DEPTH;
use super::tree::{BinaryOp, Expr, Function, Node, Symbol};
use crate::diag::Span;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

/// The written form of [`Expr`].
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Wire {
    postfix: Vec<Op>,
    span: Vec<Span>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Op {
    Number(BigRational),
    Pi,
    Symbol(Symbol),
    Definition(usize),
    DefinitionRate(usize),
    Negate,
    Binary(BinaryOp),
    Call(Function),
}

impl From<Expr> for Wire {
    fn from(expr: Expr) -> Self {
        let mut wire = Wire { postfix: Vec::new(), span: Vec::new() };
        push(expr, &mut wire);
        wire
    }
}

fn push(expr: Expr, wire: &mut Wire) {
    let op = match expr.node {
        Node::Number(value) => Op::Number(value),
        Node::Pi => Op::Pi,
        Node::Symbol(symbol) => Op::Symbol(symbol),
        Node::Definition(i) => Op::Definition(i),
        Node::DefinitionRate(i) => Op::DefinitionRate(i),
        Node::Negate(x) => {
            push(*x, wire);
            Op::Negate
        }
        Node::Binary(op, x, y) => {
            push(*x, wire);
            push(*y, wire);
            Op::Binary(op)
        }
        Node::Call(function, arguments) => {
            arguments.into_iter().for_each(|x| push(x, wire));
            Op::Call(function)
        }
    };
    wire.postfix.push(op);
    wire.span.push(expr.span);
}

impl TryFrom<Wire> for Expr {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        let mut stack: Vec<(Expr, usize)> = Vec::new();
        for (op, span) in wire.postfix.into_iter().zip(wire.span) {
            let arity = op.arity();
            let split = stack.len().checked_sub(arity).ok_or("an operation without its operands")?;
            let operands = stack.split_off(split);
            let depth = operands.iter().map(|(_, d)| d + 1).max().unwrap_or(1);
            if depth > MAX_DEPTH {
                return Err("an expression is nested too deeply");
            }
            let node = op.node(operands.into_iter().map(|(x, _)| x).collect())?;
            stack.push((Expr { node, span }, depth));
        }
        match (stack.pop(), stack.is_empty()) {
            (Some((expr, _)), true) => Ok(expr),
            _ => Err("operands without an operation"),
        }
    }
}

impl Op {
    fn arity(&self) -> usize {
        match self {
            Op::Number(_) | Op::Pi | Op::Symbol(_) | Op::Definition(_) | Op::DefinitionRate(_) => 0,
            Op::Negate => 1,
            Op::Binary(_) => 2,
            Op::Call(function) => function.arity(),
        }
    }

    fn node(self, operands: Vec<Expr>) -> Result<Node, &'static str> {
        let mut rest = operands.into_iter();
        let mut next = || rest.next().map(Box::new).ok_or("an operation without its operands");
        Ok(match self {
            Op::Number(value) => Node::Number(value),
            Op::Pi => Node::Pi,
            Op::Symbol(symbol) => Node::Symbol(symbol),
            Op::Definition(i) => Node::Definition(i),
            Op::DefinitionRate(i) => Node::DefinitionRate(i),
            Op::Negate => Node::Negate(next()?),
            Op::Binary(op) => Node::Binary(op, next()?, next()?),
            Op::Call(function) => Node::Call(function, rest.collect()),
        })
    }
}
