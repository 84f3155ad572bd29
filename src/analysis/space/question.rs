//! Everything about the contacts of a state in space, in the shape of the report.

use super::crossing::crossing;
use super::impact::impact_outcome;
use super::modes::{Contact, SpaceModeReport, modes};
use super::outcome::{OnsetOutcome, SpaceAcceleration, SpaceMode, SpaceProspect};
use super::situation::Stands;
use super::verdict::{verdict, words};
use crate::analysis::closed;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::ForceOutcome;
use crate::analysis::state::StateInput;
use crate::contact::ContactError;
use crate::contact::space::{Directions, Spatial};
use crate::contact::{Hold, Laws};
use crate::model::{Block, Kernel, Values};
use crate::num::Tol;
use crate::predict::{Consistency, ModeName, Stability};
use std::borrow::Cow;

/// What can happen next, and what the reader should be careful about.
pub(crate) fn space_prospect(
    kernel: &Kernel,
    values: &Values<f64>,
    input: &StateInput<'_>,
) -> (SpaceProspect, Vec<String>) {
    let place = Place { kernel, values, input };
    match (input.closed, kernel.layout().contacts) {
        // one that cannot move in every direction, as on a rail, is left to what is said of any contacts
        (&[contact], _) if place.numbers(contact).is_ok() => place.one(contact),
        (&[], 1) if place.numbers(0).is_ok() => place.one(0),
        _ => place.several(),
    }
}

/// A state of a mechanism in space.
pub(super) struct Place<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) values: &'a Values<f64>,
    pub(super) input: &'a StateInput<'a>,
}

impl Place<'_> {
    /// The numbers of a contact.
    ///
    /// # Errors
    /// [`ContactError`] if it cannot move in every direction.
    pub(super) fn numbers(&self, contact: usize) -> Result<Spatial, ContactError> {
        let row = 3 * contact;
        let D = |i: usize, j: usize| self.kernel.delassus(self.values, row + i, row + j);
        let free = &self.kernel.block(self.values, Block::FreeContactAcceleration)[row..row + 3];
        let sizes = self.input.sizes;
        let size =
            |k: usize| sizes.block(Block::FreeContactAcceleration).get(row + k).map_or(0.0, |x| x.size);
        let A = [[D(1, 1), D(1, 2)], [D(2, 1), D(2, 2)]];
        let numbers = Spatial::new(A, [D(0, 1), D(0, 2)], D(0, 0), [free[1], free[2]], free[0]);
        numbers.with_scales(size(1).hypot(size(2)), size(0)).validated()
    }

    /// Slip and gap rate.
    pub(super) fn velocity(&self, contact: usize) -> ([f64; 2], f64) {
        let sizes = self.input.sizes;
        ([0, 1].map(|k| sizes.slip(contact, k).value), sizes.gap_rate(contact).value)
    }

    pub(super) fn stands(&self, contact: usize) -> Stands {
        let sizes = self.input.sizes;
        let slip = self.velocity(contact).0;
        Stands::of(sizes.gap(contact), sizes.gap_rate(contact), slip, &self.input.tol)
    }

    /// The state of one contact that decides.
    fn one(&self, index: usize) -> (SpaceProspect, Vec<String>) {
        let (name, laws, tol) = (&self.input.names.contacts[index], &self.input.laws[index], &self.input.tol);
        let about = |warnings: Vec<String>| warnings.iter().map(|w| format!("contact {name}: {w}")).collect();
        let numbers = match self.numbers(index) {
            Ok(numbers) => numbers,
            Err(error) => {
                let warning = format!("what can happen next is not analysed: {error}");
                return (SpaceProspect::default(), about(vec![warning]));
            }
        };
        let contact =
            Contact { numbers, friction: laws.friction, hold: laws.hold, stands: self.stands(index) };
        let (mut prospect, warnings) = said(&contact, name, laws, self.velocity(index), tol);
        if let Some(contacts) = closed::contacts(self.kernel, self.values, self.input)
            && !contacts.is_empty()
        {
            let following = closed::following(&contacts, &contacts.decide(tol), self.input);
            // at p = 0 slip that turns into p < 0 jams: what follows is known all the same
            if !following.undecided {
                prospect.resolved = following.names();
            }
        }
        (prospect, about(warnings))
    }
}

