//! The tree of words. At every branch each undecided contact tries its modes on the relaxation, and the one with the
//! fewest that remain is decided next: none means that the branch is empty, one that the contact had no mode.

use super::exact::{Coordinates, Exact};
use super::farkas::Rows;
use super::leaf::Leaf;
use super::proof::{Branch, Combination, Proof};
use super::relax::{Bound, Feasibility, Relaxation};
use super::{Family, Limits, Mode};
use crate::num::halt;

pub(super) struct Search {
    pub(super) exact: Exact,
    pub(super) coordinates: Coordinates,
    pub(super) limits: Limits,
    pub(super) rows: Rows,
    leaves: Vec<Leaf>,
    near: Vec<Vec<f64>>,
    branches: usize,
    complete: bool,
}

/// What a search found.
pub(super) struct Found {
    pub(super) families: Vec<Family>,
    pub(super) proof: Proof,
    /// Forces that solve to rounding in words that have no solution.
    pub(super) near: Vec<Vec<f64>>,
    /// Whether the whole tree was searched.
    pub(super) complete: bool,
    pub(super) branches: usize,
}

/// Some contacts decided.
struct Node {
    chosen: Vec<Option<Mode>>,
    relaxation: Relaxation,
}

/// A contact with its modes and what the relaxation says to them.
struct Split {
    contact: usize,
    children: Vec<(Mode, Relaxation, Feasibility)>,
}

impl Split {
    fn open(&self) -> usize {
        self.children.iter().filter(|(_, _, verdict)| *verdict == Feasibility::Open).count()
    }
}

impl Search {
    /// `quick` allows for proofs in floating point.
    pub(super) fn new(exact: Exact, limits: Limits, quick: bool) -> Self {
        let coordinates = Coordinates::new(&exact.mu);
        let rows = (0..2 * exact.contacts()).map(|k| coordinates.velocity_row(&exact, k)).collect();
        let rows = Rows::new(rows, quick);
        Self { exact, coordinates, limits, rows, leaves: vec![], near: vec![], branches: 0, complete: true }
    }

    pub(super) fn contacts(&self) -> usize {
        self.exact.contacts()
    }

    pub(super) fn run(mut self) -> Found {
        let mut relaxation = Relaxation::new(&self.rows.near);
        let verdict = relaxation.solve();
        let mut root = match self.refutation(&relaxation, verdict) {
            None => self.descend(&Node { chosen: vec![None; self.contacts()], relaxation }),
            Some(y) => {
                self.branches = 1;
                Branch::Refuted(y)
            }
        };
        let (found, homes) = self.families(&self.leaves);
        renumber(&mut root, &homes);
        let (families, sets) = found.into_iter().unzip();
        let Self { near, complete, branches, .. } = self;
        Found { families, proof: Proof { root, sets }, near, complete, branches }
    }

    /// The proof that a relaxation is empty, if it is.
    fn refutation(&self, relaxation: &Relaxation, verdict: Feasibility) -> Option<Combination> {
        match verdict {
            Feasibility::Open => None,
            Feasibility::Empty(v) => self.rows.prove(relaxation, v),
        }
    }

    fn descend(&mut self, node: &Node) -> Branch {
        if self.branches >= self.limits.branches || halt::is_over() {
            self.complete = false;
            return Branch::Cut;
        }
        self.branches += 1;
        if let Some((contact, bounds)) = self.border(node) {
            return Branch::Border { contact, bounds };
        }
        let Some(split) = self.split(node) else {
            return self.finish(node);
        };
        let contact = split.contact;
        let child = |(mode, relaxation, verdict)| match self.refutation(&relaxation, verdict) {
            Some(y) => (mode, Branch::Refuted(y)),
            None => {
                let mut chosen = node.chosen.clone();
                chosen[contact] = Some(mode);
                (mode, self.descend(&Node { chosen, relaxation }))
            }
        };
        Branch::Split { contact, children: split.children.into_iter().map(child).collect() }
    }

