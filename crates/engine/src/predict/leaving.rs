//! One combination of modes of contacts in space: found, refuted, or neither.

use super::contacts::Contacts;
use super::directions::{Boxes, Found, search};
use super::judge::Judgement;
use super::mode::Mode;
use super::reason::JointReason;
use super::verdict::Consistency;
use crate::contact::space::Spatial;
use crate::contact::{Friction, Scaled, Sign};
use crate::num::Tol;
use crate::num::dense::norm;

/// What is known of a combination.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// Its solutions: none, one or several, and whether it is proven that there are no others.
    Solutions(Vec<Judgement>, bool),
    /// It cannot hold.
    Pruned,
    /// Nothing is proven.
    Undecided,
}

impl Contacts {
    /// Decides a combination.
    pub(super) fn known(&self, modes: &[Mode], within: Boxes<'_>, tol: &Tol) -> Known {
        let leaving = self.leaving(modes);
        if leaving.iter().any(|&i| self.cannot_slip(modes, i, tol)) {
            return Known::Pruned;
        }
        if leaving.is_empty() {
            return known(self.judge(modes, tol));
        }
        if let Some(along) = self.one_way(modes, &leaving, tol) {
            return joined([1.0, -1.0].map(|sign| {
                let mut modes = modes.to_vec();
                for (&i, along) in leaving.iter().zip(&along) {
                    modes[i] = modes[i].directed(along.map(|x| sign * x));
                }
                known(self.judge(&modes, tol))
            }));
        }
        let held = self.basis(&self.held_rows(modes), tol.dependent);
        if self.contradiction(&held, tol).is_some() {
            return Known::Pruned;
        }
        if held.others.is_empty() {
            let Found { solved, complete } = match self.directions_of_one(modes, tol) {
                Some(found) => found,
                None => search(self, modes, within, tol),
            };
            return Known::Solutions(solved, complete);
        }
        let begun = match leaving[..] {
            [only] => self.set_in_by_stiffness(modes, (only, &held), tol),
            _ => self.set_in_together(modes, (&leaving, &held), tol).into_iter().collect(),
        };
        Known::Solutions(begun, false)
    }

    /// Slip out of rest of one contact that can move in every direction: along the zeros of a trigonometric polynomial   [CV16 (39)].
    fn directions_of_one(&self, modes: &[Mode], tol: &Tol) -> Option<Found> {
        let &[mode] = modes else { return None };
        // seen from the side on which it is pressed
        let sign = |row: usize| if row == 0 { mode.side() } else { 1.0 };
        let (D, c) = (|i: usize, j: usize| sign(i) * sign(j) * self.D[(i, j)], &self.c);
        let A = [[D(1, 1), D(1, 2)], [D(2, 1), D(2, 2)]];
        let own = Spatial::new(A, [D(0, 1), D(0, 2)], D(0, 0), [c[1], c[2]], sign(0) * c[0]);
        let own = own.with_scales(self.sizes[1].hypot(self.sizes[2]), self.sizes[0]).validated().ok()?;
        let friction = match self.slope(0) {
            [n, _] if n <= 0.0 => Friction::INFINITE,
            [_, mu] => Friction::new(mu).ok()?,
        };
        let onset = own.onset(friction, tol);
        let everywhere = onset.everywhere.then_some((0.0, false));
        let known = onset.list.iter().map(|direction| (direction.phi, direction.double));
        let solve = |(phi, double): (f64, bool)| {
            let judged = self.judge(&[mode.directed([phi.cos(), phi.sin()])], tol);
            // where two directions meet there may be two, or none
            let doubtful = double && judged.consistency == Consistency::Yes;
            if doubtful {
                Judgement { consistency: Consistency::Marginal, why: JointReason::Edge, ..judged }
            } else {
                judged
            }
        };
        Some(Found { solved: known.chain(everywhere).map(solve).collect(), complete: onset.complete })
    }

