//! The mechanism as a flow: rates of (q, v), of the time and of the work that forces do, in real time or in that of a jam.

use super::mechanics::{Clock, EXTRA, Mechanics};
use crate::simulate::integrate::Flow;
use crate::simulate::smooth::SmoothError;

impl Flow for Mechanics<'_> {
    type Error = SmoothError;

    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), SmoothError> {
        let n = self.layout().coordinates;
        let (v, t, state) = (&y[n..2 * n], self.base + y[2 * n], &y[..2 * n]);
        self.evaluations += 1;
        self.leave_flight();
        let factor = match self.clock {
            Clock::Real => {
                let solved = self.motion.solve_at_point(t, state, &self.motions, &mut self.work);
                self.noted(solved)?;
                1.0
            }
            Clock::Jam => {
                let solved = self.motion.solve_rescaled(t, state, &self.motions, &mut self.work);
                self.noted(solved)?
            }
        };
        self.gain = factor;
        self.note_constraints();
        let (rates, rest) = rate.split_at_mut(n);
        let (accelerations, extra) = rest.split_at_mut(n);
        let vdot = &self.work.acceleration()[..n];
        for i in 0..n {
            rates[i] = factor * v[i];
            accelerations[i] = vdot[i];
        }
        let [applied, friction] = self.powers(v, factor);
        extra[..EXTRA].copy_from_slice(&[factor, applied, friction]);
        Ok(())
    }

    fn rate_within(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), SmoothError> {
        match self.rate_in_flight(y, rate) {
            Some(found) => found,
            None => self.rate(t, y, rate),
        }
    }

    fn look(&mut self, at: usize) {
        let mut values = std::mem::take(&mut self.looks[at]);
        self.watched(&mut values);
        self.looks[at] = values;
    }
}
