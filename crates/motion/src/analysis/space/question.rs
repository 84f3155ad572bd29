//! What is said about a state in which one contact in space decides what happens next, in the shape of the report.

use super::crossing::crossing;
use super::impact::{impact_outcome, unknown_impact};
use super::modes::{Contact, SpaceMode, modes};
use super::outcome::OnsetOutcome;
use super::verdict::verdict;
use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::analysis::contact_status::ContactStatus;
use crate::analysis::impact::ImpactOutcome;
use crate::analysis::mode::ModeOutcome;
use crate::analysis::prospect::{Particular, Prospect, SpaceOutcome};
use crate::analysis::state::StateInput;
use crate::contact::space::{Directions, Spatial};
use crate::contact::{ContactError, Hold};
use crate::model::Block;
use crate::num::Number;
use crate::predict::{Consistency, Mode, Stability, Verdict};
use std::borrow::Cow;

impl AnalysedState<'_> {
    /// The numbers of a contact in space.
    ///
    /// # Errors
    /// [`ContactError`] if it cannot move in every direction.
    pub(crate) fn numbers(&self, contact: usize) -> Result<Spatial, ContactError> {
        let row = 3 * contact;
        let D = |i: usize, j: usize| self.delassus(row + i, row + j);
        let free = &self.kernel.block(self.values, Block::FreeContactAcceleration)[row..row + 3];
        let sizes = self.input.sizes;
        let size =
            |k: usize| sizes.block(Block::FreeContactAcceleration).get(row + k).map_or(0.0, |x| x.size);
        let A = [[D(1, 1), D(1, 2)], [D(2, 1), D(2, 2)]];
        let numbers = Spatial::new(A, [D(0, 1), D(0, 2)], D(0, 0), [free[1], free[2]], free[0]);
        numbers.with_scales(size(1).hypot(size(2)), size(0)).validated()
    }

    /// Slip and gap rate of a contact in space.
    fn slip_and_rate(&self, contact: usize) -> ([f64; 2], f64) {
        let sizes = self.input.sizes;
        ([0, 1].map(|k| sizes.slip(contact, k).value), sizes.gap_rate(contact).value)
    }

    /// Where a contact in space stands.
    pub(crate) fn stands(&self, contact: usize) -> ContactStatus {
        let (sizes, (slip, _)) = (self.input.sizes, self.slip_and_rate(contact));
        ContactStatus::of(sizes.gap(contact), sizes.gap_rate(contact), slip, &self.input.tol)
    }

    /// A contact in space where it stands.
    ///
    /// # Errors
    /// [`ContactError`] if it cannot move in every direction.
    fn contact(&self, contact: usize) -> Result<Contact, ContactError> {
        let (numbers, laws) = (self.numbers(contact)?, self.laws(contact));
        Ok(Contact { numbers, friction: laws.friction, hold: laws.hold, stands: self.stands(contact) })
    }

    /// What impact does at a contact in space that feels no other.
    ///
    /// # Errors
    /// [`ContactError`] if it cannot move in every direction.
    pub(crate) fn impact_alone(&self, contact: usize) -> Result<ImpactOutcome, ContactError> {
        let own = self.contact(contact)?;
        Ok(impact_outcome(&own, self.laws(contact), self.slip_and_rate(contact), false, &self.input.tol))
    }

    /// The prospect of a contact in space that can move in every direction, and what its reader should be careful about.
    pub(crate) fn one_in_space(&self, index: usize) -> (Prospect, Vec<String>) {
        let only = StateInput { closed: &[index], ..self.input.clone() };
        AnalysedState { input: &only, ..*self }.alone_in_space(index)
    }

    fn alone_in_space(&self, index: usize) -> (Prospect, Vec<String>) {
        let Ok(contact) = self.contact(index) else { return (Prospect::unknown(2), Vec::new()) };
        let (name, tol) = (&self.input.names.contacts[index], &self.input.tol);
        let (reports, onset) = modes(&contact, tol);
        let complete = onset.as_ref().is_none_or(|onset| onset.complete);
        let verdict = verdict(&contact, &reports, complete, tol);
        let crossing = match contact.stands {
            ContactStatus::Slipping(slip) if contact.hold == Hold::Unilateral => {
                crossing(&contact.numbers, contact.friction, slip, tol)
            }
            _ => None,
        };
        let on_the_edge = reports.iter().any(|mode| mode.normal == Some(Stability::Undecided));
        let jams = on_the_edge && crossing.is_some_and(|crossing| crossing.crosses);
        let impact = impact_outcome(&contact, self.laws(index), self.slip_and_rate(index), jams, tol);
        let unknown = (contact.stands == ContactStatus::Approaching)
            .then(|| unknown_impact(self.laws(index), &impact))
            .flatten();
        let mut warnings = boundaries(&reports, complete);
        if impact.gains_energy(tol) {
            warnings.push("Newton's restitution law gains energy in this impact".to_string());
        }
        if contact.stands == ContactStatus::Penetrating {
            warnings.push(ContactStatus::PENETRATES.to_string());
        }
        let prospect = Prospect {
            modes: reports.iter().map(|mode| self.mode_in_space(name, mode)).collect(),
            verdict: unknown.map_or(verdict, |_| Some(Verdict::Undecided)),
            resolved: resolved(&contact, &reports, impact.iwc_possible),
            impact: ByName::one(name, impact),
            particular: Particular::Space(SpaceOutcome {
                crossing: ByName::of(name, crossing),
                onset: ByName::of(name, onset.map(|onset| onset_outcome(&onset))),
            }),
            ..Prospect::unknown(2)
        };
        let warnings = warnings.iter().map(|w| format!("contact {name}: {w}"));
        (prospect, warnings.chain(unknown.map(String::from)).collect())
    }

    fn mode_in_space(&self, name: &str, mode: &SpaceMode) -> ModeOutcome {
        ModeOutcome {
            direction: ByName::of(name, mode.direction.map(Number)),
            normal_stability: mode.normal,
            tangential_stability: Some(mode.tangential),
            reason: mode.judged.reason_alone().to_string(),
            ..self.mode(&mode.judged, None)
        }
    }
}