    /// Modes in space that begin to slip against forces that hold at the edge of their cones, from where nothing accelerates yet. What only touches
    /// beside them has no force that could hold it, nor a direction.
    pub(super) fn against_held_forces(&self, sticking: &Judgement, tol: &Tol) -> Option<Judgement> {
        let edge = |i: usize| {
            let (row, friction) = (self.normal(i), self.friction(i));
            let (n, t) = friction.parts();
            let [N, one, two] = [0, 1, 2].map(|k| sticking.forces[row + k]);
            let held = one.value.hypot(two.value);
            let room = Scaled {
                value: t * N.value.abs() - n * held,
                scale: t * N.scale + n * (one.scale + two.scale),
            };
            let at_edge = held > 0.0 && !friction.is_infinite() && room.sign(tol.marginal) == Sign::Marginal;
            (matches!(sticking.modes[i], Mode::Stick { .. }) && at_edge)
                .then(|| [-one.value / held, -two.value / held])
        };
        let touches = |i: usize| {
            let normal = sticking.forces[self.normal(i)];
            let sticks = matches!(sticking.modes[i], Mode::Stick { .. });
            sticking.by_stiffness
                && sticks
                && self.is_unilateral(i)
                && normal.sign(tol.marginal) == Sign::Marginal
        };
        if !(0..self.len()).any(|i| edge(i).is_some()) {
            return None;
        }
        let modes: Vec<Mode> = sticking
            .modes
            .iter()
            .enumerate()
            .map(|(i, &mode)| match edge(i) {
                Some(along) => Mode::Slip { along, side: mode.side() },
                None if touches(i) => Mode::Free,
                None => mode,
            })
            .collect();
        Some(Judgement { modes, ..sticking.clone() })
    }

    /// The directions of the contacts that leave rest if what is held leaves them one motion, forth or back: a body that turns about a foot that
    /// sticks, a point on a rail.
    fn one_way(&self, modes: &[Mode], leaving: &[usize], tol: &Tol) -> Option<Vec<[f64; 2]>> {
        let held = self.basis(&self.held_rows(modes), tol.dependent).rows;
        let rows = |&i: &usize| [1, 2].map(|k| self.normal(i) + k);
        let tangents: Vec<usize> = leaving.iter().flat_map(rows).collect();
        let reduced = self.reduced(&held)?;
        let own = |row: usize| reduced.gain(row, row);
        let first = tangents.iter().copied().max_by(|&i, &j| own(i).total_cmp(&own(j)))?;
        let all = self.basis(&[&held[..], &tangents].concat(), tol.dependent).rows;
        if all.len() != held.len() + 1 {
            return None;
        }
        let direction = |i: &usize| {
            let ways = rows(i).map(|row| reduced.gain(row, first) / own(first));
            let still = rows(i).iter().zip(ways).all(|(&row, way)| {
                let rest = reduced.free(row) - way * reduced.free(first);
                rest.abs() <= tol.marginal * (self.sizes[row] + self.sizes[first])
            });
            let size = ways[0].hypot(ways[1]);
            (still && size > tol.marginal).then(|| ways.map(|x| x / size))
        };
        leaving.iter().map(direction).collect()
    }

    /// Whether what a combination holds leaves a contact that is to slip no slip acceleration.
    fn cannot_slip(&self, modes: &[Mode], contact: usize, tol: &Tol) -> bool {
        self.line(&self.held_rows(modes), contact, tol).is_some_and(|along| norm(&along) <= 0.0)
    }

    /// The line along which alone a contact may begin to slip while these rows are held, as a vertex of a body does that lies at two walls: one of its
    /// directions, or zero where it cannot slip; none where it may slip in all directions.
    pub(super) fn line(&self, held: &[usize], contact: usize, tol: &Tol) -> Option<[f64; 2]> {
        let held = self.basis(held, tol.dependent).rows;
        let tangents = [1, 2].map(|k| self.normal(contact) + k);
        let all = self.basis(&[&held[..], &tangents].concat(), tol.dependent).rows.len();
        if all > held.len() + 1 {
            return None;
        }
        let reduced = self.reduced(&held)?;
        let free = |row: usize| (reduced.free(row), tol.marginal * reduced.free_size(row));
        let [one, two] = tangents.map(free);
        if all <= held.len() {
            let still = one.0.abs() <= one.1 && two.0.abs() <= two.1;
            return still.then_some([0.0; 2]);
        }
        let own = tangents.map(|row| reduced.gain(row, row));
        let first = if own[0] >= own[1] { 0 } else { 1 };
        let ways = tangents.map(|row| reduced.gain(row, tangents[first]));
        let size = norm(&ways);
        let along = ways.map(|way| way / size);
        // across it nothing accelerates
        let across = along[0] * two.0 - along[1] * one.0;
        (across.abs() <= one.1 + two.1).then_some(along)
    }
}

fn known(judged: Judgement) -> Known {
    if judged.open { Known::Undecided } else { Known::Solutions(vec![judged], true) }
}

fn joined(both: [Known; 2]) -> Known {
    let (mut all, mut complete) = (Vec::new(), true);
    for known in both {
        match known {
            Known::Solutions(found, proven) => {
                all.extend(found);
                complete &= proven;
            }
            Known::Undecided => complete = false,
            Known::Pruned => {}
        }
    }
    Known::Solutions(all, complete)
}
