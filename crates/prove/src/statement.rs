//! What is stated: a tape over a box, values that are zero, a formula that is assumed and one that is claimed.

use super::exact::Exact;
use super::formula::Formula;
use super::witness::Witness;
use crate::num::{Interval, Real};
use crate::tape::{Enclosure, Tape};
use num_rational::BigRational;

/// An input of the tape.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// It takes every value of a range.
    Range(Exact, Exact),
    /// It has one value.
    Value(Exact),
    /// How far another one, by its place, is on its way from the lower to the upper end of its range: from 0 to 1.
    Share(usize),
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
    /// Pairs of outputs that are the same function: the second may say more of the first.
    pub same: Vec<(usize, usize)>,
    /// Outputs, and pairs of others that are the same: values by which they divide. Where no pair may be 0, an output is defined.
    pub divisors: Vec<(usize, [usize; 2])>,
    /// Squares that outputs contain.
    pub squares: Vec<Square>,
    /// Whether states on the border of what is claimed, as of contact laws, are none at which it fails.
    pub has_border: bool,
}

/// A value whose square times something else makes another one, and which changes its sign along an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// The output that is squared.
    pub root: usize,
    /// The side, of those that vary, along which it does.
    pub side: usize,
    /// An output with a square in it.
    pub whole: usize,
    /// The output that is what remains of it where the root is 0.
    pub rest: usize,
}

/// Bits of a constant up to which it is taken at its word; with more it may be rounded.
const SHORT: u32 = 26;
/// Units in the last place between a constant and the number that it was rounded from, more than folding a few of them costs.
const ROUNDED: f64 = 16.0;

/// Largest denominator and numerator of a fraction for which a constant is taken that is as near to it as rounding explains: of a million other
/// numbers less than one is.
const DENOMINATOR: u32 = 1000;
const NUMERATOR: f64 = 1e5;

/// What a constant of a tape can have been before it was rounded.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Constant {
    /// A number with few digits, or a fraction with a small denominator.
    Exact(Exact),
    /// Some number between these.
    Within(Interval),
}

impl Constant {
    pub(super) fn as_rational(&self) -> Option<&BigRational> {
        match self {
            Constant::Exact(x) => x.as_rational(),
            Constant::Within(_) => None,
        }
    }
}

/// What a constant of a tape can have been before it was rounded.
pub(super) fn meant(x: f64) -> Constant {
    if is_short(x) {
        return Constant::Exact(Exact::double(x));
    }
    let slack = x.abs() * (ROUNDED * f64::EPSILON);
    fraction_near(x, slack, NUMERATOR).map_or_else(
        || Constant::Within(Interval::new((x - slack).next_down(), (x + slack).next_up())),
        |fraction| Constant::Exact(Exact::rational(fraction)),
    )
}

/// The fraction of small denominator that a number is, but for some slack.
pub fn fraction_near(x: f64, slack: f64, numerator: f64) -> Option<BigRational> {
    let fraction = |q: u32| {
        let p = (x * f64::from(q)).round();
        let is_near = p.abs() <= numerator && (p / f64::from(q) - x).abs() <= slack;
        is_near.then(|| BigRational::new((p as i64).into(), q.into()))
    };
    (2..=DENOMINATOR).find_map(fraction)
}

/// The same, enclosed.
pub(super) fn constant(x: f64) -> Interval {
    match meant(x) {
        Constant::Exact(x) => x.enclosed(),
        Constant::Within(range) => range,
    }
}

/// Whether a double has few binary digits.
pub(super) fn is_short(x: f64) -> bool {
    let mantissa = (x.to_bits() << 12) >> 12;
    mantissa.trailing_zeros() >= 52 - SHORT
}

impl Statement {
    /// That wherever outputs are zero and something is assumed, something holds.
    pub fn new(tape: Tape, inputs: Vec<Input>, zero: Vec<usize>, assumed: Formula, claimed: Formula) -> Self {
        Statement {
            tape,
            inputs,
            zero,
            assumed,
            claimed,
            same: Vec::new(),
            divisors: Vec::new(),
            squares: Vec::new(),
            has_border: false,
        }
    }

    /// What is false where the claim is refuted.
    pub(super) fn refutable(&self) -> Formula {
        if self.has_border { self.claimed.with_border() } else { self.claimed.clone() }
    }

