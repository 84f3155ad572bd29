//! What the structure of a tape alone proves: on which inputs outputs depend, in which they have the period 2π, and in which
//! they are affine.

use super::op::Op;
use super::program::{Tape, View};

impl Tape {
    /// Whether each output depends on an input.
    pub fn reads(&self, input: usize) -> Vec<bool> {
        let mut reads: Vec<bool> = Vec::new();
        for view in self.values() {
            reads.push(match view {
                View::Input(i) => i == input,
                View::Constant(_) => false,
                View::Node(op, a, b) => reads[a] || (op.is_binary() && reads[b]),
            });
        }
        self.output_values().map(|v| reads[v]).collect()
    }

    /// Whether each output is proven to be affine in some inputs together, the others being fixed.
    pub fn is_affine(&self, moving: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut degrees: Vec<u32> = Vec::new();
        for view in self.values() {
            degrees.push(match view {
                View::Input(i) => u32::from(moving(i)),
                View::Constant(_) => 0,
                View::Node(op, a, b) => degree(op, degrees[a], if op.is_binary() { degrees[b] } else { 0 }),
            });
        }
        self.output_values().map(|v| degrees[v] < 2).collect()
    }

    /// Whether each output is proven to have the period 2π in an input: every way from the input leads through the
    /// sine, cosine or tangent of a sum in which it has a whole coefficient.
    pub fn is_periodic(&self, input: usize) -> Vec<bool> {
        // the coefficient of the input in a value; 0 for a value that has the period; none if nothing is known
        let mut turns: Vec<Option<f64>> = Vec::new();
        let mut constants: Vec<Option<f64>> = Vec::new();
        for view in self.values() {
            let (turn, constant) = match view {
                View::Input(i) => (Some(if i == input { 1.0 } else { 0.0 }), None),
                View::Constant(x) => (Some(0.0), Some(x)),
                View::Node(op, a, b) => {
                    let b = if op.is_binary() { b } else { a };
                    (coefficient(op, (turns[a], constants[a]), (turns[b], constants[b])), None)
                }
            };
            turns.push(turn);
            constants.push(constant);
        }
        self.output_values().map(|v| turns[v] == Some(0.0)).collect()
    }
}

/// A bound of the degree of op(a, b), from those of the operands; 2 stands for everything beyond affine.
fn degree(op: Op, a: u32, b: u32) -> u32 {
    match op {
        Op::Add | Op::Sub | Op::Neg => a.max(b),
        Op::Mul => (a + b).min(2),
        Op::Div if b == 0 => a,
        _ if a.max(b) == 0 => 0,
        _ => 2,
    }
}

type Known = (Option<f64>, Option<f64>);

/// The coefficient in op(a, b), from the coefficients of the operands and their values if they are constant.
fn coefficient(op: Op, (a, x): Known, (b, y): Known) -> Option<f64> {
    let (a, b) = (a?, b?);
    let whole = |k: f64| (k.fract() == 0.0).then_some(k);
    match (op, x, y) {
        (Op::Add, ..) => Some(a + b),
        (Op::Sub, ..) => Some(a - b),
        (Op::Neg, ..) => Some(-a),
        (Op::Mul, Some(x), _) => whole(x * b),
        (Op::Mul, _, Some(y)) => whole(a * y),
        (Op::Sin | Op::Cos | Op::Tan, ..) => Some(0.0),
        _ => (a == 0.0 && b == 0.0).then_some(0.0),
    }
}
