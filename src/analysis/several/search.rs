//! The words of many contacts: a tree over the contacts, in which a branch is dropped as soon as what was decided contradicts
//! itself, or leaves a gap that cannot open or a slip that cannot set in, whose motion is then that of another word.
//!
//! Contradictions are found by the relaxation of the enumeration, in floating point, and count once multipliers prove
//! them there. What is left are words whose accelerations can be strictly positive where they must be.

use super::contacts::{Contacts, Going};
use super::word::{Choice, Ray};
use crate::enumerate::farkas::Rows;
use crate::enumerate::integral::Integral;
use crate::enumerate::relax::{Bound, Feasibility, Relaxation};
use num_bigint::BigInt;

/// The words that a search left.
pub(super) struct Left {
    pub(super) words: Vec<Vec<Choice>>,
    /// Whether every branch was looked at.
    pub(super) complete: bool,
}

pub(super) struct Search<'a> {
    contacts: &'a Contacts,
    /// Rays of all choices, without repetition.
    rays: Vec<Ray>,
    options: Vec<Vec<Choice>>,
    rows: Rows,
    root: Relaxation,
    left: Left,
    branches: usize,
}

/// Some contacts decided.
struct Node {
    chosen: Vec<Option<Choice>>,
    relaxation: Relaxation,
}

impl<'a> Search<'a> {
    /// None if a number is not finite.
    pub(super) fn new(contacts: &'a Contacts) -> Option<Self> {
        let options: Vec<Vec<Choice>> = (0..contacts.len()).map(|c| contacts.choices(c)).collect();
        let mut rays: Vec<Ray> = Vec::new();
        for (contact, choices) in options.iter().enumerate() {
            for ray in choices.iter().flat_map(|&choice| contacts.rays(contact, choice)) {
                if !rays.contains(&ray) {
                    rays.push(ray);
                }
            }
        }
        let row = |k: usize| {
            let gain = |ray: &Ray| {
                contacts.D[(k, 2 * ray.contact)] * ray.N + contacts.D[(k, 2 * ray.contact + 1)] * ray.T
            };
            let line: Vec<f64> = rays.iter().map(gain).chain([contacts.c[k] / contacts.load]).collect();
            Integral::of(line.iter().copied()).map(|Integral { x, over }| (x, over))
        };
        let rows: Vec<(Vec<BigInt>, BigInt)> = (0..2 * contacts.len()).map(row).collect::<Option<_>>()?;
        let left = Left { words: Vec::new(), complete: true };
        let rows = Rows::new(rows, true);
        let root = root(contacts, &rows, rays.len());
        Some(Self { contacts, rows, rays, options, root, left, branches: 0 })
    }

    /// Why a word cannot hold, if that can be proven without looking at its equations.
    pub(super) fn excludes(&self, word: &[Choice]) -> Option<Excluded> {
        let undecided = vec![None; word.len()];
        let mut node = Node { chosen: undecided, relaxation: self.root.clone() };
        for (contact, &choice) in word.iter().enumerate() {
            match self.narrowed(&node, contact, choice) {
                Ok(relaxation) => node.relaxation = relaxation,
                Err(excluded) => return Some(excluded),
            }
            node.chosen[contact] = Some(choice);
        }
        None
    }

    /// All words that are not dropped, up to this many branches.
    pub(super) fn run(mut self, branches: usize) -> Left {
        let mut relaxation = self.root.clone();
        let verdict = relaxation.solve();
        if !self.is_empty(&relaxation, verdict) {
            self.descend(&Node { chosen: vec![None; self.contacts.len()], relaxation }, branches);
        }
        self.left
    }

    fn is_empty(&self, relaxation: &Relaxation, verdict: Feasibility) -> bool {
        match verdict {
            Feasibility::Open => false,
            Feasibility::Empty(v) => self.rows.prove(relaxation, v).is_some(),
        }
    }

    fn descend(&mut self, node: &Node, branches: usize) {
        if self.branches >= branches {
            self.left.complete = false;
            return;
        }
        self.branches += 1;
        let Some((contact, children)) = self.split(node) else {
            self.left.words.push(node.chosen.iter().copied().flatten().collect());
            return;
        };
        for (choice, relaxation) in children {
            let mut chosen = node.chosen.clone();
            chosen[contact] = Some(choice);
            self.descend(&Node { chosen, relaxation }, branches);
        }
    }

    /// The undecided contact with the fewest choices left, and those; none if all are decided.
    fn split(&self, node: &Node) -> Option<(usize, Vec<(Choice, Relaxation)>)> {
        let mut best: Option<(usize, Vec<(Choice, Relaxation)>)> = None;
        for contact in (0..self.contacts.len()).filter(|&i| node.chosen[i].is_none()) {
            let child = |&choice: &Choice| Some((choice, self.narrowed(node, contact, choice).ok()?));
            let children: Vec<_> = self.options[contact].iter().filter_map(child).collect();
            let few = children.len();
            if best.as_ref().is_none_or(|(_, best)| few < best.len()) {
                best = Some((contact, children));
            }
            if few <= 1 {
                break;
            }
        }
        best
    }

    /// The relaxation with one more contact decided, unless it has no points, or none in which an acceleration is positive that
    /// must be.
    fn narrowed(&self, node: &Node, contact: usize, choice: Choice) -> Result<Relaxation, Excluded> {
        let mut relaxation = node.relaxation.clone();
        let (normal, own) = (self.rays.len() + 2 * contact, self.contacts.rays(contact, choice));
        for (k, ray) in self.rays.iter().enumerate().filter(|(_, ray)| ray.contact == contact) {
            if !own.contains(ray) {
                relaxation.bounds[k] = Bound::Zero;
            }
        }
        let rise = self.contacts.rise(contact, choice);
        match choice {
            Choice::Free => {}
            Choice::Slip { .. } => relaxation.bounds[normal] = Bound::Zero,
            Choice::Stick { .. } => (0..2).for_each(|k| relaxation.bounds[normal + k] = Bound::Zero),
        }
        if let Some((row, sign)) = rise {
            let bound = if sign > 0.0 { Bound::NonNegative } else { Bound::NonPositive };
            relaxation.bounds[self.rays.len() + row] = bound;
        }
        let verdict = relaxation.solve();
        if self.is_empty(&relaxation, verdict) {
            return Err(Excluded::NoForces);
        }
        let chosen = node.chosen.iter().enumerate().filter_map(|(i, choice)| Some((i, (*choice)?)));
        let rises = chosen.chain([(contact, choice)]).filter_map(|(i, choice)| self.contacts.rise(i, choice));
        let impossible = |&(row, sign): &(usize, f64)| {
            verdict == Feasibility::Open && !relaxation.clone().can_be(self.rays.len() + row, sign > 0.0)
        };
        match rises.into_iter().find(impossible) {
            Some((row, _)) => Err(Excluded::Still(row)),
            None => Ok(relaxation),
        }
    }
}

/// Why a word cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excluded {
    /// No forces satisfy its equations.
    NoForces,
    /// The acceleration of this row, which must be positive, cannot be.
    Still(usize),
}

/// The relaxation with nothing decided.
fn root(contacts: &Contacts, rows: &Rows, rays: usize) -> Relaxation {
    let mut relaxation = Relaxation::new(&rows.near);
    for contact in 0..contacts.len() {
        relaxation.bounds[rays + 2 * contact] = match contacts.touches[contact].going {
            Going::Parting => Bound::Free,
            _ if contacts.is_unilateral(contact) => Bound::NonNegative,
            _ => Bound::Zero,
        };
    }
    relaxation
}
