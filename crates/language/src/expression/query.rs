//! What can be said about an expression without computing it: its symbols, its degree in the velocities, its
//! exact value. And the names and arities of the functions.

use super::tree::{BinaryOp, Expr, Function, Node, Symbol};
use crate::diag::Span;
use crate::num::Dyadic;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// Exponents up to this are folded exactly.
const EXACT_POWER: i32 = 64;

impl Function {
    /// Every function with its name.
    #[rustfmt::skip]
    pub const ALL: [(&'static str, Function); 18] = [
        ("sin", Function::Sin), ("cos", Function::Cos), ("tan", Function::Tan), ("asin", Function::Asin),
        ("acos", Function::Acos), ("atan", Function::Atan), ("atan2", Function::Atan2), ("sinh", Function::Sinh),
        ("cosh", Function::Cosh), ("tanh", Function::Tanh), ("sqrt", Function::Sqrt), ("exp", Function::Exp),
        ("log", Function::Log), ("abs", Function::Abs), ("sign", Function::Sign), ("min", Function::Min),
        ("max", Function::Max), ("if", Function::If),
    ];

    /// The function of this name.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::ALL.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Function::ALL.iter().find(|(_, f)| *f == self).map_or("", |(n, _)| n)
    }

    /// Number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Function::If => 3,
            Function::Atan2 | Function::Min | Function::Max => 2,
            _ => 1,
        }
    }

    /// Whether its value jumps or bends where it switches from one of its ways to another.
    pub fn switches(self) -> bool {
        matches!(self, Function::Sign | Function::Min | Function::Max | Function::If)
    }
}

impl Expr {
    /// A number, without a place; what is not finite is 0.
    pub fn number(value: f64) -> Expr {
        let exact = Dyadic::from_f64(value).unwrap_or_else(Dyadic::zero);
        Expr { node: Node::Number(exact.to_rational()), span: Span::default() }
    }

    /// The number 0, without a place.
    pub fn zero() -> Expr {
        Expr::integer(0)
    }

    /// An integer, without a place.
    pub fn integer(n: i64) -> Expr {
        Expr { node: Node::Number(BigRational::from_integer(n.into())), span: Span::default() }
    }

    /// Calls `visit` for every symbol and its place, from left to right.
    pub fn for_each_symbol(&self, visit: &mut impl FnMut(Symbol, Span)) {
        match &self.node {
            Node::Number(_) | Node::Pi | Node::Definition(_) | Node::DefinitionRate(_) => {}
            Node::Symbol(symbol) => visit(*symbol, self.span),
            Node::Negate(x) => x.for_each_symbol(visit),
            Node::Binary(_, x, y) => {
                x.for_each_symbol(visit);
                y.for_each_symbol(visit);
            }
            Node::Call(_, arguments) => arguments.iter().for_each(|x| x.for_each_symbol(visit)),
        }
    }

    /// Calls `visit` for every definition that it uses, itself or its rate, and its place, from left to right.
    pub fn for_each_definition(&self, visit: &mut impl FnMut(usize, Span)) {
        if let Node::Definition(i) | Node::DefinitionRate(i) = self.node {
            visit(i, self.span);
        }
        self.parts().for_each(|x| x.for_each_definition(visit));
    }

