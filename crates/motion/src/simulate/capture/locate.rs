//! The critical step within a step in which watches have fallen: a bracket of the first fall no longer than C hᵖ⁺¹, found by
//! secants over steps of other lengths, bisection being their guard.

use super::run::Run;
use crate::simulate::trajectory::{Status, StopReason};

/// Trial steps at most.
const TRIALS: usize = 200;
/// Share of the critical length that the bracket has.
const SHARE: f64 = 0.25;

/// Where a watch is still above its floor, and where one no longer is.
struct Bracket {
    low: f64,
    high: f64,
    /// Values at both ends; at the lower one none as long as that is the begin of the step.
    above: Vec<f64>,
    below: Vec<f64>,
}

impl Run<'_> {
    /// Lengths of the smooth and of the critical step, the attempted step having been too long.
    pub(super) fn critical_step(&mut self, length: f64) -> Result<(f64, f64), StopReason> {
        let bracket = self.bracket(length)?;
        self.happened.clear();
        for (i, (value, floor)) in bracket.below.iter().zip(&self.floors).enumerate() {
            if *value <= *floor || value.is_nan() {
                self.happened.push(self.mechanics.watches[i]);
            }
        }
        // with the event in its middle, the flights that follow gain no height from it
        let event = 0.5 * (bracket.low + bracket.high);
        let smooth = (event - 0.5 * self.critical).max(0.0);
        let end = (smooth + self.critical).min(length);
        Ok((smooth, end - smooth))
    }

    fn bracket(&mut self, length: f64) -> Result<Bracket, StopReason> {
        let mut bracket = Bracket { low: 0.0, high: length, above: Vec::new(), below: self.values.clone() };
        let mut bisect = false;
        for _ in 0..TRIALS {
            let width = bracket.high - bracket.low;
            if width <= SHARE * self.critical {
                return Ok(bracket);
            }
            let trial = if bisect { None } else { self.secant(&bracket) };
            let middle = 0.5 * (bracket.low + bracket.high);
            let trial = trial.filter(|s| bracket.low < *s && *s < bracket.high).unwrap_or(middle);
            if !(bracket.low < trial && trial < bracket.high) {
                return Ok(bracket);
            }
            self.attempt(trial)?;
            if self.fallen().next().is_some() {
                bracket.high = trial;
                bracket.below.clone_from(&self.values);
            } else {
                bracket.low = trial;
                bracket.above.clone_from(&self.values);
            }
            bisect = bracket.high - bracket.low > 0.5 * width && !bisect;
        }
        let reason = format!("an event near t = {} is not located in {TRIALS} steps", self.t);
        Err((Status::Failed, Some(reason)))
    }

    /// Where the first of the fallen watches reaches its floor by a straight line, a little before or after it, so that both
    /// ends of the bracket come near.
    fn secant(&self, bracket: &Bracket) -> Option<f64> {
        let Bracket { low, high, above, below } = bracket;
        let first = (0..below.len())
            .filter(|&i| below[i] <= self.floors[i])
            .map(|i| {
                let above = match above.get(i) {
                    Some(above) => Some(*above),
                    None => self.armed[i].then(|| self.begins[i]),
                };
                let (above, below) = (above? - self.floors[i], below[i] - self.floors[i]);
                (above > 0.0).then(|| low + (high - low) * above / (above - below))
            })
            .try_fold(f64::INFINITY, |first, root| root.map(|root| first.min(root)))?;
        let aside = 0.5 * SHARE * self.critical;
        Some(if first - low > high - first { first - aside } else { first + aside })
    }
}
