//! Nodes: what is decided of each contact, as rows and cones of the relaxed problem.

use crate::num::{Interval, Real, Tol};
use crate::predict::contacts::{Contacts, Motion};
use crate::predict::directions::{SEAM, circle};
use crate::predict::mode::Mode;
use std::f64::consts::TAU;

/// Arcs into which the circle is divided at first: narrower than half a turn, so that their cones are pointed.
const ARCS: u32 = 4;

/// Contacts with the modes that are looked at of each.
pub(super) struct Options<'a> {
    pub(super) contacts: &'a Contacts,
    pub(super) modes: &'a [Vec<Mode>],
}

/// What is decided of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// Nothing: forces in the cone, the gap may open.
    Open,
    /// Forces in the cone, the gap stays closed.
    Closed,
    /// A mode; of slip with a direction, or already going on.
    Is(Mode),
    /// Slip out of rest in a direction of this arc, and the sign of λ_N.
    Leaves(Interval, f64),
}

/// A linear functional of the accelerations: rows with their factors.
pub(super) type Row = Vec<(usize, Interval)>;

/// The cone of the forces of a contact with this sign of λ_N.
#[derive(Clone, Debug)]
pub(super) enum Cone {
    /// ‖λ_T‖ ≤ μ |λ_N|.
    Friction(usize, f64),
    /// Spanned by |λ_N| = n, λ_T = −t p for some points p: n = 1 and t = μ, or of infinite friction 0 and 1.
    Rays(usize, f64, Vec<[Interval; 2]>),
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

impl Options<'_> {
    fn parts(&self, contact: usize) -> bool {
        self.contacts.motion(contact) == Motion::Parting
    }

    /// The ways of a contact of which nothing is decided, or that it stays closed, out of rest in these arcs.
    fn choices(&self, contact: usize, closed: bool, arcs: &[Interval]) -> Vec<Slot> {
        let rests = self.contacts.rests(contact);
        let mut found = Vec::new();
        for &mode in &self.modes[contact] {
            match mode {
                Mode::Free if closed => {}
                Mode::Slip { side, .. } if rests && mode.direction().is_none() => {
                    found.extend(arcs.iter().map(|&arc| Slot::Leaves(arc, side)));
                    // without friction it may stay where it is
                    if self.contacts.friction(contact).is_zero() {
                        found.push(Slot::Is(Mode::Stick { side }));
                    }
                }
                _ => found.push(Slot::Is(mode)),
            }
        }
        found
    }

    /// The sign of λ_N, if all modes of a contact agree.
    fn side(&self, contact: usize) -> Option<f64> {
        let mut sides = self.modes[contact].iter().filter(|mode| mode.is_closed()).map(|mode| mode.side());
        let first = sides.next().unwrap_or(1.0);
        sides.all(|side| (side - first).abs() <= 0.0).then_some(first)
    }

    /// Whether a contact that stays closed can only slip, in any direction.
    fn only_slips(&self, contact: usize) -> bool {
        let some = |mode: &Mode| matches!(mode, Mode::Slip { .. }) && mode.direction().is_none();
        self.contacts.friction(contact).is_infinite() && self.modes[contact].iter().all(some)
    }
}

impl Node {
    /// No contact lifts off, or one of them is the first to do so: every motion, those that graze once.
    pub(super) fn roots(options: &Options<'_>) -> Vec<Self> {
        let closed = |i: usize| if options.parts(i) { Slot::Is(Mode::Free) } else { Slot::Closed };
        let slots = (0..options.modes.len()).map(closed).collect();
        let lifting = Self::lifting(options, &[]).into_iter().map(|node| Self { leader: None, ..node });
        std::iter::once(Self { slots, leader: None }).chain(lifting).collect()
    }

