//! What is followed from a state at its first instant.

use crate::said::joined;
use mechan::simulate::trajectory::{EventDetail, EventKind, Status, Trajectory};
use std::collections::BTreeSet;

/// What is followed from a state.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    /// Names of the futures, or of the one motion that is taken.
    pub(crate) names: BTreeSet<String>,
    /// How the motion ends, if it does so before anything happens.
    pub(crate) over: Option<Status>,
    pub(crate) reason: Option<String>,
    /// Whether it is said that nothing is left out.
    pub(crate) complete: bool,
}

impl Followed {
    /// By a motion from a state with these closed contacts.
    pub(crate) fn of(motion: &Trajectory, closed: &[String], complete: bool) -> Self {
        let begin = motion.rows.iter().next().map_or(0.0, |row| row[0].0);
        let event = motion.events.first().filter(|event| event.t.0 <= begin && event.kind != EventKind::End);
        let (names, over) = match event.map(|event| (event.kind, &event.detail, &event.contact)) {
            Some((EventKind::Iwc, _, contact)) => {
                let name = contact.as_deref().unwrap_or_default();
                (vec![if closed.len() == 1 { "iwc".to_string() } else { format!("iwc({name})") }], None)
            }
            Some((EventKind::Impact, ..)) => (vec!["impact".to_string()], None),
            Some((_, EventDetail::Futures { futures, .. }, _)) if motion.phases.is_empty() => {
                (futures.clone(), Some(motion.status))
            }
            _ => match motion.phases.first() {
                Some(phase) => {
                    let modes = phase.mode.0.iter().filter(|(name, _)| closed.contains(name));
                    (vec![joined(modes.map(|(_, mode)| &**mode))], None)
                }
                None => (Vec::new(), Some(motion.status)),
            },
        };
        Self { names: names.into_iter().collect(), over, reason: motion.reason.clone(), complete }
    }
}
