//! Numeric evaluation over any [`Real`]: the route that checks tapes and resolves states.

use super::tree::{BinaryOp, Expr, Function, Node, Symbol};
use crate::num::{Dual, Real};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// The values of all symbols.
#[derive(Clone, Copy, Debug)]
pub struct Env<'v, T> {
    /// t.
    pub t: T,
    /// Coordinates.
    pub q: &'v [T],
    /// Velocities.
    pub v: &'v [T],
    /// Parameters.
    pub parameters: &'v [T],
    /// What the definitions stand for.
    pub definitions: &'v [Expr],
}

impl<T: Real> Env<'_, T> {
    fn symbol(&self, symbol: Symbol) -> T {
        let (list, i) = match symbol {
            Symbol::Time => return self.t,
            Symbol::Coordinate(i) => (self.q, i),
            Symbol::Rate(i) => (self.v, i),
            Symbol::Parameter(i) => (self.parameters, i),
        };
        list.get(i).copied().unwrap_or_else(|| T::from_f64(f64::NAN))
    }

    /// A symbol that moves as v says, and t at the rate 1. What moves at rates that are not known here has none.
    fn moving(&self, symbol: Symbol) -> Dual<T> {
        let rate = match symbol {
            Symbol::Time => T::from_f64(1.0),
            Symbol::Coordinate(i) => self.symbol(Symbol::Rate(i)),
            Symbol::Parameter(_) => T::from_f64(0.0),
            Symbol::Rate(_) => T::from_f64(f64::NAN),
        };
        Dual::new(self.symbol(symbol), rate)
    }

    /// The value of a definition.
    fn definition(&self, i: usize) -> T {
        self.definitions.get(i).map_or_else(|| T::from_f64(f64::NAN), |x| x.eval(self))
    }

    /// The value of a definition and its time derivative.
    fn moving_definition(&self, i: usize) -> Dual<T> {
        self.definitions.get(i).map_or_else(|| Dual::fixed(T::from_f64(f64::NAN)), |x| x.moving(self))
    }
}

/// The double nearest to a literal; most are small integers, which need no division of long integers.
fn nearest(value: &BigRational) -> f64 {
    match value.numer().to_i64() {
        Some(integer) if value.is_integer() => integer as f64,
        _ => value.to_f64().unwrap_or(f64::NAN),
    }
}

impl Expr {
    /// The value at `env`; a symbol without a value is not a number.
    pub fn eval<T: Real>(&self, env: &Env<T>) -> T {
        match &self.node {
            Node::Number(value) => T::from_f64(nearest(value)),
            Node::Pi => T::from_f64(std::f64::consts::PI),
            Node::Symbol(symbol) => env.symbol(*symbol),
            Node::Definition(i) => env.definition(*i),
            Node::DefinitionRate(i) => env.moving_definition(*i).eps,
            Node::Negate(x) => -x.eval(env),
            Node::Binary(BinaryOp::Power, x, n) => match n.exact_integer() {
                Some(n) => x.eval(env).powi(n),
                None => x.eval(env).powf(n.eval(env)),
            },
            Node::Binary(op, x, y) => binary(*op, x.eval(env), y.eval(env)),
            Node::Call(function, arguments) => match arguments.as_slice() {
                [x] => unary(*function, x.eval(env)),
                [x, y] => of_two(*function, x.eval(env), y.eval(env)),
                [c, x, y] => choice(c.eval(env), x.eval(env), y.eval(env)),
                _ => T::from_f64(f64::NAN),
            },
        }
    }

    /// The value and its time derivative; of an expression without velocities.
    fn moving<T: Real>(&self, env: &Env<T>) -> Dual<T> {
        match &self.node {
            Node::Number(_) | Node::Pi => Dual::fixed(self.eval(env)),
            Node::Symbol(symbol) => env.moving(*symbol),
            Node::Definition(i) => env.moving_definition(*i),
            Node::DefinitionRate(_) => Dual::fixed(T::from_f64(f64::NAN)),
            Node::Negate(x) => -x.moving(env),
            Node::Binary(BinaryOp::Power, x, n) => match n.exact_integer() {
                Some(n) => x.moving(env).powi(n),
                None => x.moving(env).powf(n.moving(env)),
            },
            Node::Binary(op, x, y) => binary(*op, x.moving(env), y.moving(env)),
            Node::Call(function, arguments) => match arguments.as_slice() {
                [x] => unary(*function, x.moving(env)),
                [x, y] => of_two(*function, x.moving(env), y.moving(env)),
                [c, x, y] => choice(c.moving(env), x.moving(env), y.moving(env)),
                _ => Dual::fixed(T::from_f64(f64::NAN)),
            },
        }
    }

    /// The smallest part whose value is not `fine` at `env`, if the whole is not.
    pub fn first_fault<T: Real>(&self, env: &Env<T>, fine: &impl Fn(T) -> bool) -> Option<&Expr> {
        if fine(self.eval(env)) {
            return None;
        }
        Some(self.parts().find_map(|part| part.first_fault(env, fine)).unwrap_or(self))
    }

    /// The smallest part without names whose value is not finite, with the value: `1/0`, `log(0)`, `9^9^9`.
    pub fn undefined_constant(&self) -> Option<(&Expr, f64)> {
        self.parts().find_map(Expr::undefined_constant).or_else(|| {
            let value = self.is_constant().then(|| self.eval_parametric(&[]))?;
            (!value.is_finite()).then_some((self, value))
        })
    }

    /// The value in parameters alone.
    pub fn eval_parametric(&self, parameters: &[f64]) -> f64 {
        self.eval(&Env { t: f64::NAN, q: &[], v: &[], parameters, definitions: &[] })
    }
}

fn binary<T: Real>(op: BinaryOp, x: T, y: T) -> T {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply => x * y,
        BinaryOp::Divide => x / y,
        BinaryOp::Power => x.powf(y),
    }
}

fn of_two<T: Real>(function: Function, x: T, y: T) -> T {
    match function {
        Function::Min => x.lesser(y),
        Function::Max => -(-x).lesser(-y),
        _ => x.atan2(y),
    }
}

/// x where c > 0, and y elsewhere.
fn choice<T: Real>(c: T, x: T, y: T) -> T {
    x.where_positive(c) + y.where_positive(T::from_f64(0.5) - c.signum())
}

fn unary<T: Real>(function: Function, x: T) -> T {
    match function {
        Function::Sin => x.sin_cos().0,
        Function::Cos => x.sin_cos().1,
        Function::Tan => x.tan(),
        Function::Asin => x.asin(),
        Function::Acos => x.acos(),
        Function::Atan => x.atan(),
        Function::Atan2 => x.atan2(T::from_f64(1.0)),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Tanh => x.tanh(),
        Function::Sqrt => x.sqrt(),
        Function::Exp => x.exp(),
        Function::Log => x.ln(),
        Function::Abs => x.abs(),
        Function::Sign => x.signum(),
        Function::Min | Function::Max | Function::If => T::from_f64(f64::NAN),
    }
}
