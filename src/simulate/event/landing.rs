//! The end of a phase at an event: a step that ends where a watch vanishes.

use super::jam;
use super::phase::{Ended, Phases};
use super::record::Record;
use super::search::Root;
use super::watch::Watch;
use crate::simulate::smooth::SmoothError;

/// How a step ends where a watch vanishes. All but the first are parts of the step.
struct Landing {
    /// Most corrections of the place where the extension does: each is squared by the next.
    corrections: usize,
    /// Largest one: errors of the extension are far below it.
    reach: f64,
    /// Largest one along the rate at the end, 2⁻²⁶: its square is below rounding.
    nudge: f64,
}

const LANDING: Landing = Landing { corrections: 3, reach: 1.0 / 1024.0, nudge: 1.0 / 67_108_864.0 };

impl Phases<'_> {
    /// Goes to a root within the step: to that of the extension first, then once more to that of the step itself.
    pub(super) fn land(&mut self, root: Root, h: f64, record: &mut Record<'_>) -> Result<Ended, SmoothError> {
        self.take_samples(root.share, true, record)?;
        let watched = self.mechanics.watches[root.watch];
        let length = self.reach(root, h)?;
        if let Watch::Gain(contact, _) = watched {
            self.look_back(contact)?;
        }
        self.keep(length)?;
        self.accept();
        if let Watch::Time(end) = watched {
            self.t = end;
        }
        Ok(Ended::Watched(watched))
    }

    /// Steps to a root of the extension, and from there, by the rate at that place, to where the watch itself vanishes. Returns
    /// the length of the step.
    fn reach(&mut self, Root { share, watch, slope }: Root, h: f64) -> Result<f64, SmoothError> {
        let Self { search, step, mechanics, scale, .. } = self;
        let mut length = h * share;
        step.attempt(mechanics, 0.0, length, scale)?;
        step.arrive(mechanics, 0.0)?;
        mechanics.watched(&mut search.end);
        if let Watch::Time(_) = mechanics.watches[watch] {
            return Ok(length);
        }
        // what begins at zero and hardly leaves it has no slope but of rounding
        if -slope * LANDING.reach <= search.bands[watch] {
            return Ok(length);
        }
        for _ in 0..LANDING.corrections {
            let correction = h * search.end[watch] / slope;
            let part = (correction / h).abs();
            // beyond the extension's error it would be another root; a watch that does not change gives none
            let lands = part > f64::EPSILON && part <= LANDING.reach && correction < length;
            if !lands {
                break;
            }
            length -= correction;
            if part <= LANDING.nudge {
                step.nudge(-correction);
            } else {
                step.attempt(mechanics, 0.0, length, scale)?;
            }
            step.arrive(mechanics, 0.0)?;
            mechanics.watched(&mut search.end);
        }
        Ok(length)
    }

    /// Notes how p fell to zero within the step that arrived there: by halves of what was left of the step.
    fn look_back(&mut self, contact: usize) -> Result<(), SmoothError> {
        self.step.extend(&mut self.mechanics, 0.0)?;
        self.approach.clear();
        let mut before = 0.0;
        for halvings in 0..jam::HALVINGS {
            let share = 1.0 - 0.5_f64.powi(halvings);
            let Self { search, step, mechanics, .. } = self;
            search.go_to(share, step, mechanics)?;
            let ([p, b], _) = jam::near(contact, mechanics);
            let now = self.time_at(share);
            self.approach.add(now - before, p, b);
            before = now;
        }
        self.left = self.step.end()[self.clock_place()] - before;
        Ok(())
    }
}
