//! One part of the box: whether enclosures, or enclosures of slopes, decide it.
//!
//! Slopes serve twice: along an input in which a value grows or falls all over the part, the value is bounded at one face;
//! along the others by the mean value theorem from the middle.

use super::formula::{Formula, Truth};
use super::statement::{Square, Statement};
use crate::num::{Interval, Real};
use crate::tape::{Cone, Enclosure};
use std::sync::Arc;

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
#[derive(Clone)]
pub(super) struct Judge<'s> {
    statement: &'s Statement,
    /// What is false where the claim fails.
    refutable: Formula,
    enclosure: Enclosure,
    /// What each output needs, and what all equations do.
    cones: Arc<[Cone]>,
    equations: Arc<Cone>,
    /// The outputs over the part.
    natural: Vec<Interval>,
    /// The same, narrowed by slopes where they are known.
    narrowed: Vec<Interval>,
    /// Outputs whose signs count.
    watched: Vec<usize>,
    /// Outputs that only the claim reads: that it holds is what they can show.
    from_below: Vec<usize>,
    /// Sides whose shares are inputs.
    shared: Vec<usize>,
    /// Whether all functions are defined all over the part, of those that no checker looks at.
    defined: bool,
    /// Whether what is not meant in some of a part leaves it open.
    wholly: bool,
}

impl<'s> Judge<'s> {
    pub(super) fn new(statement: &'s Statement) -> Self {
        let (assumed, claimed) = (statement.assumed.outputs(), statement.claimed.outputs());
        let is_else = |i: &usize| assumed.contains(i) || statement.zero.contains(i);
        let from_below = claimed.iter().copied().filter(|i| !is_else(i)).collect();
        let second = |&(_, second): &(usize, usize)| second;
        let forms: Vec<usize> = statement.same.iter().map(second).collect();
        let divisors = statement.divisors.iter().flat_map(|(_, forms)| *forms).collect();
        let rests = statement.squares.iter().map(|square| square.rest).collect();
        let mut watched = [statement.zero.clone(), assumed, claimed, forms, divisors, rests].concat();
        watched.sort_unstable();
        watched.dedup();
        let none = vec![Interval::WHOLE; statement.tape.outputs()];
        let enclosure = statement.enclosure();
        let shared = statement.shared();
        let cones = (0..statement.tape.outputs()).map(|i| enclosure.cone(&[i])).collect();
        Judge {
            statement,
            refutable: statement.refutable(),
            cones,
            equations: enclosure.cone(&statement.zero).into(),
            enclosure,
            natural: none.clone(),
            narrowed: none,
            watched,
            from_below,
            shared,
            defined: true,
            wholly: false,
        }
    }

    /// Of a claim that holds only where all of a part is meant.
    pub(super) fn wholly(statement: &'s Statement) -> Self {
        Judge { wholly: true, from_below: Vec::new(), ..Self::new(statement) }
    }

    /// Judges a part.
    pub(super) fn judge(&mut self, shares: &[[f64; 2]]) -> Judged {
        let part = self.statement.part(shares);
        if self.is_excluded(&part) {
            return Judged::Empty(false);
        }
        self.enclose(&part);
        self.narrowed.clone_from(&self.natural);
        if let Some(found) = self.decided(false) {
            return found;
        }
        // most parts have no state that is meant: equations first
        let equations: Vec<usize> =
            self.statement.zero.iter().copied().filter(|&i| self.is_open(i)).collect();
        // values are those of the part still
        let of_equations = self.slopes_of(&equations);
        for (&output, slopes) in equations.iter().zip(&of_equations) {
            self.narrow(output, slopes, &part);
        }
        if let Some(found) = self.decided(true) {
            return found;
        }
        let open = self.undecided();
        if !equations.is_empty() {
            self.enclosure.enclose(&part);
        }
        let of_formulas = self.slopes_of(&open);
        for (k, (&output, slopes)) in open.iter().zip(&of_formulas).enumerate() {
            if !self.may_be_decided(&open[k..]) {
                break;
            }
            self.narrow(output, slopes, &part);
            if let Some(found) = self.decided(true) {
                return found;
            }
        }
        // of the forms of an output, the last says where to halve
        let of_sides = |rows: Vec<Vec<Vec<Interval>>>| {
            rows.into_iter().filter_map(|mut forms| Some(self.by_side(forms.pop()?, &part))).collect()
        };
        let rows: [Vec<Vec<f64>>; 2] = [of_equations, of_formulas].map(of_sides);
        Judged::Open(side_to_halve([&rows[0], &rows[1]], shares))
    }

