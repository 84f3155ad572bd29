//! A square of the grid: where its edges change class, pieces of boundary are joined. With two changes on different edges they are the ends of one piece,
//! if the boundary keeps to it; otherwise the square is divided into four, and the smallest ones join all their changes in their middle.

use super::Point;
use super::cell::{Cell, Class};
use super::edge::{Edge, Mark, edge};
use crate::num::Tol;

/// Divisions of a square.
const DEPTH: usize = 5;
/// Share of its length by which a boundary may stray from a straight piece.
const STRAY: f64 = 0.05;

/// A piece of a boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its ends.
    pub ends: [Point; 2],
    /// The classes on its sides, in order.
    pub sides: [Class; 2],
    /// Whether a number jumps there.
    pub jumps: bool,
}

/// A polygon of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Its corners.
    pub corners: Vec<Point>,
    /// The class inside.
    pub class: Class,
}

/// Pieces and patches of a square.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traced {
    /// Pieces of boundaries.
    pub segments: Vec<Segment>,
    /// What fills the square.
    pub patches: Vec<Patch>,
}

/// A square by its edges: below and above from left to right, left and right from below to above.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// The lower edge.
    pub below: Edge,
    /// The upper edge.
    pub above: Edge,
    /// The left edge.
    pub left: Edge,
    /// The right edge.
    pub right: Edge,
}

impl Square {
    /// Whether it has one class, as far as its edges tell.
    pub fn is_plain(&self) -> bool {
        [&self.below, &self.above, &self.left, &self.right].iter().all(|edge| edge.marks.is_empty())
    }

    /// Its pieces and patches; values inside are asked for where it is divided.
    pub fn trace(&self, levels: &[f64], tol: &Tol, value: &mut dyn FnMut(Point) -> Cell) -> Traced {
        let mut found = Traced::default();
        self.divided(DEPTH, levels, tol, value, &mut found);
        found
    }

    fn divided(
        &self,
        depth: usize,
        levels: &[f64],
        tol: &Tol,
        value: &mut dyn FnMut(Point) -> Cell,
        found: &mut Traced,
    ) {
        let round = self.round();
        let crossed: usize = round.iter().filter(|(_, marks)| !marks.is_empty()).count();
        let count: usize = round.iter().map(|(_, marks)| marks.len()).sum();
        match (count, crossed, parallel(&round)) {
            (0, ..) => found.patches.push(self.whole()),
            (2, 2, _) if depth == 0 || is_straight(&round, levels, value) => self.joined(&round, found),
            (3.., _, Some(pair)) => strips(pair, &round, found),
            _ if depth > 0 => {
                for quarter in self.quarters(levels, tol, value) {
                    quarter.divided(depth - 1, levels, tol, value, found);
                }
            }
            _ => self.joined(&round, found),
        }
    }

    /// Corners and marks counter-clockwise from below left; each edge with its first corner.
    fn round(&self) -> Round {
        let turned = |edge: &Edge| {
            let back = |mark: &Mark| Mark { from: mark.to, to: mark.from, share: 1.0 - mark.share, ..*mark };
            edge.marks.iter().rev().map(back).collect::<Vec<_>>()
        };
        [
            (self.below.ends[0], self.below.marks.clone()),
            (self.right.ends[0], self.right.marks.clone()),
            (self.above.ends[1], turned(&self.above)),
            (self.left.ends[1], turned(&self.left)),
        ]
    }

    fn whole(&self) -> Patch {
        let corners = vec![self.below.ends[0], self.below.ends[1], self.above.ends[1], self.above.ends[0]];
        Patch { corners, class: self.below.classes[0] }
    }

    /// Joins the marks: two with each other, more with their middle.
    fn joined(&self, round: &Round, found: &mut Traced) {
        let marks: Vec<Mark> = round.iter().flat_map(|(_, marks)| marks.iter().copied()).collect();
        let middle = (marks.len() != 2).then(|| {
            let sum = |k: usize| marks.iter().map(|mark| mark.at[k]).sum::<f64>();
            [0, 1].map(|k| sum(k) / marks.len() as f64)
        });
        let piece = |ends: [Point; 2], mark: &Mark| Segment { ends, sides: sides(mark), jumps: mark.jumps };
        match middle {
            Some(middle) => found.segments.extend(marks.iter().map(|mark| piece([mark.at, middle], mark))),
            None => found.segments.extend(marks.first().map(|mark| piece([mark.at, marks[1].at], mark))),
        }
        // the way round from each mark to the next, with the corners between
        let mut way: Vec<(Point, Option<Mark>)> = Vec::new();
        for (corner, marks) in round {
            way.push((*corner, None));
            way.extend(marks.iter().map(|mark| (mark.at, Some(*mark))));
        }
        let starts: Vec<usize> = (0..way.len()).filter(|&k| way[k].1.is_some()).collect();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts[(i + 1) % starts.len()];
            let steps = (end + way.len() - start - 1) % way.len() + 1;
            let corners = (0..=steps).map(|k| way[(start + k) % way.len()].0).chain(middle);
            let class = way[start].1.map_or(Class::Undefined, |mark| mark.to);
            found.patches.push(Patch { corners: corners.collect(), class });
        }
    }

    /// Four squares; the marks of the outer edges are kept.
    fn quarters(&self, levels: &[f64], tol: &Tol, value: &mut dyn FnMut(Point) -> Cell) -> [Self; 4] {
        let [[below, down], [above, up], [left, low], [right, high]] =
            [&self.below, &self.above, &self.left, &self.right].map(halves);
        let centre: Point = [0, 1].map(|k| 0.5 * (below.ends[1][k] + above.ends[1][k]));
        let middles = [&below, &above, &left, &right].map(|half| half.ends[1]);
        let mut known = |point: Point| (point, value(point));
        let [south, north, west, east] = middles.map(&mut known);
        let centre = known(centre);
        let mut inner = |from, to| edge([from, to], levels, tol, value);
        let (to_south, to_north) = (inner(south, centre), inner(centre, north));
        let (to_west, to_east) = (inner(west, centre), inner(centre, east));
        [
            Self { below, above: to_west.clone(), left, right: to_south.clone() },
            Self { below: down, above: to_east.clone(), left: to_south, right },
            Self { below: to_west, above, left: low, right: to_north.clone() },
            Self { below: to_east, above: up, left: to_north, right: high },
        ]
    }
}

