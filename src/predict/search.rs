//! The combinations of many contacts in the plane: a tree over the contacts, in which a branch is dropped as soon as what was decided contradicts
//! itself, or leaves a gap that cannot open or a slip that cannot set in, whose motion is then that of another combination.
//!
//! Contradictions are found by the relaxation of the enumeration, in floating point, and count once multipliers prove
//! them there. What is left are combinations whose accelerations can be strictly positive where they must be.

use super::contacts::{Contacts, Motion};
use super::mode::{Mode, Ray};
use crate::enumerate::farkas::Rows;
use crate::enumerate::integral::Integral;
use crate::enumerate::relax::{Bound, Feasibility, Relaxation};
use num_bigint::BigInt;

/// The combinations that a search left.
pub(super) struct Left {
    pub(super) combinations: Vec<Vec<Mode>>,
    /// Whether every branch was looked at.
    pub(super) complete: bool,
}

pub(super) struct Search<'a> {
    contacts: &'a Contacts,
    /// Rays of all choices, without repetition.
    rays: Vec<Ray>,
    options: Vec<Vec<Mode>>,
    rows: Rows,
    root: Relaxation,
    left: Left,
    branches: usize,
    /// Whether accelerations that must be positive may be zero.
    at_border: bool,
}

/// Some contacts decided.
struct Node {
    chosen: Vec<Option<Mode>>,
    relaxation: Relaxation,
}

impl<'a> Search<'a> {
    /// None if a number is not finite.
    pub(super) fn new(contacts: &'a Contacts) -> Option<Self> {
        let options: Vec<Vec<Mode>> = (0..contacts.len()).map(|c| contacts.modes(c)).collect();
        let mut rays: Vec<Ray> = Vec::new();
        for (contact, modes) in options.iter().enumerate() {
            for ray in modes.iter().flat_map(|&mode| contacts.rays(contact, mode)) {
                if !rays.contains(&ray) {
                    rays.push(ray);
                }
            }
        }
        let row = |k: usize| {
            let gain =
                |ray: &Ray| (0..2).map(|i| contacts.D[(k, 2 * ray.contact + i)] * ray.force[i]).sum::<f64>();
            let line: Vec<f64> = rays.iter().map(gain).chain([contacts.c[k] / contacts.load]).collect();
            Integral::of(line.iter().copied()).map(|Integral { x, over }| (x, over))
        };
        let rows: Vec<(Vec<BigInt>, BigInt)> = (0..2 * contacts.len()).map(row).collect::<Option<_>>()?;
        let left = Left { combinations: Vec::new(), complete: true };
        let rows = Rows::new(rows, true);
        let root = root(contacts, &rows, rays.len());
        Some(Self { contacts, rows, rays, options, root, left, branches: 0, at_border: false })
    }

    /// Why a combination cannot hold, if that can be proven without looking at its equations.
    pub(super) fn excludes(&self, modes: &[Mode]) -> Option<Excluded> {
        let undecided = vec![None; modes.len()];
        let mut node = Node { chosen: undecided, relaxation: self.root.clone() };
        for (contact, &mode) in modes.iter().enumerate() {
            match self.narrowed(&node, contact, mode) {
                Ok(relaxation) => node.relaxation = relaxation,
                Err(excluded) => return Some(excluded),
            }
            node.chosen[contact] = Some(mode);
        }
        None
    }

    /// The same with combinations whose accelerations are zero where they must be positive.
    pub(super) fn at_border(self) -> Self {
        Self { at_border: true, ..self }
    }

    /// All combinations that are not dropped, up to this many branches.
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
            self.left.combinations.push(node.chosen.iter().copied().flatten().collect());
            return;
        };
        for (mode, relaxation) in children {
            let mut chosen = node.chosen.clone();
            chosen[contact] = Some(mode);
            self.descend(&Node { chosen, relaxation }, branches);
        }
    }

    /// The undecided contact with the fewest choices left, and those; none if all are decided.
    fn split(&self, node: &Node) -> Option<(usize, Vec<(Mode, Relaxation)>)> {
        let mut best: Option<(usize, Vec<(Mode, Relaxation)>)> = None;
        for contact in (0..self.contacts.len()).filter(|&i| node.chosen[i].is_none()) {
            let child = |&mode: &Mode| Some((mode, self.narrowed(node, contact, mode).ok()?));
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
    fn narrowed(&self, node: &Node, contact: usize, mode: Mode) -> Result<Relaxation, Excluded> {
        let mut relaxation = node.relaxation.clone();
        let (normal, own) = (self.rays.len() + 2 * contact, self.contacts.rays(contact, mode));
        for (k, ray) in self.rays.iter().enumerate().filter(|(_, ray)| ray.contact == contact) {
            if !own.contains(ray) {
                relaxation.bounds[k] = Bound::Zero;
            }
        }
        let rise = self.contacts.rise(contact, mode).and_then(|rise| rise.terms().next());
        match mode {
            Mode::Free => {}
            Mode::Slip { .. } => relaxation.bounds[normal] = Bound::Zero,
            Mode::Stick { .. } => (0..2).for_each(|k| relaxation.bounds[normal + k] = Bound::Zero),
        }
        if let Some((row, sign)) = rise {
            let bound = if sign > 0.0 { Bound::NonNegative } else { Bound::NonPositive };
            relaxation.bounds[self.rays.len() + row] = bound;
        }
        let verdict = relaxation.solve();
        if self.is_empty(&relaxation, verdict) {
            return Err(Excluded::NoForces);
        }
        let chosen = node.chosen.iter().enumerate().filter_map(|(i, mode)| Some((i, (*mode)?)));
        let rises = chosen
            .chain([(contact, mode)])
            .filter_map(|(i, mode)| self.contacts.rise(i, mode)?.terms().next());
        let impossible = |&(row, sign): &(usize, f64)| {
            verdict == Feasibility::Open && !relaxation.clone().can_be(self.rays.len() + row, sign > 0.0)
        };
        match rises.into_iter().find(|rise| !self.at_border && impossible(rise)) {
            Some((row, _)) => Err(Excluded::Still(row)),
            None => Ok(relaxation),
        }
    }
}

/// Why a combination cannot hold.
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
        relaxation.bounds[rays + 2 * contact] = match contacts.motion(contact) {
            Motion::Parting => Bound::Free,
            _ if contacts.is_unilateral(contact) => Bound::NonNegative,
            _ => Bound::Zero,
        };
    }
    relaxation
}
