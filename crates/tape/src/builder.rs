//! Building a tape: common subexpressions are found by hash-consing, constants are folded, and identities that
//! cost nothing and round nothing are applied.
//!
//! The identities hold for finite numbers, up to the sign of a zero: x·0 = 0, x + 0 = x, x·1 = x, x − x = 0,
//! −(−x) = x, x + (−y) = x − y, −(x − y) = y − x, (−x)·y = −(x·y), x/2ᵏ = x·2⁻ᵏ. Nothing is reassociated.

use super::op::{Op, Parity, Unary};
use super::places::Places;
use super::program::{Node, Tape};
use crate::num::Real;

/// A number known to a [`Builder`]; meaningless to any other builder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value(u32);

/// What a value is; constants by their bits, so that they can be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expr {
    Input(u32),
    Constant(u64),
    Node(Op, Value, Value),
}

impl Expr {
    /// A number that differs for most expressions.
    fn hash(self) -> u64 {
        let (kind, own) = match self {
            Expr::Input(i) => (0, u64::from(i)),
            Expr::Constant(bits) => (1, bits),
            Expr::Node(op, a, b) => (2 + op as u64, (u64::from(a.0) << 32) | u64::from(b.0)),
        };
        let mixed = (own ^ (own >> 32)).wrapping_add(kind << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ (mixed >> 29) ^ own.rotate_left(17)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

/// Builds a [`Tape`] expression by expression.
///
/// ```
/// use mechan_tape::{Builder, Unary};
/// let mut b = Builder::new(2);
/// let (r, angle) = (b.input(0), b.input(1));
/// let sine = b.unary(Unary::Sin, angle);
/// let y = b.mul(r, sine);
/// let tape = b.finish(&[y]);
/// let mut height = [0.0];
/// tape.eval(&[2.0, std::f64::consts::FRAC_PI_6], &mut height, &mut tape.scratch());
/// assert!((height[0] - 1.0_f64).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    inputs: usize,
    exprs: Vec<Expr>,
    known: Places,
}

impl Builder {
    /// A builder of tapes with `inputs` inputs.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, exprs: Vec::new(), known: Places::default() }
    }

    /// Input `i`.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn input(&mut self, i: usize) -> Value {
        assert!(i < self.inputs, "input {i} of a tape with {} inputs", self.inputs);
        self.intern(Expr::Input(i as u32))
    }

    /// The constant `x`. A constant that is not finite becomes a division by zero, as JSON has no word for it.
    pub fn constant(&mut self, x: f64) -> Value {
        if x.is_finite() {
            return self.intern(Expr::Constant(positive_zero(x).to_bits()));
        }
        let over = if x.is_nan() { 0.0 } else { x.signum() };
        let (over, zero) = (self.constant(over), self.constant(0.0));
        self.intern(Expr::Node(Op::Div, over, zero))
    }

