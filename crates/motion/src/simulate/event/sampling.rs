//! Samples within a step: states of its continuous extension, taken onto the surfaces of closed contacts and the constraints that
//! the ends of steps are kept on.

use super::mechanics::Clock;
use super::phase::Phases;
use super::record::Record;
use crate::simulate::smooth::SmoothError;

impl Phases<'_> {
    /// Real time since the begin of the phase at a share of the step.
    pub(super) fn time_at(&mut self, share: f64) -> f64 {
        self.step.at(share, &mut self.mechanics.spare);
        self.mechanics.spare[self.clock_place()]
    }

    /// Samples that fall into a share of the step; whether there were any, and the state that was evaluated last is another.
    pub(super) fn take_samples(
        &mut self,
        share: f64,
        mut extended: bool,
        record: &mut Record<'_>,
    ) -> Result<bool, SmoothError> {
        let mut taken = false;
        let end = if share < 1.0 { self.time_at(share) } else { self.step.end()[self.clock_place()] };
        while let Some(t) = record.due(self.mechanics.base + end) {
            if !extended {
                self.step.extend(&mut self.mechanics, 0.0)?;
                extended = true;
            }
            let place = self.share_at(t - self.mechanics.base);
            let Self { search, step, mechanics, keeper, .. } = self;
            search.at(place, step).evaluate_state(mechanics)?;
            search.keep(keeper, mechanics)?;
            self.look_below(record);
            if record.missed.is_some() {
                return Ok(true);
            }
            record.sample(t, &mut self.mechanics);
            taken = true;
        }
        Ok(taken)
    }

    /// The share of the step at a real time since the begin of the phase.
    fn share_at(&mut self, time: f64) -> f64 {
        let place = self.clock_place();
        let (begin, end) = (self.step.begin()[place], self.step.end()[place]);
        if self.mechanics.clock == Clock::Real {
            // a step to an event at its begin has no length
            return if end > begin { ((time - begin) / (end - begin)).clamp(0.0, 1.0) } else { 0.0 };
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = 0.5 * (low + high);
            if self.time_at(middle) < time { low = middle } else { high = middle }
        }
        high
    }
}
