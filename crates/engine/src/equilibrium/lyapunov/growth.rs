//! How fast small motions can grow from one impact with both contacts closed to the next, from above by the cycles of cells, from below
//! by a periodic direction.

use super::cells::{Cell, Goes, Potential};
use super::cycles::{Cycle, Edges, largest_mean};
use super::doubt::Doubt;
use super::follow::Motions;
use super::pieces::{Piece, Returned};
use crate::num::InOrder;
use std::f64::consts::PI;

/// Rounds in which the cells of the worst cycle are divided.
const ROUNDS: usize = 60;
/// Cells at which dividing ends.
const CELLS: usize = 6000;
/// Returns after which a direction that settles is looked at.
const SETTLE: usize = 200;

/// A periodic direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Periodic {
    /// The gap that rests at the start.
    pub(super) rests: usize,
    /// The angle at the start.
    pub(super) angle: f64,
    /// Returns until it repeats.
    pub(super) returns: usize,
    /// Logarithm of the growth in one period.
    pub(super) growth: f64,
    /// Time of one period for a motion of speed one.
    pub(super) time: f64,
}

impl Periodic {
    /// Mean logarithm of the growth per return.
    pub(super) fn mean(&self) -> f64 {
        self.growth / self.returns as f64
    }
}

/// Bounds of the largest mean growth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Growth {
    /// Logarithm per return that no motion exceeds in the long run; −∞ if all end at rest.
    pub(super) above: f64,
    /// The periodic direction with the largest growth that was found.
    pub(super) orbit: Option<Periodic>,
    /// What cannot be said, and from which share of the directions.
    pub(super) doubt: Option<(Doubt, f64)>,
}

impl Motions {
    /// The bounds.
    pub(super) fn growth(&self, pieces: &[Piece]) -> Growth {
        let potential = self.potential();
        let mut cells = self.cells(&potential, pieces);
        let mut orbit: Option<Periodic> = None;
        let mut above = f64::INFINITY;
        for _ in 0..ROUNDS {
            cells.put_in_order(|a, b| a.rests.cmp(&b.rests).then(a.low.total_cmp(&b.low)));
            let Some(cycle) = largest_mean(&edges(&cells)) else {
                above = f64::NEG_INFINITY;
                break;
            };
            above = above.min(cycle.mean);
            let better = |found: &Periodic| orbit.as_ref().is_none_or(|known| found.mean() > known.mean());
            if let Some(found) = self.orbit(&cells, &cycle).filter(better) {
                orbit = Some(found);
            }
            let below = orbit.as_ref().map_or(f64::NEG_INFINITY, Periodic::mean);
            let decided = below > self.tol.growth || above < -self.tol.growth;
            let near = if decided { self.tol.growth_shown } else { self.tol.growth };
            if above - below <= near || cells.len() > CELLS || !self.divide(&potential, &mut cells, &cycle) {
                break;
            }
        }
        Growth { above, orbit, doubt: doubt(&cells) }
    }

    /// Cuts the cells of a cycle; false if they are as narrow as they get.
    fn divide(&self, potential: &Potential, cells: &mut Vec<Cell>, cycle: &Cycle) -> bool {
        let mut any = false;
        for &node in &cycle.nodes {
            let Cell { rests, low, high, goes } = cells[node];
            if high - low > self.tol.sliver
                && goes.iter().any(|goes| matches!(goes, Goes::To { .. }))
                && low > 0.0
                && high < PI
            {
                let cuts = [low, low + (high - low) / 3.0, low + 2.0 * (high - low) / 3.0, high];
                cells[node] = self.cell(potential, rests, cuts[0], cuts[1]);
                cells.extend([(1, 2), (2, 3)].map(|(a, b)| self.cell(potential, rests, cuts[a], cuts[b])));
                any = true;
            }
        }
        any
    }

