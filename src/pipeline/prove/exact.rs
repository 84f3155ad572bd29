//! What the text of a number says, exactly: a fraction, or a multiple of π.

use crate::expression::{BinaryOp, Expr, Node};
use crate::prove::Exact;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The exact number of an expression; none of what is neither a fraction nor a multiple of π as it is written.
pub(super) fn exact(expr: &Expr) -> Option<Exact> {
    expr.exact().map(Exact::rational).or_else(|| of_pi(expr).map(Exact::of_pi))
}

/// r of an expression that is r π.
fn of_pi(expr: &Expr) -> Option<BigRational> {
    match &expr.node {
        Node::Pi => Some(BigRational::one()),
        Node::Negate(x) => of_pi(x).map(|r| -r),
        Node::Binary(BinaryOp::Multiply, x, y) => match (of_pi(x), of_pi(y)) {
            (Some(r), None) => Some(r * y.exact()?),
            (None, Some(r)) => Some(x.exact()? * r),
            _ => None,
        },
        Node::Binary(BinaryOp::Divide, x, y) => {
            let by = y.exact().filter(|y| !y.is_zero())?;
            Some(of_pi(x)? / by)
        }
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), x, y) => {
            let (x, y) = (of_pi(x)?, of_pi(y)?);
            Some(if *op == BinaryOp::Add { x + y } else { x - y })
        }
        Node::Binary(..) | Node::Number(_) | Node::Symbol(_) | Node::Call(..) => None,
        Node::Definition(_) | Node::DefinitionRate(_) => None,
    }
}

/// The end of a range: exact where the text is, otherwise a double beyond its value.
pub(super) fn end(expr: &Expr, parameters: &[f64], beyond: fn(f64) -> f64) -> Option<Exact> {
    let value = expr.eval_parametric(parameters);
    let outside = || value.is_finite().then(|| Exact::double(beyond(value)));
    exact(expr).or_else(outside)
}
