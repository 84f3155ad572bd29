//! Symbols: numbers that write down what is computed with them. A tape that is evaluated over a number type made of symbols leaves a tape
//! for that type: for derivatives over dual numbers, for bounds over balls.

use super::builder::{Builder, Value};
use super::op::Op;
use super::program::Tape;
use crate::num::{Real, repeated_squaring};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that is known, or an expression of a builder.
#[derive(Clone, Copy, Debug)]
pub enum Symbol<'b> {
    /// Known.
    Known(f64),
    /// Of a builder.
    Of(&'b RefCell<Builder>, Value),
}

impl Tape {
    /// The tape with so many inputs whose outputs are what `write` makes of symbols for these.
    pub fn written(inputs: usize, write: impl for<'b> FnOnce(&[Symbol<'b>]) -> Vec<Symbol<'b>>) -> Tape {
        let builder = RefCell::new(Builder::new(inputs));
        let symbols: Vec<Symbol<'_>> = (0..inputs)
            .map(|i| {
                let value = builder.borrow_mut().input(i);
                Symbol::Of(&builder, value)
            })
            .collect();
        let written = write(&symbols);
        let outputs: Vec<Value> = written.into_iter().map(|symbol| symbol.value_in(&builder)).collect();
        drop(symbols);
        builder.into_inner().finish(&outputs)
    }
}

impl<'b> Symbol<'b> {
    fn value_in(self, builder: &RefCell<Builder>) -> Value {
        match self {
            Self::Known(x) => builder.borrow_mut().constant(x),
            Self::Of(_, value) => value,
        }
    }

    fn apply(self, op: Op, other: Self) -> Self {
        let builder = match (self, other) {
            (Self::Known(a), Self::Known(b)) => return Self::Known(op.apply(a, b)),
            (Self::Of(builder, _), _) | (_, Self::Of(builder, _)) => builder,
        };
        let (a, b) = (self.value_in(builder), other.value_in(builder));
        let value = builder.borrow_mut().apply(op, a, b);
        let known = builder.borrow().as_constant(value);
        known.map_or(Self::Of(builder, value), Self::Known)
    }

    fn of(self, op: Op) -> Self {
        self.apply(op, self)
    }
}

impl Add for Symbol<'_> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        self.apply(Op::Add, o)
    }
}

impl Sub for Symbol<'_> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self.apply(Op::Sub, o)
    }
}

impl Mul for Symbol<'_> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        self.apply(Op::Mul, o)
    }
}

impl Div for Symbol<'_> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        self.apply(Op::Div, o)
    }
}

impl Neg for Symbol<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.of(Op::Neg)
    }
}

impl Real for Symbol<'_> {
    fn from_f64(x: f64) -> Self {
        Self::Known(x)
    }
    /// NaN of what is not known.
    fn value(self) -> f64 {
        match self {
            Self::Known(x) => x,
            Self::Of(..) => f64::NAN,
        }
    }
    fn sin_cos(self) -> (Self, Self) {
        (self.of(Op::Sin), self.of(Op::Cos))
    }
    fn tan(self) -> Self {
        self.of(Op::Tan)
    }
    fn asin(self) -> Self {
        self.of(Op::Asin)
    }
    fn acos(self) -> Self {
        self.of(Op::Acos)
    }
    fn atan(self) -> Self {
        self.of(Op::Atan)
    }
    fn atan2(self, x: Self) -> Self {
        self.apply(Op::Atan2, x)
    }
    fn sinh(self) -> Self {
        self.of(Op::Sinh)
    }
    fn cosh(self) -> Self {
        self.of(Op::Cosh)
    }
    fn tanh(self) -> Self {
        self.of(Op::Tanh)
    }
    fn sqrt(self) -> Self {
        self.of(Op::Sqrt)
    }
    fn exp(self) -> Self {
        self.of(Op::Exp)
    }
    fn ln(self) -> Self {
        self.of(Op::Ln)
    }
    fn abs(self) -> Self {
        self.of(Op::Abs)
    }
    fn signum(self) -> Self {
        self.of(Op::Signum)
    }
    fn lesser(self, other: Self) -> Self {
        self.apply(Op::Min, other)
    }
    fn where_positive(self, c: Self) -> Self {
        c.apply(Op::Where, self)
    }
    fn powi(self, n: i32) -> Self {
        repeated_squaring(self, n)
    }
    fn powf(self, y: Self) -> Self {
        self.apply(Op::Powf, y)
    }
}

#[cfg(test)]
mod tests {
    use crate::Tape;
    use crate::num::{Ball, Dual, Real};

    fn pendulum<T: Real>(angle: T, rate: T) -> T {
        let (sin, cos) = angle.sin_cos();
        sin * rate * rate / (T::from_f64(1.5) - cos) + (T::from_f64(2.0) + cos).sqrt()
    }

    /// What is written is what is computed: derivatives, and bounds of them.
    #[test]
    fn a_tape_over_symbols_is_a_tape_for_the_number_type() {
        let tape = Tape::written(8, |x| {
            let part = |i: usize| Dual::new(Ball::new(x[i], x[i + 1]), Ball::new(x[i + 2], x[i + 3]));
            let found = pendulum(part(0), part(4));
            vec![found.re.mid, found.re.rad, found.eps.mid, found.eps.rad]
        });
        let x = [0.4, 0.1, 1.2, 0.2, 1.1, 0.05, -0.3, 0.1];
        let part = |i: usize| Dual::new(Ball::new(x[i], x[i + 1]), Ball::new(x[i + 2], x[i + 3]));
        let found = pendulum(part(0), part(4));
        let expected = [found.re.mid, found.re.rad, found.eps.mid, found.eps.rad];
        let mut outputs = [0.0; 4];
        tape.eval(&x, &mut outputs, &mut tape.scratch());
        for (x, expected) in outputs.into_iter().zip(expected) {
            assert!((x - expected).abs() <= 1e-14 * expected.abs(), "{x} {expected}");
        }
    }
}
