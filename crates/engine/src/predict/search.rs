//! The combinations of many contacts in the plane: a tree over the contacts, in which a branch is dropped as soon as what was decided contradicts
//! itself, or leaves a gap that cannot open or a slip that cannot set in, whose motion is then that of another combination.
//!
//! Contradictions are found by the relaxation of the enumeration, in floating point, and count once multipliers prove
//! them there. What is left are combinations whose accelerations can be strictly positive where they must be.

use super::contacts::{Contacts, Motion};
use super::mode::{Mode, Ray};
use crate::enumerate::farkas::contradicts;
use crate::enumerate::integral::Integral;
use crate::enumerate::relax::{Bound, Feasibility, Relaxation};
use num_bigint::BigInt;
use std::cell::OnceCell;

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
    /// Accelerations as rows of the rays' weights and a constant.
    lines: Vec<Vec<f64>>,
    /// The same, each up to a power of two; not a number where that is out of range.
    near: Vec<Vec<f64>>,
    /// The same, each up to a positive factor.
    exact: OnceCell<Vec<Vec<BigInt>>>,
    root: Relaxation,
    /// The modes that were looked at last, contact by contact.
    path: Vec<(Mode, Result<Relaxation, Excluded>)>,
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
            rays.iter().map(gain).chain([contacts.c[k] / contacts.load]).collect()
        };
        let lines: Vec<Vec<f64>> = (0..2 * contacts.len()).map(row).collect();
        let near: Vec<Vec<f64>> = lines.iter().map(|line| below_one(line)).collect::<Option<_>>()?;
        Some(Self {
            root: root(contacts, &near, rays.len()),
            left: Left { combinations: Vec::new(), complete: true },
            exact: OnceCell::new(),
            path: Vec::new(),
            branches: 0,
            at_border: false,
            contacts,
            lines,
            near,
            rays,
            options,
        })
    }

    /// Why a combination cannot hold, if that can be proven without looking at its equations.
    pub(super) fn excludes(&mut self, modes: &[Mode]) -> Option<Excluded> {
        // neighbours in the order of the combinations share the modes of their first contacts
        let shared = self.path.iter().zip(modes).take_while(|((known, _), mode)| known == *mode).count();
        self.path.truncate(shared);
        let chosen: Vec<Option<Mode>> = modes.iter().copied().map(Some).collect();
        for (contact, &mode) in modes.iter().enumerate().skip(shared) {
            let before = match self.path.last() {
                None => &self.root,
                Some((_, Ok(relaxation))) => relaxation,
                Some((_, Err(_))) => break,
            };
            let narrowed = self.narrowed(&chosen[..contact], before, (contact, mode));
            self.path.push((mode, narrowed));
        }
        self.path.last()?.1.as_ref().err().copied()
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
            Feasibility::Empty(v) => contradicts(&self.near, || self.exact(), relaxation, v),
        }
    }

    fn exact(&self) -> &[Vec<BigInt>] {
        let integers = |row: &Vec<f64>| Integral::of(row.iter().copied()).map(|row| row.x);
        self.exact.get_or_init(|| self.lines.iter().filter_map(integers).collect())
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
            let child = |&mode: &Mode| {
                Some((mode, self.narrowed(&node.chosen, &node.relaxation, (contact, mode)).ok()?))
            };
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
    fn narrowed(
        &self,
        chosen: &[Option<Mode>],
        before: &Relaxation,
        (contact, mode): (usize, Mode),
    ) -> Result<Relaxation, Excluded> {
        let mut relaxation = before.clone();
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
        let chosen = chosen.iter().enumerate().filter_map(|(i, mode)| Some((i, (*mode)?)));
        let rises = chosen
            .chain([(contact, mode)])
            .filter_map(|(i, mode)| self.contacts.rise(i, mode)?.terms().next());
        let impossible = |&(row, sign): &(usize, f64)| {
            let (v, positive) = (self.rays.len() + row, sign > 0.0);
            verdict == Feasibility::Open
                && !relaxation.is(v, positive)
                && !relaxation.clone().can_be(v, positive)
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
fn root(contacts: &Contacts, rows: &[Vec<f64>], rays: usize) -> Relaxation {
    let mut relaxation = Relaxation::new(rows);
    for contact in 0..contacts.len() {
        relaxation.bounds[rays + 2 * contact] = match contacts.motion(contact) {
            Motion::Parting => Bound::Free,
            _ if contacts.is_unilateral(contact) => Bound::NonNegative,
            _ => Bound::Zero,
        };
    }
    relaxation
}

/// A row divided by the power of two that is the next above its largest number; none if one is not finite.
fn below_one(row: &[f64]) -> Option<Vec<f64>> {
    let largest =
        row.iter().fold(0.0_f64, |size, x| if x.is_nan() { f64::INFINITY } else { size.max(x.abs()) });
    // 2^−e from the exponent of the largest number, 0 as it is
    let exponent = 2045_u64.checked_sub(largest.to_bits() >> 52).filter(|exponent| *exponent > 0)?;
    let factor = if largest > 0.0 { f64::from_bits(exponent << 52) } else { 1.0 };
    let near = |x: &f64| match x * factor + 0.0 {
        near if near.is_normal() || x.abs() <= 0.0 => near,
        _ => f64::NAN,
    };
    Some(row.iter().map(near).collect())
}
