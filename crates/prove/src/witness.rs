//! A state at which a claim fails, shown: its point in exact numbers, and where equations have to hold, a small box in which they do.
//!
//! The equations are tied to as many inputs, by the largest slopes; Newton's method finds the place, and a box around it has
//! opposite signs of each equation on the two faces of its input, so that it holds a common zero (Poincaré and Miranda).

use super::exact::Exact;
use super::judge::Judge;
use super::statement::{Square, Statement};
use crate::num::{Interval, Real};
use crate::tape::{Builder, Value};
use nalgebra::{DMatrix, DVector};

/// The value of each input that varies: a number, or the ends of a range in which there is one.
pub type Witness = Vec<(Exact, Option<Exact>)>;

/// A state at which a claim fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// The values of what varies.
    pub witness: Witness,
    /// The statement with its equations written so that each holds its input; none where they are as they were.
    pub restated: Option<Statement>,
    /// The output that is 0 there besides, where the claim fails at a root of it alone.
    pub root: Option<usize>,
}

/// Steps of Newton's method.
const STEPS: usize = 30;
/// Binary digits, of those that a side and the place's own size have, that a box around the place that was found may take, one
/// after the other.
const REACH: [i32; 4] = [8, 16, 24, 32];
/// Halvings around the root of a square.
const CROSSING: usize = 40;
/// Digits to which a point is rounded, as long as it refutes.
const DIGITS: [usize; 3] = [1, 3, 6];

/// Looks for states at which a claim fails.
pub(super) struct Seeker<'s> {
    statement: &'s Statement,
    /// The sides of the whole box.
    sides: Vec<Interval>,
}

impl<'s> Seeker<'s> {
    pub(super) fn new(statement: &'s Statement) -> Self {
        let whole = vec![[0.0, 1.0]; statement.ranges().len()];
        Seeker { statement, sides: statement.part(&whole) }
    }

    /// A state near the middle of a part.
    pub(super) fn near(&self, judge: &mut Judge<'_>, shares: &[[f64; 2]]) -> Option<Refutation> {
        let middle: Vec<f64> = shares.iter().map(|s| 0.5 * s[0] + 0.5 * s[1]).collect();
        if self.statement.zero.is_empty() {
            return self.point(judge, &middle).or_else(|| self.attained(judge, shares));
        }
        let part = self.statement.part(shares);
        let start: Vec<f64> = part[..shares.len()].iter().map(|side| side.middle()).collect();
        self.placed(judge, start)
    }

    /// A state that is known, or one near it, by the statement as it is.
    pub(super) fn again(&self, witness: &Witness) -> Option<Refutation> {
        let mut judge = Judge::new(self.statement);
        if self.statement.zero.is_empty() {
            let witness: Witness = witness.iter().map(|(lo, _)| (lo.clone(), None)).collect();
            let shown = judge.refutes(&self.statement.box_of(&witness));
            return shown.then_some(Refutation { witness, restated: None, root: None });
        }
        let sides = self.statement.box_of(witness);
        self.placed(&mut judge, sides[..witness.len()].iter().map(|side| side.middle()).collect())
    }

