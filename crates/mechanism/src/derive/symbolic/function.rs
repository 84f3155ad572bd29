//! The functions of expressions: their values at zero, their symmetries, their derivatives.

use super::algebra::Algebra;
use super::exact::value;
use crate::expression::Function;
use symbolica::atom::{Atom, AtomCore};

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
    /// The smaller of two arguments.
    Min,
    /// The larger of two arguments.
    Max,
    /// Of two arguments: the second where the first is positive, else 0.
    Where,
    /// Of two arguments: base and exponent.
    Power,
    /// The argument itself, kept under a name: a definition, an axis of a frame.
    Name,
}

/// How often the derivative of a power is written with a lower power, which has its true value at zero, before it is
/// written as a multiple of w/x. The equations hold second derivatives, and third ones of a gap between curves.
const DESCENT: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parity {
    Odd,
    Even,
}

pub(super) fn parity(operation: Operation) -> Option<Parity> {
    match operation {
        Operation::Sin | Operation::Tan | Operation::Asin | Operation::Atan => Some(Parity::Odd),
        Operation::Sinh | Operation::Tanh | Operation::Signum => Some(Parity::Odd),
        Operation::Cos | Operation::Cosh | Operation::Abs => Some(Parity::Even),
        Operation::Acos | Operation::Atan2 | Operation::Sqrt => None,
        Operation::Exp | Operation::Log | Operation::Power | Operation::Name => None,
        Operation::Min | Operation::Max | Operation::Where => None,
    }
}

/// The exact value at zero.
pub(super) fn at_zero(operation: Operation, arguments: &[Atom]) -> Option<Atom> {
    if arguments.len() != 1 || !arguments[0].is_zero() {
        return None;
    }
    match operation {
        Operation::Sin | Operation::Tan | Operation::Asin | Operation::Atan => Some(Atom::num(0)),
        Operation::Sinh | Operation::Tanh | Operation::Abs | Operation::Signum => Some(Atom::num(0)),
        Operation::Sqrt | Operation::Name => Some(Atom::num(0)),
        Operation::Cos | Operation::Cosh | Operation::Exp => Some(Atom::num(1)),
        Operation::Acos | Operation::Atan2 | Operation::Log | Operation::Power => None,
        Operation::Min | Operation::Max | Operation::Where => None,
    }
}

pub(super) fn operation(function: Function) -> Operation {
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
        Function::Sign => Operation::Signum,
        Function::Min => Operation::Min,
        Function::Max => Operation::Max,
        // of three arguments, see `Algebra::choice`
        Function::If => Operation::Where,
    }
}

impl Algebra {
    /// ∂f/∂u of w = f(u), in terms of w and u where that is shorter.
    pub(super) fn slopes(&mut self, operation: Operation, w: Atom, u: &[Atom]) -> Vec<Atom> {
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
            Operation::Min | Operation::Max => return self.lesser_slopes(operation, u),
            Operation::Where => return vec![Atom::num(0), self.apply(Operation::Where, vec![x, one])],
            Operation::Name => one,
            Operation::Power => return self.power_slopes(w, u),
        }]
    }

    /// 1 for the argument that is the result, 0 for the other.
    fn lesser_slopes(&mut self, operation: Operation, u: &[Atom]) -> Vec<Atom> {
        let first = self.apply(Operation::Where, vec![&u[1] - &u[0], Atom::num(1)]);
        let other = Atom::num(1) - &first;
        if operation == Operation::Min { vec![first, other] } else { vec![other, first] }
    }

    /// y where c > 0, and z elsewhere.
    pub(super) fn choice(&mut self, [c, y, z]: [Atom; 3]) -> Atom {
        let sign = self.apply(Operation::Signum, vec![c.clone()]);
        let not = Atom::num(1) / Atom::num(2) - sign;
        self.apply(Operation::Where, vec![c, y]) + self.apply(Operation::Where, vec![not, z])
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
}
