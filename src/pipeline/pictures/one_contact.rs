//! A state with one closed unilateral contact in the plane, as its pictures need it.
#![allow(non_snake_case)]

use crate::analysis::planar::{Jam, sectors, stick_cone};
use crate::analysis::{Analysis, ContactOutcome, ContactUnitsOutcome, LocalOutcome, StateOutcome};
use crate::contact::{Column, Hold, Laws, Planar, Slip};
use crate::impact::{Impact, Velocity, impact, impact_regions, impact_without_collision};
use crate::num::Tol;
use crate::pipeline::Loaded;
use crate::pipeline::analyze::planar_laws;
use crate::plot::{Impulse, Plane};
use crate::simulate::compliant::Scene;

/// One contact and its laws.
pub(super) struct OneContact<'a> {
    pub(super) name: &'a str,
    pub(super) contact: &'a ContactOutcome,
    state: &'a StateOutcome,
    planar: Planar,
    laws: Laws,
    pub(super) units: Option<&'a ContactUnitsOutcome>,
}

impl<'a> OneContact<'a> {
    /// None of several contacts, in space, of a bilateral contact, and where nothing is said about the contact.
    pub(super) fn of(loaded: &Loaded, analysis: &'a Analysis, state: &'a StateOutcome) -> Option<Self> {
        let [name] = &state.closed[..] else { return None };
        let contact = state.contacts.get(name)?;
        let LocalOutcome::Plane { A, B, C, a, b, .. } = &contact.local else { return None };
        let planar = Planar::new(A.value, B.value, C.value, a.value, b.value).validated().ok()?;
        let mechanism = &loaded.mechanism;
        let parameters: Vec<f64> = mechanism
            .parameters
            .iter()
            .map(|p| state.parameters.get(&p.name).map_or(f64::NAN, |x| x.0))
            .collect();
        let index = mechanism.contacts.iter().position(|c| c.name == *name)?;
        let laws = *planar_laws(loaded, &mechanism.contact_laws(&parameters)).ok()?.get(index)?;
        state.prospect.verdict?;
        let units = analysis.units.as_ref().and_then(|units| units.contacts.get(name));
        (laws.hold == Hold::Unilateral).then_some(Self { name, contact, state, planar, laws, units })
    }

    /// Slip and gap rate.
    pub(super) fn velocity(&self) -> Option<Velocity> {
        let [u] = self.contact.slip[..] else { return None };
        Some(Velocity { u: u.value, v: self.contact.gap_rate.value })
    }

    /// Whether an impact takes place.
    pub(super) fn approaches(&self) -> bool {
        self.state.prospect.resolved.iter().any(|word| word == "impact")
    }

    /// The direction of slip; none if an impact takes place.
    pub(super) fn column(&self) -> Option<Column> {
        let u = self.velocity()?.u;
        let slips = self.contact.p_slip.value.is_finite();
        let column = match (slips, u > 0.0) {
            (false, _) => Column::II,
            (true, true) => Column::I,
            (true, false) => Column::III,
        };
        (!self.approaches()).then_some(column)
    }

    /// a and b.
    pub(super) fn free(&self) -> [f64; 2] {
        [self.planar.a, self.planar.b]
    }

    pub(super) fn plane(&self) -> Option<Plane> {
        let (column, tol) = (self.column()?, Tol::default());
        Some(Plane {
            sectors: sectors(&self.planar, self.laws.friction, column, &tol),
            cone: stick_cone(&self.planar, self.laws.friction, &tol),
            column,
            at: self.shown()?,
            unit: self.units.map(|units| units.acceleration.clone()),
        })
    }

    /// a and b as a report shows them.
    fn shown(&self) -> Option<[f64; 2]> {
        let LocalOutcome::Plane { a, b, .. } = &self.contact.local else { return None };
        Some([a.shown, b.shown])
    }

    /// The impact that takes place, or the one without collision that can.
    pub(super) fn impact(&self) -> Option<Impact> {
        let Self { planar, laws, .. } = self;
        let (pre, tol) = (self.velocity()?, Tol::default());
        let possible = self.state.prospect.impact.get(self.name).is_some_and(|impact| impact.iwc_possible);
        match self.approaches() {
            true => impact(planar, laws.friction, laws.restitution, pre, &tol),
            false if possible => {
                impact_without_collision(planar, laws.friction, laws.restitution, pre.u, &tol)
            }
            false => None,
        }
    }

    pub(super) fn impulse(&self) -> Option<Impulse> {
        let Self { planar, laws, .. } = self;
        Some(Impulse {
            planar: *planar,
            friction: laws.friction,
            impact: self.impact()?,
            regions: impact_regions(planar, laws.friction, laws.restitution, &Tol::default()),
            units: self.units.cloned(),
        })
    }

    pub(super) fn jam(&self) -> Option<Jam> {
        self.state.prospect.plane()?.jam.get(self.name).copied()
    }

    /// The contact with its compliance.
    pub(super) fn scene(&self) -> Option<Scene> {
        let slip = match self.column()? {
            Column::I => Some(Slip::Pos),
            Column::II => None,
            Column::III => Some(Slip::Neg),
        };
        let Laws { friction, compliance, .. } = self.laws;
        Some(Scene { planar: self.planar, friction, compliance, slip })
    }
}
