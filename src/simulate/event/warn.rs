//! What the reader of a motion should know.

use super::run::Run;
use crate::simulate::trajectory::ImpactDetail;

/// Begin of the warning about a stop expression that is not a number.
const NO_STOP: &str = "the stop expression is not a number";

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

    /// Newton's law, and Moreau's rule, may give back more than an impact takes.
    pub(super) fn warn_of_gain(&mut self, contact: usize, impact: &ImpactDetail) {
        if impact.gains_energy(&self.options.tol) {
            let (name, law) = (&self.begin.names.contacts[contact], &impact.law);
            self.warn(&format!("impacts at {name} gain energy by the law `{law}`"));
        }
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
