//! The operations of a tape and their meaning over a [`Real`].

use crate::num::Real;
use serde::{Deserialize, Serialize};

/// A function of one argument, as the builder takes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are those of mathematics")]
pub enum Unary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Signum,
}

/// An operation of a tape; integer powers are chains of products, so they need none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of mathematics")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Powf,
    Atan2,
    Neg,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Signum,
    Min,
    /// The second operand where the first is positive, and 0 elsewhere.
    Where,
}

impl Op {
    /// Whether the operation reads its second operand.
    pub fn is_binary(self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Powf | Op::Atan2 | Op::Min | Op::Where)
    }

    /// The function of one argument that the operation is; none for arithmetic.
    pub fn unary(self) -> Option<Unary> {
        Unary::ALL.into_iter().find(|&f| Op::from(f) == self)
    }

    /// Whether the operands may be exchanged.
    pub(crate) fn is_commutative(self) -> bool {
        matches!(self, Op::Add | Op::Mul | Op::Min)
    }

    /// The value of the operation; `b` is ignored by operations of one argument.
    #[inline(always)]
    pub fn apply<T: Real>(self, a: T, b: T) -> T {
        match self {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a / b,
            Op::Powf => a.powf(b),
            Op::Atan2 => a.atan2(b),
            Op::Neg => -a,
            Op::Sin => a.sin_cos().0,
            Op::Cos => a.sin_cos().1,
            Op::Tan => a.tan(),
            Op::Asin => a.asin(),
            Op::Acos => a.acos(),
            Op::Atan => a.atan(),
            Op::Sinh => a.sinh(),
            Op::Cosh => a.cosh(),
            Op::Tanh => a.tanh(),
            Op::Sqrt => a.sqrt(),
            Op::Exp => a.exp(),
            Op::Ln => a.ln(),
            Op::Abs => a.abs(),
            Op::Signum => a.signum(),
            Op::Min => a.lesser(b),
            Op::Where => b.where_positive(a),
        }
    }
}

impl From<Unary> for Op {
    fn from(f: Unary) -> Self {
        match f {
            Unary::Sin => Op::Sin,
            Unary::Cos => Op::Cos,
            Unary::Tan => Op::Tan,
            Unary::Asin => Op::Asin,
            Unary::Acos => Op::Acos,
            Unary::Atan => Op::Atan,
            Unary::Sinh => Op::Sinh,
            Unary::Cosh => Op::Cosh,
            Unary::Tanh => Op::Tanh,
            Unary::Sqrt => Op::Sqrt,
            Unary::Exp => Op::Exp,
            Unary::Ln => Op::Ln,
            Unary::Abs => Op::Abs,
            Unary::Signum => Op::Signum,
        }
    }
}

/// How a function treats a negated argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    Odd,
    Even,
    Neither,
}

impl Unary {
    /// Every function.
    pub const ALL: [Unary; 14] = [
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Sqrt,
        Unary::Exp,
        Unary::Ln,
        Unary::Abs,
        Unary::Signum,
    ];

    pub(crate) fn parity(self) -> Parity {
        match self {
            Unary::Sin | Unary::Tan | Unary::Asin | Unary::Atan => Parity::Odd,
            Unary::Sinh | Unary::Tanh | Unary::Signum => Parity::Odd,
            Unary::Cos | Unary::Cosh | Unary::Abs => Parity::Even,
            Unary::Acos | Unary::Sqrt | Unary::Exp | Unary::Ln => Parity::Neither,
        }
    }
}
