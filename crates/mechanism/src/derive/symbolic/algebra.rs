//! Expressions as Symbolica's atoms, and their derivatives.
//!
//! Every number a mechanism depends on is an internal symbol (`t`, `q0`, `v0`, `p0`, …), whatever its name in the
//! file, and so is every value of a function: w_k stands for f_k(u_k). Atoms are then rational functions of
//! symbols, and a derivative is the chain rule over the functions,
//!
//! ```text
//! dE/dx = ∂E/∂x + Σ_k ∂E/∂w_k · f_k'(u_k) · du_k/dx .
//! ```
//!
//! A sine that occurs in a hundred places is one symbol, and a tape computes it once. So are a definition and a
//! component of a frame's axes: they are kept as they are, their derivatives known by other means, and what is made of
//! them stays short however long a chain of frames is.

use super::difference::Difference;
use super::exact::{constant, rational};
use super::function::{Operation, Parity, at_zero, operation, parity};
use crate::diag::Span;
use crate::expression::{BinaryOp, Expr, Function, Node, Symbol as Name};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use std::collections::BTreeMap;
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};
use symbolica::symbol;

/// w = f(arguments).
pub(super) struct Generator {
    pub(super) symbol: Symbol,
    pub(super) operation: Operation,
    pub(super) arguments: Vec<Atom>,
    /// dw/dx for the symbols x it changes with.
    pub(super) slopes: Vec<(Symbol, Atom)>,
    /// dw/dt at v̇ = 0, where it is known otherwise than by the slopes.
    pub(super) rate: Option<Atom>,
}

impl Generator {
    pub(super) fn slope(&self, x: Symbol) -> Option<&Atom> {
        self.slopes.iter().find(|(y, _)| *y == x).map(|(_, slope)| slope)
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Pi,
    Time,
    Coordinate(usize),
    Rate(usize),
    Parameter(usize),
    Generator(usize),
}

/// What a value is differentiated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Time,
    Coordinate(usize),
    Rate(usize),
}

/// How a value changes.
pub(super) struct Movement {
    /// Its derivatives that are not zero.
    pub(super) slopes: Vec<(Variable, Atom)>,
    /// Its rate at v̇ = 0.
    pub(super) rate: Atom,
}

/// How values with names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameForm {
    /// Frames are kept, link by link: for numbers.
    Kept,
    /// Frames are written out in coordinates: for people, while that is short.
    Expanded,
}

/// The symbols of one mechanism, and the functions met so far.
pub(super) struct Algebra {
    pub(super) pi: Symbol,
    pub(super) time: Symbol,
    pub(super) coordinates: Vec<Symbol>,
    pub(super) rates: Vec<Symbol>,
    pub(super) parameters: Vec<Symbol>,
    pub(super) generators: Vec<Generator>,
    pub(super) meanings: BTreeMap<Symbol, Meaning>,
    pub(super) definitions: Vec<Atom>,
    /// Pairs of angles with the sine and cosine of their difference.
    pub(super) differences: Vec<Difference>,
    pub(super) way: FrameForm,
    /// Derivatives of powers on the way to lower powers.
    pub(super) descent: usize,
    /// The first expression that divides by one that is zero everywhere.
    pub(super) zero_divisor: Option<Span>,
}

fn numbered(letter: char, count: usize) -> Vec<Symbol> {
    (0..count).map(|i| symbol!(format!("mechan::{letter}{i}"))).collect()
}

impl Algebra {
    pub(super) fn new(coordinates: usize, parameters: usize, way: FrameForm) -> Self {
        let (pi, time) = (symbol!("mechan::circle"), symbol!("mechan::t"));
        let letters = [('q', coordinates), ('v', coordinates), ('p', parameters)];
        let [coordinates, rates, parameters] = letters.map(|(letter, count)| numbered(letter, count));
        let mut meanings = BTreeMap::from([(pi, Meaning::Pi), (time, Meaning::Time)]);
        meanings.extend(coordinates.iter().enumerate().map(|(i, &s)| (s, Meaning::Coordinate(i))));
        meanings.extend(rates.iter().enumerate().map(|(i, &s)| (s, Meaning::Rate(i))));
        meanings.extend(parameters.iter().enumerate().map(|(i, &s)| (s, Meaning::Parameter(i))));
        Algebra {
            pi,
            time,
            coordinates,
            rates,
            parameters,
            generators: Vec::new(),
            meanings,
            definitions: Vec::new(),
            differences: Vec::new(),
            way,
            descent: 0,
            zero_divisor: None,
        }
    }

    /// Takes up the definitions that are needed, which expressions may use from now on.
    pub(super) fn define(&mut self, values: &[Expr], needed: &[bool]) {
        for (value, is_needed) in values.iter().zip(needed) {
            let atom = if *is_needed { self.atom(value) } else { Atom::num(0) };
            let named = self.named_value(atom);
            self.definitions.push(named);
        }
    }

