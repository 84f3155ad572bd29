//! Nodes: what is decided of each contact, as rows and cones of the relaxed problem.

use crate::analysis::space::SpaceWord;
use crate::analysis::space::several::{System, Ways};
use crate::num::{Interval, Real};
use std::f64::consts::TAU;

/// Where the first arc begins: no angle that a mechanism is likely to have.
const SEAM: f64 = -2.915_727_364;
/// Arcs into which the circle is divided at first: narrower than half a turn, so that their cones are pointed.
const ARCS: u32 = 4;

/// What is decided of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// Nothing: forces in the cone, the gap may open.
    Open,
    /// No force, the gap may open.
    Free,
    /// Forces in the cone, the gap stays closed.
    Closed,
    /// Forces in the cone, no acceleration.
    Stick,
    /// Slip as it does already: one ray of forces, the gap stays closed.
    Slide,
    /// Slip from rest in a direction of this arc.
    Slip(Interval),
}

/// A linear functional of the accelerations: rows with their factors.
pub(super) type Row = Vec<(usize, Interval)>;

/// The cone of the forces of a contact.
#[derive(Clone, Debug)]
pub(super) enum Cone {
    /// ‖λ_T‖ ≤ μ λ_N.
    Friction(usize),
    /// Spanned by λ_N = n, λ_T = −t p for some points p: n = 1 and t = μ, or of infinite friction 0 and 1.
    Rays(usize, Vec<[Interval; 2]>),
}

/// What is decided of all contacts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) slots: Vec<Slot>,
    /// The first contact that moves, if the size of motions is divided out.
    pub(super) leader: Option<usize>,
}

/// (cos φ, sin φ).
fn unit(phi: Interval) -> [Interval; 2] {
    let (s, c) = phi.sin_cos();
    [c, s]
}

fn point(x: f64) -> Interval {
    Interval::from_f64(x)
}

impl Node {
    /// No contact lifts off, or one of them is the first to do so: every motion, those that graze once.
    pub(super) fn roots(system: &System) -> Vec<Self> {
        let closed = |i: usize| if system.parting[i] { Slot::Free } else { Slot::Closed };
        let slots = (0..system.contacts()).map(closed).collect();
        let lifting = Self::lifting(system).into_iter().map(|node| Self { leader: None, ..node });
        std::iter::once(Self { slots, leader: None }).chain(lifting).collect()
    }

    /// The same of motions that leave rest: the first contact that lifts off leads, or if none does the first that slips.
    pub(super) fn leaders(system: &System) -> Vec<Self> {
        let mut found = Self::lifting(system);
        for leader in 0..system.contacts() {
            // one of infinite friction that is to slip and does not move is among those that stick
            if leader > 0 && system.ways[leader - 1] == Ways::Slipping {
                break;
            }
            let slot = |i: usize| if i < leader { Slot::Stick } else { Slot::Closed };
            let slots: Vec<Slot> = (0..system.contacts()).map(slot).collect();
            let ways = choices(system, leader, Slot::Closed).into_iter().filter(|way| *way != Slot::Stick);
            found.extend(ways.map(|way| {
                let mut slots = slots.clone();
                slots[leader] = way;
                Self { slots, leader: Some(leader) }
            }));
        }
        found
    }

    /// One node for each contact that may be the first to lift off.
    fn lifting(system: &System) -> Vec<Self> {
        let first = (0..system.contacts())
            .filter(|&i| !system.parting[i] && system.options(i).contains(&SpaceWord::Free));
        let node = |first: usize| {
            let slot = |i: usize| match i {
                _ if system.parting[i] || i == first => Slot::Free,
                _ if i < first => Slot::Closed,
                _ => Slot::Open,
            };
            Self { slots: (0..system.contacts()).map(slot).collect(), leader: Some(first) }
        };
        first.map(node).collect()
    }

    /// Rows without acceleration: of contacts that stick all three, of those that slip the gap's.
    pub(super) fn held(&self) -> Vec<usize> {
        let rows = |(i, slot): (usize, &Slot)| match slot {
            Slot::Open | Slot::Free => 0..0,
            Slot::Closed | Slot::Slide | Slot::Slip(_) => 3 * i..3 * i + 1,
            Slot::Stick => 3 * i..3 * i + 3,
        };
        self.slots.iter().enumerate().flat_map(rows).collect()
    }

    /// Functionals that are not negative.
    pub(super) fn above(&self, system: &System) -> Vec<Row> {
        let mut rows = Vec::new();
        for (i, slot) in self.slots.iter().enumerate() {
            match slot {
                Slot::Free if system.parting[i] => {}
                Slot::Open | Slot::Free => rows.push(vec![(3 * i, point(1.0))]),
                Slot::Slip(arc) => {
                    // û_lo × u̇ ≥ 0 and u̇ × û_hi ≥ 0
                    let [from, to] = [arc.lo, arc.hi].map(|phi| unit(point(phi)));
                    rows.push(vec![(3 * i + 1, -from[1]), (3 * i + 2, from[0])]);
                    rows.push(vec![(3 * i + 1, to[1]), (3 * i + 2, -to[0])]);
                }
                Slot::Closed | Slot::Stick | Slot::Slide => {}
            }
        }
        rows
    }

