//! Where the class changes between two points: bisection on the class, one change after the other.

use super::Point;
use super::cell::{Cell, Class};
use crate::num::Tol;

/// Most changes on one edge that are told apart.
const MOST: usize = 8;

/// A change of class on an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: Point,
    /// The share of the way along the edge.
    pub share: f64,
    /// The class before.
    pub from: Class,
    /// The class after.
    pub to: Class,
    /// Whether the number jumps there instead of passing a level.
    pub jumps: bool,
}

/// The line between two points, with the changes of class on it in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Its ends.
    pub ends: [Point; 2],
    /// The classes there.
    pub classes: [Class; 2],
    /// The changes.
    pub marks: Vec<Mark>,
}

/// Two points with their values.
pub type Ends = [(Point, Cell); 2];

/// Looks for the changes of class between two points whose values are known.
pub fn edge(ends: Ends, levels: &[f64], tol: &Tol, value: &mut dyn FnMut(Point) -> Cell) -> Edge {
    let points = ends.map(|(point, _)| point);
    let classes = ends.map(|(_, cell)| cell.class(levels));
    let mut marks: Vec<Mark> = Vec::new();
    let mut search = Search { points, levels, tol, value };
    let (mut share, mut here) = (0.0, ends[0].1);
    while here.class(levels) != classes[1] && marks.len() < MOST {
        let (mark, after) = search.next((share, here), ends);
        (share, here) = (mark.share, after);
        // a class on less of the edge than can be told is that of a border
        match marks.last_mut() {
            Some(last) if share - last.share <= search.tol.closed.sqrt() => last.to = mark.to,
            _ => marks.push(mark),
        }
    }
    marks.retain(|mark| mark.from != mark.to);
    Edge { ends: points, classes, marks }
}

struct Search<'s> {
    points: [Point; 2],
    levels: &'s [f64],
    tol: &'s Tol,
    value: &'s mut dyn FnMut(Point) -> Cell,
}

impl Search<'_> {
    fn point(&self, share: f64) -> Point {
        let [a, b] = self.points;
        [0, 1].map(|k| if share >= 1.0 { b[k] } else { a[k] + share * (b[k] - a[k]) })
    }

    /// The first change after a share of the way, and the value behind it.
    fn next(&mut self, (share, here): (f64, Cell), ends: Ends) -> (Mark, Cell) {
        let class = here.class(self.levels);
        let (mut low, mut high, mut before, mut after) = (share, 1.0, here, ends[1].1);
        while high - low > self.tol.closed {
            let middle = 0.5 * (low + high);
            let point = self.point(middle);
            let cell = (self.value)(point);
            if cell.class(self.levels) == class {
                (low, before) = (middle, cell);
            } else {
                (high, after) = (middle, cell);
            }
        }
        let jumps = self.leaps(ends, (before, after));
        let mark = Mark {
            at: self.point(0.5 * (low + high)),
            share: high,
            from: class,
            to: after.class(self.levels),
            jumps,
        };
        (mark, after)
    }

    /// Whether a number changes between neighbours by more than any but a steep function would.
    fn leaps(&self, ends: Ends, (before, after): (Cell, Cell)) -> bool {
        let size =
            ends.iter().filter_map(|(_, cell)| cell.value()).fold(0.0_f64, |size, x| size.max(x.abs()));
        let change = before.value().zip(after.value()).map(|(x, y)| (x - y).abs());
        change.is_some_and(|change| change > self.tol.closed.cbrt() * size)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Class, edge};
    use crate::num::Tol;

    fn along(value: impl Fn(f64) -> Cell, levels: &[f64]) -> Vec<(f64, Class, Class, bool)> {
        let ends = [[0.0, 2.0], [1.0, 2.0]].map(|point| (point, value(point[0])));
        let found = edge(ends, levels, &Tol::default(), &mut |[x, _]| value(x));
        found.marks.iter().map(|mark| (mark.at[0], mark.from, mark.to, mark.jumps)).collect()
    }

    #[test]
    fn levels_are_met_at_roots() {
        let found = along(|x| Cell::number(x * x), &[0.25, 0.5]);
        assert_eq!(found.len(), 2);
        assert!((found[0].0 - 0.5).abs() < 1e-9 && (found[1].0 - 0.5_f64.sqrt()).abs() < 1e-9);
        assert!(!found[0].3 && found[1].2 == Class::Above(2));
    }

    #[test]
    fn a_pole_is_a_jump() {
        let found = along(|x| Cell::number(1.0 / (x - 0.3)), &[0.0]);
        assert!(found.len() == 1 && found[0].3 && (found[0].0 - 0.3).abs() < 1e-9, "{found:?}");
    }

    /// A class that is there only within rounding of a border is the border's; one on a hundredth of the edge is a class.
    #[test]
    fn what_is_seen_on_a_border_only_is_no_region() {
        let word = |x: f64, width: f64| match x - 0.4 {
            d if d.abs() <= width => Cell::Word("marginal"),
            d if d < 0.0 => Cell::Word("one"),
            _ => Cell::Word("other"),
        };
        let found = along(|x| word(x, 1e-8), &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].1, found[0].2), (Class::Word("one"), Class::Word("other")));
        assert_eq!(along(|x| word(x, 5e-3), &[]).len(), 2);
    }
}
