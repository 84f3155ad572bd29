//! How many runs there are, and what each of them is given.

use crate::num::random::uniform;
use std::ops::Range;
use std::sync::Arc;

/// Draws of a normal distribution outside its range after which the nearest end to its mean is taken.
const DRAWS: u64 = 1000;

/// How the values of a name lie between two ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Drawn, all values equally likely, in [lo, hi).
    Random,
    /// Drawn, all orders of magnitude equally likely.
    RandomLog,
    /// Drawn from the normal distribution, again where it lies outside [lo, hi].
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
    },
    /// Those of a list, in turn: the first run has the first.
    Listed(Arc<[f64]>),
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
        let (lo, hi) = (self.lo, self.hi);
        let value = match self.spread {
            _ if share <= 0.0 => lo,
            _ if share >= 1.0 => hi,
            // these two are not found by shares
            Distribution::Normal { .. } | Distribution::Listed(_) => lo,
            Distribution::Random | Distribution::Grid(_) => lo + (hi - lo) * share,
            Distribution::RandomLog | Distribution::GridLog(_) => lo * (hi / lo).powf(share),
        };
        value.clamp(lo, hi)
    }

    /// The value of a run, if it is drawn or listed.
    fn drawn(&self, seed: u64, run: u64) -> f64 {
        match &self.spread {
            Distribution::Normal { mean, deviation } => {
                let draw = |k: u64| {
                    // Box and Muller, one of the two
                    let [a, b] =
                        ["a", "b"].map(|part| uniform(seed, run, &format!("{}.{k}{part}", self.name)));
                    let radius = (-2.0 * (1.0 - a).ln()).sqrt();
                    mean + deviation * radius * crate::num::Real::sin_cos(std::f64::consts::TAU * b).1
                };
                let inside = (0..DRAWS).map(draw).find(|x| (self.lo..=self.hi).contains(x));
                inside.unwrap_or_else(|| mean.clamp(self.lo, self.hi))
            }
            Distribution::Listed(list) => list[(run % list.len() as u64) as usize],
            _ => self.at(uniform(seed, run, &self.name)),
        }
    }

    /// Number of points, 0 if it is drawn.
    fn points(&self) -> u64 {
        match self.spread {
            Distribution::Random
            | Distribution::RandomLog
            | Distribution::Normal { .. }
            | Distribution::Listed(_) => 0,
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
            *value = match axis.points() {
                0 => axis.drawn(self.seed, run),
                points => {
                    let place = point % points;
                    point /= points;
                    axis.at(place as f64 / points.saturating_sub(1).max(1) as f64)
                }
            };
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

    /// Mean, deviation and tails of many draws, within five standard deviations of each; draws outside a range are drawn again.
    #[test]
    fn normal_draws_are_normal() {
        let n = 20_000_u64;
        let normal = |ends| axis("x", ends, Distribution::Normal { mean: 2.0, deviation: 0.5 });
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let plan = |axis| Plan { axes: vec![axis], each: n, seed: 4 };
        let drawn: Vec<f64> = (0..n).map(|run| (plan(normal(all)).values(run)[0] - 2.0) / 0.5).collect();
        let mean = |of: &dyn Fn(f64) -> f64| drawn.iter().map(|x| of(*x)).sum::<f64>() / n as f64;
        let sigma = 5.0 / (n as f64).sqrt();
        assert!(mean(&|x| x).abs() < sigma && (mean(&|x| x * x) - 1.0).abs() < sigma * 2_f64.sqrt());
        assert!(mean(&|x| x.powi(3)).abs() < sigma * 15_f64.sqrt());
        assert!((mean(&|x| x.powi(4)) - 3.0).abs() < sigma * 96_f64.sqrt());
        // beyond one deviation lie 31.73 %
        let beyond = mean(&|x| if x.abs() > 1.0 { 1.0 } else { 0.0 });
        assert!((beyond - 0.317_310_507_862_914).abs() < sigma * 0.47, "{beyond}");
        let kept = plan(normal((2.0, 2.5)));
        assert!((0..n).all(|run| (2.0..=2.5).contains(&kept.values(run)[0])));
        assert_eq!(plan(normal((50.0, 60.0))).values(0), [50.0]);
    }

    #[test]
    fn a_list_is_used_in_turn() {
        let list = axis("x", (1.0, 7.0), Distribution::Listed([1.0, 7.0, 4.0].into()));
        let plan = Plan { axes: vec![list, axis("g", (0.0, 1.0), Distribution::Grid(2))], each: 4, seed: 0 };
        let values: Vec<f64> = (0..8).map(|run| plan.values(run)[0]).collect();
        assert_eq!(values, [1.0, 7.0, 4.0, 1.0, 7.0, 4.0, 1.0, 7.0]);
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
