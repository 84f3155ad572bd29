//! Where in a step the first of the watches falls through zero: none is missed because two roots lie in one step, or because
//! the step ends positive.
//!
//! A step is first judged by what is known of it at no cost: the values at its ends and at three stages within. Only where
//! the polynomial through them comes near zero is the continuous extension made and searched: from where the polynomial falls,
//! if one watch does so plainly, otherwise by sixteen spans with their sign changes, and every dip between them followed to its
//! lowest point.

mod span;

use super::mechanics::{Clock, Mechanics};
use super::phase::CORRECTIONS;
use super::profile::{Fall, fresh_suspect, plain_fall, suspect};
use super::project::Keeper;
use super::watch::Watch;
use crate::simulate::integrate::{Dop853, Flow};
use crate::simulate::smooth::SmoothError;

/// Spans into which a suspected step is cut.
const SPANS: usize = 16;
/// Where the values of a watch that starts at zero are first asked for.
const FIRST_SHARE: f64 = 1.0 / 1024.0;
/// Most halvings and secants of a root, and of a dip.
const ITERATIONS: usize = 80;
/// Most secants of a plain fall, and the change of the share after which the next one would gain nothing: what is left is within
/// the error of the extension, and taken away where the step lands.
const SECANTS: usize = 8;
const CLOSE: f64 = 1.0 / 1073741824.0;

