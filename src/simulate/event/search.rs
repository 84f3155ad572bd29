//! Where in a step the first of the watches falls through zero: none is missed because two roots lie in one step, or because
//! the step ends positive.
//!
//! A step is first judged by what is known of it at no cost: the values at its ends and at three stages within. Only where
//! the polynomial through them comes near zero is the continuous extension made and searched: sixteen spans with their sign
//! changes, and every dip between them followed to its lowest point.

use super::mechanics::Mechanics;
use super::watch::Watch;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// Spans into which a suspected step is cut.
const SPANS: usize = 16;
/// A dip counts as one that could reach zero if its lowest value is below this share of its depth.
const MARGIN: f64 = 0.1;
/// Where the values of a watch that starts at zero are first asked for.
const FIRST_SHARE: f64 = 1.0 / 1024.0;
/// Most halvings and secants of a root, and of a dip.
const ITERATIONS: usize = 80;

/// A root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Root {
    /// Share of the step.
    pub(super) share: f64,
    /// Which watch.
    pub(super) watch: usize,
}

/// How a watch begins a step.
enum Begin {
    /// At a share of the step it has a positive value.
    Positive(f64, f64),
    /// It is negative at once.
    Leaves,
    /// It stays zero to rounding.
    Rests,
}

/// Memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// Values at the start of the step.
    pub(super) start: Vec<f64>,
    /// Values at its end.
    pub(super) end: Vec<f64>,
    /// Watches that start the phase at zero, and rise.
    pub(super) fresh: Vec<bool>,
    /// Values up to which each of them is zero to rounding.
    pub(super) bands: Vec<f64>,
    y: Vec<f64>,
    values: Vec<f64>,
    table: Vec<f64>,
    /// Spans with values.
    filled: usize,
}

impl Search {
    /// Memory for vectors of this length.
    pub(super) fn new(unknowns: usize) -> Self {
        Self { y: vec![0.0; unknowns], ..Self::default() }
    }

