//! A map computed, some rows of the grid at a time: their points, then the edges whose ends differ, then the squares that these cross. Each is a
//! job of its own, and results are taken in order, so that the map is the same on any number of threads. Of finished rows nothing is kept but
//! boundaries, and cells where they are asked for.

use super::ask::MapStudy;
use super::band::{Band, Found, Row, Seam};
use super::field::FieldWork;
use super::record::{Piece, Record};
use crate::analysis::map::{
    Cell, Interrupted, MAP_SCHEMA, MapOutcome, Missing, Patch, Point, Segment, Tally, Traced, boundaries,
    edge,
};
use crate::num::halt;
use crate::pipeline::Failure;
use crate::simulate::ensemble::in_order;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is being computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapStage {
    /// Points of the grid, and boundaries between them.
    Points,
    /// All points are done, boundaries between the last ones are not.
    Boundaries,
}

/// How far a map is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapProgress {
    /// What is being computed.
    pub stage: MapStage,
    /// Points, or pieces of boundaries, done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
}

/// Who is given a row of a map: y, and the cells in the order of x.
pub type MapRow<'r> = dyn FnMut(f64, &[Cell]) -> Result<(), Failure> + 'r;

/// How a map is computed.
pub struct MapWatch<'w> {
    /// Told how far it is.
    pub progress: &'w mut dyn FnMut(MapProgress),
    /// Once true, the map ends with the rows that are done.
    pub stop: &'w AtomicBool,
    /// Given each row as it is done, with its boundaries to the row before.
    pub row: &'w mut MapRow<'w>,
    /// Whether the outcome has the cells.
    pub keep: bool,
}

/// Rows that are done together, until it is known how long they take.
const FIRST: usize = 2;
/// Most points of rows that are done together.
const MOST: usize = 1 << 18;
/// Least number of motions for each thread that are followed together.
const AT_LEAST: usize = 16;
/// How long rows that are done together should take: a map that is stopped loses no more.
const SPAN: Duration = Duration::from_millis(250);

/// The time, where there is a clock.
fn clock() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

/// Why rows are not done.
enum Halt {
    Stopped,
    Failed(Failure),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Interrupted { .. } => Self::Stopped,
            failure => Self::Failed(failure),
        }
    }
}

/// What is known of the rows that are done.
struct Done {
    cells: Vec<Vec<Cell>>,
    segments: Vec<Segment>,
    patches: Vec<Patch>,
    tally: Tally,
    /// The next row.
    next: usize,
}

