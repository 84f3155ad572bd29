//! Within a span: the root between two values of different signs, and the lowest point of a dip.

use super::{ITERATIONS, Search};
use crate::num::Bracket;
use crate::simulate::event::mechanics::Mechanics;
use crate::simulate::event::profile::MARGIN;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

impl Search {
    /// A root between a positive and a negative value.
    pub(in crate::simulate::event) fn close_in(
        &mut self,
        watch: usize,
        low: (f64, f64),
        high: (f64, f64),
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<f64, SmoothError> {
        let [low, high] = self.risen(watch, [low, high], step, mechanics)?;
        let mut bracket = Bracket::new(low, high);
        while let Some(share) = bracket.trial(0.0) {
            bracket.narrow(share, self.value(watch, share, step, mechanics)?);
        }
        Ok(bracket.high())
    }

    /// The same two places, where the first value is rounding from where it is positive, if there is such a place: a hop from zero and
    /// back, which may be a small part of them.
    fn risen(
        &mut self,
        watch: usize,
        [mut low, mut high]: [(f64, f64); 2],
        step: &Dop853,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<[(f64, f64); 2], SmoothError> {
        let begin = low.0;
        for _ in 0..ITERATIONS {
            if low.1 > self.bands[watch] || low.0 > begin || high.0 - low.0 <= f64::EPSILON * high.0 {
                break;
            }
            let share = Bracket::half(low.0, high.0);
            let value = self.value(watch, share, step, mechanics)?;
            *(if value > 0.0 { &mut low } else { &mut high }) = (share, value);
        }
        Ok([low, high])
    }

    /// A point between three positive values that is negative by more than rounding.
    pub(super) fn dip(
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
                if value < -self.bands[watch] {
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
