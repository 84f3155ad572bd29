//! Closed contacts with what is drawn at them.

use crate::analysis::StateOutcome;
use crate::format::{Contact, Mechanism};
use crate::plot::mechanism::frame::Frame;
use crate::plot::mechanism::place::Instant;

/// A contact with a place.
pub(super) struct Touching {
    pub(super) name: String,
    pub(super) frame: Frame,
    pub(super) is_closed: bool,
    /// Whether its normal force may pull.
    pub(super) is_bilateral: bool,
    pub(super) gap: f64,
    /// μ.
    pub(super) mu: f64,
    /// Components of the slip, and the gap's rate.
    pub(super) slip: Vec<f64>,
    pub(super) gap_rate: f64,
    /// λ_N and the components of λ_T of the first consistent mode.
    pub(super) force: Option<(f64, Vec<f64>)>,
}

/// The contacts of a state that have a place.
pub(super) fn contacts(mechanism: &Mechanism, outcome: &StateOutcome, at: &Instant) -> Vec<Touching> {
    let forces = outcome.prospect.first_consistent().map(|mode| &mode.forces);
    let touching = |contact: &Contact| {
        let frame = Frame::of(mechanism, contact, at)?;
        let numbers = outcome.contacts.get(&contact.name)?;
        let is_closed = outcome.closed.contains(&contact.name);
        let force = forces.and_then(|forces| forces.get(&contact.name));
        Some(Touching {
            name: contact.name.clone(),
            frame,
            is_closed,
            is_bilateral: contact.bilateral,
            gap: numbers.gap.shown,
            mu: numbers.friction.0,
            slip: numbers.slip.iter().map(|u| u.shown).collect(),
            gap_rate: if is_closed { numbers.gap_rate.shown } else { numbers.gap_rate.value },
            force: force.map(|f| (f.normal.shown, f.tangential.iter().map(|x| x.shown).collect())).filter(
                |(normal, along): &(f64, Vec<f64>)| normal.is_finite() && along.iter().all(|x| x.is_finite()),
            ),
        })
    };
    mechanism.contacts.iter().filter_map(touching).collect()
}

impl Touching {
    /// |λ|.
    pub(super) fn force_size(&self) -> f64 {
        self.force.as_ref().map_or(0.0, |(normal, along)| {
            along.iter().map(|x| x * x).sum::<f64>().mul_add(1.0, normal * normal).sqrt()
        })
    }

    /// |γ_T|.
    pub(super) fn speed(&self) -> f64 {
        self.slip.iter().map(|u| u * u).sum::<f64>().sqrt()
    }

    /// Whether an impact takes place.
    pub(super) fn approaches(&self) -> bool {
        self.is_closed && self.gap_rate < 0.0
    }
}
