//! Impacts without collision at one of several contacts, in the shape of the report.

use super::impact::impact_outcome;
use super::modes::Contact;
use super::outcome::{SpaceImpactOutcome, SpaceIwcOutcome};
use super::question::Place;
use super::situation::Stands;
use crate::analysis::number::ByName;
use crate::predict::{Contacts, ImpactWithoutCollision, ImpactsWithoutCollision, Mode, Possible};

/// What is said of them.
#[derive(Default)]
pub(super) struct Striking {
    pub(super) list: Vec<SpaceIwcOutcome>,
    /// By the law of the contact, where nothing else takes part.
    pub(super) impact: ByName<SpaceImpactOutcome>,
    pub(super) warnings: Vec<String>,
}

impl Place<'_> {
    /// The impacts without collision that can begin, each looked at by the law of its contact.
    pub(super) fn striking(
        &self,
        contacts: &Contacts,
        impacts: &ImpactsWithoutCollision,
        stands: &[Stands],
    ) -> Striking {
        let closed = self.input.closed;
        let names: Vec<&str> = closed.iter().map(|&c| self.input.names.contacts[c].as_str()).collect();
        let mut out = Striking::default();
        for impact in &impacts.found {
            let (possible, told) = self.struck(contacts, impact, stands);
            out.impact.0.extend(told.map(|told| (names[impact.contacts[0]].to_string(), told)));
            let other = |&(i, mode): &(usize, Mode)| (names[i].to_string(), mode.name(2));
            out.list.push(SpaceIwcOutcome {
                contacts: impact.contacts.iter().map(|&i| names[i].to_string()).collect(),
                possible,
                others: ByName(impact.others.iter().map(other).collect()),
            });
        }
        out.warnings = impacts
            .undecided
            .iter()
            .map(|&i| {
                format!(
                    "whether an impact without collision can begin at {} is not decided: neither is what the other contacts do then",
                    names[i]
                )
            })
            .collect();
        out
    }

    /// The impact of a contact while all others open; if it presses one of them in the end, the condition is only necessary.
    fn struck(
        &self,
        contacts: &Contacts,
        impact: &ImpactWithoutCollision,
        stands: &[Stands],
    ) -> (Possible, Option<SpaceImpactOutcome>) {
        let (&[i], Possible::Yes) = (&impact.contacts[..], impact.possible) else {
            return (impact.possible, None);
        };
        let (c, tol) = (self.input.closed[i], &self.input.tol);
        let laws = &self.input.laws[c];
        let Ok(numbers) = self.numbers(c) else { return (impact.possible, None) };
        let contact = Contact { numbers, friction: laws.friction, hold: laws.hold, stands: stands[i] };
        let told = impact_outcome(&contact, laws, self.velocity(c), false, tol);
        let Some(impulse) = told.iwc_impulse else { return (impact.possible, None) };
        let by = [impulse.normal.value, impulse.tangential[0].value, impulse.tangential[1].value];
        let closed = self.input.closed;
        let opens = (0..contacts.len()).filter(|&j| j != i && stands[j] != Stands::Apart).all(|j| {
            let rate = |k: usize| self.kernel.delassus(self.values, 3 * closed[j], 3 * c + k) * by[k];
            (0..3).map(rate).sum::<f64>() >= 0.0
        });
        if opens { (Possible::Yes, Some(told)) } else { (Possible::Necessary, None) }
    }
}