    /// Whether the equations alone, which are a small part of all, hold nowhere in a part.
    fn is_excluded(&mut self, part: &[Interval]) -> bool {
        let zero = &self.statement.zero;
        if zero.is_empty() || !self.enclosure.is_total() {
            return false;
        }
        self.enclosure.enclose_in(&self.equations, part);
        self.narrowed.fill(Interval::WHOLE);
        zero.iter().for_each(|&i| self.narrowed[i] = self.enclosure.output(i));
        zero.iter().any(|&i| !self.narrowed[i].contains(0.0))
    }

    /// An output and its other forms.
    fn forms(&self, output: usize) -> Vec<usize> {
        let defined = self.natural[output].is_bounded();
        let others = self.statement.same.iter().filter(move |(first, _)| defined && *first == output);
        std::iter::once(output).chain(others.map(|(_, form)| *form)).collect()
    }

    /// The slopes of some outputs over the box that was last evaluated, of each of their forms.
    fn slopes_of(&mut self, outputs: &[usize]) -> Vec<Vec<Vec<Interval>>> {
        outputs.iter().map(|&i| self.forms(i).into_iter().map(|form| self.slopes(form)).collect()).collect()
    }

    /// Narrows an output over the part by the slopes of its forms.
    fn narrow(&mut self, output: usize, slopes: &[Vec<Interval>], part: &[Interval]) {
        for (form, slopes) in self.forms(output).into_iter().zip(slopes) {
            let bounded = if self.from_below.contains(&output) {
                Interval { lo: self.least(form, slopes, part, 1.0), hi: f64::INFINITY }
            } else {
                self.bounded(form, slopes, part)
            };
            self.narrowed[output] = self.narrowed[output].intersect(bounded);
        }
    }

    /// Whether the part is decided if some outputs, which are not narrowed yet, turn out as well as they can.
    fn may_be_decided(&self, left: &[usize]) -> bool {
        let best = |sign: f64| {
            move |i: usize| match left.contains(&i) {
                true => Interval::from_f64(sign),
                false => self.narrowed[i],
            }
        };
        self.statement.assumed.judge(&mut best(-1.0)) == Truth::False
            || self.statement.claimed.judge(&mut best(1.0)) == Truth::True
            || self.statement.claimed.judge(&mut best(-1.0)) == Truth::False
    }

    /// How much an output varies along each side, by its slopes along sides and shares.
    fn by_side(&self, slopes: Vec<Interval>, part: &[Interval]) -> Vec<f64> {
        let spread = |j: usize| slopes[j].magnitude() * part[j].width();
        let sides = part.len() - self.shared.len();
        let mut found: Vec<f64> = (0..sides).map(spread).collect();
        self.shared.iter().enumerate().for_each(|(k, &side)| found[side] += spread(sides + k));
        found
    }

    /// Whether the claim holds in a part, which is decided, and the outputs over it.
    pub(super) fn ranges(&mut self, shares: &[[f64; 2]]) -> (bool, &[Interval]) {
        let holds = matches!(self.judge(shares), Judged::Holds(_));
        (holds, &self.narrowed)
    }

    /// Whether everything at a box of inputs is meant and the claim fails, but for the equations.
    pub(super) fn refutes(&mut self, sides: &[Interval]) -> bool {
        self.refutes_where(sides, None)
    }

    /// The same at the points of the box where the root of a square is 0.
    pub(super) fn refutes_where(&mut self, sides: &[Interval], square: Option<&Square>) -> bool {
        self.enclose(sides);
        for square in self.statement.squares.iter().filter(|s| square.is_some_and(|of| of.root == s.root)) {
            self.natural[square.whole] = self.natural[square.whole].intersect(self.natural[square.rest]);
        }
        let natural = &self.natural;
        let truth = |formula: &Formula| formula.judge(&mut |i| natural[i]);
        self.defined
            && truth(&self.refutable) == Truth::False
            && truth(&self.statement.assumed) == Truth::True
    }