    /// The operands or arguments, from left to right.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (pair, rest): ([Option<&Expr>; 2], &[Expr]) = match &self.node {
            Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Definition(_) | Node::DefinitionRate(_) => {
                ([None, None], &[])
            }
            Node::Negate(x) => ([Some(x), None], &[]),
            Node::Binary(_, x, y) => ([Some(x), Some(y)], &[]),
            Node::Call(_, arguments) => ([None, None], arguments),
        };
        pair.into_iter().flatten().chain(rest)
    }

    /// The symbols, ascending, each once.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut found = Vec::new();
        self.for_each_symbol(&mut |symbol, _| found.push(symbol));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether it has no symbols.
    pub fn is_constant(&self) -> bool {
        let named = matches!(self.node, Node::Symbol(_) | Node::Definition(_) | Node::DefinitionRate(_));
        !named && self.parts().all(Expr::is_constant)
    }

    /// Whether parameters are its only symbols.
    pub fn is_parametric(&self) -> bool {
        let mut defined = false;
        self.for_each_definition(&mut |_, _| defined = true);
        !defined && self.symbols().iter().all(|s| matches!(s, Symbol::Parameter(_)))
    }

    /// Its exact value, if it is made of numbers and `+ - * / ^` alone.
    pub fn exact(&self) -> Option<BigRational> {
        self.exact_with(&|_| None)
    }

    /// The same where symbols have exact values.
    pub fn exact_with(&self, symbol: &dyn Fn(Symbol) -> Option<BigRational>) -> Option<BigRational> {
        match &self.node {
            Node::Number(value) => Some(value.clone()),
            Node::Negate(x) => x.exact_with(symbol).map(|x| -x),
            Node::Binary(op, x, y) => exact_binary(*op, &x.exact_with(symbol)?, &y.exact_with(symbol)?),
            Node::Symbol(named) => symbol(*named),
            Node::Pi | Node::Call(..) | Node::Definition(_) | Node::DefinitionRate(_) => None,
        }
    }

    /// Its exact value as an integer.
    pub fn exact_integer(&self) -> Option<i32> {
        self.exact().filter(BigRational::is_integer).and_then(|x| x.to_i32())
    }

    /// Degree as a polynomial in the velocities; `None` if it is none, as far as its form shows.
    pub fn rate_degree(&self, definitions: &[Expr]) -> Option<u32> {
        match &self.node {
            Node::Symbol(Symbol::Rate(_)) | Node::DefinitionRate(_) => Some(1),
            Node::Definition(i) => definitions.get(*i).map_or(Some(0), |x| x.rate_degree(definitions)),
            Node::Number(_) | Node::Pi | Node::Symbol(_) => Some(0),
            Node::Negate(x) => x.rate_degree(definitions),
            Node::Binary(op, x, y) => binary_degree(*op, x, y, definitions),
            Node::Call(_, arguments) => {
                arguments.iter().all(|x| x.rate_degree(definitions) == Some(0)).then_some(0)
            }
        }
    }

    /// Whether it switches somewhere, itself or what it is made of.
    pub fn switches(&self, definitions: &[Expr]) -> bool {
        match &self.node {
            Node::Call(function, _) if function.switches() => true,
            Node::Definition(i) => definitions.get(*i).is_some_and(|x| x.switches(definitions)),
            _ => self.parts().any(|x| x.switches(definitions)),
        }
    }

    /// The same tree with every place replaced by the default, for comparisons.
    pub fn without_places(&self) -> Expr {
        let plain = |x: &Expr| Box::new(x.without_places());
        let node = match &self.node {
            Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Definition(_) | Node::DefinitionRate(_) => {
                self.node.clone()
            }
            Node::Negate(x) => Node::Negate(plain(x)),
            Node::Binary(op, x, y) => Node::Binary(*op, plain(x), plain(y)),
            Node::Call(f, arguments) => Node::Call(*f, arguments.iter().map(Expr::without_places).collect()),
        };
        Expr { node, span: Span::default() }
    }
}

fn exact_binary(op: BinaryOp, x: &BigRational, y: &BigRational) -> Option<BigRational> {
    match op {
        BinaryOp::Add => Some(x + y),
        BinaryOp::Subtract => Some(x - y),
        BinaryOp::Multiply => Some(x * y),
        BinaryOp::Divide => (!y.is_zero()).then(|| x / y),
        BinaryOp::Power => {
            let n = y.is_integer().then(|| y.to_i32()).flatten().filter(|n| n.abs() <= EXACT_POWER)?;
            (n >= 0 || !x.is_zero()).then(|| x.pow(n))
        }
    }
}

fn binary_degree(op: BinaryOp, x: &Expr, y: &Expr, definitions: &[Expr]) -> Option<u32> {
    let (dx, dy) = (x.rate_degree(definitions)?, y.rate_degree(definitions)?);
    match op {
        BinaryOp::Add | BinaryOp::Subtract => Some(dx.max(dy)),
        BinaryOp::Multiply => Some(dx.saturating_add(dy)),
        BinaryOp::Divide => (dy == 0).then_some(dx),
        BinaryOp::Power if dx == 0 => (dy == 0).then_some(0),
        BinaryOp::Power => {
            y.exact_integer().filter(|n| !n.is_negative()).map(|n| dx.saturating_mul(n.unsigned_abs()))
        }
    }
}
