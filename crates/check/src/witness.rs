//! A claim is refuted by a box in which some point satisfies all equations and assumptions, and no point the claim.
//!
//! That k equations have a solution in the box of k pairs is shown by the theorem of Poincaré and Miranda: they are continuous, and the pairs can
//! be numbered such that equation i has opposite signs on the two faces of pair i, all over them, by enclosures or by slopes.

use crate::certificate::Certificate;
use crate::fault::Fault;
use crate::formula::Sign;
use crate::interval::Interval;
use crate::number::{Number, Range};
use crate::tape::{Binary, Inputs, Node, Tape, Unary};

/// Checks that a witness refutes the claim.
pub(crate) fn refute(certificate: &Certificate, witness: &[Range]) -> Result<(), Fault> {
    let fault = |why| Err(Fault::Witness { why });
    let tape = &certificate.tape;
    if witness.len() != tape.sides {
        return fault("it has not one entry for each input that varies");
    }
    let is_within =
        |entry: &Range, range: &Range| range.lo.is_at_most(&entry.lo) && entry.hi.is_at_most(&range.hi);
    if !tape.varying.iter().zip(witness).all(|(input, entry)| is_within(entry, &input.range)) {
        return fault("an entry is not shown to be in the range of its input");
    }
    let inputs = inputs(tape, witness);
    let there = evaluated(tape, inputs.clone(), &certificate.roots);
    let shows = |v: u32, sign: Sign| certificate.shows(&there, v, sign, false);
    if !certificate.assumed.holds(&shows) {
        return fault("the assumptions are not shown to hold");
    }
    if !certificate.claimed.fails(&shows) {
        return fault("the claim is not shown to fail");
    }
    let equations = [certificate.zero.clone(), certificate.roots.clone()].concat();
    let pairs = witness.iter().filter(|entry| entry.number().is_none()).count();
    if pairs != equations.len() {
        return fault("it has not one pair for each equation and root");
    }
    let values = evaluated(tape, inputs.clone(), &[]);
    let is_defined = equations.iter().all(|&v| values[v as usize] != Interval::Whole);
    if !is_defined || !tape.steps(&equations).iter().all(|&(_, node)| is_continuous(tape, node, &values)) {
        return fault("an equation is not shown to be defined and continuous");
    }
    for (input, Range { lo, hi, .. }) in tape.varying.iter().zip(witness) {
        let face = |end: &Number| {
            let mut inputs = inputs.clone();
            inputs[input.value as usize] = end.enclosure();
            evaluated(tape, inputs, &[])
        };
        if !hi.is_at_most(lo) && !is_crossed(certificate, &equations, [face(lo), face(hi)]) {
            return fault("the equations are not shown to have a solution");
        }
    }
    Ok(())
}

/// What is given, over the box of the witness.
fn inputs(tape: &Tape, witness: &[Range]) -> Vec<Interval> {
    let mut values = tape.values();
    for (j, input) in tape.varying.iter().enumerate() {
        let (entry, range) = (&witness[input.side], &tape.varying[input.side].range);
        let share = || range.share_of(&entry.lo).hull(range.share_of(&entry.hi));
        values[input.value as usize] = if j < tape.sides { entry.all() } else { share() };
    }
    values
}

/// All values, where the `roots` are 0 if they are defined.
fn evaluated(tape: &Tape, mut values: Vec<Interval>, roots: &[u32]) -> Vec<Interval> {
    for step in tape.steps(&(0..tape.len() as u32).collect::<Vec<_>>()) {
        tape.evaluate(&mut values, &[step], Inputs::MAX);
        let value = &mut values[step.0 as usize];
        if roots.contains(&step.0) && *value != Interval::Whole {
            *value = Interval::ZERO;
        }
    }
    values
}

/// Whether an operation that is defined does not jump.
fn is_continuous(tape: &Tape, node: Node, values: &[Interval]) -> bool {
    let [x, _] = node.operands();
    let (operand, is_fixed) = (values[x as usize], !tape.is_varying(x));
    match node {
        Node::One(Unary::Signum, _) => is_fixed || operand.is_apart_from_zero(),
        Node::Two(Binary::Where, ..) => is_fixed || operand.is_positive() || Sign::Nonpositive.is_of(operand),
        _ => true,
    }
}

/// Whether some equation has opposite signs on two faces. No equation has them on those of two pairs, which have corners in common, so that there
/// is another one for each.
fn is_crossed(certificate: &Certificate, equations: &[u32], [lower, upper]: [Vec<Interval>; 2]) -> bool {
    let shows = |values: &[Interval], v: u32, sign: Sign| certificate.shows(values, v, sign, true);
    let rises = |v: u32| shows(&lower, v, Sign::Negative) && shows(&upper, v, Sign::Positive);
    let falls = |v: u32| shows(&lower, v, Sign::Positive) && shows(&upper, v, Sign::Negative);
    equations.iter().any(|&v| rises(v) || falls(v))
}
