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
//! A sine that occurs in a hundred places is one symbol, and a tape computes it once.

use crate::diag::Span;
use crate::expression::{BinaryOp, Expr, Function, Node, Symbol as Name};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use symbolica::atom::{Atom, AtomCore, Symbol};
use symbolica::symbol;

/// A function whose value has a symbol of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    /// Of two arguments: y and x.
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Sqrt,
    Exp,
    Log,
    Abs,
    /// The derivative of `Abs`.
    Signum,
    /// Of two arguments: base and exponent.
    Power,
}

/// w = f(arguments).
pub(super) struct Generator {
    pub(super) symbol: Symbol,
    pub(super) operation: Operation,
    pub(super) arguments: Vec<Atom>,
    /// dw/dx for the symbols x it changes with.
    slopes: Vec<(Symbol, Atom)>,
}

impl Generator {
    fn slope(&self, x: Symbol) -> Option<&Atom> {
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

/// The symbols of one mechanism, and the functions met so far.
pub(super) struct Algebra {
    pi: Symbol,
    time: Symbol,
    coordinates: Vec<Symbol>,
    rates: Vec<Symbol>,
    parameters: Vec<Symbol>,
    generators: Vec<Generator>,
    /// Derivatives of powers on the way to lower powers.
    descent: usize,
    /// The first expression that divides by one that is zero everywhere.
    zero_divisor: Option<Span>,
}

/// How often the derivative of a power is written with a lower power, which has its true value at zero, before it is
/// written as a multiple of w/x. The equations hold second derivatives, and third ones of a gap between curves.
const DESCENT: usize = 4;

fn numbered(letter: char, count: usize) -> Vec<Symbol> {
    (0..count).map(|i| symbol!(format!("mechan::{letter}{i}"))).collect()
}

impl Algebra {
    pub(super) fn new(coordinates: usize, parameters: usize) -> Self {
        Algebra {
            pi: symbol!("mechan::circle"),
            time: symbol!("mechan::t"),
            coordinates: numbered('q', coordinates),
            rates: numbered('v', coordinates),
            parameters: numbered('p', parameters),
            generators: Vec::new(),
            descent: 0,
            zero_divisor: None,
        }
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
        let place = |all: &[Symbol]| all.iter().position(|&s| s == symbol);
        if symbol == self.pi {
            return Some(Meaning::Pi);
        }
        if symbol == self.time {
            return Some(Meaning::Time);
        }
        (self.generators.iter().position(|g| g.symbol == symbol).map(Meaning::Generator))
            .or_else(|| place(&self.coordinates).map(Meaning::Coordinate))
            .or_else(|| place(&self.rates).map(Meaning::Rate))
            .or_else(|| place(&self.parameters).map(Meaning::Parameter))
    }

    /// The atom of an expression of the format.
    pub(super) fn atom(&mut self, expr: &Expr) -> Atom {
        match &expr.node {
            Node::Number(x) => rational(x),
            Node::Pi => Atom::var(self.pi),
            Node::Symbol(name) => Atom::var(self.named(*name)),
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

    fn known(&self, operation: Operation, arguments: &[Atom]) -> Option<Atom> {
        let same = |g: &&Generator| g.operation == operation && g.arguments == arguments;
        self.generators.iter().find(same).map(|g| Atom::var(g.symbol))
    }

    fn insert(&mut self, operation: Operation, arguments: Vec<Atom>) -> Atom {
        let k = self.generators.len();
        let symbol = symbol!(format!("mechan::w{k}"));
        self.generators.push(Generator {
            symbol,
            operation,
            arguments: arguments.clone(),
            slopes: Vec::new(),
        });
        let outer = self.slopes(operation, Atom::var(symbol), &arguments);
        self.generators[k].slopes = self.chained(&arguments, &outer);
        Atom::var(symbol)
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

    /// ∂f/∂u of w = f(u), in terms of w and u where that is shorter.
    fn slopes(&mut self, operation: Operation, w: Atom, u: &[Atom]) -> Vec<Atom> {
        let (one, x) = (Atom::num(1), u[0].clone());
        let root = |a: &mut Self, s: Atom| Atom::num(1) / a.sqrt(s);
        vec![match operation {
            Operation::Sin => self.apply(Operation::Cos, vec![x]),
            Operation::Cos => -self.apply(Operation::Sin, vec![x]),
            Operation::Tan => one + w.pow(2),
            Operation::Asin => root(self, one - x.pow(2)),
            Operation::Acos => -root(self, one - x.pow(2)),
            Operation::Atan => one.clone() / (one + x.pow(2)),
            Operation::Sinh => self.apply(Operation::Cosh, vec![x]),
            Operation::Cosh => self.apply(Operation::Sinh, vec![x]),
            Operation::Tanh => one - w.pow(2),
            Operation::Sqrt => one / (w * Atom::num(2)),
            Operation::Exp => w,
            Operation::Log => one / x,
            Operation::Abs => self.apply(Operation::Signum, vec![x]),
            Operation::Signum => Atom::num(0),
            Operation::Atan2 => {
                let (y, x) = (x, u[1].clone());
                let r2 = x.pow(2) + y.pow(2);
                return vec![x / r2.clone(), -y / r2];
            }
            Operation::Power => return self.power_slopes(w, u),
        }]
    }

    /// ∂(xʸ)/∂x = y·xʸ⁻¹, written as y·xʸ/x unless y is a number above 1 (which, or [`DESCENT`], ends the descent);
    /// ∂(xʸ)/∂y = xʸ ln x, left out where the exponent is constant. A constant base has no slope.
    fn power_slopes(&mut self, w: Atom, u: &[Atom]) -> Vec<Atom> {
        let (x, y) = (u[0].clone(), u[1].clone());
        let lower = &y - Atom::num(1);
        let by_base = match value(&y) {
            _ if self.is_constant(&x) => Atom::num(0),
            Some(number) if number > 1.0 && self.descent < DESCENT => {
                self.descent += 1;
                let power = self.apply(Operation::Power, vec![x.clone(), lower]);
                self.descent -= 1;
                &y * power
            }
            Some(_) | None => &y * &w / &x,
        };
        if self.is_constant(&y) {
            return vec![by_base, Atom::num(0)];
        }
        vec![by_base, w * self.apply(Operation::Log, vec![x])]
    }

    /// Whether an atom depends on parameters only.
    pub(super) fn is_constant(&self, atom: &Atom) -> bool {
        let time = std::iter::once(&self.time);
        let moving: Vec<Symbol> = time.chain(&self.coordinates).chain(&self.rates).copied().collect();
        moving.iter().all(|&x| self.derivative(atom, x).is_zero())
    }

    /// dE/dx over the functions' arguments.
    fn derivative(&self, atom: &Atom, x: Symbol) -> Atom {
        let moved = self.generators.iter().filter_map(|g| g.slope(x).map(|slope| (g.symbol, slope)));
        moved.fold(atom.derivative(x), |sum, (w, slope)| sum + atom.derivative(w) * slope)
    }

    /// cos² = 1 − sin² in a multiplied-out expression.
    pub(super) fn pythagoras_cos(&self, atom: &Atom) -> Atom {
        self.complemented(atom, Operation::Cos, Operation::Sin)
    }

    /// The expression at v = 0.
    pub(super) fn at_rest(&self, atom: &Atom) -> Atom {
        let zero = |x: Atom, &v: &Symbol| x.replace(Atom::var(v)).with(Atom::num(0));
        self.rates.iter().fold(atom.expand(), zero)
    }

    /// sin² = 1 − cos² in a multiplied-out expression.
    pub(super) fn pythagoras(&self, atom: &Atom) -> Atom {
        self.complemented(atom, Operation::Sin, Operation::Cos)
    }

    /// `from`² = 1 − `to`², from the highest even power down.
    fn complemented(&self, atom: &Atom, from: Operation, to: Operation) -> Atom {
        let mut short = atom.clone();
        for g in self.generators.iter().filter(|g| g.operation == from) {
            let Some(other) = self.known(to, &g.arguments) else { continue };
            let complement = Atom::num(1) - other.pow(2);
            for power in (2..=6).rev() {
                let rest = Atom::var(g.symbol).pow(power % 2) * complement.pow(power / 2);
                short = short.replace(Atom::var(g.symbol).pow(power)).with(rest);
            }
            short = short.expand();
        }
        short
    }

    /// ∂E/∂q_i.
    pub(super) fn by_coordinate(&self, atom: &Atom, i: usize) -> Atom {
        self.derivative(atom, self.coordinates[i])
    }

    /// ∂E/∂v_i.
    pub(super) fn by_rate(&self, atom: &Atom, i: usize) -> Atom {
        self.derivative(atom, self.rates[i])
    }

    /// ∂E/∂t.
    pub(super) fn by_time(&self, atom: &Atom) -> Atom {
        self.derivative(atom, self.time)
    }

    /// (∂E/∂q_0, …).
    pub(super) fn gradient(&self, atom: &Atom) -> Vec<Atom> {
        (0..self.coordinates()).map(|i| self.by_coordinate(atom, i)).collect()
    }

    /// dE/dt at v̇ = 0: Σ ∂E/∂q_i v_i + ∂E/∂t.
    pub(super) fn rate_of(&self, atom: &Atom) -> Atom {
        let flow = |sum: Atom, i: usize| sum + self.by_coordinate(atom, i) * self.rate(i);
        (0..self.coordinates()).fold(self.by_time(atom), flow)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Parity {
    Odd,
    Even,
}

fn parity(operation: Operation) -> Option<Parity> {
    match operation {
        Operation::Sin | Operation::Tan | Operation::Asin | Operation::Atan => Some(Parity::Odd),
        Operation::Sinh | Operation::Tanh | Operation::Signum => Some(Parity::Odd),
        Operation::Cos | Operation::Cosh | Operation::Abs => Some(Parity::Even),
        Operation::Acos | Operation::Atan2 | Operation::Sqrt => None,
        Operation::Exp | Operation::Log | Operation::Power => None,
    }
}

/// The exact value at zero.
fn at_zero(operation: Operation, arguments: &[Atom]) -> Option<Atom> {
    if arguments.len() != 1 || !arguments[0].is_zero() {
        return None;
    }
    match operation {
        Operation::Sin | Operation::Tan | Operation::Asin | Operation::Atan => Some(Atom::num(0)),
        Operation::Sinh | Operation::Tanh | Operation::Abs | Operation::Signum => Some(Atom::num(0)),
        Operation::Sqrt => Some(Atom::num(0)),
        Operation::Cos | Operation::Cosh | Operation::Exp => Some(Atom::num(1)),
        Operation::Acos | Operation::Atan2 | Operation::Log | Operation::Power => None,
    }
}

fn operation(function: Function) -> Operation {
    match function {
        Function::Sin => Operation::Sin,
        Function::Cos => Operation::Cos,
        Function::Tan => Operation::Tan,
        Function::Asin => Operation::Asin,
        Function::Acos => Operation::Acos,
        Function::Atan => Operation::Atan,
        Function::Atan2 => Operation::Atan2,
        Function::Sinh => Operation::Sinh,
        Function::Cosh => Operation::Cosh,
        Function::Tanh => Operation::Tanh,
        Function::Sqrt => Operation::Sqrt,
        Function::Exp => Operation::Exp,
        Function::Log => Operation::Log,
        Function::Abs => Operation::Abs,
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

/// The value of an exponent made of literals only.
fn constant(expr: &Expr) -> Option<BigRational> {
    match &expr.node {
        Node::Number(x) => Some(x.clone()),
        Node::Negate(x) => constant(x).map(|x| -x),
        Node::Binary(BinaryOp::Divide, x, y) => {
            constant(y).filter(|y| !y.is_zero()).and_then(|y| constant(x).map(|x| x / y))
        }
        Node::Pi | Node::Symbol(_) | Node::Binary(..) | Node::Call(..) => None,
    }
}

/// The value of an atom that is a number.
pub(super) fn value(atom: &Atom) -> Option<f64> {
    let text = atom.to_canonical_string();
    let (over, under) = text.split_once('/').unwrap_or((&text, "1"));
    over.parse::<f64>().ok().and_then(|n| under.parse::<f64>().ok().map(|d| n / d))
}

/// The exact atom of a rational.
fn rational(x: &BigRational) -> Atom {
    let numerator = integer(&x.numer().abs());
    let size = if x.denom().is_one() { numerator } else { numerator / integer(x.denom()) };
    if x.is_negative() { -size } else { size }
}

/// The exact atom of an integer of any size: its 32-bit digits by Horner's rule.
fn integer(x: &BigInt) -> Atom {
    let (_, digits): (Sign, Vec<u32>) = x.to_u32_digits();
    let base = Atom::num(1i64 << 32);
    digits.iter().rev().fold(Atom::num(0), |sum, &d| sum * &base + Atom::num(i64::from(d)))
}
