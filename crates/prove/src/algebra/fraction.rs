//! Values of a tape as quotients of polynomials: what is rational in inputs and in sines and cosines of their sums.

use super::super::statement::{Input, Statement, meant};
use super::gauss::Gauss;
use super::ring::{Effort, Polynomial};
use crate::tape::{Op, View};
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeSet;

/// A quotient; factors below the line with their powers, each with first coefficient 1.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    pub(super) over: Polynomial,
    pub(super) under: Vec<(Polynomial, u32)>,
}

/// An output that is a quotient.
pub(super) struct Found {
    pub(super) output: usize,
    pub(super) fraction: Fraction,
    /// Values of the tape by which it divides.
    pub(super) divisors: Vec<(usize, Fraction)>,
}

/// The wanted outputs that are quotients and not too large.
pub(super) fn fractions(statement: &Statement, wanted: &[usize], effort: &Effort) -> Vec<Found> {
    let tape = &statement.tape;
    let views: Vec<View> = tape.values().collect();
    let outputs: Vec<usize> = tape.output_values().collect();
    let values = values(statement, &tape.needed(wanted.iter().map(|&i| outputs[i])), effort);
    let sides = statement.varying();
    let mut varies: Vec<bool> = Vec::new();
    for view in &views {
        varies.push(match view {
            View::Input(i) => sides.contains(i),
            View::Constant(_) => false,
            View::Node(op, a, b) => varies[*a] || (op.is_binary() && varies[*b]),
        });
    }
    let found = |&output: &usize| {
        let fraction = values[outputs[output]].clone()?;
        let parts = views.iter().zip(tape.needed([outputs[output]])).filter(|(_, needed)| *needed);
        let divisor = |(view, _): (&View, bool)| match view {
            View::Node(Op::Div, _, by) if varies[*by] => Some(*by),
            _ => None,
        };
        let divisors: BTreeSet<usize> = parts.filter_map(divisor).collect();
        let divisors = divisors.into_iter().map(|v| Some((v, values[v].clone()?))).collect::<Option<_>>()?;
        Some(Found { output, fraction, divisors })
    };
    wanted.iter().filter_map(found).collect()
}

/// The needed values of the tape that are quotients and not too large.
pub(super) fn values(statement: &Statement, needed: &[bool], effort: &Effort) -> Vec<Option<Fraction>> {
    let sides = statement.varying();
    let inputs = sides.len();
    let number = |x| Some(Fraction::whole(Polynomial::constant(inputs, Gauss::from(x))));
    let mut values: Vec<Option<Fraction>> = Vec::with_capacity(needed.len());
    for (v, view) in statement.tape.values().enumerate() {
        let found = match view {
            _ if !needed[v] => None,
            View::Constant(x) => meant(x).as_rational().cloned().and_then(number),
            View::Input(i) => match &statement.inputs[i] {
                Input::Value(value) => value.as_rational().cloned().and_then(number),
                Input::Range(..) => {
                    sides.iter().position(|s| *s == i).map(|j| Fraction::whole(Polynomial::input(inputs, j)))
                }
                Input::Share(_) => None,
            },
            View::Node(op, a, b) => operation(op, [values[a].as_ref(), values[b].as_ref()], effort),
        };
        values.push(found);
    }
    values
}

fn operation(op: Op, [a, b]: [Option<&Fraction>; 2], effort: &Effort) -> Option<Fraction> {
    let a = a?;
    match op {
        Op::Add => a.plus(b?, effort),
        Op::Sub => a.plus(&b?.negated(), effort),
        Op::Mul => a.times(b?, effort),
        Op::Div => a.times(&b?.inverse(effort)?, effort),
        Op::Neg => Some(a.negated()),
        Op::Sin => a.turned().map(|[_, sin]| Fraction::whole(sin)),
        Op::Cos => a.turned().map(|[cos, _]| Fraction::whole(cos)),
        Op::Sqrt => a.root(),
        _ => None,
    }
}