impl MapStudy<'_> {
    /// The map with all its cells.
    ///
    /// # Errors
    /// [`Failure`] where no state of it could be asked about.
    pub fn collect(&self, mut progress: impl FnMut(MapProgress)) -> Result<MapOutcome, Failure> {
        let (stop, mut row) = (AtomicBool::new(false), |_: f64, _: &[Cell]| Ok(()));
        self.follow(MapWatch { progress: &mut progress, stop: &stop, row: &mut row, keep: true })
    }

    /// The map, row by row.
    ///
    /// # Errors
    /// [`Failure`] where no state of it could be asked about, and what the receiver of rows says.
    pub fn follow(&self, watch: MapWatch<'_>) -> Result<MapOutcome, Failure> {
        self.follow_recorded(watch, None)
    }

    /// The same with a record that pieces are taken from and go to.
    pub(super) fn follow_recorded(
        &self,
        mut watch: MapWatch<'_>,
        record: Option<(Record, Vec<Piece>)>,
    ) -> Result<MapOutcome, Failure> {
        // squares of a logarithmic axis are divided at equal ratios
        let [x, y] =
            self.axes.each_ref().map(|axis| axis.values.iter().map(|x| axis.even(x.0)).collect::<Vec<_>>());
        let mut done = Done {
            cells: Vec::new(),
            segments: Vec::new(),
            patches: Vec::new(),
            tally: Tally::NONE,
            next: self.rows.start,
        };
        let (mut record, known) = record.map_or((None, Vec::new()), |(record, known)| (Some(record), known));
        for piece in known {
            self.take(piece, &mut done, &mut watch)?;
        }
        match self.rest([&x, &y], &mut done, &mut watch, record.as_mut()) {
            Ok(()) | Err(Halt::Stopped) => Ok(self.outcome(done)),
            Err(Halt::Failed(failure)) => Err(failure),
        }
    }

    /// The rows that are not done yet.
    fn rest(
        &self,
        [x, y]: [&[f64]; 2],
        done: &mut Done,
        watch: &mut MapWatch<'_>,
        mut record: Option<&mut Record>,
    ) -> Result<(), Halt> {
        let (mut seam, mut wanted) = (self.before([x, y], done.next, watch)?, FIRST);
        let least = if self.motion().is_some() { (AT_LEAST * self.threads).div_ceil(x.len()) } else { FIRST };
        while done.next < self.rows.end && !watch.stop.load(Ordering::Relaxed) {
            let begun = clock();
            let rows = wanted.min(self.rows.end - done.next);
            let grid =
                Band { x, y: &y[done.next..done.next + rows], levels: &self.levels, seam: seam.take() };
            let (piece, next) = self.band(&grid, done, watch)?;
            if let Some(record) = &mut record {
                record.append(&piece)?;
            }
            self.take(piece, done, watch)?;
            seam = Some(next);
            let taken = begun.map_or(SPAN, |begun| begun.elapsed());
            let faster = SPAN.as_secs_f64() / taken.as_secs_f64().max(f64::EPSILON);
            wanted = ((rows as f64 * faster.min(16.0)) as usize).clamp(least, (MOST / x.len()).max(least));
        }
        Ok(())
    }

    /// Takes rows that are done into account.
    fn take(&self, piece: Piece, done: &mut Done, watch: &mut MapWatch<'_>) -> Result<(), Failure> {
        let Piece { cells, mut segments, mut patches } = piece;
        done.segments.append(&mut segments);
        if watch.keep {
            done.patches.append(&mut patches);
        }
        let [x, y] = self.axes.each_ref().map(|axis| &axis.values);
        for row in cells {
            let up = y[done.next].0;
            (watch.row)(up, &row)?;
            row.iter().zip(x).for_each(|(cell, x)| done.tally.include([x.0, up], cell));
            if watch.keep || self.certified.is_some() {
                done.cells.push(row);
            }
            done.next += 1;
        }
        Ok(())
    }

    /// The row before the next one, whose edges its own lowest squares share.
    fn before(
        &self,
        [x, y]: [&[f64]; 2],
        next: usize,
        watch: &mut MapWatch<'_>,
    ) -> Result<Option<Seam>, Halt> {
        let Some(row) = next.checked_sub(1).filter(|_| next < self.rows.end) else {
            return Ok(None);
        };
        let band = Band { x, y: &y[row..=row], levels: &self.levels, seam: None };
        let cells = self.cells_of(&band, (row, 0), watch)?;
        let rows: Vec<Row<'_>> = band.rows(&cells);
        let (found, _) = self.traced(&band, &rows, false, watch)?;
        Ok(Some(band.seam(&rows, found)))
    }

    /// Some rows: their cells, and the boundaries among them and to the row before.
    fn band(&self, band: &Band<'_>, done: &Done, watch: &mut MapWatch<'_>) -> Result<(Piece, Seam), Halt> {
        let cells = self.cells_of(band, (done.next, done.tally.points), watch)?;
        let rows: Vec<Row<'_>> = band.rows(&cells);
        let last = done.next + band.y.len() == self.rows.end;
        let (found, traced) = self.traced(band, &rows, last, watch)?;
        let seam = band.seam(&rows, found);
        let Traced { segments, patches } = traced;
        Ok((
            Piece { cells: cells.chunks(band.x.len()).map(<[Cell]>::to_vec).collect(), segments, patches },
            seam,
        ))
    }

    /// The edges that boundaries cross, and their pieces; how far that is is told of the last rows.
    fn traced(
        &self,
        band: &Band<'_>,
        rows: &[Row<'_>],
        last: bool,
        watch: &mut MapWatch<'_>,
    ) -> Result<(Found, Traced), Halt> {
        let (places, squares) = (band.crossed(rows), band.mixed(rows));
        let (of, mut done) = ((places.len() + squares.len()) as u64, 0);
        let MapWatch { progress, stop, .. } = watch;
        let mut report = || {
            done += 1;
            if last {
                progress(MapProgress { stage: MapStage::Boundaries, done, of });
            }
        };
        let mut edges = Vec::with_capacity(places.len());
        let follow = |work: &mut FieldWork, k: u64| {
            let ends = band.ends(rows, places[k as usize]);
            edge(ends, &self.levels, &self.field.tol, &mut |point| self.at(work, point))
        };
        self.jobs(places.len(), follow, stop, |found| {
            edges.push(found);
            report();
            Ok(())
        })?;
        let found = band.found(places.iter().copied().zip(edges).collect());
        let trace = |work: &mut FieldWork, k: u64| {
            let square = band.square(rows, &found, squares[k as usize]);
            square.trace(&self.levels, &self.field.tol, &mut |point| self.at(work, point))
        };
        let mut all = Traced::default();
        self.jobs(squares.len(), trace, stop, |own| {
            all.segments.extend(own.segments.into_iter().map(|piece| self.placed(piece)));
            all.patches.extend(own.patches.into_iter().map(|patch| Patch {
                corners: patch.corners.into_iter().map(|point| self.place(point)).collect(),
                ..patch
            }));
            report();
            Ok(())
        })?;
        Ok((found, all))
    }

    fn placed(&self, piece: Segment) -> Segment {
        Segment { ends: piece.ends.map(|point| self.place(point)), ..piece }
    }

    /// The cells of some rows from the `first` on, so many being done before.
    fn cells_of(
        &self,
        band: &Band<'_>,
        (first, before): (usize, u64),
        watch: &mut MapWatch<'_>,
    ) -> Result<Vec<Cell>, Halt> {
        let (nx, count) = (band.x.len(), band.x.len() * band.y.len());
        let of = self.points();
        let mut cells = Vec::with_capacity(count);
        let [x, y] = self.axes.each_ref().map(|axis| &axis.values);
        let work = |work: &mut FieldWork, k: u64| {
            self.field.value(work, [x[k as usize % nx].0, y[first + k as usize / nx].0])
        };
        let MapWatch { progress, stop, .. } = watch;
        self.jobs(count, work, stop, |cell| {
            cells.push(cell?);
            progress(MapProgress { stage: MapStage::Points, done: before + cells.len() as u64, of });
            Ok(())
        })?;
        Ok(cells)
    }

    /// The value between points of the grid; what cannot be analysed has none.
    fn at(&self, work: &mut FieldWork, point: Point) -> Cell {
        self.field.value(work, self.place(point)).unwrap_or(Cell::Undefined)
    }

    /// A point on the axes.
    fn place(&self, point: Point) -> Point {
        std::array::from_fn(|k| self.axes[k].back(point[k]))
    }

    fn jobs<T: Send>(
        &self,
        count: usize,
        work: impl Fn(&mut FieldWork, u64) -> T + Sync,
        stop: &AtomicBool,
        mut deliver: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Halt> {
        in_order(
            self.threads.min(count),
            0..count as u64,
            || self.field.work(),
            work,
            |found| match stop.load(Ordering::Relaxed) || halt::is_wanted() {
                true => Err(Halt::Stopped),
                false => Ok(deliver(found)?),
            },
        )
    }

    fn outcome(&self, done: Done) -> MapOutcome {
        let [x, mut y] = self.axes.clone();
        let own = self.rows.clone();
        let (rows, of) = (done.next - own.start, own.len());
        y.values = y.values[own.start..done.next].to_vec();
        let reason = done.tally.first_undefined.and_then(|point| self.field.reason(point));
        let map = MapOutcome {
            schema: MAP_SCHEMA.into(),
            mechanism: self.field.loaded.mechanism.name.clone(),
            state: self.state().to_string(),
            x,
            y,
            quantity: self.quantity.clone(),
            contact: self.field.contact().cloned(),
            motion: self.motion(),
            cells: done.cells,
            boundaries: boundaries(&self.quantity, &self.levels, &done.segments),
            certified: None,
            missing: Missing::of(&done.tally, reason),
            interrupted: (rows < of).then_some(Interrupted { rows, of }),
            tally: done.tally,
            patches: done.patches,
            segments: done.segments,
            levels: self.levels.clone(),
        };
        MapOutcome { certified: self.certified.as_ref().map(|proven| proven.compared(&map)), ..map }
    }
}
