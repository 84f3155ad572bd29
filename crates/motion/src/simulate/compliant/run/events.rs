//! Events within a step: the first guard that falls to zero, and the step that ends there.

use super::super::guard::Guard;
use super::super::tolerance::SEARCH;
use super::{Ending, Run, failed};
use crate::num::bracketed_root;
use crate::simulate::integrate::{Cubic, Radau};
use crate::simulate::trajectory::Stopping;

/// Spans in which a step is looked through for the fall of the stop expression, which may be no cubic.
const SPANS: usize = 16;

impl Run<'_> {
    /// The step at its nodes: points, powers, guards.
    pub(super) fn look(&mut self) -> Result<(), Ending> {
        let (t, h) = (self.radau.time(), self.radau.length());
        self.values.clear();
        self.values.resize(self.guards.len(), [f64::NAN; 4]);
        for (k, theta) in Radau::nodes().into_iter().enumerate() {
            self.radau.dense(theta, &mut self.points[k]);
            self.field.evaluate(t + theta * h, &self.points[k]).map_err(failed)?;
            self.powers[k] = self.field.powers(&self.points[k]);
            for i in 0..self.guards.len() {
                self.values[i][k] = self.guard(self.guards[i], t + theta * h, k);
            }
            self.record.look(&self.field, &self.points[k]);
        }
        Ok(())
    }

    /// A guard at a node that `field` is evaluated at.
    pub(super) fn guard(&mut self, guard: Guard, t: f64, node: usize) -> f64 {
        let z = &self.points[node];
        match (guard.value(&mut self.field, z, &self.floors), self.options.stop) {
            (Some(value), _) => value,
            (None, Some(stop)) => stop.at(self.record.row(&self.field, self.field.origin + t, z)),
            (None, None) => f64::INFINITY,
        }
    }

    /// The first guard that falls to zero within the step, and where.
    pub(super) fn earliest(&mut self) -> Result<Option<(Guard, f64)>, Ending> {
        let noise = if self.fresh { SEARCH.begun } else { SEARCH.zero };
        let mut first: Option<(Guard, f64)> = None;
        for i in 0..self.guards.len() {
            let (guard, cubic) = (self.guards[i], Cubic::through(Radau::nodes(), self.values[i]));
            let falls = if guard == Guard::Stop { self.stops(cubic, i)? } else { cubic.falls(noise) };
            let Some(bracket) = falls else { continue };
            if first.is_some_and(|(_, theta)| theta <= bracket.0) {
                continue;
            }
            let theta = self.root(guard, bracket)?;
            if first.is_none_or(|(_, before)| theta < before) {
                first = Some((guard, theta));
            }
        }
        Ok(first)
    }

    /// Where the stop expression falls to zero, between two places of the step: looked for where the cubic through its samples does, and
    /// seen in its own values.
    fn stops(&mut self, cubic: Cubic, i: usize) -> Result<Option<(f64, f64)>, Ending> {
        let values = self.values[i];
        let dip = cubic.falls(0.0).map(|(_, dip)| dip);
        if dip.is_none() && !values.windows(2).any(|pair| Stopping::falls(pair[0], pair[1])) {
            return Ok(None);
        }
        let mut places: [f64; SPANS + 1] = std::array::from_fn(|k| k as f64 / SPANS as f64);
        places[0] = dip.unwrap_or(1.0);
        places.sort_by(f64::total_cmp);
        let (mut from, mut before) = (0.0, values[0]);
        for theta in places {
            let value = self.dense_guard(Guard::Stop, theta)?;
            if Stopping::falls(before, value) {
                return Ok(Some((from, theta)));
            }
            (from, before) = (theta, value);
        }
        Ok(None)
    }

    /// The root of a guard on the dense output.
    pub(super) fn root(&mut self, guard: Guard, bracket: (f64, f64)) -> Result<f64, Ending> {
        let mut failure = None;
        let root = bracketed_root(bracket, f64::EPSILON, |theta| {
            self.dense_guard(guard, theta).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                f64::NAN
            })
        });
        failure.map_or(Ok(root), Err)
    }

    /// A guard on the dense output.
    fn dense_guard(&mut self, guard: Guard, theta: f64) -> Result<f64, Ending> {
        let t = self.radau.time() + theta * self.radau.length();
        self.radau.dense(theta, &mut self.point);
        if guard.needs_forces(&self.field) {
            self.field.evaluate(t, &self.point).map_err(failed)?;
        }
        Ok(match (guard.value(&mut self.field, &self.point, &self.floors), self.options.stop) {
            (Some(value), _) => value,
            (None, Some(stop)) => stop.at(self.record.row(&self.field, self.field.origin + t, &self.point)),
            (None, None) => f64::INFINITY,
        })
    }

    /// Value and slope of a guard at the end of the step.
    fn at_end(&mut self, guard: Guard, i: usize) -> Result<[f64; 2], Ending> {
        let cubic = Cubic::through(Radau::nodes(), self.values[i]);
        if guard != Guard::Stop {
            return Ok([cubic.at(1.0), cubic.slope(1.0)]);
        }
        // a cubic knows nothing of how an exponential function ends that begins a million times as large
        let (value, reach) = (self.values[i][3], f64::EPSILON.cbrt());
        let before = self.dense_guard(guard, 1.0 - reach)?;
        Ok([value, (value - before) / reach])
    }

    /// Ends the step at an event: the dense output is of lower order than the ends of steps, so that the step is computed again
    /// to where it shows the event, until that is at its end. False where that step does not converge.
    pub(super) fn locate(&mut self, guard: Guard, theta: f64) -> Result<bool, Ending> {
        let i = self.guards.iter().position(|g| *g == guard).unwrap_or(0);
        let whole = self.radau.length();
        let mut h = whole * theta;
        for _ in 0..SEARCH.corrections {
            if !self.radau.shorten(&mut self.field, h, &self.sizes.tolerances) {
                return Ok(false);
            }
            self.look()?;
            let [value, slope] = self.at_end(guard, i)?;
            let correction = -value / slope;
            if slope >= 0.0 || !correction.is_finite() || correction.abs() <= SEARCH.located {
                break;
            }
            h *= 1.0 + correction.clamp(-0.5, 0.5);
            // beyond the step that is accurate nothing is known, and no event of it lies
            if h > whole {
                return Ok(false);
            }
        }
        self.fired.push(guard);
        for (&other, values) in self.guards.iter().zip(&self.values) {
            let size = values.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            // feet of one body reach their cones together, up to the accuracy of the share of each
            let zero = if matches!(other, Guard::Cone(..) | Guard::Hold) { SEARCH.edge } else { SEARCH.zero };
            let falls = match other {
                Guard::Stop => Stopping::falls(values[2], values[3]),
                _ => values[3] < values[2] && values[3] <= zero * size,
            };
            if other != guard && falls {
                self.fired.push(other);
            }
        }
        Ok(true)
    }
}