/// A root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Root {
    /// Share of the step.
    pub(super) share: f64,
    /// Which watch.
    pub(super) watch: usize,
    /// How it changes there over the share of the step.
    pub(super) slope: f64,
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
    /// Of each of them, how many of its lowest derivatives by time are not negative there, itself among them; 0 of the others.
    pub(super) leads: Vec<usize>,
    /// Values up to which each of them is zero to rounding.
    pub(super) bands: Vec<f64>,
    /// The step for which they are.
    pub(super) length: f64,
    y: Vec<f64>,
    values: Vec<f64>,
    table: Vec<f64>,
    /// Values at the first root that is known.
    at_first: Vec<f64>,
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
        self.leads.fill(0);
    }

    /// The state at which a watch was evaluated last.
    pub(super) fn state(&self) -> &[f64] {
        &self.y
    }

    /// Goes to the state at a share of the step.
    pub(super) fn at(&mut self, share: f64, step: &Dop853) -> &Self {
        step.at(share, &mut self.y);
        self
    }

    /// Evaluates that state.
    pub(super) fn evaluate_state(&self, mechanics: &mut Mechanics<'_>) -> Result<(), SmoothError> {
        let mut rate = std::mem::take(&mut mechanics.spare);
        let outcome = mechanics.rate(0.0, &self.y, &mut rate);
        mechanics.spare = rate;
        outcome
    }

    /// The same where nothing is read but watches, and the rate in `spare`.
    pub(super) fn glance(&self, mechanics: &mut Mechanics<'_>) -> Result<(), SmoothError> {
        let mut rate = std::mem::take(&mut mechanics.spare);
        let outcome = mechanics.rate_within(0.0, &self.y, &mut rate);
        mechanics.spare = rate;
        outcome
    }

    /// Takes what that state misses of what is kept, to the last digit: a motion may be started from it.
    pub(super) fn keep(
        &mut self,
        keeper: &mut Keeper,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), SmoothError> {
        let n = mechanics.layout().coordinates;
        for _ in 0..CORRECTIONS {
            let (q, rest) = self.y.split_at_mut(n);
            if keeper.correct((q, &mut rest[..n]), 0.0, mechanics).is_some() {
                break;
            }
            self.evaluate_state(mechanics)?;
        }
        Ok(())
    }

    /// The watches for which the step has to be looked at.
    fn suspected<'s>(&'s self, mechanics: &'s Mechanics<'_>) -> impl Iterator<Item = usize> + 's {
        (0..self.start.len()).filter(|&watch| {
            // in real time steps are cut where a time is over
            let timed = matches!(mechanics.watches[watch], Watch::Time(_)) && mechanics.clock == Clock::Real;
            let values = self.known(watch, mechanics);
            !timed && if self.fresh[watch] { fresh_suspect(values) } else { suspect(values) }
        })
    }

    /// Whether the step has to be looked at.
    pub(super) fn suspects(&self, mechanics: &Mechanics<'_>) -> bool {
        self.suspected(mechanics).next().is_some()
    }

    fn only_suspect(&self, mechanics: &Mechanics<'_>) -> Option<usize> {
        let mut suspected = self.suspected(mechanics);
        suspected.next().filter(|_| suspected.next().is_none())
    }

    /// The values of a watch that are known at no cost.
    fn known(&self, watch: usize, mechanics: &Mechanics<'_>) -> [f64; 5] {
        let look = |i: usize| mechanics.looks[i][watch];
        [self.start[watch], look(0), look(1), look(2), self.end[watch]]
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
        if let Some(watch) = self.only_suspect(mechanics)
            && !self.fresh[watch]
            && self.known(watch, mechanics).into_iter().any(|value| value < -self.bands[watch])
            && let Some(fall) = plain_fall(self.known(watch, mechanics))
            && let Some(root) = self.plain_root(watch, fall, step, mechanics)?
        {
            return Ok(Some(root));
        }
        let Some((share, watch)) = self.searched_root(step, mechanics)? else { return Ok(None) };
        self.root_at(share, watch, step, mechanics).map(Some)
    }

    /// A root at a share of the step, with its slope.
    pub(super) fn root_at(
        &mut self,
        share: f64,
        watch: usize,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Root, SmoothError> {
        let reach = f64::EPSILON.cbrt();
        let ahead = self.value(watch, share + reach, step, mechanics)?;
        let behind = self.value(watch, share - reach, step, mechanics)?;
        Ok(Root { share, watch, slope: (ahead - behind) / (2.0 * reach) })
    }

    /// The root at a plain fall by secants; none if they leave its surroundings.
    fn plain_root(
        &mut self,
        watch: usize,
        Fall { between: [low, high], mut share, mut slope }: Fall,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<Root>, SmoothError> {
        let mut value = self.value(watch, share, step, mechanics)?;
        for _ in 0..SECANTS {
            let change = -value / slope;
            let next = share + change;
            if !(low <= next && next <= high && slope < 0.0) {
                return Ok(None);
            }
            if change.abs() <= CLOSE {
                return Ok(Some(Root { share: next, watch, slope }));
            }
            let found = self.value(watch, next, step, mechanics)?;
            slope = (found - value) / change;
            (share, value) = (next, found);
        }
        Ok(None)
    }

    /// The first root by the spans of the whole step, and of which watch.
    fn searched_root(
        &mut self,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<Option<(f64, usize)>, SmoothError> {
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
    ) -> Result<Option<(f64, usize)>, SmoothError> {
        let mut first: Option<(f64, usize)> = None;
        for watch in 0..self.start.len() {
            let known = first.map(|(share, _)| share);
            if let Some(share) = self.root_of(watch, known, step, mechanics)?
                && known.is_none_or(|earlier| share < earlier)
            {
                self.evaluate(share, step, mechanics)?;
                self.at_first.clone_from(&self.values);
                first = Some((share, watch));
            }
        }
        Ok(first)
    }

    /// The values of all watches at a share of the step.
    fn evaluate(
        &mut self,
        share: f64,
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), SmoothError> {
        self.at(share, step).glance(mechanics)?;
        mechanics.watched(&mut self.values);
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

    /// The first root of a watch, before the first that is known.
    fn root_of(
        &mut self,
        watch: usize,
        known: Option<f64>,
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
                let right = match known.filter(|known| (left.0..right.0).contains(known)) {
                    // it falls at the same time or later
                    Some(_) if self.at_first[watch] >= 0.0 => return Ok(None),
                    Some(known) => (known, self.at_first[watch]),
                    None => right,
                };
                return self.close_in(watch, left, right, step, mechanics).map(Some);
            }
            if let Some(previous) = before
                && let Some(dip) = self.dip(watch, [previous, left, right], step, mechanics)?
            {
                return self.close_in(watch, previous, dip, step, mechanics).map(Some);
            }
            if known.is_some_and(|known| left.0 > known) {
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
}