    /// What the leader's motion is measured by: positive on every motion of its slot but rest.
    pub(super) fn measure(&self) -> Option<Row> {
        let leader = self.leader?;
        Some(match self.slots[leader] {
            Slot::Slip(arc) => {
                let [c, s] = unit(point(arc.middle()));
                vec![(3 * leader + 1, c), (3 * leader + 2, s)]
            }
            Slot::Open | Slot::Free | Slot::Closed | Slot::Stick | Slot::Slide => {
                vec![(3 * leader, point(1.0))]
            }
        })
    }

    /// The cones of the forces.
    pub(super) fn cones(&self, system: &System) -> Vec<Cone> {
        let none = vec![[point(0.0); 2]];
        let cone = |(i, slot): (usize, &Slot)| match (slot, system.along[i]) {
            (Slot::Free, _) => None,
            _ if system.mu[i] <= 0.0 => Some(Cone::Rays(i, none.clone())),
            (Slot::Slip(arc), _) => Some(Cone::Rays(i, around(*arc))),
            (Slot::Slide | Slot::Open | Slot::Closed, Some(along)) => {
                Some(Cone::Rays(i, vec![along.map(point)]))
            }
            (Slot::Slide | Slot::Open | Slot::Closed | Slot::Stick, _) => Some(Cone::Friction(i)),
        };
        self.slots.iter().enumerate().filter_map(cone).collect()
    }

    /// The nodes into which this one is divided: at the first contact of which nothing is decided, else at the widest arc; none if that is narrow.
    pub(super) fn divided(&self, system: &System, narrow: f64) -> Option<Vec<Self>> {
        let with = |i: usize, slot: Slot| {
            let mut new = self.clone();
            new.slots[i] = slot;
            new
        };
        let open = |slot: &Slot| matches!(slot, Slot::Open | Slot::Closed);
        if let Some(i) = self.slots.iter().position(open) {
            return Some(choices(system, i, self.slots[i]).into_iter().map(|slot| with(i, slot)).collect());
        }
        let width = |i: &usize| match self.slots[*i] {
            Slot::Slip(arc) => arc.width(),
            Slot::Open | Slot::Free | Slot::Closed | Slot::Stick | Slot::Slide => 0.0,
        };
        let i = (0..self.slots.len()).max_by(|i, j| width(i).total_cmp(&width(j)))?;
        let Slot::Slip(arc) = self.slots[i] else { return None };
        let middle = arc.middle();
        let halves = || [Interval::new(arc.lo, middle), Interval::new(middle, arc.hi)];
        (arc.width() > narrow).then(|| halves().map(|half| with(i, Slot::Slip(half))).to_vec())
    }

    /// The directions in which contacts may slip.
    pub(super) fn arcs(&self, contacts: &[usize]) -> Vec<Interval> {
        let arc = |&i: &usize| match self.slots[i] {
            Slot::Slip(arc) => arc,
            Slot::Open | Slot::Free | Slot::Closed | Slot::Stick | Slot::Slide => circle(),
        };
        contacts.iter().map(arc).collect()
    }

    /// Whether the forces of all contacts have a pointed cone: slip of infinite friction in any direction has not.
    pub(super) fn is_pointed(&self, system: &System) -> bool {
        let open = |slot: &Slot| matches!(slot, Slot::Open | Slot::Closed);
        self.slots.iter().zip(&system.ways).all(|(slot, ways)| !open(slot) || *ways != Ways::Slipping)
    }

    /// Whether a word has motions of this node.
    pub(super) fn permits(&self, word: &[SpaceWord]) -> bool {
        self.slots.iter().zip(word).all(|(slot, word)| match slot {
            Slot::Open => true,
            Slot::Closed => *word != SpaceWord::Free,
            Slot::Free => *word == SpaceWord::Free,
            Slot::Stick => *word == SpaceWord::Stick,
            Slot::Slide | Slot::Slip(_) => *word == SpaceWord::Slip,
        })
    }
}

/// All directions.
fn circle() -> Interval {
    Interval::new(SEAM, SEAM + TAU)
}

/// The ways of a contact of which nothing is decided, or that it stays closed.
fn choices(system: &System, i: usize, slot: Slot) -> Vec<Slot> {
    let mut found = Vec::new();
    for word in system.options(i) {
        match word {
            SpaceWord::Free if slot == Slot::Closed => {}
            SpaceWord::Free => found.push(Slot::Free),
            SpaceWord::Stick => found.push(Slot::Stick),
            SpaceWord::Slip if system.along[i].is_some() => found.push(Slot::Slide),
            SpaceWord::Slip => {
                let edge = |k: u32| SEAM + TAU * f64::from(k) / f64::from(ARCS);
                found.extend((0..ARCS).map(|k| Slot::Slip(Interval::new(edge(k), edge(k + 1)))));
            }
        }
    }
    found
}

/// A polygon around the arc and its chord: the ends, and where the tangents at the ends meet that in the middle.
fn around(arc: Interval) -> Vec<[Interval; 2]> {
    let middle = arc.middle();
    let half = point(0.5);
    let tip = |end: f64| {
        let [c, s] = unit(half * (point(end) + point(middle)));
        let [reach, _] = unit(half * (point(end) - point(middle)));
        [c / reach, s / reach]
    };
    vec![unit(point(arc.lo)), tip(arc.lo), tip(arc.hi), unit(point(arc.hi))]
}
