//! Whether the whole mechanism can stay where it is on several contacts, whether it must, and the forces that hold it.

use super::outcome::{ForcePair, RestBy, RestOutcome, StandingOutcome};
use crate::analysis::RestDepth;
use crate::analysis::analysed::AnalysedState;
use crate::equilibrium::Condition;
use crate::predict::{Consistency, Contacts, Decision, Judgement, Prediction, Rest, RestProof, words};

impl AnalysedState<'_> {
    /// Rest, if nothing moves and nothing accelerates while the contacts stay.
    pub(super) fn rest(&self, contacts: &Contacts, prediction: &Prediction) -> Option<RestOutcome> {
        match self.is_plane() {
            true if self.input.rest == RestDepth::Nothing => None,
            true => self.rest_in_plane(contacts, prediction),
            false => self.rest_in_space(&prediction.decision),
        }
    }

    /// Whether it is a weak and a strong equilibrium of the whole mechanism, in the plane.
    pub(crate) fn strength(&self, contacts: &Contacts, decision: &Decision) -> Option<[Condition; 2]> {
        let (judged, strength) = contacts.rest_in(decision)?;
        (self.is_still() && self.is_balanced(&judged.forces, self.input.tol.rest)).then_some(strength)
    }

    fn rest_in_plane(&self, contacts: &Contacts, prediction: &Prediction) -> Option<RestOutcome> {
        let decision = &prediction.decision;
        self.strength(contacts, decision)?;
        let found = contacts.resting_forces(decision, &self.input.tol)?;
        let named = |forces: &Vec<f64>| {
            self.by_name(|i| ForcePair { normal: forces[2 * i].into(), tangential: forces[2 * i + 1].into() })
        };
        let corners = found.corners.as_ref();
        let standing = StandingOutcome {
            dimension: found.dimension,
            force_corners: corners.map(|corners| corners.points.iter().map(named).collect()),
            force_rays: corners.map(|corners| corners.rays.iter().map(named).collect()),
            lyapunov: self.lyapunov(contacts, prediction, &found),
            robustness: (self.input.rest == RestDepth::Robustness)
                .then(|| self.robustness(contacts, &found))
                .flatten(),
        };
        Some(RestOutcome {
            weak: found.weak,
            strong: found.strong,
            ambiguous_with: found.others.iter().map(|modes| words(modes, 1)).collect(),
            by: None,
            standing: Some(standing),
        })
    }

    /// What the engine says of rest, if the mechanism rests where its contacts do, or nothing is known to hold them.
    fn rest_in_space(&self, decision: &Decision) -> Option<RestOutcome> {
        let rest = decision.rest.as_ref()?;
        let still = |judged: &Judgement| {
            let tol = &self.input.tol;
            // forces of a program are as good as its solver
            self.is_balanced(&judged.forces, if judged.ranges.is_some() { tol.solved } else { tol.rest })
        };
        let staying = decision.modes.iter().find(|judged| judged.stays());
        (self.is_still() && staying.is_none_or(still)).then(|| rest_outcome(rest, decision))
    }
}

fn rest_outcome(rest: &Rest, decision: &Decision) -> RestOutcome {
    let others =
        decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes && !judged.stays());
    let stays = rest.possible != Some(Consistency::No);
    let mut ambiguous_with: Vec<String> =
        others.filter(|_| stays).map(|judged| words(&judged.modes, 2)).collect();
    ambiguous_with.dedup();
    RestOutcome {
        weak: match rest.possible {
            Some(Consistency::Yes) => Condition::Holds,
            Some(Consistency::Marginal) => Condition::Marginal,
            Some(Consistency::No) => Condition::Fails,
            None => Condition::Unknown,
        },
        strong: match rest.only {
            Some(true) => Condition::Holds,
            Some(false) => Condition::Fails,
            None => Condition::Unknown,
        },
        ambiguous_with,
        by: Some(rest.proof.as_ref().map(|proof| match proof {
            RestProof::NormalForces(_) => RestBy::NormalForces,
            RestProof::Refutation => RestBy::Refutation,
            RestProof::Enumeration => RestBy::Enumeration,
        })),
        standing: None,
    }
}