    /// A periodic direction in the cells of a cycle.
    fn orbit(&self, cells: &[Cell], cycle: &Cycle) -> Option<Periodic> {
        let (start, returns) = (&cells[cycle.nodes[0]], cycle.nodes.len());
        let defect =
            |angle: f64| self.period(start.rests, angle, returns).map(|found| (found.1 - angle, found));
        let (mut low, mut high) = (start.low, start.high);
        let ends = defect(low).zip(defect(high));
        if let Some((a, b)) = ends.filter(|(a, b)| a.0 * b.0 <= 0.0) {
            let rising = b.0 > a.0;
            for _ in 0..ROUNDS {
                let middle = 0.5 * (low + high);
                let (value, _) = defect(middle)?;
                if (value > 0.0) == rising { high = middle } else { low = middle }
            }
        } else {
            let mut angle = 0.5 * (low + high);
            for _ in 0..SETTLE {
                angle = self.period(start.rests, angle, returns)?.1;
            }
            (low, high) = (angle, angle);
        }
        let angle = 0.5 * (low + high);
        let (off, (growth, _, time)) = defect(angle)?;
        let inside = angle.min(PI - angle) >= self.tol.level;
        (inside && off.abs() <= self.tol.closed)
            .then(|| self.begun_first(Periodic { rests: start.rests, angle, returns, growth, time }))
    }

    /// The same period, begun where the first contact rests and the angle is least.
    fn begun_first(&self, periodic: Periodic) -> Periodic {
        let (mut at, mut best) = ((periodic.rests, periodic.angle), periodic.clone());
        for _ in 0..periodic.returns {
            if (at.0, at.1) < (best.rests, best.angle) {
                (best.rests, best.angle) = at;
            }
            let Returned::To { rests, angle, .. } = self.returned(at.0, at.1) else { return periodic };
            at = (rests, angle);
        }
        match self.period(best.rests, best.angle, best.returns) {
            Some((growth, _, time)) => Periodic { growth, time, ..best },
            None => periodic,
        }
    }

    /// Logarithm of the growth, angle and time after some returns, if they end in the section where they began.
    fn period(&self, rests: usize, angle: f64, returns: usize) -> Option<(f64, f64, f64)> {
        let (mut at, mut sum, mut total) = ((rests, angle), 0.0_f64, 0.0);
        for _ in 0..returns {
            let Returned::To { rests, angle, growth, time } = self.returned(at.0, at.1) else { return None };
            total += time * sum.exp();
            sum += growth;
            at = (rests, angle);
        }
        (at.0 == rests).then_some((sum, at.1, total))
    }
}

/// From each cell to all that its directions may fall into.
fn edges(cells: &[Cell]) -> Edges {
    let split = cells.partition_point(|cell| cell.rests == 0);
    let within = |rests: usize, low: f64, high: f64| {
        let (from, own) = if rests == 0 { (0, &cells[..split]) } else { (split, &cells[split..]) };
        let first = own.partition_point(|cell| cell.high < low);
        let last = own.partition_point(|cell| cell.low <= high);
        from + first..from + last.max(first)
    };
    let mut found = vec![Vec::new(); cells.len()];
    for (out, cell) in found.iter_mut().zip(cells) {
        for goes in &cell.goes {
            match *goes {
                Goes::To { rests, low, high, growth } => {
                    out.extend(within(rests, low, high).map(|w| (w, growth)))
                }
                Goes::Leaves { end, low, high } => {
                    let (low, high) = end.angles(low, high);
                    let outside = |w: &usize| !matches!(cells[*w].goes[0], Goes::Leaves { .. });
                    let to = (0..2).flat_map(|rests| within(rests, low, high)).filter(outside);
                    out.extend(to.map(|w| (w, 0.0)));
                }
                Goes::Rests | Goes::Doubtful(_) => {}
            }
        }
    }
    found
}

/// The first doubt, and the share of directions that have one.
fn doubt(cells: &[Cell]) -> Option<(Doubt, f64)> {
    let width = |cell: &Cell| cell.high - cell.low;
    let all: f64 = cells.iter().map(width).sum();
    let of = |cell: &Cell| {
        cell.goes.iter().find_map(|goes| if let Goes::Doubtful(doubt) = goes { Some(*doubt) } else { None })
    };
    let doubtful = || cells.iter().filter_map(|cell| Some((width(cell), of(cell)?)));
    let (_, doubt) = doubtful().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((doubt, doubtful().map(|found| found.0).sum::<f64>() / all.max(f64::MIN_POSITIVE)))
}