    /// Motions beside one in which no contact begins to slip: one that opens in it stays closed; or the first of those that it holds closed lifts off
    /// and leads; or none of these does, and the first of those that stick in it slips and leads.
    pub(super) fn beside(options: &Options<'_>, known: &[Mode], tol: &Tol) -> Vec<Self> {
        let opening = |&i: &usize| !options.parts(i) && known[i] == Mode::Free;
        let opening: Vec<usize> = (0..known.len()).filter(opening).collect();
        let closed = (0..opening.len()).map(|place| {
            let slot = |i: usize| match opening.iter().position(|&other| other == i) {
                _ if options.parts(i) => Slot::Is(Mode::Free),
                Some(own) if own < place => Slot::Is(Mode::Free),
                Some(own) if own == place => Slot::Closed,
                _ => Slot::Open,
            };
            Self { slots: (0..known.len()).map(slot).collect(), leader: None }
        });
        let mut found: Vec<Self> = closed.collect();
        found.extend(Self::lifting(options, &opening));
        for leader in (0..known.len()).filter(|&i| options.contacts.rests(i) && known[i].is_closed()) {
            // one of infinite friction that is to slip and does not move is among those that stick
            if (0..leader).any(|i| options.only_slips(i)) {
                break;
            }
            let sticks =
                |i: usize| options.modes[i].iter().find(|mode| mode.is_closed()).map(|mode| mode.side());
            let slot = |i: usize| match sticks(i) {
                _ if known[i] == Mode::Free => Slot::Is(Mode::Free),
                Some(side) if i < leader && options.contacts.rests(i) && options.side(i).is_some() => {
                    Slot::Is(Mode::Stick { side })
                }
                _ => Slot::Closed,
            };
            let node = Self { slots: (0..known.len()).map(slot).collect(), leader: Some(leader) };
            let sticks = |slot: &Slot| matches!(slot, Slot::Is(Mode::Stick { .. }));
            let ways = node.ways(options, leader, tol).into_iter().filter(|slot| !sticks(slot));
            found.extend(ways.map(|way| node.with(leader, way)));
        }
        found
    }

    /// One node for each contact that may be the first to lift off, but for these, which have opened.
    fn lifting(options: &Options<'_>, opened: &[usize]) -> Vec<Self> {
        let parts = |i: usize| options.parts(i) || opened.contains(&i);
        let first = (0..options.modes.len()).filter(|&i| !parts(i) && options.modes[i].contains(&Mode::Free));
        let node = |first: usize| {
            let slot = |i: usize| match i {
                _ if parts(i) || i == first => Slot::Is(Mode::Free),
                _ if i < first => Slot::Closed,
                _ => Slot::Open,
            };
            Self { slots: (0..options.modes.len()).map(slot).collect(), leader: Some(first) }
        };
        first.map(node).collect()
    }

    /// Rows without acceleration: of contacts that stick all three, of those that slip the gap's.
    pub(super) fn held(&self) -> Vec<usize> {
        let rows = |(i, slot): (usize, &Slot)| match slot {
            Slot::Open => 3 * i..3 * i,
            Slot::Closed | Slot::Leaves(..) => 3 * i..3 * i + 1,
            Slot::Is(mode) => 3 * i..3 * i + mode.held(3),
        };
        self.slots.iter().enumerate().flat_map(rows).collect()
    }

    /// Functionals that are not negative.
    pub(super) fn above(&self, options: &Options<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (i, slot) in self.slots.iter().enumerate() {
            match slot {
                Slot::Is(Mode::Free) if options.parts(i) => {}
                Slot::Open | Slot::Is(Mode::Free) => rows.push(vec![(3 * i, point(1.0))]),
                Slot::Leaves(arc, _) => {
                    // û_lo × u̇ ≥ 0 and u̇ × û_hi ≥ 0
                    let [from, to] = [arc.lo, arc.hi].map(|phi| unit(point(phi)));
                    rows.push(vec![(3 * i + 1, -from[1]), (3 * i + 2, from[0])]);
                    rows.push(vec![(3 * i + 1, to[1]), (3 * i + 2, -to[0])]);
                }
                Slot::Closed | Slot::Is(_) => {}
            }
        }
        rows
    }

    /// What the leader's motion is measured by: positive on every motion of its slot but rest.
    pub(super) fn measure(&self) -> Option<Row> {
        let leader = self.leader?;
        Some(match self.slots[leader] {
            Slot::Leaves(arc, _) => {
                let [c, s] = unit(point(arc.middle()));
                vec![(3 * leader + 1, c), (3 * leader + 2, s)]
            }
            Slot::Open | Slot::Closed | Slot::Is(_) => vec![(3 * leader, point(1.0))],
        })
    }

    /// The cones of the forces.
    pub(super) fn cones(&self, options: &Options<'_>) -> Vec<Cone> {
        let contacts = options.contacts;
        let cone = |(i, slot): (usize, &Slot)| {
            let side = match slot {
                Slot::Is(Mode::Free) => return None,
                Slot::Is(mode) => mode.side(),
                Slot::Leaves(_, side) => *side,
                Slot::Open | Slot::Closed => options.side(i).unwrap_or(1.0),
            };
            let going = match (slot, contacts.motion(i)) {
                (Slot::Is(mode), _) if mode.direction().is_some() => mode.direction(),
                (Slot::Open | Slot::Closed, Motion::Slipping(along)) => Some(along),
                _ => None,
            };
            Some(match (slot, going) {
                _ if contacts.friction(i).is_zero() => Cone::Rays(i, side, vec![[point(0.0); 2]]),
                (Slot::Leaves(arc, _), _) => Cone::Rays(i, side, around(*arc)),
                (_, Some(along)) => Cone::Rays(i, side, vec![along.map(point)]),
                (_, None) => Cone::Friction(i, side),
            })
        };
        self.slots.iter().enumerate().filter_map(cone).collect()
    }

