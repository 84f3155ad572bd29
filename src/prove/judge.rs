//! One part of the box: whether enclosures, or enclosures of slopes, decide it.
//!
//! Slopes serve twice: along an input in which a value grows or falls all over the part, the value is bounded at one face;
//! along the others by the mean value theorem from the middle.

use super::formula::{Formula, Truth};
use super::statement::Statement;
use crate::num::{Interval, Real};
use crate::tape::Enclosure;

/// What is known of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judged {
    /// The claim holds in all of it; whether slopes were needed.
    Holds(bool),
    /// Nothing in it is meant; whether slopes were needed.
    Empty(bool),
    /// Everything in it is meant, and the claim fails.
    Fails,
    /// Open: the input along which to halve.
    Open(usize),
}

/// Looks at parts, one after the other.
pub(super) struct Judge<'s> {
    statement: &'s Statement,
    enclosure: Enclosure,
    /// The outputs over the part.
    natural: Vec<Interval>,
    /// The same, narrowed by slopes where they are known.
    narrowed: Vec<Interval>,
    /// Outputs whose signs count.
    watched: Vec<usize>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(statement: &'s Statement) -> Self {
        let (assumed, claimed) = (statement.assumed.outputs(), statement.claimed.outputs());
        let mut watched = [statement.zero.clone(), assumed, claimed].concat();
        watched.sort_unstable();
        watched.dedup();
        let none = vec![Interval::WHOLE; statement.tape.outputs()];
        let enclosure = statement.enclosure();
        Judge { statement, enclosure, natural: none.clone(), narrowed: none, watched }
    }

    /// Judges a part.
    pub(super) fn judge(&mut self, shares: &[[f64; 2]]) -> Judged {
        let part = self.statement.part(shares);
        self.enclose(&part);
        self.narrowed.clone_from(&self.natural);
        if let Some(found) = self.decided(false) {
            return found;
        }
        // most parts have no state that is meant: equations first
        let equations: Vec<usize> =
            self.statement.zero.iter().copied().filter(|&i| self.is_open(i)).collect();
        let of_equations = self.narrow(&equations, &part);
        if let Some(found) = self.decided(true) {
            return found;
        }
        let of_formulas = self.narrow(&self.undecided(), &part);
        if let Some(found) = self.decided(true) {
            return found;
        }
        Judged::Open(side_to_halve([&of_equations, &of_formulas], &part, shares))
    }

    /// Narrows outputs over the part, whose slopes are given back.
    fn narrow(&mut self, open: &[usize], part: &[Interval]) -> Vec<Vec<Interval>> {
        if open.is_empty() {
            return Vec::new();
        }
        self.enclosure.enclose(part);
        let slopes: Vec<Vec<Interval>> = open.iter().map(|&i| self.slopes(i)).collect();
        for (&i, slopes) in open.iter().zip(&slopes) {
            self.narrowed[i] = self.narrowed[i].intersect(self.bounded(i, slopes, part));
        }
        slopes
    }

    /// Whether the claim holds in a part, which is decided, and the outputs over it.
    pub(super) fn ranges(&mut self, shares: &[[f64; 2]]) -> (bool, &[Interval]) {
        let holds = matches!(self.judge(shares), Judged::Holds(_));
        (holds, &self.narrowed)
    }

    /// Whether everything at a box of inputs is meant and the claim fails, but for the equations.
    pub(super) fn refutes(&mut self, sides: &[Interval]) -> bool {
        self.enclose(sides);
        let natural = &self.natural;
        let truth = |formula: &Formula| formula.judge(&mut |i| natural[i]);
        truth(&self.statement.claimed) == Truth::False && truth(&self.statement.assumed) == Truth::True
    }

    /// An output over a box, and its slopes.
    pub(super) fn with_slopes(&mut self, sides: &[Interval], output: usize) -> (Interval, Vec<Interval>) {
        self.enclosure.enclose(sides);
        (self.enclosure.output(output), self.slopes(output))
    }

    /// An output over a box, by its slopes too.
    pub(super) fn narrowed(&mut self, sides: &[Interval], output: usize) -> Interval {
        let (natural, slopes) = self.with_slopes(sides, output);
        natural.intersect(self.bounded(output, &slopes, sides))
    }

    fn enclose(&mut self, sides: &[Interval]) {
        self.enclosure.enclose(sides);
        for &i in &self.watched {
            self.natural[i] = self.enclosure.output(i);
        }
    }

    fn slopes(&mut self, output: usize) -> Vec<Interval> {
        self.enclosure.gradient(&[(output, Interval::from_f64(1.0))])
    }

    fn decided(&self, by_slopes: bool) -> Option<Judged> {
        let narrowed = &self.narrowed;
        let truth = |formula: &Formula| formula.judge(&mut |i| narrowed[i]);
        let impossible = self.statement.zero.iter().any(|&i| !narrowed[i].contains(0.0));
        let assumed = truth(&self.statement.assumed);
        if impossible || assumed == Truth::False {
            return Some(Judged::Empty(by_slopes));
        }
        match truth(&self.statement.claimed) {
            Truth::True => Some(Judged::Holds(by_slopes)),
            Truth::False if assumed == Truth::True && self.statement.zero.is_empty() => Some(Judged::Fails),
            Truth::False | Truth::Open => None,
        }
    }

    fn is_open(&self, output: usize) -> bool {
        self.natural[output].contains(0.0) || !self.natural[output].is_bounded()
    }

    /// Outputs whose sign is not known where it counts, but for the equations.
    fn undecided(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for formula in [&self.statement.assumed, &self.statement.claimed] {
            formula.open(&|i| self.natural[i], &mut found);
        }
        found.retain(|i| !self.statement.zero.contains(i));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// An output over the part by its slopes.
    fn bounded(&mut self, output: usize, slopes: &[Interval], part: &[Interval]) -> Interval {
        let lo = self.least(output, slopes, part, 1.0);
        let hi = -self.least(output, slopes, part, -1.0);
        if lo <= hi { Interval { lo, hi } } else { Interval::WHOLE }
    }

    /// The least of ± an output.
    fn least(&mut self, output: usize, slopes: &[Interval], part: &[Interval], sign: f64) -> f64 {
        let face = |(side, slope): (&Interval, &Interval)| {
            let (grows, falls) = (slope.lo >= 0.0, slope.hi <= 0.0);
            match (if sign > 0.0 { grows } else { falls }, if sign > 0.0 { falls } else { grows }) {
                (true, _) => Some(side.lo),
                (_, true) => Some(side.hi),
                (false, false) => None,
            }
        };
        let faces: Vec<Option<f64>> = part.iter().zip(slopes).map(face).collect();
        let of_face = |(side, face): (&Interval, &Option<f64>)| face.map_or(*side, Interval::from_f64);
        let signed = |range: Interval| if sign > 0.0 { range } else { -range };
        let mut found = f64::NEG_INFINITY;
        if faces.iter().any(Option::is_some) {
            let sides: Vec<Interval> = part.iter().zip(&faces).map(of_face).collect();
            self.enclosure.enclose(&sides);
            found = signed(self.enclosure.output(output)).lo;
        }
        let middle: Vec<f64> =
            part.iter().zip(&faces).map(|(side, face)| face.unwrap_or(side.middle())).collect();
        let points: Vec<Interval> = middle.iter().map(|&x| Interval::from_f64(x)).collect();
        self.enclosure.enclose(&points);
        let mut mean = signed(self.enclosure.output(output));
        for (j, &at) in middle.iter().enumerate() {
            if faces[j].is_none() {
                mean = mean + signed(slopes[j]) * (part[j] - Interval::from_f64(at));
            }
        }
        found.max(mean.lo)
    }
}