/// Whether the boundary between two marks keeps to the line between them: to each side of its middle is the class of that side.
fn is_straight(round: &Round, levels: &[f64], value: &mut dyn FnMut(Point) -> Cell) -> bool {
    let mut marks = round.iter().flat_map(|(_, marks)| marks);
    let (Some(a), Some(b)) = (marks.next(), marks.next()) else { return true };
    let along = [0, 1].map(|k| b.at[k] - a.at[k]);
    // in shares of the square, in which both axes count alike
    let sides = [0, 1].map(|k| (round[2].0[k] - round[0].0[k]).abs());
    let across = [-along[1] * sides[0] / sides[1], along[0] * sides[1] / sides[0]];
    let beside = |sign: f64| [0, 1].map(|k| 0.5 * (a.at[k] + b.at[k]) + sign * STRAY * across[k]);
    // counter-clockwise from a mark the class behind it is to the right of the way to the other one
    value(beside(-1.0)).class(levels) == a.to && value(beside(1.0)).class(levels) == a.from
}

/// Corners and marks of a square, counter-clockwise.
type Round = [(Point, Vec<Mark>); 4];

/// The two edges that have marks, if these are the same changes in opposite order: boundaries side by side.
fn parallel(round: &Round) -> Option<[usize; 2]> {
    let crossed: Vec<usize> = (0..4).filter(|&k| !round[k].1.is_empty()).collect();
    let [first, second] = crossed[..] else { return None };
    let (there, back) = (&round[first].1, &round[second].1);
    let same =
        there.iter().zip(back.iter().rev()).all(|(a, b)| (a.from, a.to, a.jumps) == (b.to, b.from, b.jumps));
    (there.len() == back.len() && same).then_some([first, second])
}

/// Joins boundaries that lie side by side.
fn strips([first, second]: [usize; 2], round: &Round, found: &mut Traced) {
    let (there, back) = (&round[first].1, &round[second].1);
    let pairs: Vec<(Mark, Mark)> = there.iter().copied().zip(back.iter().rev().copied()).collect();
    for (a, b) in &pairs {
        found.segments.push(Segment { ends: [a.at, b.at], sides: sides(a), jumps: a.jumps });
    }
    // corners between the edges, on either side
    let between = |from: usize, to: usize| {
        let count = (to + 4 - from) % 4;
        (1..=count).map(move |k| round[(from + k) % 4].0)
    };
    let ((first_a, first_b), (last_a, last_b)) = (pairs[0], pairs[pairs.len() - 1]);
    let outer = |ends: [Point; 2], corners: Vec<Point>, class: Class| Patch {
        corners: ends.into_iter().chain(corners).collect(),
        class,
    };
    found.patches.push(outer([last_b.at, last_a.at], between(first, second).collect(), last_a.to));
    found.patches.push(outer([first_a.at, first_b.at], between(second, first).collect(), first_a.from));
    for pair in pairs.windows(2) {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        found.patches.push(Patch { corners: vec![a.at, c.at, d.at, b.at], class: a.to });
    }
}

/// The classes on both sides of a mark, in order.
fn sides(mark: &Mark) -> [Class; 2] {
    [mark.from.min(mark.to), mark.from.max(mark.to)]
}

/// Both halves of an edge.
fn halves(edge: &Edge) -> [Edge; 2] {
    let [a, b] = edge.ends;
    let middle = [0, 1].map(|k| 0.5 * (a[k] + b[k]));
    let (near, far): (Vec<Mark>, Vec<Mark>) = edge.marks.iter().partition(|mark| mark.share <= 0.5);
    let class = near.last().map_or(edge.classes[0], |mark| mark.to);
    let scaled = |marks: Vec<Mark>, from: f64| {
        marks.into_iter().map(|mark| Mark { share: 2.0 * (mark.share - from), ..mark }).collect()
    };
    [
        Edge { ends: [a, middle], classes: [edge.classes[0], class], marks: scaled(near, 0.0) },
        Edge { ends: [middle, b], classes: [class, edge.classes[1]], marks: scaled(far, 0.5) },
    ]
}

/// Whether a point lies in a polygon: a line from it crosses an odd number of edges.
pub fn holds(polygon: &[Point], [x, y]: Point) -> bool {
    let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = ends
        .filter(|(a, b)| (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn points_inside_are_told_from_those_outside() {
        let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        assert!(holds(&corner, [0.5, 1.5]) && holds(&corner, [1.5, 0.5]));
        assert!(!holds(&corner, [1.5, 1.5]) && !holds(&corner, [-0.1, 0.5]) && !holds(&corner, [0.5, 2.1]));
    }
}