    /// A decided contact that is nowhere inside its mode, so that every solution of this branch is in one with another
    /// mode of that contact: a slip that never slides sticks; a take-off that never opens and slides one way, or not at
    /// all, is a slip without force.
    fn border(&self, node: &Node) -> Option<(usize, Vec<Combination>)> {
        let velocities = self.coordinates.dimension() - 1;
        let never = |v: usize, positive: bool| {
            let mut relaxation = node.relaxation.clone();
            let open = relaxation.can_be(v, positive);
            if open { None } else { self.rows.excludes(&relaxation, v, positive) }
        };
        (0..self.contacts()).find_map(|i| {
            let (normal, tangential) = (velocities + 2 * i, velocities + 2 * i + 1);
            let bounds = match node.chosen[i]? {
                Mode::Stick | Mode::Slide => return None,
                Mode::SlipPos => vec![never(tangential, true)?],
                Mode::SlipNeg => vec![never(tangential, false)?],
                Mode::TakeOff if self.exact.is_frictionless(i) => vec![never(normal, true)?],
                Mode::TakeOff => {
                    let open = never(normal, true)?;
                    vec![open, never(tangential, true).or_else(|| never(tangential, false))?]
                }
            };
            Some((i, bounds))
        })
    }

    /// The undecided contact with the fewest modes left, the first among equals; none if all are decided.
    fn split(&self, node: &Node) -> Option<Split> {
        let mut best: Option<Split> = None;
        for contact in (0..self.contacts()).filter(|&i| node.chosen[i].is_none()) {
            let child = |&mode: &Mode| {
                let mut relaxation = node.relaxation.clone();
                self.narrow(&mut relaxation.bounds, contact, mode);
                let verdict = relaxation.solve();
                (mode, relaxation, verdict)
            };
            let split = Split { contact, children: self.modes_of(contact).iter().map(child).collect() };
            if best.as_ref().is_none_or(|best| split.open() < best.open()) {
                best = Some(split);
            }
            if best.as_ref().is_some_and(|best| best.open() <= 1) {
                break;
            }
        }
        best
    }

    fn modes_of(&self, i: usize) -> &'static [Mode] {
        Mode::all(self.exact.is_frictionless(i))
    }

    /// The bounds of one more decided contact.
    fn narrow(&self, bounds: &mut [Bound], i: usize, mode: Mode) {
        let velocities = self.coordinates.dimension() - 1;
        let (normal, tangential) = (velocities + 2 * i, velocities + 2 * i + 1);
        self.coordinates.zero(i, mode).for_each(|weight| bounds[weight] = Bound::Zero);
        if mode != Mode::TakeOff {
            bounds[normal] = Bound::Zero;
        }
        match mode {
            Mode::TakeOff | Mode::Slide => {}
            Mode::Stick => bounds[tangential] = Bound::Zero,
            Mode::SlipPos => bounds[tangential] = Bound::NonNegative,
            Mode::SlipNeg => bounds[tangential] = Bound::NonPositive,
        }
    }

    /// The exact polyhedron of a complete word, kept unless it is empty; then the relaxation, which is not, has a point
    /// that solves to rounding.
    fn finish(&mut self, node: &Node) -> Branch {
        let word: Vec<Mode> = node.chosen.iter().copied().flatten().collect();
        match Leaf::new(&self.coordinates, &self.rows.exact, self.limits.rays, word) {
            Some(leaf) if leaf.has_point() => {
                self.leaves.push(leaf);
                Branch::Word(Some(self.leaves.len() - 1))
            }
            Some(_) => {
                self.near.push(self.coordinates.near_forces(&node.relaxation.point()));
                Branch::Word(None)
            }
            None => {
                self.complete = false;
                Branch::Cut
            }
        }
    }
}

/// The numbers of leaves become those of families.
fn renumber(branch: &mut Branch, homes: &[usize]) {
    match branch {
        Branch::Split { children, .. } => children.iter_mut().for_each(|(_, child)| renumber(child, homes)),
        Branch::Word(Some(leaf)) => *leaf = homes[*leaf],
        Branch::Word(None) | Branch::Refuted(_) | Branch::Border { .. } | Branch::Cut => {}
    }
}