    /// The value of `v`, if it is a constant.
    pub fn as_constant(&self, v: Value) -> Option<f64> {
        match self.expr(v) {
            Expr::Constant(bits) => Some(f64::from_bits(bits)),
            Expr::Input(_) | Expr::Node(..) => None,
        }
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b), self.negated(a), self.negated(b)) {
            (Some(x), Some(y), ..) if (x + y).is_finite() => self.constant(x + y),
            (Some(0.0), ..) => b,
            (_, Some(0.0), ..) => a,
            (_, _, Some(x), Some(y)) => {
                let sum = self.add(x, y);
                self.neg(sum)
            }
            (_, _, _, Some(y)) => self.sub(a, y),
            (_, _, Some(x), _) => self.sub(b, x),
            _ if a == b => {
                let two = self.constant(2.0);
                self.mul(two, a)
            }
            _ => self.node(Op::Add, a, b),
        }
    }

    /// a − b.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b), self.negated(a), self.negated(b)) {
            (Some(x), Some(y), ..) if (x - y).is_finite() => self.constant(x - y),
            (Some(0.0), ..) => self.neg(b),
            (_, Some(0.0), ..) => a,
            _ if a == b => self.constant(0.0),
            (_, _, Some(x), Some(y)) => self.sub(y, x),
            (_, _, _, Some(y)) => self.add(a, y),
            (_, _, Some(x), _) => {
                let sum = self.add(x, b);
                self.neg(sum)
            }
            _ => self.node(Op::Sub, a, b),
        }
    }

    /// a·b.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b), self.negated(a), self.negated(b)) {
            (Some(x), Some(y), ..) if (x * y).is_finite() => self.constant(x * y),
            (Some(x), ..) if self.is_simple_factor(x) => self.scaled(x, b),
            (_, Some(y), ..) if self.is_simple_factor(y) => self.scaled(y, a),
            (_, _, Some(x), Some(y)) => self.mul(x, y),
            (_, _, Some(x), _) => {
                let product = self.mul(x, b);
                self.neg(product)
            }
            (_, _, _, Some(y)) => {
                let product = self.mul(a, y);
                self.neg(product)
            }
            _ => self.node(Op::Mul, a, b),
        }
    }

    /// a/b.
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b), self.negated(a), self.negated(b)) {
            (Some(x), Some(y), ..) if (x / y).is_finite() => self.constant(x / y),
            (Some(0.0), None, ..) => a,
            (_, Some(y), ..) if has_exact_inverse(y) => {
                let inverse = self.constant(1.0 / y);
                self.mul(a, inverse)
            }
            (_, _, Some(x), Some(y)) => self.div(x, y),
            (_, _, Some(x), _) => {
                let quotient = self.div(x, b);
                self.neg(quotient)
            }
            (_, _, _, Some(y)) => {
                let quotient = self.div(a, y);
                self.neg(quotient)
            }
            _ => self.node(Op::Div, a, b),
        }
    }

    /// −a.
    pub fn neg(&mut self, a: Value) -> Value {
        match self.expr(a) {
            Expr::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Expr::Node(Op::Neg, x, _) => x,
            Expr::Node(Op::Sub, x, y) => self.sub(y, x),
            Expr::Input(_) | Expr::Node(..) => self.node(Op::Neg, a, a),
        }
    }

    /// aⁿ by repeated squaring; a⁰ = 1.
    pub fn powi(&mut self, a: Value, n: i32) -> Value {
        let one = self.constant(1.0);
        let (mut power, mut square, mut rest) = (one, a, n.unsigned_abs());
        while rest > 0 {
            if rest & 1 == 1 {
                power = self.mul(power, square);
            }
            rest >>= 1;
            if rest > 0 {
                square = self.mul(square, square);
            }
        }
        if n < 0 { self.div(one, power) } else { power }
    }

    /// aᵇ.
    pub fn powf(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(y)) if is_small_integer(y) => self.powi(a, y as i32),
            (_, Some(0.5)) => self.unary(Unary::Sqrt, a),
            (_, Some(-0.5)) => {
                let (one, root) = (self.constant(1.0), self.unary(Unary::Sqrt, a));
                self.div(one, root)
            }
            (Some(x), Some(y)) if x.powf(y).is_finite() => self.constant(x.powf(y)),
            _ => self.node(Op::Powf, a, b),
        }
    }

    /// f(a).
    pub fn unary(&mut self, f: Unary, a: Value) -> Value {
        let op = Op::from(f);
        if let Some(x) = self.as_constant(a) {
            let y = op.apply(x, x);
            return if y.is_finite() { self.constant(y) } else { self.node(op, a, a) };
        }
        match (self.negated(a), f.parity()) {
            (Some(x), Parity::Even) => self.unary(f, x),
            (Some(x), Parity::Odd) => {
                let value = self.unary(f, x);
                self.neg(value)
            }
            (Some(_), Parity::Neither) | (None, _) => self.node(op, a, a),
        }
    }

    /// The angle of the point (x, y).
    pub fn atan2(&mut self, y: Value, x: Value) -> Value {
        match (self.as_constant(y), self.as_constant(x)) {
            (Some(s), Some(c)) => self.constant(Real::atan2(s, c)),
            _ => self.node(Op::Atan2, y, x),
        }
    }

    /// The smaller of two numbers.
    pub fn min(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.constant(x.lesser(y)),
            _ if a == b => a,
            _ => self.node(Op::Min, a, b),
        }
    }

    /// The larger of two numbers.
    pub fn max(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.neg(a), self.neg(b));
        let least = self.min(a, b);
        self.neg(least)
    }

    /// x where c > 0, and 0 elsewhere.
    pub fn where_positive(&mut self, c: Value, x: Value) -> Value {
        match (self.as_constant(c), self.as_constant(x)) {
            (Some(c), Some(x)) => self.constant(x.where_positive(c)),
            (Some(c), None) if c > 0.0 => x,
            (Some(c), None) if c <= 0.0 => self.constant(0.0),
            _ => self.node(Op::Where, c, x),
        }
    }

    /// x where c > 0, and y elsewhere.
    pub fn choice(&mut self, c: Value, [x, y]: [Value; 2]) -> Value {
        let (half, sign) = (self.constant(0.5), self.unary(Unary::Signum, c));
        let not = self.sub(half, sign);
        let (x, y) = (self.where_positive(c, x), self.where_positive(not, y));
        self.add(x, y)
    }

    /// The tape of `outputs`; what they do not need is left out.
    pub fn finish(self, outputs: &[Value]) -> Tape {
        let needed = self.needed(outputs);
        let mut place = vec![0u32; self.exprs.len()];
        let mut constants = Vec::new();
        for (i, expr) in self.exprs.iter().enumerate() {
            match *expr {
                Expr::Input(k) => place[i] = k,
                Expr::Constant(bits) if needed[i] => {
                    place[i] = (self.inputs + constants.len()) as u32;
                    constants.push(f64::from_bits(bits));
                }
                Expr::Constant(_) | Expr::Node(..) => {}
            }
        }
        let first = (self.inputs + constants.len()) as u32;
        let mut nodes = Vec::new();
        for (i, expr) in self.exprs.iter().enumerate() {
            if let (true, Expr::Node(op, a, b)) = (needed[i], *expr) {
                place[i] = first + nodes.len() as u32;
                nodes.push(Node(op, place[a.0 as usize], place[b.0 as usize]));
            }
        }
        let outputs = outputs.iter().map(|v| place[v.0 as usize]).collect();
        Tape::new(self.inputs, constants, nodes, outputs)
    }

    /// Which expressions the outputs depend on.
    fn needed(&self, outputs: &[Value]) -> Vec<bool> {
        let mut needed = vec![false; self.exprs.len()];
        for v in outputs {
            needed[v.0 as usize] = true;
        }
        for (i, expr) in self.exprs.iter().enumerate().rev() {
            if let (true, Expr::Node(_, a, b)) = (needed[i], *expr) {
                needed[a.0 as usize] = true;
                needed[b.0 as usize] = true;
            }
        }
        needed
    }

    /// The operations that `outputs` depend on, operands before what reads them.
    pub(super) fn operations(&self, outputs: &[Value]) -> Vec<(Value, Op, Value, Value)> {
        let needed = self.needed(outputs);
        let operation = |(i, expr): (usize, &Expr)| match *expr {
            Expr::Node(op, a, b) if needed[i] => Some((Value(i as u32), op, a, b)),
            Expr::Input(_) | Expr::Constant(_) | Expr::Node(..) => None,
        };
        self.exprs.iter().enumerate().filter_map(operation).collect()
    }

    fn expr(&self, v: Value) -> Expr {
        self.exprs[v.0 as usize]
    }

    fn intern(&mut self, expr: Expr) -> Value {
        let next = Value(self.exprs.len() as u32);
        let Self { exprs, known, .. } = self;
        let at = |place: u32| exprs[place as usize];
        let place =
            known.find_or_insert((expr.hash(), next.0), |place| at(place) == expr, |place| at(place).hash());
        if place == next.0 {
            exprs.push(expr);
        }
        Value(place)
    }

    fn node(&mut self, op: Op, a: Value, b: Value) -> Value {
        let (a, b) = if op.is_commutative() && b < a { (b, a) } else { (a, b) };
        self.intern(Expr::Node(op, a, b))
    }

    /// x, if `v` is −x; a negative constant counts.
    fn negated(&mut self, v: Value) -> Option<Value> {
        match self.expr(v) {
            Expr::Node(Op::Neg, x, _) => Some(x),
            Expr::Constant(bits) if f64::from_bits(bits) < 0.0 => Some(self.constant(-f64::from_bits(bits))),
            Expr::Input(_) | Expr::Constant(_) | Expr::Node(..) => None,
        }
    }

    fn is_simple_factor(&self, x: f64) -> bool {
        [0.0, 1.0, -1.0].contains(&x)
    }

    /// x·b for x = 0 or ±1.
    fn scaled(&mut self, x: f64, b: Value) -> Value {
        match x {
            0.0 => self.constant(0.0),
            x if x < 0.0 => self.neg(b),
            _ => b,
        }
    }
}

/// −0 and 0 are one constant.
fn positive_zero(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x }
}

/// Whether x is ± a power of two whose inverse is finite and normal.
fn has_exact_inverse(x: f64) -> bool {
    let mantissa = x.to_bits() << 12;
    mantissa == 0 && x.is_normal() && (1.0 / x).is_normal()
}

/// Whether a power is worth a chain of products.
fn is_small_integer(y: f64) -> bool {
    y.fract() == 0.0 && y.abs() <= f64::from(i16::MAX)
}
