//! How outputs depend on inputs, as far as the instructions show it.

use super::op::Op;
use super::program::{Tape, View};

/// How a number depends on some inputs; a larger one includes a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// Not at all.
    Constant,
    /// As an affine function, whose coefficients do not depend on them.
    Affine,
    /// Otherwise, or nothing is known.
    Other,
}

impl Tape {
    /// How each output depends on the inputs that `varies` picks.
    pub fn degrees(&self, varies: impl Fn(usize) -> bool) -> Vec<Degree> {
        let mut degrees: Vec<Degree> = Vec::new();
        for view in self.values() {
            degrees.push(match view {
                View::Input(i) if varies(i) => Degree::Affine,
                View::Input(_) | View::Constant(_) => Degree::Constant,
                View::Node(op, a, b) => {
                    let b = if op.is_binary() { degrees[b] } else { Degree::Constant };
                    combined(op, degrees[a], b)
                }
            });
        }
        self.output_values().map(|value| degrees[value]).collect()
    }
}

fn combined(op: Op, a: Degree, b: Degree) -> Degree {
    let largest = a.max(b);
    match op {
        _ if largest == Degree::Constant => Degree::Constant,
        Op::Add | Op::Sub | Op::Neg => largest,
        Op::Mul if a.min(b) == Degree::Constant => largest,
        Op::Div if b == Degree::Constant => a,
        _ => Degree::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::Degree;
    use crate::{Builder, Op};

    #[test]
    fn products_of_what_varies_are_not_affine() {
        let mut builder = Builder::new(3);
        let [x, y, p] = [0, 1, 2].map(|i| builder.input(i));
        let (sum, scaled) = (builder.add(x, y), builder.mul(p, x));
        let outputs = [
            builder.mul(p, p),
            builder.add(sum, scaled),
            builder.mul(x, y),
            builder.div(scaled, p),
            builder.div(p, x),
            builder.apply(Op::Sin, p, p),
            builder.apply(Op::Sin, x, x),
        ];
        let found = builder.finish(&outputs).degrees(|input| input < 2);
        use Degree::{Affine, Constant, Other};
        assert_eq!(found, [Constant, Affine, Other, Affine, Other, Constant, Other]);
    }
}
