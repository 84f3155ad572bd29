//! Signs of a value over a box by its slopes along the inputs.
//!
//! A sweep backwards encloses every ∂v/∂xⱼ over the box X. Where the mean value theorem does not hold on all of X (a jump, a pole, an argument
//! outside of a domain) the slope is the whole line; `abs` and `min` have generalised slopes where they bend. Along an input whose slope has one
//! sign, v is least at one face: the input moves there. With the others, x, in the middle c of their sides,
//!
//! > v ≥ v(face, X) and v ≥ v(face, c) + Σⱼ ∂v/∂xⱼ(X) (Xⱼ − cⱼ).

use crate::formula::{Aim, Sign};
use crate::interval::Interval::{self, Whole};
use crate::tape::{Inputs, Node, Op, Side, Step, Tape, evaluate};

/// Derivatives by both operands; none by an operand that locally makes no difference.
type Partials = [Option<Interval>; 2];

fn partials(node: Node, value: Interval, values: &[Interval]) -> Partials {
    let (a, b) = (values[node.a as usize], values[node.b as usize]);
    let one = Interval::ONE;
    let first = match node.op {
        Op::Add => return [Some(one), Some(one)],
        Op::Sub => return [Some(one), Some(-one)],
        Op::Mul if node.a == node.b => a + a,
        Op::Mul => return [Some(b), Some(a)],
        Op::Div => return [Some(one / b), Some(-(value / b))],
        Op::Min => return min_partials(a, b),
        Op::Where => return where_partials(a),
        Op::Signum if a.is_apart_from_zero() => return [None, None],
        Op::Signum => Whole,
        Op::Neg => -one,
        Op::Sin => a.cos(),
        Op::Cos => -a.sin(),
        Op::Tan if value == Whole => Whole,
        Op::Tan => one + value.square(),
        Op::Sqrt => one / (value + value),
        Op::Exp => value,
        Op::Ln if a.is_positive() => one / a,
        Op::Ln => Whole,
        Op::Atan => one / (one + a.square()),
        Op::Abs => bend(a),
    };
    [Some(first), None]
}

fn bend(a: Interval) -> Interval {
    match (a.is_nonnegative(), (-a).is_nonnegative()) {
        (true, _) => Interval::ONE,
        (_, true) => -Interval::ONE,
        _ if a == Whole => Whole,
        _ => Interval::UNIT,
    }
}

fn min_partials(a: Interval, b: Interval) -> Partials {
    let between = Interval::ZERO.hull(Interval::ONE);
    match (a.is_at_most(b), b.is_at_most(a)) {
        _ if a == Whole || b == Whole => [Some(Whole), Some(Whole)],
        (true, false) => [Some(Interval::ONE), None],
        (false, true) => [None, Some(Interval::ONE)],
        _ => [Some(between), Some(between)],
    }
}

fn where_partials(condition: Interval) -> Partials {
    match (condition.is_positive(), (-condition).is_nonnegative()) {
        (true, _) => [None, Some(Interval::ONE)],
        (_, true) => [None, None],
        _ => [Some(Whole), Some(Whole)],
    }
}

/// A box and all values over it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) tape: &'a Tape,
    pub(crate) sides: &'a [Side],
    pub(crate) values: &'a [Interval],
}

/// A value and its slopes along all varying inputs, over a box.
pub(crate) struct Slopes<'a> {
    place: Place<'a>,
    v: u32,
    steps: Vec<Step>,
    slopes: Vec<Interval>,
}

impl<'a> Slopes<'a> {
    /// `None` if the value may not be defined.
    pub(crate) fn new(place: Place<'a>, v: u32) -> Option<Self> {
        if place.values[v as usize] == Whole {
            return None;
        }
        let steps = place.tape.steps(&[v]);
        let mut adjoints = vec![None; v as usize + 1];
        adjoints[v as usize] = Some(Interval::ONE);
        for step in steps.iter().rev() {
            let Some(adjoint) = adjoints[step.value as usize] else { continue };
            let partials = partials(step.node, place.values[step.value as usize], place.values);
            for (operand, partial) in [step.node.a, step.node.b].into_iter().zip(partials) {
                let is_varying = place.tape.depends[operand as usize] != 0;
                if let Some(partial) = partial.filter(|_| is_varying) {
                    let sum = &mut adjoints[operand as usize];
                    *sum = Some(sum.unwrap_or(Interval::ZERO) + adjoint * partial);
                }
            }
        }
        let slope = |&(input, _): &(u32, _)| adjoints.get(input as usize).copied().flatten();
        let slopes = place.tape.varying.iter().map(|input| slope(input).unwrap_or(Interval::ZERO)).collect();
        Some(Self { place, v, steps, slopes })
    }

    /// Whether the value is above 0 all over the box, and whether it is below.
    pub(crate) fn signs(&self) -> (bool, bool) {
        (self.show(Sign::Positive, Aim::Holds), self.show(Sign::Nonnegative, Aim::Fails))
    }

    /// Whether the value has a sign all over the box.
    pub(crate) fn show(&self, sign: Sign, aim: Aim) -> bool {
        let Place { tape, sides, values } = self.place;
        let mut values = values.to_vec();
        let is_needed = |j: usize| tape.depends[self.v as usize] & (1 << j) != 0;
        let (mut moved, mut kept): (Inputs, Vec<usize>) = (0, Vec::new());
        for j in (0..sides.len()).filter(|&j| is_needed(j)) {
            let Some(end) = face(self.slopes[j], aim) else {
                kept.push(j);
                continue;
            };
            values[tape.varying[j].0 as usize] = sides[j].ends[end];
            moved |= 1 << j;
        }
        evaluate(&mut values, &self.steps, moved);
        if sign.is_shown(aim, values[self.v as usize]) {
            return true;
        }
        let (mut rest, mut centred) = (Interval::ZERO, 0);
        for j in kept {
            let middle = sides[j].middle();
            rest = rest + self.slopes[j] * (sides[j].interval() - middle);
            values[tape.varying[j].0 as usize] = middle;
            centred |= 1 << j;
        }
        if rest != Whole {
            evaluate(&mut values, &self.steps, centred);
        }
        sign.is_shown(aim, values[self.v as usize] + rest)
    }
}

/// The end of a side at which a value with this slope is least, to hold, or greatest, to fail.
fn face(slope: Interval, aim: Aim) -> Option<usize> {
    match (slope.is_nonnegative(), (-slope).is_nonnegative(), aim) {
        (true, _, Aim::Holds) | (false, true, Aim::Fails) => Some(0),
        (true, _, Aim::Fails) | (false, true, Aim::Holds) => Some(1),
        (false, false, _) => None,
    }
}
