//! Contacts: pairs of bodies that may meet by a grid of cells, bodies and surfaces one by one, then exact distances.

use super::body::{Body, Posed, Solid};
use super::boxes;
use super::surface::{Obstacle, Piece, Pose};
use super::vector::{Vector, along, cross, dot, length, minus, times, unit};
use crate::num::Tol;

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// Another body, of a higher number.
    Body(usize),
    /// A piece of a surface.
    Piece(usize),
    /// What its mechanism's own file declares, by the number of the contact there.
    Declared(usize),
}

/// A contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneContact {
    /// The body.
    pub body: usize,
    /// What it touches.
    pub other: Other,
    /// Which of the contacts of the two.
    pub feature: u32,
    /// Distance, negative where they overlap, m.
    pub gap: f64,
    /// Unit normal, towards the body.
    pub normal: Vector,
    /// From the centre of the body to the contact, and from that of the other one.
    pub arms: [Vector; 2],
}

impl SceneContact {
    /// What identifies the contact from one step to the next; `bodies` is their number.
    pub fn key(&self, bodies: usize) -> u64 {
        let other = match self.other {
            Other::Body(other) => other,
            Other::Piece(piece) => bodies + piece,
            // no body meets itself
            Other::Declared(_) => self.body,
        };
        // 2²⁶ bodies and pieces, 2¹² features
        ((self.body as u64) << 38) | ((other as u64) << 12) | u64::from(self.feature)
    }
}

impl SceneContact {
    /// Whether it counts: neither is a point, nor are both links of one mechanism, which are the kinds from `groups` on.
    pub(super) fn is_between(&self, bodies: &[Body], groups: usize) -> bool {
        let body = &bodies[self.body];
        let extends = |body: &Body| body.solid.reach() > 0.0;
        match self.other {
            Other::Body(other) => {
                let (kind, other) = (body.group, &bodies[other]);
                extends(body) && extends(other) && (kind != other.group || kind < groups)
            }
            Other::Piece(_) => extends(body),
            Other::Declared(_) => true,
        }
    }
}

/// Pairs of bodies in neighbouring cells, in memory that stays.
#[derive(Debug, Default)]
pub(super) struct Detector {
    cells: Vec<(u64, u32)>,
    pairs: Vec<(u32, u32)>,
    found: Vec<SceneContact>,
}

/// Bits of a cell's number along each axis.
const BITS: u32 = 21;
/// The neighbours of a cell among which every pair of cells is once; along the last axis three cells follow each other.
const NEIGHBOURS: [(i64, i64); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

impl Detector {
    /// The contacts with gaps of at most `reach`, by bodies, then by what they touch.
    pub(super) fn contacts(
        &mut self,
        bodies: &[Posed],
        (obstacles, poses): (&[Obstacle], &[Pose]),
        dim: usize,
        reach: f64,
    ) -> &[SceneContact] {
        self.found.clear();
        self.find_pairs(bodies, reach);
        for &(a, b) in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            pair(&mut self.found, (a, &bodies[a]), (b, &bodies[b]), (dim, reach));
        }
        for (number, obstacle) in obstacles.iter().enumerate() {
            let pose = &poses[obstacle.surface];
            for (a, body) in bodies.iter().enumerate() {
                against(&mut self.found, (a, body), (number, obstacle, pose), (dim, reach));
            }
        }
        self.found.sort_unstable_by_key(|touch| (touch.body, touch.other, touch.feature));
        &self.found
    }

    /// Pairs of bodies whose balls come as near as `reach`.
    fn find_pairs(&mut self, bodies: &[Posed], reach: f64) {
        self.pairs.clear();
        let largest = bodies.iter().map(|b| b.solid.reach()).fold(0.0, f64::max);
        let side = 2.0 * largest + reach;
        let extended = side > 0.0;
        if !extended {
            return;
        }
        self.cells.clear();
        let numbered = bodies.iter().zip(0_u32..).map(|(body, k)| (cell(body.centre, side), k));
        self.cells.extend(numbered);
        self.cells.sort_unstable();
        let cells = &self.cells;
        let mut at = 0;
        while at < cells.len() {
            let key = cells[at].0;
            let end = at + cells[at..].iter().take_while(|(other, _)| *other == key).count();
            let next = (end..cells.len()).take_while(|&k| cells[k].0 == key + 1);
            for a in at..end {
                let rest = a + 1..end;
                rest.chain(next.clone())
                    .for_each(|b| add(&mut self.pairs, bodies, (cells[a].1, cells[b].1), reach));
            }
            for (dx, dy) in NEIGHBOURS {
                let middle = key as i64 + (dx << (2 * BITS)) + (dy << BITS);
                let (first, last) = ((middle - 1) as u64, (middle + 1) as u64);
                let begin = cells.partition_point(|(other, _)| *other < first);
                let row = cells[begin..].iter().take_while(|(other, _)| *other <= last);
                for &(_, b) in row {
                    cells[at..end].iter().for_each(|&(_, a)| add(&mut self.pairs, bodies, (a, b), reach));
                }
            }
            at = end;
        }
    }
}

/// Whether two balls are near enough; then the pair in the order of their numbers.
fn add(pairs: &mut Vec<(u32, u32)>, bodies: &[Posed], (a, b): (u32, u32), reach: f64) {
    let (p, q) = (&bodies[a as usize], &bodies[b as usize]);
    let off = minus(p.centre, q.centre);
    let least = p.solid.reach() + q.solid.reach() + reach;
    if dot(off, off) <= least * least {
        pairs.push((a.min(b), a.max(b)));
    }
}

