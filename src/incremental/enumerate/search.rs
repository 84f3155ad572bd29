//! The tree of words. At every branch each undecided contact tries its modes on the relaxation, and the one with the
//! fewest that remain is decided next: none means that the branch is empty, one that the contact had no choice.

use num_traits::Zero;

use super::exact::{Coordinates, Exact};
use super::leaf::Leaf;
use super::proof::Rows;
use super::relax::{Bound, Relaxation, Verdict};
use super::{Enumeration, Limits};

/// The alternatives of one contact; `Slide` is contact without friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    TakeOff,
    Stick,
    SlipPos,
    SlipNeg,
    Slide,
}

pub(super) struct Search {
    pub(super) exact: Exact,
    pub(super) coordinates: Coordinates,
    pub(super) limits: Limits,
    pub(super) rows: Rows,
    leaves: Vec<Leaf>,
    branches: usize,
    complete: bool,
}

/// Some contacts decided.
struct Node {
    chosen: Vec<Option<Choice>>,
    relaxation: Relaxation,
}

/// A contact with its modes and what the relaxation says to them.
struct Split {
    contact: usize,
    children: Vec<(Choice, Relaxation, Verdict)>,
}

impl Split {
    fn open(&self) -> usize {
        self.children.iter().filter(|(_, _, verdict)| *verdict == Verdict::Open).count()
    }
}

impl Search {
    pub(super) fn new(exact: Exact, limits: Limits) -> Self {
        let coordinates = Coordinates::new(&exact.mu);
        let rows = Rows::new((0..2 * exact.mu.len()).map(|k| coordinates.velocity_row(&exact, k)).collect());
        Self { exact, coordinates, limits, rows, leaves: Vec::new(), branches: 0, complete: true }
    }

    pub(super) fn contacts(&self) -> usize {
        self.exact.mu.len()
    }

    pub(super) fn run(mut self) -> Enumeration {
        let mut relaxation = Relaxation::new(&self.rows.near);
        let verdict = relaxation.solve();
        if self.is_open(&relaxation, verdict) {
            self.descend(&Node { chosen: vec![None; self.contacts()], relaxation });
        } else {
            self.branches = 1;
        }
        let families = self.families(&self.leaves);
        Enumeration { families, complete: self.complete, branches: self.branches }
    }

    /// Unless the contradiction is proven.
    fn is_open(&self, relaxation: &Relaxation, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Open => true,
            Verdict::Empty(v) => !self.rows.prove(relaxation, v),
        }
    }

    fn descend(&mut self, node: &Node) {
        if self.branches >= self.limits.branches {
            self.complete = false;
            return;
        }
        self.branches += 1;
        if self.is_border(node) {
            return;
        }
        let Some(split) = self.split(node) else {
            return self.finish(node);
        };
        for (choice, relaxation, verdict) in split.children {
            if self.is_open(&relaxation, verdict) {
                let mut chosen = node.chosen.clone();
                chosen[split.contact] = Some(choice);
                self.descend(&Node { chosen, relaxation });
            }
        }
    }

    /// Whether some decided contact is nowhere inside its mode, so that every solution of this branch is in one with
    /// another mode of that contact: a slip that never slides sticks; a take-off that never opens and slides one way, or
    /// not at all, is a slip without force.
    fn is_border(&self, node: &Node) -> bool {
        let velocities = self.coordinates.dimension() - 1;
        let never = |v: usize, positive: bool| {
            let mut relaxation = node.relaxation.clone();
            !relaxation.can_be(v, positive) && self.rows.excludes(&relaxation, v, positive)
        };
        (0..self.contacts()).any(|i| {
            let (normal, tangential) = (velocities + 2 * i, velocities + 2 * i + 1);
            match node.chosen[i] {
                None | Some(Choice::Stick | Choice::Slide) => false,
                Some(Choice::SlipPos) => never(tangential, true),
                Some(Choice::SlipNeg) => never(tangential, false),
                Some(Choice::TakeOff) if self.exact.mu[i].is_zero() => never(normal, true),
                Some(Choice::TakeOff) => {
                    never(normal, true) && (never(tangential, true) || never(tangential, false))
                }
            }
        })
    }

    /// The undecided contact with the fewest modes left, the first among equals; none if all are decided.
    fn split(&self, node: &Node) -> Option<Split> {
        let mut best: Option<Split> = None;
        for contact in (0..self.contacts()).filter(|&i| node.chosen[i].is_none()) {
            let child = |&choice: &Choice| {
                let mut relaxation = node.relaxation.clone();
                self.narrow(&mut relaxation.bounds, contact, choice);
                let verdict = relaxation.solve();
                (choice, relaxation, verdict)
            };
            let split = Split { contact, children: self.choices(contact).iter().map(child).collect() };
            if best.as_ref().is_none_or(|best| split.open() < best.open()) {
                best = Some(split);
            }
            if best.as_ref().is_some_and(|best| best.open() <= 1) {
                break;
            }
        }
        best
    }

    fn choices(&self, i: usize) -> &'static [Choice] {
        match self.exact.mu[i].is_zero() {
            true => &[Choice::TakeOff, Choice::Slide],
            false => &[Choice::TakeOff, Choice::Stick, Choice::SlipPos, Choice::SlipNeg],
        }
    }

    /// The bounds of one more decided contact.
    fn narrow(&self, bounds: &mut [Bound], i: usize, choice: Choice) {
        let velocities = self.coordinates.dimension() - 1;
        let (normal, tangential) = (velocities + 2 * i, velocities + 2 * i + 1);
        self.zero(i, choice).for_each(|weight| bounds[weight] = Bound::Zero);
        if choice != Choice::TakeOff {
            bounds[normal] = Bound::Zero;
        }
        match choice {
            Choice::TakeOff | Choice::Slide => {}
            Choice::Stick => bounds[tangential] = Bound::Zero,
            Choice::SlipPos => bounds[tangential] = Bound::NonNegative,
            Choice::SlipNeg => bounds[tangential] = Bound::NonPositive,
        }
    }

    /// The weights that a mode sets to zero. Generators in order: r_T = +μ r_N, which opposes slip−, then
    /// r_T = −μ r_N.
    pub(super) fn zero(&self, i: usize, choice: Choice) -> std::ops::Range<usize> {
        let first = self.coordinates.first[i];
        match choice {
            Choice::TakeOff if self.exact.mu[i].is_zero() => first..first + 1,
            Choice::TakeOff => first..first + 2,
            Choice::Slide | Choice::Stick => first..first,
            Choice::SlipPos => first..first + 1,
            Choice::SlipNeg => first + 1..first + 2,
        }
    }

    /// The exact polyhedron of a complete word, kept unless it is empty.
    fn finish(&mut self, node: &Node) {
        let word: Vec<Choice> = node.chosen.iter().copied().flatten().collect();
        match Leaf::new(self, word) {
            Some(leaf) if leaf.has_point() => self.leaves.push(leaf),
            Some(_) => {}
            None => self.complete = false,
        }
    }
}
