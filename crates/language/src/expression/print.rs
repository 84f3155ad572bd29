//! Trees back to text, with no more parentheses than the grammar needs: reading the text gives the same tree.

use super::literal::decimal;
use super::names::Names;
use super::tree::{BinaryOp, Expr, Function, Node, Symbol};
use num_traits::Signed;
use std::fmt::{Display, Formatter, Result};

/// An expression with the names it is printed with.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'e> {
    expr: &'e Expr,
    names: &'e Names,
}

impl Expr {
    /// The expression as text in these names.
    pub fn display<'e>(&'e self, names: &'e Names) -> Printed<'e> {
        Printed { expr: self, names }
    }
}

/// How tightly a node binds: sum 1, product 2, sign 3, power 4, atom 5.
fn strength(expr: &Expr) -> u8 {
    match &expr.node {
        Node::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => 1,
        Node::Binary(BinaryOp::Multiply | BinaryOp::Divide, ..) => 2,
        Node::Negate(_) => 3,
        Node::Binary(BinaryOp::Power, ..) => 4,
        Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Call(..) => 5,
        Node::Definition(_) | Node::DefinitionRate(_) => 5,
    }
}

impl Printed<'_> {
    /// A part, in parentheses if it binds less tightly than `least`.
    fn part(&self, expr: &Expr, least: u8, f: &mut Formatter) -> Result {
        let part = Printed { expr, names: self.names };
        if strength(expr) < least { write!(f, "({part})") } else { write!(f, "{part}") }
    }

    fn binary(&self, op: BinaryOp, x: &Expr, y: &Expr, f: &mut Formatter) -> Result {
        let (sign, left, right) = match op {
            BinaryOp::Add => (" + ", 1, 2),
            BinaryOp::Subtract => (" - ", 1, 2),
            BinaryOp::Multiply => ("*", 2, 3),
            BinaryOp::Divide => ("/", 2, 3),
            BinaryOp::Power => ("^", 5, 3),
        };
        self.part(x, left, f)?;
        f.write_str(sign)?;
        self.part(y, right, f)
    }

    fn definition(&self, i: usize) -> String {
        self.names.definitions.get(i).map_or_else(|| format!("?{i}"), |d| d.name.clone())
    }

    fn symbol(&self, symbol: Symbol, f: &mut Formatter) -> Result {
        let name = |list: &[String], i: usize| list.get(i).cloned().unwrap_or_else(|| format!("?{i}"));
        match symbol {
            Symbol::Time => f.write_str("t"),
            Symbol::Parameter(i) => f.write_str(&name(&self.names.parameters, i)),
            Symbol::Coordinate(i) => f.write_str(&name(&self.names.coordinates, i)),
            Symbol::Rate(i) => write!(f, "dot({})", name(&self.names.coordinates, i)),
        }
    }
}

impl Display for Printed<'_> {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match &self.expr.node {
            Node::Number(value) => match decimal(&value.abs()) {
                Some(text) if !value.is_negative() => f.write_str(&text),
                Some(text) => write!(f, "(-{text})"),
                None => write!(f, "({value})"),
            },
            Node::Pi => f.write_str("pi"),
            Node::Symbol(symbol) => self.symbol(*symbol, f),
            Node::Definition(i) => f.write_str(&self.definition(*i)),
            Node::DefinitionRate(i) => write!(f, "dot({})", self.definition(*i)),
            Node::Negate(x) => {
                f.write_str("-")?;
                self.part(x, 3, f)
            }
            Node::Binary(op, x, y) => self.binary(*op, x, y, f),
            Node::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                for (i, x) in arguments.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    self.part(x, 0, f)?;
                    if *function == Function::If && i == 0 {
                        f.write_str(" > 0")?;
                    }
                }
                f.write_str(")")
            }
        }
    }
}