/// What can follow: consistent modes without those that compliance makes violently unstable, each word once, and impact without collision.
fn resolved(contact: &Contact, reports: &[SpaceMode], iwc: bool) -> Vec<Cow<'static, str>> {
    if contact.stands == ContactStatus::Approaching {
        return vec!["impact".into()];
    }
    let held = contact.hold == Hold::Bilateral;
    let stable = |mode: &&SpaceMode| held || mode.normal == Some(Stability::Stable);
    let mut found: Vec<Cow<'static, str>> = Vec::new();
    for mode in reports.iter().filter(stable).filter(|mode| mode.judged.is_consistent()) {
        let name = mode.judged.modes[0].name(2).name();
        if !found.iter().any(|other| other == name) {
            found.push(name.into());
        }
    }
    found.extend(iwc.then_some(Cow::from("iwc")));
    found
}

fn onset_outcome(onset: &Directions) -> OnsetOutcome {
    OnsetOutcome { directions: onset.list.len(), complete: onset.complete, arcs: onset.arcs }
}

/// The boundaries that the state lies on, named.
fn boundaries(reports: &[SpaceMode], complete: bool) -> Vec<String> {
    let marginal = reports.iter().filter(|mode| mode.judged.consistency == Consistency::Marginal);
    let mut found: Vec<String> = marginal.map(boundary).collect();
    if !complete {
        found.push(
            "the directions of slip from rest are not proven to be complete: two of them meet here".into(),
        );
    }
    found.dedup();
    found
}

fn boundary(mode: &SpaceMode) -> String {
    match mode.judged.modes[0] {
        Mode::Free => "b = 0: lift-off and contact meet".to_string(),
        Mode::Slip { .. } if mode.normal == Some(Stability::Undecided) => {
            "p = 0: the Painlevé boundary in the direction of slip".to_string()
        }
        Mode::Slip { .. } => "a direction of slip from rest begins or ends to be one".to_string(),
        Mode::Stick { .. } => "grazing the friction cone, or its tip".to_string(),
    }
}