/// The side along which the open outputs vary most, long sides a little before short ones: an output that changes its sign
/// across one side wherever it is halved would otherwise claim every halving. Equations together count as much as formulas. The longest
/// where slopes are not known.
fn side_to_halve(slopes: [&[Vec<Interval>]; 2], part: &[Interval], shares: &[[f64; 2]]) -> usize {
    let width = |j: usize| shares[j][1] - shares[j][0];
    let mut spread = vec![0.0; part.len()];
    for (row, rows) in slopes.iter().flat_map(|rows| rows.iter().map(move |row| (row, rows.len() as f64))) {
        let all: f64 = (0..part.len()).map(|j| row[j].magnitude() * part[j].width()).sum();
        for (j, spread) in spread.iter_mut().enumerate() {
            let share = row[j].magnitude() * part[j].width() / all;
            *spread += if share.is_finite() { share } else { width(j) } / rows;
        }
    }
    let halves = |j: &usize| part[*j].width() > 0.0;
    let weight = |j: usize| spread[j] * width(j).sqrt().sqrt();
    let most = |a: &usize, b: &usize| weight(*a).total_cmp(&weight(*b)).then(width(*a).total_cmp(&width(*b)));
    (0..part.len()).filter(halves).max_by(most).unwrap_or(0)
}
