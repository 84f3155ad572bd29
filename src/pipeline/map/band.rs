//! Some rows of a grid, with the last one before them: which edges and squares boundaries cross.

use crate::analysis::map::{Cell, Class, Edge, Ends, Point, Square};
use std::collections::BTreeMap;

/// Some rows of a grid.
pub(super) struct Band<'g> {
    pub(super) x: &'g [f64],
    pub(super) y: &'g [f64],
    pub(super) levels: &'g [f64],
    /// The row below, if there is one.
    pub(super) seam: Option<Seam>,
}

/// The last row of a band, as the next one needs it.
pub(super) struct Seam {
    y: f64,
    cells: Vec<Cell>,
    /// Its edges that are crossed, by their left ends.
    edges: BTreeMap<usize, Edge>,
}

/// A row of cells.
pub(super) type Row<'c> = (f64, &'c [Cell]);

/// An edge to the right of a point or upwards from it, by row (that of the seam, if there is one, is the first) and place; a square by its lower
/// left corner.
pub(super) type EdgeIndex = (usize, Direction, usize);

/// Where an edge goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Right,
    Up,
}

/// Edges that are crossed.
pub(super) type Found = BTreeMap<EdgeIndex, Edge>;

impl Band<'_> {
    /// All rows, that of the seam first.
    pub(super) fn rows<'c>(&'c self, cells: &'c [Cell]) -> Vec<Row<'c>> {
        let below = self.seam.iter().map(|seam| (seam.y, &seam.cells[..]));
        below.chain(self.y.iter().copied().zip(cells.chunks(self.x.len()))).collect()
    }

    fn class(&self, rows: &[Row<'_>], (j, i): (usize, usize)) -> Class {
        rows[j].1[i].class(self.levels)
    }

    fn point(&self, rows: &[Row<'_>], (j, i): (usize, usize)) -> (Point, Cell) {
        ([self.x[i], rows[j].0], rows[j].1[i])
    }

    /// Edges whose ends differ, but those of the seam.
    pub(super) fn crossed(&self, rows: &[Row<'_>]) -> Vec<EdgeIndex> {
        let mut found = Vec::new();
        for j in 0..rows.len() {
            let known = j == 0 && self.seam.is_some();
            for i in 0..self.x.len() {
                let here = self.class(rows, (j, i));
                if !known && i + 1 < self.x.len() && here != self.class(rows, (j, i + 1)) {
                    found.push((j, Direction::Right, i));
                }
                if j + 1 < rows.len() && here != self.class(rows, (j + 1, i)) {
                    found.push((j, Direction::Up, i));
                }
            }
        }
        found
    }

    /// Squares whose corners differ.
    pub(super) fn mixed(&self, rows: &[Row<'_>]) -> Vec<EdgeIndex> {
        let differs = |j: usize, i: usize| {
            let here = self.class(rows, (j, i));
            [(j, i + 1), (j + 1, i), (j + 1, i + 1)].iter().any(|&other| self.class(rows, other) != here)
        };
        let squares = (1..rows.len()).flat_map(|j| (1..self.x.len()).map(move |i| (j - 1, i - 1)));
        squares.filter(|&(j, i)| differs(j, i)).map(|(j, i)| (j, Direction::Right, i)).collect()
    }

    /// The ends of an edge.
    pub(super) fn ends(&self, rows: &[Row<'_>], (j, way, i): EdgeIndex) -> Ends {
        let other = match way {
            Direction::Right => (j, i + 1),
            Direction::Up => (j + 1, i),
        };
        [(j, i), other].map(|place| self.point(rows, place))
    }

    /// Those edges, and those of the seam.
    pub(super) fn found(&self, mut edges: Found) -> Found {
        let below = self.seam.iter().flat_map(|seam| &seam.edges);
        edges.extend(below.map(|(&i, edge)| ((0, Direction::Right, i), edge.clone())));
        edges
    }

    /// A square.
    pub(super) fn square(&self, rows: &[Row<'_>], found: &Found, (j, _, i): EdgeIndex) -> Square {
        let edge = |place: EdgeIndex| {
            let plain = || {
                let ends = self.ends(rows, place);
                Edge {
                    ends: ends.map(|(point, _)| point),
                    classes: ends.map(|(_, cell)| cell.class(self.levels)),
                    marks: Vec::new(),
                }
            };
            found.get(&place).cloned().unwrap_or_else(plain)
        };
        Square {
            below: edge((j, Direction::Right, i)),
            above: edge((j + 1, Direction::Right, i)),
            left: edge((j, Direction::Up, i)),
            right: edge((j, Direction::Up, i + 1)),
        }
    }

    /// What the next band needs.
    pub(super) fn seam(&self, rows: &[Row<'_>], found: Found) -> Seam {
        let last = rows.len() - 1;
        let edges = found.into_iter().filter(|((j, way, _), _)| *j == last && *way == Direction::Right);
        Seam {
            y: rows[last].0,
            cells: rows[last].1.to_vec(),
            edges: edges.map(|((_, _, i), edge)| (i, edge)).collect(),
        }
    }
}
