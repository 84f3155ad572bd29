//! Impacts without collision at one of several contacts, in the shape of the report.

use super::impact::impact_outcome;
use super::modes::Contact;
use super::outcome::{SpaceImpactOutcome, SpaceIwcOutcome};
use super::question::Place;
use super::several::{SpaceIwc, System, impacts_without_collision};
use super::situation::Stands;
use crate::analysis::number::ByName;
use crate::analysis::planar::Hold;
use crate::analysis::several::Possible;
use crate::contact::Restitution;

/// What is said of them.
#[derive(Default)]
pub(super) struct Striking {
    pub(super) list: Vec<SpaceIwcOutcome>,
    /// By the law of the contact, where nothing else takes part.
    pub(super) impact: ByName<SpaceImpactOutcome>,
    pub(super) warnings: Vec<String>,
}

impl Place<'_> {
    /// The impacts without collision that can begin at each sliding contact.
    pub(super) fn striking(&self, system: &System, stands: &[Stands]) -> Striking {
        let closed = self.input.closed;
        let names: Vec<&str> = closed.iter().map(|&c| self.input.names.contacts[c].as_str()).collect();
        let can_strike = |&i: &usize| {
            let laws = &self.input.laws[closed[i]];
            let newton = matches!(laws.restitution, Restitution::Newton(_));
            stands[i].direction().is_some() && laws.hold == Hold::Unilateral && !newton
        };
        let sliding: Vec<usize> = (0..closed.len()).filter(can_strike).collect();
        let found = impacts_without_collision(system, &sliding, &self.input.tol);
        let mut out = Striking::default();
        for iwc in found.found {
            let mut iwc = iwc;
            if let Some(impact) = self.struck(system, &mut iwc, stands) {
                out.impact.0.push((names[iwc.contact].to_string(), impact));
            }
            let others = (0..names.len()).filter(|i| *i != iwc.contact);
            out.list.push(SpaceIwcOutcome {
                contacts: vec![names[iwc.contact].to_string()],
                possible: iwc.possible,
                others: ByName(others.map(|i| (names[i].to_string(), iwc.word[i])).collect()),
            });
        }
        out.list.extend(found.double.iter().map(|(pair, possible)| SpaceIwcOutcome {
            contacts: pair.iter().map(|&i| names[i].to_string()).collect(),
            possible: *possible,
            others: ByName::default(),
        }));
        out.warnings = found
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
    fn struck(&self, system: &System, iwc: &mut SpaceIwc, stands: &[Stands]) -> Option<SpaceImpactOutcome> {
        if iwc.possible != Possible::Yes {
            return None;
        }
        let (c, tol) = (self.input.closed[iwc.contact], &self.input.tol);
        let laws = &self.input.laws[c];
        let contact = Contact {
            numbers: self.numbers(c).ok()?,
            friction: laws.friction,
            hold: laws.hold,
            stands: stands[iwc.contact],
        };
        let impact = impact_outcome(&contact, laws, self.velocity(c), false, tol);
        let impulse = impact.iwc_impulse?;
        let by = [impulse.normal.value, impulse.tangential[0].value, impulse.tangential[1].value];
        let opens = (0..system.contacts()).filter(|&j| j != iwc.contact && !system.parting[j]).all(|j| {
            let rate = |k: usize| system.D[3 * j][3 * iwc.contact + k] * by[k];
            (0..3).map(rate).sum::<f64>() >= 0.0
        });
        if !opens {
            iwc.possible = Possible::Necessary;
        }
        opens.then_some(impact)
    }
}