fn said(
    contact: &Contact,
    name: &str,
    laws: &Laws,
    velocity: ([f64; 2], f64),
    tol: &Tol,
) -> (SpaceProspect, Vec<String>) {
    let (reports, onset) = modes(contact, tol);
    let complete = onset.as_ref().is_none_or(|onset| onset.complete);
    let verdict = verdict(contact, &reports, complete, tol);
    let unilateral = contact.hold == Hold::Unilateral;
    let crossing = match contact.stands {
        Stands::Slipping(slip) if unilateral => crossing(&contact.numbers, contact.friction, slip, tol),
        _ => None,
    };
    let on_the_edge = reports.iter().any(|mode| mode.normal == Some(Stability::Undecided));
    let jams = on_the_edge && crossing.is_some_and(|crossing| crossing.crosses);
    let impact = impact_outcome(contact, laws, velocity, jams, tol);
    let mut warnings = boundaries(&reports, complete);
    if impact.gains_energy(tol) {
        warnings.push("Newton's restitution law gains energy in this impact".to_string());
    }
    if contact.stands == Stands::Penetrating {
        warnings.push("the bodies penetrate: this is not a state of the rigid mechanism".to_string());
    }
    let prospect = SpaceProspect {
        modes: reports.iter().map(|mode| mode_outcome(name, mode, contact, tol)).collect(),
        verdict,
        resolved: resolved(contact, &reports, impact.iwc_possible),
        table: None,
        impact: one(name, impact),
        crossing: ByName(crossing.map(|crossing| (name.to_string(), crossing)).into_iter().collect()),
        onset: ByName(onset.map(|onset| (name.to_string(), onset_outcome(&onset))).into_iter().collect()),
        several: None,
        ..SpaceProspect::default()
    };
    (prospect, warnings)
}

fn one<T>(name: &str, value: T) -> ByName<T> {
    ByName(vec![(name.to_string(), value)])
}

/// What can follow: consistent modes without those that compliance makes violently unstable, and impact without collision.
fn resolved(contact: &Contact, reports: &[SpaceModeReport], iwc: bool) -> Vec<Cow<'static, str>> {
    if contact.stands == Stands::Approaching {
        return vec!["impact".into()];
    }
    let held = contact.hold == Hold::Bilateral;
    let stable = |mode: &&SpaceModeReport| held || mode.normal == Some(Stability::Stable);
    let kept: Vec<SpaceModeReport> = reports.iter().filter(stable).copied().collect();
    let iwc = iwc.then_some(Cow::from("iwc"));
    words(&kept).into_iter().map(Cow::from).chain(iwc).collect()
}

fn onset_outcome(onset: &Directions) -> OnsetOutcome {
    OnsetOutcome { directions: onset.list.len(), complete: onset.complete, arcs: onset.arcs }
}

/// The boundaries that the state lies on, named.
fn boundaries(reports: &[SpaceModeReport], complete: bool) -> Vec<String> {
    let marginal = reports.iter().filter(|mode| mode.consistency == Consistency::Marginal);
    let mut found: Vec<String> = marginal.map(boundary).collect();
    if !complete {
        found.push(
            "the directions of slip from rest are not proven to be complete: two of them meet here".into(),
        );
    }
    found.dedup();
    found
}

fn boundary(mode: &SpaceModeReport) -> String {
    match mode.word {
        ModeName::FREE => "b = 0: lift-off and contact meet".to_string(),
        ModeName::SLIP if mode.normal == Some(Stability::Undecided) => {
            "p = 0: the Painlevé boundary in the direction of slip".to_string()
        }
        ModeName::SLIP => "a direction of slip from rest begins or ends to be one".to_string(),
        _ => "grazing the friction cone, or its tip".to_string(),
    }
}

fn mode_outcome(name: &str, mode: &SpaceModeReport, contact: &Contact, tol: &Tol) -> SpaceMode {
    let quantity = |value: f64, size: f64| Quantity::of_size(value, size, tol);
    let ([N, T], numbers) = (mode.sizes, &contact.numbers);
    let u = numbers.a_scale + numbers.tangential_mobility() * T + numbers.coupling() * N;
    SpaceMode {
        mode: one(name, mode.word),
        direction: ByName(mode.direction.map(|phi| (name.to_string(), phi.into())).into_iter().collect()),
        consistent: mode.is_consistent(),
        marginal: mode.consistency == Consistency::Marginal,
        normal_stability: mode.normal,
        tangential_stability: mode.tangential,
        forces: one(
            name,
            ForceOutcome {
                normal: quantity(mode.force.N, N),
                tangential: mode.force.T.map(|x| quantity(x, T)).to_vec(),
            },
        ),
        accelerations: one(
            name,
            SpaceAcceleration {
                u: mode.acceleration.0.map(|x| quantity(x, u)),
                v: quantity(mode.acceleration.1, numbers.b_scale),
            },
        ),
        hyperstatic: ByName::default(),
        reason: mode.reason.to_string(),
    }
}