    /// An output over a box, and its slopes.
    pub(super) fn with_slopes(&mut self, sides: &[Interval], output: usize) -> (Interval, Vec<Interval>) {
        self.enclosure.enclose_in(&self.cones[output], sides);
        (self.enclosure.output(output), self.slopes(output))
    }

    /// An output over a box, by its slopes too.
    pub(super) fn narrowed(&mut self, sides: &[Interval], output: usize) -> Interval {
        let (natural, slopes) = self.with_slopes(sides, output);
        natural.intersect(self.bounded(output, &slopes, sides))
    }

    fn enclose(&mut self, sides: &[Interval]) {
        self.enclosure.enclose(sides);
        self.defined = self.enclosure.is_inside_domains();
        for &i in &self.watched {
            self.natural[i] = self.enclosure.output(i);
        }
        // where it is not known to be defined, its other form says nothing
        for &(first, form) in &self.statement.same {
            if self.is_defined(first) {
                self.natural[first] = self.natural[first].intersect(self.natural[form]);
            }
        }
    }

    fn is_defined(&self, output: usize) -> bool {
        let is_apart = |i: &usize| !self.natural[*i].contains(0.0);
        let mut divisors = self.statement.divisors.iter().filter(|(of, _)| *of == output).peekable();
        self.natural[output].is_bounded()
            || (divisors.peek().is_some() && divisors.all(|(_, forms)| forms.iter().any(is_apart)))
    }

    fn slopes(&mut self, output: usize) -> Vec<Interval> {
        self.enclosure.slopes_in(&self.cones[output], output)
    }

    fn decided(&self, by_slopes: bool) -> Option<Judged> {
        if !self.defined {
            return None;
        }
        let narrowed = &self.narrowed;
        let truth = |formula: &Formula| formula.judge(&mut |i| narrowed[i]);
        let impossible = self.statement.zero.iter().any(|&i| !narrowed[i].contains(0.0));
        let assumed = truth(&self.statement.assumed);
        if impossible || assumed == Truth::False {
            return Some(Judged::Empty(by_slopes));
        }
        match truth(&self.statement.claimed) {
            Truth::True if assumed == Truth::True || !self.wholly => Some(Judged::Holds(by_slopes)),
            Truth::True => None,
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
            self.enclosure.enclose_in(&self.cones[output], &sides);
            found = signed(self.enclosure.output(output)).lo;
        }
        let middle: Vec<f64> =
            part.iter().zip(&faces).map(|(side, face)| face.unwrap_or(side.middle())).collect();
        let points: Vec<Interval> = middle.iter().map(|&x| Interval::from_f64(x)).collect();
        self.enclosure.enclose_in(&self.cones[output], &points);
        let mut mean = signed(self.enclosure.output(output));
        for (j, &at) in middle.iter().enumerate() {
            if faces[j].is_none() {
                mean = mean + signed(slopes[j]) * (part[j] - Interval::from_f64(at));
            }
        }
        found.max(mean.lo)
    }
}

/// The side along which the open outputs vary most, by how much they do; long sides a little before short ones: an output that changes its
/// sign across one side wherever it is halved would otherwise claim every halving. Equations together count as much as formulas. The longest
/// where slopes are not known.
fn side_to_halve(spreads: [&[Vec<f64>]; 2], shares: &[[f64; 2]]) -> usize {
    let width = |j: usize| shares[j][1] - shares[j][0];
    let mut spread = vec![0.0; shares.len()];
    for (row, rows) in spreads.iter().flat_map(|rows| rows.iter().map(move |row| (row, rows.len() as f64))) {
        let all: f64 = row.iter().sum();
        for (j, spread) in spread.iter_mut().enumerate() {
            let share = row[j] / all;
            *spread += if share.is_finite() { share } else { width(j) } / rows;
        }
    }
    let weight = |j: usize| spread[j] * width(j).sqrt().sqrt();
    let most = |a: &usize, b: &usize| weight(*a).total_cmp(&weight(*b)).then(width(*a).total_cmp(&width(*b)));
    (0..shares.len()).filter(|&j| width(j) > 0.0).max_by(most).unwrap_or(0)
}
