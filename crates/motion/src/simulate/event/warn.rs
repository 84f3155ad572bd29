//! What the reader of a motion should know.

use super::impacts::{ContactImpact, JOINT};
use super::run::Run;
use crate::simulate::trajectory::{ImpactDetail, Status, StopReason};

/// Begin of the warning about a stop expression that is not a number.
const NO_STOP: &str = "the stop expression is not a number";

/// Laws of impact may make so much energy, over what the mechanism had.
const GAINED: f64 = 1e6;

/// Energy that the laws of impact have made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gains {
    /// The most kinetic energy before such an impact that was not made so.
    own: f64,
    made: f64,
    impacts: usize,
}

impl Run<'_> {
    /// Says something, once.
    pub(super) fn warn(&mut self, warning: &str) {
        if !self.warnings.iter().any(|known| known == warning) {
            self.warnings.push(warning.to_string());
        }
    }

    /// What is not a number never falls through zero.
    pub(super) fn warn_of_stop(&mut self, value: f64) {
        if value.is_nan() && !self.warnings.iter().any(|known| known.starts_with(NO_STOP)) {
            let warning = format!("{NO_STOP} at t = {}, where it cannot end the motion", self.phases.t);
            self.warnings.push(warning);
        }
    }

    /// Newton's law, and Moreau's rule, may give back more than an impact takes: of contacts that are struck together what their shares
    /// add up to. `before`: the kinetic energy before.
    ///
    /// # Errors
    /// Where laws have made so much that nothing of the motion is the mechanism's own.
    pub(super) fn watch_gains(&mut self, hits: &[ContactImpact], before: f64) -> Result<(), StopReason> {
        let (joint, alone): (Vec<&ContactImpact>, Vec<&ContactImpact>) =
            hits.iter().filter(|hit| hit.acts).partition(|hit| hit.detail.law == JOINT);
        for group in alone.chunks(1).chain(std::iter::once(&joint[..])) {
            if ImpactDetail::gain_energy(group.iter().map(|hit| &hit.detail), &self.options.tol) {
                let name = |hit: &&ContactImpact| self.begin.names.contacts[hit.contact].as_str();
                let names = group.iter().map(name).collect::<Vec<_>>().join(" and ");
                self.warn(&format!("impacts at {names} gain energy by the law `{}`", group[0].detail.law));
                let gain: f64 = group.iter().map(|hit| -hit.detail.energy_loss.0).sum();
                self.gains.own = self.gains.own.max(before - self.gains.made);
                self.gains.made += gain;
                self.gains.impacts += 1;
            }
        }
        let Gains { own, made, impacts } = self.gains;
        if made <= GAINED * own {
            return Ok(());
        }
        let reason = format!(
            "up to t = {} the laws of impact have made {made:.3e} of energy in {impacts} impacts of a mechanism that had {own:.3e}: what would \
             follow is not the mechanism's (the restitution laws `poisson` and `energetic` make none at one contact)",
            self.phases.t
        );
        Err((Status::Undecided, Some(reason)))
    }

    /// Impacts from event to event have no restitution of the slip, which is part of Moreau's rule (FORMAT.md).
    pub(super) fn warn_of_tangential(&mut self, contact: usize) {
        let law = &self.begin.laws[contact];
        if law.tangential > 0.0 {
            let (name, law) = (&self.begin.names.contacts[contact], law.restitution.name());
            self.warn(&format!(
                "restitution.tangential of {name} is not used: impacts from event to event follow its law `{law}` with friction alone; \
                 time-stepping and event capturing have it (--scheme moreau, --scheme herk-4)"
            ));
        }
    }
}