    /// A point without equations: rounded to a few digits, if that is enough.
    fn point(&self, judge: &mut Judge<'_>, middle: &[f64]) -> Option<Refutation> {
        let mut part = self.statement.part(&middle.iter().map(|&u| [u, u]).collect::<Vec<_>>());
        if !judge.refutes(&part) {
            return None;
        }
        part.truncate(middle.len());
        let numbers = |digits: usize| -> Vec<Exact> {
            let rounded = |side: &Interval| {
                Exact::shown(format!("{:.*e}", digits, side.middle()).parse().unwrap_or(0.0))
            };
            part.iter().map(rounded).collect()
        };
        let fits = |point: &Vec<Exact>, judge: &mut Judge<'_>| {
            let inside = point.iter().zip(self.statement.ranges()).all(|(x, range)| is_inside(x, range));
            let point: Witness = point.iter().map(|x| (x.clone(), None)).collect();
            inside && judge.refutes(&self.statement.box_of(&point))
        };
        let rounded = DIGITS.into_iter().map(numbers).find(|point| fits(point, judge));
        let exact = || -> Option<Vec<Exact>> {
            let ranges = self.statement.ranges().into_iter().zip(middle);
            let point: Option<Vec<Exact>> = ranges.map(|((lo, hi), &u)| Exact::between(lo, hi, u)).collect();
            let point =
                point.unwrap_or_else(|| part.iter().map(|side| Exact::double(side.middle())).collect());
            fits(&point, judge).then_some(point)
        };
        let found = rounded.or_else(exact)?;
        Some(Refutation {
            witness: found.into_iter().map(|x| (x, None)).collect(),
            restated: None,
            root: None,
        })
    }

    /// A place on the border of a claim: the root of a square changes its sign along its side, and where it is 0 the claim fails. Other sides are
    /// at the end of their range that the part has, or in the middle of it.
    fn attained(&self, judge: &mut Judge<'_>, shares: &[[f64; 2]]) -> Option<Refutation> {
        let ranges = self.statement.ranges();
        for square in &self.statement.squares {
            let at = |j: usize| match shares[j] {
                [lo, hi] if lo > 0.0 && hi >= 1.0 => Some(ranges[j].1.clone()),
                [lo, hi] if lo <= 0.0 && hi < 1.0 => Some(ranges[j].0.clone()),
                [lo, hi] => Exact::between(ranges[j].0, ranges[j].1, 0.5 * lo + 0.5 * hi),
            };
            let Some(others) = (0..shares.len()).map(at).collect::<Option<Vec<Exact>>>() else { continue };
            let mut witness: Witness = others.into_iter().map(|x| (x, None)).collect();
            let Some([lo, hi]) = self.crossing(judge, square, &mut witness, shares[square.side]) else {
                continue;
            };
            witness[square.side] = (lo, Some(hi));
            if judge.refutes_where(&self.statement.box_of(&witness), Some(square)) {
                return Some(Refutation { witness, restated: None, root: Some(square.root) });
            }
        }
        None
    }

    /// Numbers near each other at which a root has opposite signs, within a share of its side.
    fn crossing(
        &self,
        judge: &mut Judge<'_>,
        square: &Square,
        witness: &mut Witness,
        [mut from, mut to]: [f64; 2],
    ) -> Option<[Exact; 2]> {
        let (lo, hi) = self.statement.ranges()[square.side];
        let mut sign = |share: f64| {
            let at = Exact::between(lo, hi, share)?;
            witness[square.side] = (at.clone(), None);
            let (value, _) = judge.with_slopes(&self.statement.box_of(witness), square.root);
            let sign = if value.lo > 0.0 {
                1
            } else if value.hi < 0.0 {
                -1
            } else {
                0
            };
            Some((at, sign))
        };
        let (mut first, mut last) = (sign(from)?, sign(to)?);
        if first.1 * last.1 >= 0 {
            return None;
        }
        for _ in 0..CROSSING {
            let middle = 0.5 * from + 0.5 * to;
            let between = sign(middle)?;
            match between.1 {
                0 => break,
                s if s == first.1 => (first, from) = (between, middle),
                _ => (last, to) = (between, middle),
            }
        }
        Some([first.0, last.0])
    }

    /// A box around a common zero of the equations.
    fn placed(&self, judge: &mut Judge<'_>, start: Vec<f64>) -> Option<Refutation> {
        let tied = self.tied(judge, &start)?;
        let (place, slopes) = self.zero(judge, &tied, start)?;
        let at: Witness = place.iter().map(|&x| (Exact::double(x), None)).collect();
        if !judge.refutes(&self.statement.box_of(&at)) {
            return None;
        }
        let restated = self.untangled(slopes)?;
        let mut judge = Judge::new(&restated);
        let ranges = self.statement.ranges();
        let found = REACH.into_iter().find_map(|digits| {
            let share = f64::EPSILON * f64::powi(2.0, digits);
            let reach = |j: usize| share * (self.sides[j].width() + place[j].abs());
            // what is not tied has a number of its own, the double
            let ends = |j: usize| match tied.contains(&j) {
                true => (Exact::double(place[j] - reach(j)), Some(Exact::double(place[j] + reach(j)))),
                false => (Exact::double(place[j]), None),
            };
            let witness: Witness = (0..place.len()).map(ends).collect();
            let inside = |((lo, hi), range): (&(Exact, Option<Exact>), &(&Exact, &Exact))| {
                is_inside(lo, *range) && hi.as_ref().is_none_or(|hi| is_inside(hi, *range))
            };
            let sides = self.statement.box_of(&witness);
            let shown = witness.iter().zip(&ranges).all(inside)
                && is_held(&mut judge, &restated.zero, &tied, &sides)
                && judge.refutes(&sides);
            shown.then_some(witness)
        });
        Some(Refutation { witness: found?, restated: Some(restated), root: None })
    }

    /// The statement with equations of which each depends on the input that it is tied to, nearly alone: multiples of others are
    /// subtracted, one at a time, so that they hold where the given ones do.
    fn untangled(&self, mut slopes: DMatrix<f64>) -> Option<Statement> {
        let statement = self.statement;
        let mut builder = Builder::new(statement.tape.inputs());
        let inputs: Vec<Value> = (0..statement.tape.inputs()).map(|i| builder.input(i)).collect();
        let mut outputs = builder.append(&statement.tape, &inputs);
        let k = statement.zero.len();
        for pivot in 0..k {
            for row in (0..k).filter(|&row| row != pivot) {
                // few digits, so that it is the same number in every arithmetic
                let factor = f64::from((slopes[(row, pivot)] / slopes[(pivot, pivot)]) as f32);
                if !factor.is_finite() {
                    return None;
                }
                for c in 0..k {
                    slopes[(row, c)] -= factor * slopes[(pivot, c)];
                }
                let (from, of) = (outputs[statement.zero[row]], outputs[statement.zero[pivot]]);
                let scale = builder.constant(factor);
                let part = builder.mul(scale, of);
                outputs[statement.zero[row]] = builder.sub(from, part);
            }
        }
        Some(Statement { tape: builder.finish(&outputs), ..statement.clone() })
    }

    /// The input that each equation is tied to: the largest slopes, each input once.
    fn tied(&self, judge: &mut Judge<'_>, at: &[f64]) -> Option<Vec<usize>> {
        let point: Vec<Interval> = at.iter().map(|&x| Interval::from_f64(x)).collect();
        let mut tied: Vec<usize> = Vec::new();
        for &equation in &self.statement.zero {
            let (_, slopes) = judge.with_slopes(&point, equation);
            let size = |j: &usize| slopes[*j].magnitude() * self.sides[*j].width();
            let free = (0..at.len()).filter(|j| !tied.contains(j) && size(j).is_finite());
            let most = free.max_by(|a, b| size(a).total_cmp(&size(b)))?;
            if size(&most) == 0.0 {
                return None;
            }
            tied.push(most);
        }
        Some(tied)
    }

    /// Newton's method in the tied inputs; with the slopes of the equations along them.
    fn zero(
        &self,
        judge: &mut Judge<'_>,
        tied: &[usize],
        mut x: Vec<f64>,
    ) -> Option<(Vec<f64>, DMatrix<f64>)> {
        let k = tied.len();
        let mut last = DMatrix::zeros(k, k);
        for _ in 0..STEPS {
            let point: Vec<Interval> = x.iter().map(|&x| Interval::from_f64(x)).collect();
            let (mut value, mut slope) = (DVector::zeros(k), DMatrix::zeros(k, k));
            for (row, &equation) in self.statement.zero.iter().enumerate() {
                let (at, slopes) = judge.with_slopes(&point, equation);
                value[row] = at.middle();
                tied.iter().enumerate().for_each(|(c, &j)| slope[(row, c)] = slopes[j].middle());
            }
            last.clone_from(&slope);
            let step = slope.lu().solve(&value)?;
            let before = x.clone();
            tied.iter().zip(step.iter()).for_each(|(&j, step)| x[j] -= step);
            let inside = |j: &usize| self.sides[*j].contains(x[*j]);
            if !tied.iter().all(inside) {
                return None;
            }
            if x == before {
                break;
            }
        }
        Some((x, last))
    }
}

/// Whether each equation has opposite signs on the faces of its input.
fn is_held(judge: &mut Judge<'_>, zero: &[usize], tied: &[usize], sides: &[Interval]) -> bool {
    zero.iter().zip(tied).all(|(&equation, &j)| {
        let whole = judge.narrowed(sides, equation);
        let mut at = |x: f64| {
            let mut face = sides.to_vec();
            face[j] = Interval::from_f64(x);
            judge.narrowed(&face, equation)
        };
        let (low, high) = (at(sides[j].lo), at(sides[j].hi));
        whole.is_bounded() && ((low.hi < 0.0 && high.lo > 0.0) || (low.lo > 0.0 && high.hi < 0.0))
    })
}

fn is_inside(x: &Exact, (lo, hi): (&Exact, &Exact)) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    matches!(lo.compare(x), Some(Less | Equal)) && matches!(hi.compare(x), Some(Greater | Equal))
}