impl Fraction {
    fn whole(over: Polynomial) -> Self {
        Fraction { over, under: Vec::new() }
    }

    /// The number that it is.
    pub(super) fn as_number(&self) -> Option<BigRational> {
        self.over.as_constant().filter(|c| self.under.is_empty() && c.im.is_zero()).map(|c| c.re)
    }

    /// Halves of the angles that it is a sum of.
    pub(super) fn as_angle(&self) -> Option<Vec<i16>> {
        self.under.is_empty().then(|| self.over.as_angle())?
    }

    /// Cosine and sine.
    fn turned(&self) -> Option<[Polynomial; 2]> {
        self.as_angle().map(|angle| Polynomial::cos_sin(&angle))
    }

    /// The root of the square of a fraction.
    fn root(&self) -> Option<Self> {
        let square = self.as_number()?;
        let root = (!square.is_negative())
            .then(|| BigRational::new(square.numer().sqrt(), square.denom().sqrt()))
            .filter(|root| root * root == square)?;
        Some(Fraction::whole(Polynomial::constant(self.over.inputs, root.into())))
    }

    fn negated(&self) -> Self {
        Fraction { over: self.over.negated(), under: self.under.clone() }
    }

    fn plus(&self, o: &Self, effort: &Effort) -> Option<Self> {
        let power = |of: &Self, factor: &Polynomial| {
            of.under.iter().find(|(f, _)| f == factor).map_or(0, |(_, power)| *power)
        };
        let mut under = self.under.clone();
        for (factor, theirs) in &o.under {
            match under.iter_mut().find(|(f, _)| f == factor) {
                Some((_, power)) => *power = (*power).max(*theirs),
                None => under.push((factor.clone(), *theirs)),
            }
        }
        let raised = |of: &Self| -> Option<Polynomial> {
            let mut over = of.over.clone();
            for (factor, common) in &under {
                for _ in power(of, factor)..*common {
                    over = over.times(factor, effort)?;
                }
            }
            Some(over)
        };
        let over = raised(self)?.plus(&raised(o)?);
        Some(Fraction { over, under }.cancelled(effort))
    }

    fn times(&self, o: &Self, effort: &Effort) -> Option<Self> {
        let mut found = Fraction { over: self.over.times(&o.over, effort)?, under: self.under.clone() };
        o.under.iter().for_each(|(factor, power)| found.divide(factor, *power));
        Some(found.cancelled(effort))
    }

    fn divide(&mut self, factor: &Polynomial, times: u32) {
        match self.under.iter_mut().find(|(f, _)| f == factor) {
            Some((_, power)) => *power += times,
            None => self.under.push((factor.clone(), times)),
        }
    }

    fn inverse(&self, effort: &Effort) -> Option<Self> {
        if self.over.is_zero() {
            return None;
        }
        let (first, rest) = self.over.normalised();
        let inputs = self.over.inputs;
        let mut over = Polynomial::constant(inputs, first.recip().into());
        for (factor, power) in &self.under {
            for _ in 0..*power {
                over = over.times(factor, effort)?;
            }
        }
        let mut found = Fraction::whole(over);
        let (common, rest) = rest.without_common();
        for (j, &power) in common.iter().enumerate().filter(|(_, power)| **power > 0) {
            found.divide(&Polynomial::input(inputs, j), power.unsigned_abs().into());
        }
        if rest.as_constant().is_none() {
            found.divide(&rest, 1);
        }
        Some(found)
    }

    /// Without the factors that stand on both sides of the line.
    fn cancelled(mut self, effort: &Effort) -> Self {
        if self.over.is_zero() {
            self.under.clear();
        }
        for (factor, power) in &mut self.under {
            while *power > 0 {
                let Some(quotient) = self.over.divided(factor, effort) else { break };
                self.over = quotient;
                *power -= 1;
            }
        }
        self.under.retain(|(_, power)| *power > 0);
        self
    }
}