    /// Places of the inputs that vary.
    pub fn varying(&self) -> Vec<usize> {
        (0..self.inputs.len()).filter(|&i| matches!(self.inputs[i], Input::Range(..))).collect()
    }

    /// The ranges of the inputs that vary.
    pub fn ranges(&self) -> Vec<(&Exact, &Exact)> {
        let all = self.inputs.iter();
        all.filter_map(|input| match input {
            Input::Range(lo, hi) => Some((lo, hi)),
            Input::Value(_) | Input::Share(_) => None,
        })
        .collect()
    }

    /// All inputs as numbers, those that vary as a witness has them.
    pub fn at(&self, witness: &Witness) -> Vec<f64> {
        let mut left = witness.iter();
        let number = |input: &Input| match input {
            Input::Value(value) => value.enclosed().middle(),
            Input::Share(_) => 0.5,
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

    /// The tape over boxes of the inputs that vary, and then of the shares of some of them.
    pub(super) fn enclosure(&self) -> Enclosure {
        let enclosed = |input: &Input| match input {
            Input::Range(lo, hi) => Interval::new(lo.enclosed().lo, hi.enclosed().hi),
            Input::Value(value) => value.enclosed(),
            Input::Share(_) => Interval { lo: 0.0, hi: 1.0 },
        };
        let inputs: Vec<Interval> = self.inputs.iter().map(enclosed).collect();
        let varying = [self.varying(), self.shares().map(|(place, _)| place).collect()].concat();
        Enclosure::within(&self.tape, &inputs, &varying, constant)
    }

    /// Inputs that are shares: the place of each, and the side that it is of.
    fn shares(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let sides = self.varying();
        self.inputs.iter().enumerate().filter_map(move |(place, input)| match input {
            Input::Share(of) => sides.iter().position(|side| side == of).map(|side| (place, side)),
            Input::Range(..) | Input::Value(_) => None,
        })
    }

    /// The side of each share, in order.
    pub(super) fn shared(&self) -> Vec<usize> {
        self.shares().map(|(_, side)| side).collect()
    }

    /// Part of the box, from shares of its sides: the sides, then the shares that are inputs themselves.
    pub(super) fn part(&self, shares: &[[f64; 2]]) -> Vec<Interval> {
        let side = |((lo, hi), share): ((&Exact, &Exact), &[f64; 2])| {
            let (lo, hi) = (lo.enclosed(), hi.enclosed());
            let at = |share: f64| lo + (hi - lo) * Interval::from_f64(share);
            Interval::new(at(share[0]).lo.max(lo.lo), at(share[1]).hi.min(hi.hi))
        };
        let sides = self.ranges().into_iter().zip(shares).map(side);
        sides.chain(self.shares().map(|(_, j)| Interval::new(shares[j][0], shares[j][1]))).collect()
    }

    /// Sides of exact numbers with their shares; a number is at an end of its range if it says so.
    pub(super) fn box_of(&self, point: &[(Exact, Option<Exact>)]) -> Vec<Interval> {
        let ranges = self.ranges();
        let side = |(lo, hi): &(Exact, Option<Exact>)| {
            Interval::new(lo.enclosed().lo, hi.as_ref().unwrap_or(lo).enclosed().hi)
        };
        let share = |j: usize| {
            let ((lo, hi), (from, to)) = (ranges[j], &point[j]);
            match to {
                None if from == lo => Interval::from_f64(0.0),
                None if from == hi => Interval::from_f64(1.0),
                _ => {
                    let whole = hi.enclosed() - lo.enclosed();
                    ((side(&point[j]) - lo.enclosed()) / whole).intersect(Interval { lo: 0.0, hi: 1.0 })
                }
            }
        };
        point.iter().map(side).chain(self.shares().map(|(_, j)| share(j))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Constant, meant};
    use std::f64::consts::PI;

    #[test]
    fn constants_are_what_they_may_have_been() {
        let exact = |x: f64| matches!(meant(x), Constant::Exact(_));
        assert!([0.75, 1.0 / 3.0, -0.1, 9.81, 7.0 * (1.0 / 12.0)].into_iter().all(exact));
        // of large numbers, and of many digits, some fraction is always near
        assert!(![PI, 1e12 / PI, 1e9 / 7.0, 0.123_456_789].into_iter().any(exact));
    }
}