    /// The nodes into which this one is divided: at the first contact of which nothing is decided, else at the widest arc; none if that is narrow.
    pub(super) fn divided(&self, options: &Options<'_>, tol: &Tol) -> Option<Vec<Self>> {
        let open = |slot: &Slot| matches!(slot, Slot::Open | Slot::Closed);
        if let Some(i) = self.slots.iter().position(open) {
            return Some(self.ways(options, i, tol).into_iter().map(|slot| self.with(i, slot)).collect());
        }
        let width = |i: &usize| match self.slots[*i] {
            Slot::Leaves(arc, _) => arc.width(),
            Slot::Open | Slot::Closed | Slot::Is(_) => 0.0,
        };
        let i = (0..self.slots.len()).max_by(|i, j| width(i).total_cmp(&width(j)))?;
        let Slot::Leaves(arc, side) = self.slots[i] else { return None };
        let middle = arc.middle();
        let halves = || [Interval::new(arc.lo, middle), Interval::new(middle, arc.hi)];
        let parts = || halves().map(|half| self.with(i, Slot::Leaves(half, side))).to_vec();
        (arc.width() > tol.narrow_arcs).then(parts)
    }

    fn with(&self, contact: usize, slot: Slot) -> Self {
        let mut new = self.clone();
        new.slots[contact] = slot;
        new
    }

    /// The ways of a contact of which nothing is decided, or that it stays closed. Where gaps that stay closed leave its slip one line, only that is
    /// looked at: otherwise each direction of its friction that leaves it at rest would be another motion, none of which can be refuted.
    fn ways(&self, options: &Options<'_>, contact: usize, tol: &Tol) -> Vec<Slot> {
        let closed = |&i: &usize| i == contact || !matches!(self.slots[i], Slot::Open | Slot::Is(Mode::Free));
        let gaps: Vec<usize> = (0..self.slots.len()).filter(closed).map(|i| 3 * i).collect();
        let edge = |k: u32| SEAM + TAU * f64::from(k) / f64::from(ARCS);
        let about = |phi: f64| Interval::new(phi - 0.25 * tol.narrow_arcs, phi + 0.25 * tol.narrow_arcs);
        let arcs = match options.contacts.line(&gaps, contact, tol) {
            None => (0..ARCS).map(|k| Interval::new(edge(k), edge(k + 1))).collect(),
            Some([c, s]) if c.hypot(s) > 0.0 => vec![about(s.atan2(c)), about((-s).atan2(-c))],
            Some(_) => Vec::new(),
        };
        options.choices(contact, self.slots[contact] == Slot::Closed, &arcs)
    }

    /// The directions in which contacts may slip.
    pub(super) fn arcs(&self, contacts: &[usize]) -> Vec<Interval> {
        let arc = |&i: &usize| match self.slots[i] {
            Slot::Leaves(arc, _) => arc,
            Slot::Open | Slot::Closed | Slot::Is(_) => circle(),
        };
        contacts.iter().map(arc).collect()
    }

    /// Whether the forces of all contacts have a pointed cone: those of a contact that may push and pull have not, nor has slip of infinite
    /// friction in any direction.
    pub(super) fn is_pointed(&self, options: &Options<'_>) -> bool {
        self.slots.iter().enumerate().all(|(i, slot)| match slot {
            Slot::Open | Slot::Closed => options.side(i).is_some() && !options.only_slips(i),
            Slot::Is(_) | Slot::Leaves(..) => true,
        })
    }

    /// Whether a combination has motions of this node.
    pub(super) fn permits(&self, modes: &[Mode]) -> bool {
        self.slots.iter().zip(modes).all(|(slot, mode)| match (slot, mode) {
            (Slot::Open, _) => true,
            (Slot::Closed, mode) => mode.is_closed(),
            (Slot::Leaves(_, own), Mode::Slip { side, .. }) => (own - side).abs() <= 0.0,
            // without friction a contact that does not move is among those that slip
            (Slot::Is(Mode::Stick { side: own }), Mode::Slip { side, .. }) if mode.direction().is_none() => {
                (own - side).abs() <= 0.0
            }
            (Slot::Is(own), mode) => own == mode,
            (Slot::Leaves(..), Mode::Free | Mode::Stick { .. }) => false,
        })
    }
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
