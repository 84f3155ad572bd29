//! Signs of a value over a box by its slopes along the inputs.
//!
//! A sweep backwards encloses every ∂v/∂xⱼ over the box X. Where the mean value theorem does not hold on all of X (a jump, a pole, an argument
//! outside of a domain) the slope is the whole line; `abs` and `min` have generalised slopes where they bend. Along an input whose slope has one
//! sign, v is least at one face: the input moves there. With the others, x, in the middle c of their sides,
//!
//! > v ≥ v(face, X) and v ≥ v(face, c) + Σⱼ ∂v/∂xⱼ(X) (Xⱼ − cⱼ).

use crate::formula::Sign;
use crate::interval::Interval::{self, Ends, Whole};
use crate::tape::{Binary, Node, Tape, Unary};

/// Derivatives of a node by its operands, where its value is defined; 0 by the second one if there is but one.
fn partials(node: Node, value: Interval, values: &[Interval]) -> [Interval; 2] {
    let [a, b] = node.operands();
    let (x, y) = (values[a as usize], values[b as usize]);
    let (zero, one) = (Interval::ZERO, Interval::ONE);
    let op = match node {
        Node::One(op, _) => op,
        Node::Two(Binary::Add, ..) => return [one, one],
        Node::Two(Binary::Sub, ..) => return [one, -one],
        Node::Two(Binary::Mul, ..) if a == b => return [x + x, zero],
        Node::Two(Binary::Mul, ..) => return [y, x],
        Node::Two(Binary::Div, ..) => return [one / y, -(value / y)],
        // (x + y − |x − y|)/2
        Node::Two(Binary::Min, ..) => {
            return [one - bend(x - y), one + bend(x - y)].map(|slope| slope / (one + one));
        }
        Node::Two(Binary::Where, ..) if x.is_positive() => return [zero, one],
        Node::Two(Binary::Where, ..) if Sign::Nonpositive.is_of(x) => return [zero, zero],
        Node::Two(Binary::Where, ..) => return [Whole, Whole],
    };
    let slope = match op {
        Unary::Neg => -one,
        Unary::Sin => x.cos(),
        Unary::Cos => -x.sin(),
        Unary::Tan => one + value.square(),
        Unary::Sqrt => one / (value + value),
        Unary::Exp => value,
        Unary::Ln => one / x,
        Unary::Atan => one / (one + x.square()),
        Unary::Abs => bend(x),
        Unary::Signum if x.is_apart_from_zero() => zero,
        Unary::Signum => Whole,
    };
    [slope, zero]
}

/// The slope of |x|.
fn bend(x: Interval) -> Interval {
    match x {
        _ if x.is_nonnegative() => Interval::ONE,
        _ if Sign::Nonpositive.is_of(x) => -Interval::ONE,
        _ => Interval::UNIT,
    }
}

/// The slope of v along each value that it is made of, over the box where these are the values.
fn slopes(tape: &Tape, steps: &[(u32, Node)], values: &[Interval], v: u32) -> Vec<Interval> {
    let mut slopes = vec![Interval::ZERO; tape.len()];
    slopes[v as usize] = Interval::ONE;
    for &(value, node) in steps.iter().rev() {
        let slope = slopes[value as usize];
        let partials = partials(node, values[value as usize], values);
        for (operand, partial) in node.operands().into_iter().zip(partials) {
            // what makes no difference makes none, however that varies
            if slope != Interval::ZERO && partial != Interval::ZERO && tape.is_varying(operand) {
                slopes[operand as usize] = slopes[operand as usize] + slope * partial;
            }
        }
    }
    slopes
}

/// Whether slopes show that v has a sign all over the box where these are the values.
pub(crate) fn show(tape: &Tape, values: &[Interval], v: u32, sign: Sign) -> bool {
    if values[v as usize] == Whole {
        return false;
    }
    let steps = tape.steps(&[v]);
    let slopes = slopes(tape, &steps, values, v);
    let mut values = values.to_vec();
    let is_least_wanted = matches!(sign, Sign::Positive | Sign::Nonnegative);
    let (mut moved, mut kept) = (0, Vec::new());
    for (j, input) in tape.varying.iter().map(|input| input.value as usize).enumerate() {
        let Ends(lo, hi) = values[input] else { return false };
        let slope = if is_least_wanted { slopes[input] } else { -slopes[input] };
        match (slope.is_nonnegative(), (-slope).is_nonnegative()) {
            (true, _) => values[input] = Interval::point(lo),
            (_, true) => values[input] = Interval::point(hi),
            _ => kept.push(input),
        }
        moved |= 1 << j;
    }
    tape.evaluate(&mut values, &steps, moved);
    let is_shown = sign.is_of(values[v as usize]);
    if is_shown || kept.is_empty() {
        return is_shown;
    }
    let mut rest = Interval::ZERO;
    for input in kept {
        let middle = values[input].middle();
        rest = rest + slopes[input] * (values[input] - middle);
        values[input] = middle;
    }
    tape.evaluate(&mut values, &steps, moved);
    sign.is_of(values[v as usize] + rest)
}
