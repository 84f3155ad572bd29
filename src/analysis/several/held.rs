//! Whether a state on several contacts is an equilibrium of the whole mechanism, and the forces that hold it.

use super::contacts::Contacts;
use super::decide::Everything;
use super::judge::Judged;
use super::outcome::{ForcePair, RestOutcome};
use super::question::Question;
use super::reason::names;
use super::word::Choice;
use crate::analysis::RestDepth;
use crate::analysis::planar::Consistency;
use crate::analysis::still::Whole;

impl Question<'_> {
    /// The equilibrium, if nothing moves and nothing accelerates while all contacts stick.
    pub(super) fn rest(&self, contacts: &Contacts, everything: &Everything) -> Option<RestOutcome> {
        let decision = &everything.decision;
        let found = contacts.resting_forces(decision, self.tol)?;
        let sticks = |word: &&Judged| word.word.iter().all(|choice| matches!(choice, Choice::Stick { .. }));
        let word = decision.words.iter().filter(|word| word.consistency != Consistency::No).find(sticks)?;
        let whole = self.whole();
        if !whole.is_still() || !whole.is_balanced(&word.forces, self.tol.rest) {
            return None;
        }
        let named = |forces: &Vec<f64>| {
            self.by_name(|i| ForcePair { normal: forces[2 * i].into(), tangential: forces[2 * i + 1].into() })
        };
        let corners = found.corners.as_ref();
        Some(RestOutcome {
            weak: found.weak,
            strong: found.strong,
            ambiguous_with: found.others.iter().map(|word| names(word).join(",")).collect(),
            dimension: found.dimension,
            force_corners: corners.map(|corners| corners.points.iter().map(named).collect()),
            force_rays: corners.map(|corners| corners.rays.iter().map(named).collect()),
            lyapunov: self.lyapunov(contacts, everything, &found),
            robustness: (self.depth == RestDepth::Robustness)
                .then(|| self.robustness(contacts, &found))
                .flatten(),
        })
    }

    fn whole(&self) -> Whole<'_> {
        let Self { kernel, values, state, sizes, closed, tol, .. } = *self;
        Whole { kernel, values, state, sizes, closed, tol }
    }
}
