//! What the analysis says of a state.

use crate::followed::Followed;
use mechan::Prospect;
use mechan::predict::{Stability, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What can follow, as the analysis has it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) verdict: Option<Verdict>,
    /// What it calls possible after stability and impact.
    pub(crate) names: BTreeSet<String>,
    /// Modes that satisfy the contact laws, whatever becomes of them: whether they do so with an equality only, and their stability.
    pub(crate) modes: BTreeMap<String, (bool, Option<Stability>)>,
    /// Whether some accelerations depend on forces that are not unique.
    pub(crate) manifold: bool,
    pub(crate) warnings: Vec<String>,
}

impl Said {
    pub(crate) fn of(prospect: &Prospect, warnings: &[String]) -> Self {
        let consistent = prospect.modes.iter().filter(|mode| mode.consistent);
        let told = consistent.map(|mode| {
            let word = joined(mode.mode.0.iter().map(|(_, mode)| mode.name()));
            (word, (mode.marginal, mode.normal_stability))
        });
        Self {
            verdict: prospect.verdict,
            names: prospect.resolved.iter().map(ToString::to_string).collect(),
            modes: told.collect(),
            manifold: prospect.modes.iter().any(|mode| mode.accelerations_range.is_some()),
            warnings: warnings.to_vec(),
        }
    }

    /// Whether nothing is called possible, for the reason for which nothing is followed.
    pub(crate) fn doubts(&self, followed: &Followed) -> bool {
        let told =
            |reason: &String| self.warnings.contains(&format!("what follows is not decided: {reason}"));
        self.names.is_empty() && followed.reason.as_ref().is_some_and(told)
    }

    /// Whether a mode satisfies the laws with an equality only.
    pub(crate) fn is_marginal(&self, name: &str) -> bool {
        self.modes.get(name).is_some_and(|mode| mode.0)
    }

    /// Whether the contacts' compliance makes a mode unstable.
    pub(crate) fn is_unstable(&self, name: &str) -> bool {
        self.modes.get(name).is_some_and(|mode| mode.1 == Some(Stability::Unstable))
    }
}

/// The word of no closed contact is that of a contact that is free.
pub(crate) fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let word = words.collect::<Vec<_>>().join(",");
    if word.is_empty() { "free".to_string() } else { word }
}
