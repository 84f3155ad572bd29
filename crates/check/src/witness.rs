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
    if witness.len() != tape.varying.len() {
        return fault("it has not one entry for each input that varies");
    }
    if !is_in_range(tape, witness) {
        return fault("an entry is not shown to be in the range of its input");
    }
    let values = over(tape, witness);
    if !certificate.assumed.is_seen(Aim::Holds, &values) {
        return fault("the assumptions are not shown to hold");
    }
    if !certificate.claimed.is_seen(Aim::Fails, &values) {
        return fault("the claim is not shown to fail");
    }
    let pairs = witness.iter().filter(|entry| entry.is_pair()).count();
    if pairs != certificate.zero.len() {
        return fault("it has not one pair for each equation");
    }
    let steps = tape.steps(&certificate.zero);
    let is_defined = certificate.zero.iter().all(|&v| values[v as usize] != Interval::Whole);
    if !is_defined || !steps.iter().all(|step| is_continuous(tape, step, &values)) {
        return fault("an equation is not shown to be defined and continuous");
    }
    if !are_crossed(certificate, &steps, values, witness) {
        return fault("the equations are not shown to have a solution");
    }
    Ok(())
}

fn is_in_range(tape: &Tape, witness: &[Entry]) -> bool {
    let mut entries = tape.varying.iter().zip(witness);
    entries.all(|((_, range), Entry { lo, hi })| range.lo.is_at_most(lo) && hi.is_at_most(&range.hi))
}

/// All values over the box of the witness.
fn over(tape: &Tape, witness: &[Entry]) -> Vec<Interval> {
    let mut values = tape.values();
    for ((input, _), entry) in tape.varying.iter().zip(witness) {
        values[*input as usize] = entry.side().interval();
    }
    let all: Vec<u32> = (0..tape.len() as u32).collect();
    evaluate_all(&mut values, &tape.steps(&all));
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
    certificate: &Certificate,
    steps: &[Step],
    mut values: Vec<Interval>,
    witness: &[Entry],
) -> bool {
    let tape = &certificate.tape;
    let mut sides: Vec<Side> = witness.iter().map(Entry::side).collect();
    (0..sides.len()).filter(|&j| witness[j].is_pair()).all(|j| {
        let (side, input) = (sides[j], tape.varying[j].0 as usize);
        let faces = side.ends.map(|end| {
            sides[j] = Side::between(end, end);
            values[input] = end;
            evaluate_all(&mut values, steps);
            let place = Place { tape, sides: &sides, values: &values };
            certificate.zero.iter().map(|&v| signs(place, v)).collect::<Vec<_>>()
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
