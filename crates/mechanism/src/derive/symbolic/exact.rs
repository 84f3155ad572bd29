//! Exact numbers of expressions as atoms, and back.

use crate::expression::{BinaryOp, Expr, Node};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use symbolica::atom::{Atom, AtomCore};

/// The value of an exponent made of literals only.
pub(super) fn constant(expr: &Expr) -> Option<BigRational> {
    match &expr.node {
        Node::Number(x) => Some(x.clone()),
        Node::Negate(x) => constant(x).map(|x| -x),
        Node::Binary(BinaryOp::Divide, x, y) => {
            constant(y).filter(|y| !y.is_zero()).and_then(|y| constant(x).map(|x| x / y))
        }
        Node::Pi | Node::Symbol(_) | Node::Binary(..) | Node::Call(..) => None,
        Node::Definition(_) | Node::DefinitionRate(_) => None,
    }
}

/// The value of an atom that is a number.
pub(super) fn value(atom: &Atom) -> Option<f64> {
    let text = atom.to_canonical_string();
    let (over, under) = text.split_once('/').unwrap_or((&text, "1"));
    over.parse::<f64>().ok().and_then(|n| under.parse::<f64>().ok().map(|d| n / d))
}

/// The exact atom of a rational.
pub(super) fn rational(x: &BigRational) -> Atom {
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
