//! How many runs there are, and what each of them is given.

use crate::num::random::uniform;
use std::ops::Range;

/// How the values of a name lie between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Drawn, all values equally likely, in [lo, hi).
    Random,
    /// Drawn, all orders of magnitude equally likely.
    RandomLog,
    /// This many at equal distances, ends included; the lower one alone if there is one.
    Grid(u64),
    /// The same at equal ratios.
    GridLog(u64),
}

/// A name and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name.
    pub name: String,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// How the values lie between them.
    pub spread: Distribution,
}

impl Axis {
    /// The value at a share of the way from `lo` to `hi`; the ends are met exactly.
    fn at(&self, share: f64) -> f64 {
        let Self { lo, hi, .. } = *self;
        let value = match self.spread {
            _ if share <= 0.0 => lo,
            _ if share >= 1.0 => hi,
            Distribution::Random | Distribution::Grid(_) => lo + (hi - lo) * share,
            Distribution::RandomLog | Distribution::GridLog(_) => lo * (hi / lo).powf(share),
        };
        value.clamp(lo, hi)
    }

    /// Number of points, 0 if it is drawn.
    fn points(&self) -> u64 {
        match self.spread {
            Distribution::Random | Distribution::RandomLog => 0,
            Distribution::Grid(points) | Distribution::GridLog(points) => points,
        }
    }
}

/// The runs of an ensemble: all points of the grid, the first name the slowest, and at each of them as many runs with drawn values.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What varies.
    pub axes: Vec<Axis>,
    /// Runs at each point of the grid, or of all if there is none.
    pub each: u64,
    /// What the drawn numbers depend on beside run and name.
    pub seed: u64,
}

impl Plan {
    /// Number of runs; none if it exceeds all bounds.
    pub fn runs(&self) -> Option<u64> {
        let mut grid = self.axes.iter().map(Axis::points).filter(|&points| points > 0);
        grid.try_fold(self.each, u64::checked_mul)
    }

    /// The values of a run, counted from 0, in the order of the axes.
    pub fn values(&self, run: u64) -> Vec<f64> {
        let mut point = run / self.each.max(1);
        let mut values = vec![0.0; self.axes.len()];
        for (axis, value) in self.axes.iter().zip(&mut values).rev() {
            let share = match axis.points() {
                0 => uniform(self.seed, run, &axis.name),
                points => {
                    let place = point % points;
                    point /= points;
                    place as f64 / points.saturating_sub(1).max(1) as f64
                }
            };
            *value = axis.at(share);
        }
        values
    }
}

/// The `part`-th of `of` parts, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Which.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Chunk {
    /// All of it.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Its share of so many runs; the parts differ by one run at most and follow each other.
    pub fn range(self, runs: u64) -> Range<u64> {
        let end = |part: u64| {
            let share = u128::from(runs) * u128::from(part) / u128::from(self.of.max(1));
            u64::try_from(share).unwrap_or(runs)
        };
        end(self.part.saturating_sub(1))..end(self.part)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "ends and repetitions are exact")]
mod tests {
    use super::{Axis, Chunk, Distribution, Plan};

    fn axis(name: &str, (lo, hi): (f64, f64), spread: Distribution) -> Axis {
        Axis { name: name.to_string(), lo, hi, spread }
    }

    #[test]
    fn a_grid_has_all_points_and_its_ends_exactly() {
        let axes = vec![
            axis("a", (0.1, 0.7), Distribution::Grid(3)),
            axis("r", (2.0, 3.0), Distribution::Random),
            axis("b", (1e-3, 10.0), Distribution::GridLog(5)),
        ];
        let plan = Plan { axes, each: 2, seed: 1 };
        assert_eq!(plan.runs(), Some(30));
        let values: Vec<_> = (0..30).map(|run| plan.values(run)).collect();
        assert_eq!((values[0][0], values[29][0], values[10][0]), (0.1, 0.7, 0.1 + (0.7 - 0.1) * 0.5));
        assert_eq!((values[1][2], values[9][2]), (1e-3, 10.0));
        assert!((values[2][2] - 1e-2).abs() < 1e-15, "{}", values[2][2]);
        assert!(values.iter().all(|v| (2.0..3.0).contains(&v[1])));
        assert_ne!(values[0][1], values[1][1]);
        assert_eq!(plan.values(17), values[17]);
    }

    #[test]
    fn chunks_cover_every_run_once() {
        for (runs, of) in [(10, 3), (2, 5), (u64::MAX, 7), (0, 2)] {
            let mut next = 0;
            for part in 1..=of {
                let range = Chunk { part, of }.range(runs);
                assert_eq!(range.start, next);
                assert!(range.end - range.start <= runs / of + 1);
                next = range.end;
            }
            assert_eq!(next, runs);
        }
    }

    #[test]
    fn more_runs_than_can_be_counted_are_none() {
        let axes = vec![axis("a", (0.0, 1.0), Distribution::Grid(1 << 40)); 2];
        assert_eq!(Plan { axes, each: 1, seed: 0 }.runs(), None);
    }
}