    /// What a kept value stands for; anything else is itself.
    pub(super) fn meaning_of(&self, atom: &Atom) -> Atom {
        let kept =
            self.generators.iter().find(|g| g.operation == Operation::Name && Atom::var(g.symbol) == *atom);
        kept.map_or_else(|| atom.clone(), |g| g.arguments[0].clone())
    }

    /// The definition that the k-th value is kept for.
    pub(super) fn definition_of(&self, k: usize) -> Option<usize> {
        let own = Atom::var(self.generators[k].symbol);
        self.definitions.iter().position(|definition| *definition == own)
    }

    /// The place of an expression that divides by one that is zero everywhere, if one was met.
    pub(super) fn zero_divisor(&self) -> Option<Span> {
        self.zero_divisor
    }

    /// A divisor, or 1 instead of one that is zero everywhere, which is noted.
    fn divisor(&mut self, atom: Atom, span: Span) -> Atom {
        if atom.expand().is_zero() {
            self.zero_divisor = self.zero_divisor.or(Some(span));
            return Atom::num(1);
        }
        atom
    }

    pub(super) fn coordinates(&self) -> usize {
        self.coordinates.len()
    }

    pub(super) fn rate(&self, i: usize) -> Atom {
        Atom::var(self.rates[i])
    }

    /// The atom of an expression in parameters that needs no new function.
    pub(super) fn parametric(&self, expr: &Expr) -> Option<Atom> {
        match &expr.node {
            Node::Number(x) => Some(rational(x)),
            Node::Pi => Some(Atom::var(self.pi)),
            Node::Symbol(name) => Some(Atom::var(self.named(*name))),
            Node::Negate(x) => self.parametric(x).map(|x| -x),
            Node::Binary(BinaryOp::Power, ..) | Node::Call(..) => None,
            Node::Definition(_) | Node::DefinitionRate(_) => None,
            Node::Binary(BinaryOp::Divide, x, y) => {
                let under = self.parametric(y).filter(|y| !y.expand().is_zero())?;
                Some(self.parametric(x)? / under)
            }
            Node::Binary(op, x, y) => Some(binary(*op, self.parametric(x)?, self.parametric(y)?)),
        }
    }

    pub(super) fn generator(&self, k: usize) -> &Generator {
        &self.generators[k]
    }

    pub(super) fn generator_count(&self) -> usize {
        self.generators.len()
    }

    /// What a symbol stands for.
    pub(super) fn meaning(&self, symbol: Symbol) -> Option<Meaning> {
        self.meanings.get(&symbol).copied()
    }

