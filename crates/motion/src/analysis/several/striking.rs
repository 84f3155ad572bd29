//! Impacts without collision at some of several contacts, in the shape of the report; in space each by the law of its contact.

use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::analysis::contact_status::ContactStatus;
use crate::analysis::impact::{ImpactOutcome, IwcOutcome};
use crate::predict::{Contacts, ImpactWithoutCollision, ImpactsWithoutCollision, Mode, Possible};

/// What is said of them.
#[derive(Default)]
pub(super) struct Striking {
    pub(super) list: Vec<IwcOutcome>,
    /// By the law of the contact, where nothing else takes part.
    pub(super) impact: ByName<ImpactOutcome>,
    pub(super) warnings: Vec<String>,
}

impl AnalysedState<'_> {
    /// The impacts without collision that can begin.
    pub(super) fn striking(&self, contacts: &Contacts, impacts: &ImpactsWithoutCollision) -> Striking {
        let mut out = Striking::default();
        let in_space = !self.is_plane();
        for impact in &impacts.found {
            let (possible, told) =
                if in_space { self.struck(contacts, impact) } else { (impact.possible, None) };
            out.impact.0.extend(told.map(|told| (self.name(impact.contacts[0]).to_string(), told)));
            let other = |&(i, mode): &(usize, Mode)| (self.name(i).to_string(), mode.name(self.tangents()));
            out.list.push(IwcOutcome {
                contacts: impact.contacts.iter().map(|&i| self.name(i).to_string()).collect(),
                possible,
                others: in_space.then(|| ByName(impact.others.iter().map(other).collect())),
            });
        }
        let doubtful = impacts.undecided.iter().filter(|_| in_space).map(|&i| {
            format!(
                "whether an impact without collision can begin at {} is not decided: neither is what the other contacts do then",
                self.name(i)
            )
        });
        out.warnings = doubtful.collect();
        out
    }

    /// The impact of a contact in space while all others open; if it presses one of them in the end, the condition is only necessary.
    fn struck(
        &self,
        contacts: &Contacts,
        impact: &ImpactWithoutCollision,
    ) -> (Possible, Option<ImpactOutcome>) {
        let (&[i], Possible::Yes) = (&impact.contacts[..], impact.possible) else {
            return (impact.possible, None);
        };
        let closed = self.input.closed;
        let Ok(told) = self.impact_alone(closed[i]) else { return (impact.possible, None) };
        let Some(impulse) = told.iwc_impulse else { return (impact.possible, None) };
        let by: Vec<f64> =
            [impulse.normal].iter().chain(impulse.tangential.as_slice()).map(|x| x.value).collect();
        let apart = |j: usize| self.stands(closed[j]) == ContactStatus::Apart;
        let opens = (0..contacts.len()).filter(|&j| j != i && !apart(j)).all(|j| {
            let rate = |k: usize| self.delassus(3 * closed[j], 3 * closed[i] + k) * by[k];
            (0..3).map(rate).sum::<f64>() >= 0.0
        });
        if opens { (Possible::Yes, Some(told)) } else { (Possible::Necessary, None) }
    }
}
