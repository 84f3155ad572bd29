//! What is stated: a tape over a box, values that are zero, a formula that is assumed and one that is claimed.

use super::exact::Exact;
use super::formula::Formula;
use super::witness::Witness;
use crate::num::{Interval, Real};
use crate::tape::{Enclosure, Tape};

/// An input of the tape.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// It takes every value of a range.
    Range(Exact, Exact),
    /// It has one value.
    Value(Exact),
}

/// For every point of the box: where the outputs `zero` are 0 and `assumed` holds, `claimed` holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The quantities.
    pub tape: Tape,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Outputs that are zero in all states that are meant.
    pub zero: Vec<usize>,
    /// What else is assumed.
    pub assumed: Formula,
    /// What is to be shown.
    pub claimed: Formula,
}

/// Bits of a constant up to which it is taken at its word; with more it may be rounded.
const SHORT: u32 = 26;
/// Units in the last place between a constant and the number that it was rounded from, more than folding a few of them costs.
const ROUNDED: f64 = 16.0;

/// What a constant of a tape can have been before it was rounded.
pub(super) fn constant(x: f64) -> Interval {
    if is_short(x) {
        return Interval::from_f64(x);
    }
    let slack = x.abs() * (ROUNDED * f64::EPSILON);
    Interval::new((x - slack).next_down(), (x + slack).next_up())
}

/// Whether a double has few binary digits.
pub(super) fn is_short(x: f64) -> bool {
    let mantissa = (x.to_bits() << 12) >> 12;
    mantissa.trailing_zeros() >= 52 - SHORT
}

impl Statement {
    /// Places of the inputs that vary.
    pub fn varying(&self) -> Vec<usize> {
        (0..self.inputs.len()).filter(|&i| matches!(self.inputs[i], Input::Range(..))).collect()
    }

    /// The ranges of the inputs that vary.
    pub fn ranges(&self) -> Vec<(&Exact, &Exact)> {
        let all = self.inputs.iter();
        all.filter_map(|input| match input {
            Input::Range(lo, hi) => Some((lo, hi)),
            Input::Value(_) => None,
        })
        .collect()
    }

    /// All inputs as numbers, those that vary as a witness has them.
    pub fn at(&self, witness: &Witness) -> Vec<f64> {
        let mut left = witness.iter();
        let number = |input: &Input| match input {
            Input::Value(value) => value.enclosed().middle(),
            Input::Range(lo, hi) => {
                let (lo, hi) = left.next().map_or((lo, hi), |(x, end)| (x, end.as_ref().unwrap_or(x)));
                0.5 * (lo.enclosed().middle() + hi.enclosed().middle())
            }
        };
        self.inputs.iter().map(number).collect()
    }

    /// The statement without equations that hold identically: of what is held at rest.
    #[must_use]
    pub fn without_identities(mut self) -> Self {
        let mut enclosure = self.enclosure();
        enclosure.enclose(&self.part(&vec![[0.0, 1.0]; self.ranges().len()]));
        self.zero.retain(|&i| enclosure.output(i) != Interval { lo: 0.0, hi: 0.0 });
        self
    }

    /// The tape over boxes of the inputs that vary.
    pub(super) fn enclosure(&self) -> Enclosure {
        let enclosed = |input: &Input| match input {
            Input::Range(lo, hi) => Interval::new(lo.enclosed().lo, hi.enclosed().hi),
            Input::Value(value) => value.enclosed(),
        };
        let inputs: Vec<Interval> = self.inputs.iter().map(enclosed).collect();
        Enclosure::within(&self.tape, &inputs, &self.varying(), constant)
    }

    /// Part of the box, from shares of its sides.
    pub(super) fn part(&self, shares: &[[f64; 2]]) -> Vec<Interval> {
        let side = |((lo, hi), share): ((&Exact, &Exact), &[f64; 2])| {
            let (lo, hi) = (lo.enclosed(), hi.enclosed());
            let at = |share: f64| lo + (hi - lo) * Interval::from_f64(share);
            Interval::new(at(share[0]).lo.max(lo.lo), at(share[1]).hi.min(hi.hi))
        };
        self.ranges().into_iter().zip(shares).map(side).collect()
    }
}