    /// The atom of an expression of the format.
    pub(super) fn atom(&mut self, expr: &Expr) -> Atom {
        match &expr.node {
            Node::Number(x) => rational(x),
            Node::Pi => Atom::var(self.pi),
            Node::Symbol(name) => Atom::var(self.named(*name)),
            Node::Definition(i) => self.definitions[*i].clone(),
            Node::DefinitionRate(i) => {
                let value = self.definitions[*i].clone();
                self.rate_of(&value)
            }
            Node::Negate(x) => -self.atom(x),
            Node::Binary(BinaryOp::Power, x, y) => self.power(x, y),
            Node::Binary(BinaryOp::Divide, x, y) => {
                let (over, under) = (self.atom(x), self.atom(y));
                over / self.divisor(under, expr.span)
            }
            Node::Binary(op, x, y) => {
                let (x, y) = (self.atom(x), self.atom(y));
                binary(*op, x, y)
            }
            Node::Call(Function::If, arguments) if arguments.len() == 3 => {
                let [c, x, y] = [0, 1, 2].map(|i| self.atom(&arguments[i]));
                self.choice([c, x, y])
            }
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| self.atom(a)).collect();
                self.apply(operation(*function), arguments)
            }
        }
    }

    /// The atoms of a list of expressions.
    pub(super) fn atoms(&mut self, exprs: &[Expr]) -> Vec<Atom> {
        exprs.iter().map(|e| self.atom(e)).collect()
    }

    fn named(&self, name: Name) -> Symbol {
        match name {
            Name::Time => self.time,
            Name::Coordinate(i) => self.coordinates[i],
            Name::Rate(i) => self.rates[i],
            Name::Parameter(i) => self.parameters[i],
        }
    }

    /// xʸ: an integer power is a rational function; any other is a value of its own.
    fn power(&mut self, x: &Expr, y: &Expr) -> Atom {
        let base = self.atom(x);
        match constant(y) {
            Some(n) if n.is_integer() && n.to_i64().is_some_and(|n| n.unsigned_abs() <= 64) => {
                let base = if n.is_negative() { self.divisor(base, x.span.join(y.span)) } else { base };
                base.pow(n.to_i64().unwrap_or(1))
            }
            Some(half) if half == BigRational::new(1.into(), 2.into()) => self.sqrt(base),
            _ => {
                let exponent = self.atom(y);
                self.apply(Operation::Power, vec![base, exponent])
            }
        }
    }

    /// √x, exact for the squares of integers.
    pub(super) fn sqrt(&mut self, x: Atom) -> Atom {
        match i64::try_from(x.as_view()) {
            Ok(n) if n >= 0 && n.isqrt() * n.isqrt() == n => Atom::num(n.isqrt()),
            _ => self.apply(Operation::Sqrt, vec![x]),
        }
    }

    /// The value of a function: an exact one at zero, an old symbol, or a new one.
    pub(super) fn apply(&mut self, operation: Operation, arguments: Vec<Atom>) -> Atom {
        if let Some(exact) = at_zero(operation, &arguments) {
            return exact;
        }
        if let Some(parity) = parity(operation) {
            let mirrored = vec![-arguments[0].clone()];
            if let Some(old) = self.known(operation, &mirrored) {
                return if parity == Parity::Odd { -old } else { old };
            }
        }
        if let Some(old) = self.known(operation, &arguments) {
            return old;
        }
        self.insert(operation, arguments)
    }

    pub(super) fn known(&self, operation: Operation, arguments: &[Atom]) -> Option<Atom> {
        let same = |g: &&Generator| g.operation == operation && g.arguments == arguments;
        self.generators.iter().find(same).map(|g| Atom::var(g.symbol))
    }

    fn insert(&mut self, operation: Operation, arguments: Vec<Atom>) -> Atom {
        let k = self.push(operation, arguments.clone());
        let w = Atom::var(self.generators[k].symbol);
        let outer = self.slopes(operation, w.clone(), &arguments);
        self.generators[k].slopes = self.chained(&arguments, &outer);
        w
    }

    /// A new symbol, without derivatives.
    fn push(&mut self, operation: Operation, arguments: Vec<Atom>) -> usize {
        let k = self.generators.len();
        let symbol = symbol!(format!("mechan::w{k}"));
        self.meanings.insert(symbol, Meaning::Generator(k));
        self.generators.push(Generator { symbol, operation, arguments, slopes: Vec::new(), rate: None });
        k
    }

    /// A value under a symbol of its own, unless it is as short as one.
    pub(super) fn named_value(&mut self, value: Atom) -> Atom {
        if is_short(value.as_view()) { value } else { self.apply(Operation::Name, vec![value]) }
    }

    /// The same of a value whose derivatives are known: by coordinates and t for a place, by velocities for a velocity.
    /// `rate` is its rate at v̇ = 0. Written out where frames are.
    pub(super) fn moving_value(&mut self, value: Atom, motion: Movement) -> Atom {
        if self.way == FrameForm::Expanded || is_short(value.as_view()) {
            return value;
        }
        if let Some(old) = self.known(Operation::Name, std::slice::from_ref(&value)) {
            return old;
        }
        let k = self.push(Operation::Name, vec![value]);
        let slopes = motion.slopes.into_iter().filter(|(_, slope)| !slope.is_zero());
        let slopes = slopes.map(|(variable, slope)| (self.variable(variable), slope)).collect();
        self.generators[k].slopes = slopes;
        self.generators[k].rate = Some(motion.rate);
        Atom::var(self.generators[k].symbol)
    }

    /// The same of a value that moves as its parts do.
    pub(super) fn kept(&mut self, value: Atom) -> Atom {
        match self.way {
            FrameForm::Kept => self.named_value(value),
            FrameForm::Expanded => value,
        }
    }

    /// dE/dx.
    pub(super) fn by(&self, atom: &Atom, variable: Variable) -> Atom {
        self.derivative(atom, self.variable(variable))
    }

    fn variable(&self, variable: Variable) -> Symbol {
        match variable {
            Variable::Time => self.time,
            Variable::Coordinate(i) => self.coordinates[i],
            Variable::Rate(i) => self.rates[i],
        }
    }

    /// Σ ∂f/∂u_i · du_i/dx for every x that it does not vanish for.
    fn chained(&self, arguments: &[Atom], outer: &[Atom]) -> Vec<(Symbol, Atom)> {
        let total = |x: Symbol| {
            let pairs = arguments.iter().zip(outer).filter(|(_, slope)| !slope.is_zero());
            pairs.fold(Atom::num(0), |sum, (u, slope)| sum + slope * self.derivative(u, x))
        };
        let moving = std::iter::once(&self.time).chain(&self.coordinates).chain(&self.rates);
        moving.map(|&x| (x, total(x))).filter(|(_, slope)| !slope.is_zero()).collect()
    }
}

/// Whether a value is a number, a symbol, or one with its sign turned: nothing that a name would shorten.
fn is_short(view: AtomView<'_>) -> bool {
    match view {
        AtomView::Num(_) | AtomView::Var(_) => true,
        AtomView::Mul(factors) => {
            factors.iter().count() == 2
                && factors.iter().all(|x| match x {
                    AtomView::Num(_) => i64::try_from(x).is_ok_and(|n| n == -1),
                    AtomView::Var(_) => true,
                    _ => false,
                })
                && factors.iter().any(|x| matches!(x, AtomView::Num(_)))
        }
        AtomView::Pow(_) | AtomView::Add(_) | AtomView::Fun(_) => false,
    }
}

fn binary(op: BinaryOp, x: Atom, y: Atom) -> Atom {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply => x * y,
        BinaryOp::Divide | BinaryOp::Power => x / y,
    }
}
