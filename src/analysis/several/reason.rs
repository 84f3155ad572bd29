//! Why a word of several contacts is judged as it is, in words.

use super::judge::{Judged, Why};
use super::question::Question;
use super::word::Choice;
use crate::analysis::planar::{Consistency, Digits};

impl Question<'_> {
    /// The sentence of a report, without its full stop.
    pub(super) fn reason(&self, word: &Judged) -> String {
        match &word.why {
            Why::Contact { contact, reason } => format!("{}: {reason}", self.name(*contact)),
            Why::Cone { contact, lambda_T, bound } => {
                let place = if word.consistency == Consistency::No {
                    "outside the cone"
                } else {
                    "on the edge of the cone"
                };
                let name = self.name(*contact);
                format!(
                    "{name}: friction force would be {}, {place}: mu lambda_N is {}",
                    Digits(*lambda_T),
                    Digits(*bound)
                )
            }
            Why::Holds if word.ranges.is_some() => {
                "all contact laws hold, with forces that are not unique".to_string()
            }
            Why::Holds => "all contact laws hold".to_string(),
            Why::Contradicts { contact, acceleration } => format!(
                "{}: its motion follows from that of other contacts, and its acceleration would be {} where these have none",
                self.name(*contact),
                Digits(*acceleration)
            ),
            Why::NoForces => "no forces inside the friction cones balance the load".to_string(),
            Why::Still { contact } => {
                format!(
                    "{}: neither opens nor slips, so that the motion is that of another mode",
                    self.name(*contact)
                )
            }
            Why::Repeats { word } => {
                format!("holds with an equality only, as the motion of {}", names(word).join(", "))
            }
            Why::Edge => "forces exist on the edge of a friction cone only".to_string(),
            Why::Singular => "the equations are singular: no finite force is defined".to_string(),
            Why::Unknown => "whether forces exist could not be decided".to_string(),
        }
    }
}

/// The words of choices.
pub(super) fn names(word: &[Choice]) -> Vec<&'static str> {
    word.iter().map(|choice| choice.mode().name()).collect()
}