/// The number of the cell that a point lies in. What is beyond the range of the numbers meets at its border, where the exact
/// distances part it again.
fn cell(x: Vector, side: f64) -> u64 {
    const MIDDLE: f64 = (1_u64 << (BITS - 1)) as f64;
    let place = |x: f64| ((x / side).floor() + MIDDLE).clamp(1.0, 2.0 * MIDDLE - 2.0) as u64;
    (place(x[0]) << (2 * BITS)) | (place(x[1]) << BITS) | place(x[2])
}

fn pair(
    found: &mut Vec<SceneContact>,
    (a, p): (usize, &Posed),
    (b, q): (usize, &Posed),
    (dim, reach): (usize, f64),
) {
    let other = Other::Body(b);
    match (p.solid, q.solid) {
        (Solid::Round(r), Solid::Round(s)) => {
            let off = minus(p.centre, q.centre);
            let distance = length(off);
            let gap = distance - r - s;
            if gap <= reach {
                let normal =
                    if distance > 0.0 { times(off, 1.0 / distance) } else { super::vector::UPRIGHT[0] };
                let arms = [times(normal, -r), times(normal, s)];
                found.push(SceneContact { body: a, other, feature: 0, gap, normal, arms });
            }
        }
        (Solid::Round(r), Solid::Box(_)) => {
            let Some((normal, point, gap)) =
                boxes::ball(q, p.centre, r, dim).filter(|found| found.2 <= reach)
            else {
                return;
            };
            let arms = [times(normal, -r), minus(point, q.centre)];
            found.push(SceneContact { body: a, other, feature: 0, gap, normal, arms });
        }
        (Solid::Box(_), Solid::Round(r)) => {
            let Some((normal, point, gap)) =
                boxes::ball(p, q.centre, r, dim).filter(|found| found.2 <= reach)
            else {
                return;
            };
            let arms = [minus(point, p.centre), times(normal, r)];
            found.push(SceneContact { body: a, other, feature: 0, gap, normal: times(normal, -1.0), arms });
        }
        (Solid::Box(_), Solid::Box(_)) => {
            boxes::pair(p, q, (dim, reach), &mut |feature, point, normal, gap| {
                let arms = [minus(point, p.centre), minus(point, q.centre)];
                found.push(SceneContact { body: a, other, feature, gap, normal, arms });
            })
        }
    }
}

fn against(
    found: &mut Vec<SceneContact>,
    (body, posed): (usize, &Posed),
    (number, obstacle, pose): (usize, &Obstacle, &Pose),
    (dim, reach): (usize, f64),
) {
    let rest = pose.at_rest(posed.centre);
    let nearest = obstacle.piece.nearest(rest);
    if nearest.distance > posed.solid.reach() + reach {
        return;
    }
    let other = Other::Piece(number);
    let normal = pose.turned(nearest.normal);
    match posed.solid {
        Solid::Round(radius) => {
            let gap = nearest.distance - radius;
            if gap <= reach {
                let arms = [times(normal, -radius), along(posed.centre, -nearest.distance, normal)];
                found.push(SceneContact { body, other, feature: 0, gap, normal, arms });
            }
        }
        Solid::Box(halves) => {
            if let Some(plate) = plate(&obstacle.piece, pose) {
                return boxes::pair(posed, &plate, (dim, reach), &mut |feature, point, normal, gap| {
                    let arms = [minus(point, posed.centre), point];
                    found.push(SceneContact { body, other, feature, gap, normal, arms });
                });
            }
            let flat = Tol::default().faces_first;
            for (feature, corner) in boxes::corners(posed, halves, dim) {
                let found_at = obstacle.piece.nearest(pose.at_rest(corner));
                let own = pose.turned(found_at.normal);
                // a thin wall has the side on which the body's centre is; beside its end it has none
                let beside = found_at.end.is_some_and(|end| !obstacle.piece.is_hollow(end, rest));
                let side = if !beside && dot(own, normal) < 0.0 { -1.0 } else { 1.0 };
                let (gap, own) = (side * found_at.distance, times(own, side));
                if gap <= reach {
                    let arms = [minus(corner, posed.centre), corner];
                    found.push(SceneContact { body, other, feature, gap, normal: own, arms });
                }
            }
            for (feature, (corner, ways)) in (1 << dim..).zip(obstacle.piece.corners()) {
                let (corner, ways) = (pose.now(corner), ways.map(|way| pose.turned(way)));
                // else it is no corner from where the box is; a face that lies on a wall is borne by its end too
                let outward =
                    |normal: Vector| ways.iter().all(|way| dot(normal, *way) <= flat * length(*way));
                if let Some((normal, gap)) = boxes::point(posed, corner, (dim, reach), &outward) {
                    let arms = [minus(corner, posed.centre), corner];
                    found.push(SceneContact { body, other, feature, gap, normal, arms });
                }
            }
        }
    }
}

/// A plate as a box without thickness.
fn plate(piece: &Piece, pose: &Pose) -> Option<Posed> {
    let Piece::Plate(centre, [a, b]) = piece else { return None };
    let [s, t] = [a, b].map(|half| pose.turned(unit(*half)));
    let halves = [length(*a), length(*b), 0.0];
    Some(Posed { solid: Solid::Box(halves), centre: pose.now(*centre), axes: [s, t, cross(s, t)] })
}