    /// The end of a step becomes the start of the next.
    pub(super) fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.fresh.fill(false);
    }

    /// Whether the step has to be looked at.
    pub(super) fn suspects(&self, mechanics: &Mechanics<'_>) -> bool {
        (0..self.start.len()).any(|watch| {
            let look = |i: usize| mechanics.looks[i][watch];
            let values = [self.start[watch], look(0), look(1), look(2), self.end[watch]];
            if self.fresh[watch] { fresh_suspect(values) } else { suspect(values) }
        })
    }

    /// The first root of a step whose continuous extension is ready.
    ///
    /// # Errors
    /// As the flow.
    pub(super) fn first_root(
        &mut self,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<Root>, SmoothError> {
        let watches = self.start.len();
        self.table.resize((SPANS + 1) * watches, 0.0);
        self.filled = 0;
        // what is seen to have fallen through zero has done so before
        for last in [self.fallen_by(mechanics), SPANS] {
            self.fill(last, step, mechanics)?;
            if let Some(root) = self.first_among(step, mechanics)? {
                return Ok(Some(root));
            }
            if last == SPANS {
                break;
            }
        }
        Ok(None)
    }

    /// The span by whose end a watch is seen below zero, and one more; the last if none is.
    fn fallen_by(&self, mechanics: &Mechanics<'_>) -> usize {
        let below = |values: &[f64]| values.iter().zip(&self.bands).any(|(value, band)| *value < -band);
        let look = mechanics.looks.iter().position(|values| below(values));
        let share = look.map_or(1.0, |i| Dop853::LOOKS[i]);
        ((share * SPANS as f64).ceil() as usize + 1).min(SPANS)
    }

    /// Values up to the end of a span.
    fn fill(&mut self, last: usize, step: &Dop853, mechanics: &mut Mechanics<'_>) -> Result<(), SmoothError> {
        let watches = self.start.len();
        let first = if self.filled == 0 { 0 } else { self.filled + 1 };
        for node in first..=last {
            let share = if node == 0 { FIRST_SHARE } else { node as f64 / SPANS as f64 };
            self.evaluate(share, step, mechanics)?;
            self.table[node * watches..(node + 1) * watches].copy_from_slice(&self.values);
        }
        self.filled = last;
        Ok(())
    }

    /// The first root up to the end of the last span with values.
    fn first_among(
        &mut self,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<Root>, SmoothError> {
        let mut first: Option<Root> = None;
        for watch in 0..self.start.len() {
            let limit = first.map_or(1.0, |root| root.share);
            if let Some(share) = self.root_of(watch, limit, step, mechanics)?
                && first.is_none_or(|root| share < root.share)
            {
                first = Some(Root { share, watch });
            }
        }
        Ok(first)
    }

    /// The values of all watches at a share of the step.
    pub(super) fn evaluate(
        &mut self,
        share: f64,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), SmoothError> {
        use crate::simulate::integrate::Flow;
        let Self { y, values, .. } = self;
        step.at(share, y);
        // the rate is not needed: its memory is that of y
        let mut rate = std::mem::take(&mut mechanics.spare);
        let outcome = mechanics.rate(0.0, y, &mut rate);
        mechanics.spare = rate;
        outcome?;
        mechanics.watched(values);
        Ok(())
    }

    /// One watch at a share of the step.
    pub(super) fn value(
        &mut self,
        watch: usize,
        share: f64,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<f64, SmoothError> {
        self.evaluate(share, step, mechanics)?;
        Ok(self.values[watch])
    }

    /// The first root of a watch before `limit`.
    fn root_of(
        &mut self,
        watch: usize,
        limit: f64,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<f64>, SmoothError> {
        let watches = self.start.len();
        let at = |table: &[f64], node: usize| table[node * watches + watch];
        let mut left = match self.begin(watch, step, mechanics)? {
            Begin::Positive(share, value) => (share, value),
            Begin::Leaves => return Ok(Some(0.0)),
            Begin::Rests => return Ok(None),
        };
        let mut before = None;
        for node in 1..=self.filled {
            let right = (node as f64 / SPANS as f64, at(&self.table, node));
            if right.0 <= left.0 {
                continue;
            }
            if right.1 < -self.bands[watch] {
                return self.close_in(watch, left, right, step, mechanics).map(Some);
            }
            if let Some(previous) = before
                && let Some(dip) = self.dip(watch, [previous, left, right], step, mechanics)?
            {
                return self.close_in(watch, previous, dip, step, mechanics).map(Some);
            }
            if left.0 > limit {
                return Ok(None);
            }
            if right.1 > 0.0 {
                before = Some(left);
                left = right;
            }
        }
        Ok(None)
    }

    /// How a watch begins the step.
    fn begin(
        &mut self,
        watch: usize,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Begin, SmoothError> {
        if self.start[watch] > 0.0 && !self.fresh[watch] {
            return Ok(Begin::Positive(0.0, self.start[watch]));
        }
        if let Watch::Speed(..) = mechanics.watches[watch] {
            return Ok(self.rise(watch));
        }
        let (mut share, mut value, band) = (FIRST_SHARE, self.table[watch], self.bands[watch]);
        let mut rests = true;
        while value <= 0.0 && share > f64::EPSILON {
            rests &= value >= -band;
            share *= 0.125;
            value = self.value(watch, share, step, mechanics)?;
        }
        Ok(if value > 0.0 {
            Begin::Positive(share, value)
        } else if rests {
            Begin::Rests
        } else {
            Begin::Leaves
        })
    }

    /// A speed that starts below that of rest is watched from where it is above.
    fn rise(&self, watch: usize) -> Begin {
        let watches = self.start.len();
        let risen = (1..=self.filled).find(|node| self.table[node * watches + watch] > 0.0);
        risen.map_or(Begin::Rests, |node| {
            Begin::Positive(node as f64 / SPANS as f64, self.table[node * watches + watch])
        })
    }

    /// A root between a positive and a negative value: secants, with halvings where they do not gain (Illinois).
    fn close_in(
        &mut self,
        watch: usize,
        mut low: (f64, f64),
        mut high: (f64, f64),
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<f64, SmoothError> {
        for _ in 0..ITERATIONS {
            let share = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            if !(low.0 < share && share < high.0) || high.0 - low.0 <= 2.0 * f64::EPSILON * high.0 {
                break;
            }
            let value = self.value(watch, share, step, mechanics)?;
            if value > 0.0 {
                (low, high.1) = ((share, value), 0.5 * high.1);
            } else if value < 0.0 {
                (high, low.1) = ((share, value), 0.5 * low.1);
            } else {
                return Ok(share);
            }
        }
        Ok(high.0)
    }

    /// The lowest point between three positive values, if it is not positive.
    fn dip(
        &mut self,
        watch: usize,
        [left, middle, right]: [(f64, f64); 3],
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<(f64, f64)>, SmoothError> {
        let depth = left.1.max(right.1) - middle.1;
        if middle.1 > left.1 || middle.1 > right.1 || middle.1 > (MARGIN + 1.0) * depth {
            return Ok(None);
        }
        let (mut low, mut high) = (left.0, right.0);
        for _ in 0..ITERATIONS {
            let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            let first = self.value(watch, one, step, mechanics)?;
            let second = self.value(watch, two, step, mechanics)?;
            for (share, value) in [(one, first), (two, second)] {
                if value <= 0.0 {
                    return Ok(Some((share, value)));
                }
            }
            if first.min(second) > (MARGIN + 1.0) * (first - second).abs() + depth * MARGIN {
                return Ok(None);
            }
            if first <= second {
                high = two
            } else {
                low = one
            }
            if high - low <= f64::EPSILON.sqrt() {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

/// Places of the five values.
const NODES: [f64; 5] = [0.0, Dop853::LOOKS[0], Dop853::LOOKS[1], Dop853::LOOKS[2], 1.0];

fn suspect(values: [f64; 5]) -> bool {
    near_zero(&NODES, &mut values.clone())
}

/// For a watch that starts at zero: by what it is over the share of the step.
fn fresh_suspect(values: [f64; 5]) -> bool {
    let mut slopes = [1, 2, 3, 4].map(|i| values[i] / NODES[i]);
    near_zero(&NODES[1..], &mut slopes)
}

/// Whether the polynomial through some values comes near zero within the step; values that are none are suspicious.
fn near_zero(nodes: &[f64], values: &mut [f64]) -> bool {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.iter().any(|x| x.is_nan()) || lowest <= 0.0 {
        return true;
    }
    let spread = highest - lowest;
    if lowest > spread {
        return false;
    }
    let (first, slope) = (values[0], values[values.len() - 1] - values[0]);
    divide(nodes, values);
    let mut bend: f64 = 0.0;
    let mut least = lowest;
    for i in 1..SPANS {
        let x = i as f64 / SPANS as f64;
        let value = newton(nodes, values, x);
        least = least.min(value);
        let chord = first + slope * (x - nodes[0]) / (1.0 - nodes[0]);
        bend = bend.max((value - chord).abs());
    }
    least <= MARGIN * bend
}

/// Divided differences in place.
fn divide(nodes: &[f64], values: &mut [f64]) {
    for order in 1..nodes.len() {
        for i in (order..nodes.len()).rev() {
            values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
}

/// Newton's form of the polynomial.
fn newton(nodes: &[f64], differences: &[f64], x: f64) -> f64 {
    let last = differences.len() - 1;
    (0..last).rev().fold(differences[last], |sum, i| sum * (x - nodes[i]) + differences[i])
}

#[cfg(test)]
mod tests {
    use super::{NODES, fresh_suspect, suspect};

    fn values(f: impl Fn(f64) -> f64) -> [f64; 5] {
        NODES.map(f)
    }

    #[test]
    fn two_roots_between_the_looks_are_suspected() {
        assert!(suspect(values(|x| (x - 0.42) * (x - 0.44))));
        assert!(suspect(values(|x| (x - 0.1) * (x - 0.12))));
        assert!(fresh_suspect(values(|x| x * (x - 0.42) * (x - 0.44))));
        assert!(fresh_suspect(values(|x| x * (0.01 - x))));
    }

    #[test]
    fn what_stays_away_from_zero_is_not() {
        assert!(!suspect(values(|x| 1.0 + 0.1 * x)));
        assert!(!suspect(values(|x| 1.0 - 0.9 * x)));
        assert!(!suspect(values(|x| (x - 0.5) * (x - 0.5) + 0.2)));
        assert!(!fresh_suspect(values(|x| x * (2.0 - x))));
    }
}
