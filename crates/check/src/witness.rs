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

/// Equations at most.
const EQUATIONS: usize = 6;

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
    if pairs != certificate.zero.len() || pairs > EQUATIONS {
        return fault("it has not one pair for each equation, of which there may be six");
    }
    let steps = tape.steps(&certificate.zero);
    let is_defined = certificate.zero.iter().all(|&v| values[v as usize] != Interval::Whole);
    if !is_defined || !steps.iter().all(|step| is_continuous(tape, step, &values)) {
        return fault("an equation is not shown to be defined and continuous");
    }
    if !is_assigned(&changes(certificate, &steps, values, witness), 0) {
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

/// For each pair, which equations have opposite signs on its two faces, as bits.
fn changes(
    certificate: &Certificate,
    steps: &[Step],
    mut values: Vec<Interval>,
    witness: &[Entry],
) -> Vec<u32> {
    let (tape, mut changes) = (&certificate.tape, Vec::new());
    let mut sides: Vec<Side> = witness.iter().map(Entry::side).collect();
    for (j, &(input, _)) in tape.varying.iter().enumerate().filter(|&(j, _)| witness[j].is_pair()) {
        let side = sides[j];
        let mut signs = |end: Interval| {
            sides[j] = Side::between(end, end);
            values[input as usize] = end;
            evaluate_all(&mut values, steps);
            let place = Place { tape, sides: &sides, values: &values };
            certificate.zero.iter().map(|&v| signs(place, v)).collect::<Vec<_>>()
        };
        let faces = side.ends.map(&mut signs);
        let is_opposite = |i: usize| {
            let (a, b) = (faces[0][i], faces[1][i]);
            (a.0 && b.1) || (a.1 && b.0)
        };
        changes.push((0..certificate.zero.len()).map(|i| u32::from(is_opposite(i)) << i).sum());
        sides[j] = side;
        values[input as usize] = side.interval();
    }
    changes
}

/// Whether a value is above 0 all over a box, and whether it is below.
fn signs(place: Place, v: u32) -> (bool, bool) {
    let value = place.values[v as usize];
    if value.is_apart_from_zero() {
        return (value.is_positive(), (-value).is_positive());
    }
    Slopes::new(place, v).map_or((false, false), |slopes| slopes.signs())
}

/// Whether each pair can have an equation of its own.
fn is_assigned(changes: &[u32], taken: u32) -> bool {
    let Some((first, others)) = changes.split_first() else { return true };
    let free = first & !taken;
    (0..EQUATIONS).map(|i| 1 << i).any(|bit| free & bit != 0 && is_assigned(others, taken | bit))
}
