//! A map computed: the points of the grid, then the edges whose ends differ, then the squares that these cross. Each is a job of its own, and results are
//! taken in order, so that the map is the same on any number of threads.

use super::ask::MapStudy;
use crate::analysis::map::{
    Cell, Edge, Ends, MAP_SCHEMA, MapOutcome, Missing, Patch, Point, Segment, Square, Traced, boundaries,
    edge,
};
use crate::format::Override;
use crate::pipeline::Failure;
use crate::simulate::ensemble::in_order;
use std::convert::Infallible;

/// What is being computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapStage {
    /// Points of the grid.
    Points,
    /// Boundaries along the edges of the grid, and inside its squares.
    Boundaries,
}

/// How far a map is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapProgress {
    /// What is being computed.
    pub stage: MapStage,
    /// Jobs done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
}

/// A grid with its values, row by row.
struct Grid {
    x: Vec<f64>,
    y: Vec<f64>,
    cells: Vec<Cell>,
}

impl Grid {
    fn end(&self, i: usize, j: usize) -> (Point, Cell) {
        ([self.x[i], self.y[j]], self.cells[j * self.x.len() + i])
    }

    /// Edges to the right, row by row, then upwards.
    fn edges(&self) -> Vec<Ends> {
        let (nx, ny) = (self.x.len(), self.y.len());
        let right = (0..ny).flat_map(|j| (0..nx - 1).map(move |i| [(i, j), (i + 1, j)]));
        let up = (0..ny - 1).flat_map(|j| (0..nx).map(move |i| [(i, j), (i, j + 1)]));
        right.chain(up).map(|ends| ends.map(|(i, j)| self.end(i, j))).collect()
    }

    /// The squares of some edges in that order.
    fn squares(&self, edges: &[Edge]) -> Vec<Square> {
        let (nx, ny) = (self.x.len(), self.y.len());
        let right = |i: usize, j: usize| edges[j * (nx - 1) + i].clone();
        let up = |i: usize, j: usize| edges[ny * (nx - 1) + j * nx + i].clone();
        let square = |(i, j)| Square {
            below: right(i, j),
            above: right(i, j + 1),
            left: up(i, j),
            right: up(i + 1, j),
        };
        (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| (i, j))).map(square).collect()
    }
}

impl MapStudy<'_> {
    /// The map.
    ///
    /// # Errors
    /// [`Failure`] where no state of it could be asked about.
    pub fn collect(&self, mut progress: impl FnMut(MapProgress)) -> Result<MapOutcome, Failure> {
        let (grid, missing) = self.grid(&mut progress)?;
        let ends = grid.edges();
        let crossed = |ends: &Ends| ends[0].1.class(&self.levels) != ends[1].1.class(&self.levels);
        let mut edges: Vec<Edge> = ends.iter().map(|ends| self.plain(*ends)).collect();
        let which: Vec<usize> = (0..ends.len()).filter(|&k| crossed(&ends[k])).collect();
        let total = 2 * which.len() as u64;
        let mut told = |done: usize| {
            progress(MapProgress {
                stage: MapStage::Boundaries,
                done: done as u64,
                of: total.max(done as u64),
            });
        };
        let mut done = 0;
        let follow = |overrides: &mut Vec<Override>, k: u64| {
            let found = edge(ends[which[k as usize]], &self.levels, &self.field.tol, &mut |point| {
                self.at(overrides, point)
            });
            (which[k as usize], found)
        };
        self.in_order(which.len(), follow, |(k, found)| {
            edges[k] = found;
            done += 1;
            told(done);
        });
        let squares = grid.squares(&edges);
        let (mut segments, mut patches): (Vec<Segment>, Vec<Patch>) = Default::default();
        let trace = |overrides: &mut Vec<Override>, k: u64| {
            squares[k as usize].trace(&self.levels, &self.field.tol, &mut |point| self.at(overrides, point))
        };
        let mut joined = 0;
        self.in_order(squares.len(), trace, |Traced { segments: pieces, patches: own }| {
            joined += usize::from(!pieces.is_empty());
            segments.extend(pieces);
            patches.extend(own);
            told((done + joined).min(2 * done));
        });
        let rows = grid.cells.chunks(grid.x.len()).map(<[Cell]>::to_vec).collect();
        let [x, y] = self.axes.clone();
        Ok(MapOutcome {
            schema: MAP_SCHEMA.into(),
            mechanism: self.field.loaded.mechanism.name.clone(),
            state: self.state().to_string(),
            x,
            y,
            quantity: self.quantity.clone(),
            contact: self.field.contact.clone(),
            cells: rows,
            boundaries: boundaries(&self.quantity, &self.levels, &segments),
            missing,
            patches,
            levels: self.levels.clone(),
        })
    }

    fn grid(&self, progress: &mut impl FnMut(MapProgress)) -> Result<(Grid, Missing), Failure> {
        let [x, y] = self.axes.each_ref().map(|axis| axis.values.iter().map(|x| x.0).collect::<Vec<f64>>());
        let total = (x.len() * y.len()) as u64;
        let mut grid = Grid { cells: Vec::with_capacity(x.len() * y.len()), x, y };
        let (mut cells, mut missing) = (Vec::new(), Missing::default());
        let work = |overrides: &mut Vec<Override>, k: u64| {
            let (i, j) = (k as usize % grid.x.len(), k as usize / grid.x.len());
            self.field.value(overrides, [grid.x[i], grid.y[j]])
        };
        in_order(
            self.threads,
            0..total,
            || self.field.set.clone(),
            work,
            |found| {
                let (cell, reason) = found?;
                missing.count += usize::from(cell == Cell::Undefined);
                missing.reason = missing.reason.take().or(reason);
                cells.push(cell);
                progress(MapProgress { stage: MapStage::Points, done: cells.len() as u64, of: total });
                Ok::<(), Failure>(())
            },
        )?;
        grid.cells = cells;
        Ok((grid, missing))
    }

    /// An edge without change.
    fn plain(&self, ends: Ends) -> Edge {
        Edge {
            ends: ends.map(|(point, _)| point),
            classes: ends.map(|(_, cell)| cell.class(&self.levels)),
            marks: Vec::new(),
        }
    }

    /// The value between points of the grid; what cannot be analysed has none.
    fn at(&self, overrides: &mut Vec<Override>, point: Point) -> Cell {
        self.field.value(overrides, point).map_or(Cell::Undefined, |(cell, _)| cell)
    }

    fn in_order<T: Send>(
        &self,
        jobs: usize,
        work: impl Fn(&mut Vec<Override>, u64) -> T + Sync,
        mut deliver: impl FnMut(T),
    ) {
        let done = in_order(
            self.threads,
            0..jobs as u64,
            || self.field.set.clone(),
            work,
            |found| {
                deliver(found);
                Ok::<(), Infallible>(())
            },
        );
        match done {
            Ok(()) => {}
        }
    }
}
