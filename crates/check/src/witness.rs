//! A claim is refuted by a box in which some point satisfies all equations and assumptions, and no point the claim.
//!
//! That k equations have a solution in the box of k pairs is shown by the theorem of Poincaré and Miranda: they are continuous, and the pairs can
//! be numbered such that equation i has opposite signs on the two faces of pair i, all over them, by enclosures or by slopes.

use crate::certificate::{Certificate, Entry};
use crate::fault::Fault;
use crate::formula::Aim;
use crate::interval::Interval;
use crate::slopes::{Place, Slopes};
use crate::tape::{Op, Side, Step, Tape, evaluate_all};

/// Checks that a witness refutes the claim.
pub(crate) fn refute(certificate: &Certificate, witness: &[Entry]) -> Result<(), Fault> {
    let fault = |why| Err(Fault::Witness { why });
    let tape = &certificate.tape;
    if witness.len() != tape.sides() {
        return fault("it has not one entry for each input that varies");
    }
    if !is_in_range(tape, witness) {
        return fault("an entry is not shown to be in the range of its input");
    }
    let there = over(tape, witness, &certificate.roots);
    if !certificate.is_seen(&certificate.assumed, Aim::Holds, &there) {
        return fault("the assumptions are not shown to hold");
    }
    if !certificate.is_seen(&certificate.claimed, Aim::Fails, &there) {
        return fault("the claim is not shown to fail");
    }
    let equations = [certificate.zero.clone(), certificate.roots.clone()].concat();
    let pairs = witness.iter().filter(|entry| entry.is_pair()).count();
    if pairs != equations.len() {
        return fault("it has not one pair for each equation and root");
    }
    let values = over(tape, witness, &[]);
    let steps = tape.steps(&equations);
    let is_defined = equations.iter().all(|&v| values[v as usize] != Interval::Whole);
    if !is_defined || !steps.iter().all(|step| is_continuous(tape, step, &values)) {
        return fault("an equation is not shown to be defined and continuous");
    }
    if !are_crossed(tape, &equations, &steps, values, witness) {
        return fault("the equations are not shown to have a solution");
    }
    Ok(())
}

fn is_in_range(tape: &Tape, witness: &[Entry]) -> bool {
    let mut entries = tape.varying.iter().zip(witness);
    entries.all(|((_, range), Entry { lo, hi })| range.lo.is_at_most(lo) && hi.is_at_most(&range.hi))
}

/// All values over the box of the witness, where the `roots` are 0.
fn over(tape: &Tape, witness: &[Entry], roots: &[u32]) -> Vec<Interval> {
    let mut values = tape.values();
    for ((input, _), entry) in tape.varying.iter().zip(witness) {
        values[*input as usize] = entry.side().interval();
    }
    for ((input, _), &side) in tape.varying[tape.sides()..].iter().zip(&tape.shares) {
        let Entry { lo, hi } = &witness[side];
        values[*input as usize] = tape.varying[side].1.share_of(lo, hi);
    }
    let all: Vec<u32> = (0..tape.len() as u32).collect();
    for step in tape.steps(&all) {
        evaluate_all(&mut values, &[step]);
        if roots.contains(&step.value) && values[step.value as usize] != Interval::Whole {
            values[step.value as usize] = Interval::ZERO;
        }
    }
    values
}

/// Whether an operation that is defined does not jump.
fn is_continuous(tape: &Tape, step: &Step, values: &[Interval]) -> bool {
    let operand = values[step.node.a as usize];
    let is_fixed = tape.depends[step.node.a as usize] == 0;
    match step.node.op {
        Op::Signum => is_fixed || operand.is_apart_from_zero(),
        Op::Where => is_fixed || operand.is_positive() || (-operand).is_nonnegative(),
        _ => true,
    }
}

/// Whether each pair has an equation with opposite signs on its two faces. No equation has them on those of two pairs, which have corners in
/// common, so that there is another one for each.
fn are_crossed(
    tape: &Tape,
    equations: &[u32],
    steps: &[Step],
    mut values: Vec<Interval>,
    witness: &[Entry],
) -> bool {
    let shares = tape.varying[tape.sides()..].iter().map(|(input, _)| values[*input as usize]);
    let shares = shares.map(|share| Side::between(share, share));
    let mut sides: Vec<Side> = witness.iter().map(Entry::side).chain(shares).collect();
    (0..witness.len()).filter(|&j| witness[j].is_pair()).all(|j| {
        let (side, input) = (sides[j], tape.varying[j].0 as usize);
        let faces = side.ends.map(|end| {
            sides[j] = Side::between(end, end);
            values[input] = end;
            evaluate_all(&mut values, steps);
            let place = Place { tape, sides: &sides, values: &values };
            equations.iter().map(|&v| signs(place, v)).collect::<Vec<_>>()
        });
        sides[j] = side;
        values[input] = side.interval();
        faces[0].iter().zip(&faces[1]).any(|(a, b)| (a.0 && b.1) || (a.1 && b.0))
    })
}

/// Whether a value is above 0 all over a box, and whether it is below.
fn signs(place: Place, v: u32) -> (bool, bool) {
    let value = place.values[v as usize];
    if value.is_apart_from_zero() {
        return (value.is_positive(), (-value).is_positive());
    }
    Slopes::new(place, v).map_or((false, false), |slopes| slopes.signs())
}
