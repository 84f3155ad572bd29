//! Whether a state on several contacts is an equilibrium of the whole mechanism, and the forces that hold it.

use super::outcome::{ForcePair, RestOutcome};
use super::question::Question;
use crate::analysis::RestDepth;
use crate::analysis::planar::Condition;
use crate::analysis::still::Whole;
use crate::predict::{Contacts, Decision, Prediction, words};

impl Question<'_> {
    /// The equilibrium, if nothing moves and nothing accelerates while all contacts stick.
    pub(super) fn rest(&self, contacts: &Contacts, prediction: &Prediction) -> Option<RestOutcome> {
        let decision = &prediction.decision;
        self.strength(contacts, decision)?;
        let found = contacts.resting_forces(decision, self.tol)?;
        let named = |forces: &Vec<f64>| {
            self.by_name(|i| ForcePair { normal: forces[2 * i].into(), tangential: forces[2 * i + 1].into() })
        };
        let corners = found.corners.as_ref();
        Some(RestOutcome {
            weak: found.weak,
            strong: found.strong,
            ambiguous_with: found.others.iter().map(|modes| words(modes, 1)).collect(),
            dimension: found.dimension,
            force_corners: corners.map(|corners| corners.points.iter().map(named).collect()),
            force_rays: corners.map(|corners| corners.rays.iter().map(named).collect()),
            lyapunov: self.lyapunov(contacts, prediction, &found),
            robustness: (self.depth == RestDepth::Robustness)
                .then(|| self.robustness(contacts, &found))
                .flatten(),
        })
    }

    /// Whether it is a weak and a strong equilibrium of the whole mechanism.
    pub(crate) fn strength(&self, contacts: &Contacts, decision: &Decision) -> Option<[Condition; 2]> {
        let Self { kernel, values, state, sizes, closed, tol, .. } = *self;
        let (judged, strength) = contacts.rest_in(decision)?;
        let whole = Whole { kernel, values, state, sizes, closed, tol };
        (whole.is_still() && whole.is_balanced(&judged.forces, tol.rest)).then_some(strength)
    }
}
