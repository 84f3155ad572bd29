//! The units of a mechanism whose dimensions were checked, for reports.

use super::base::Base;
use super::check::{Checked, checked};
use super::infer::plain;
use super::places::Wanted;
use super::unit::{Exponent, Part, Unit};
use crate::format::mechanism::Mechanism;

/// The units of what is said about a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// Of the time.
    pub time: String,
    /// Of lengths, if something is measured in them.
    pub length: Option<String>,
    /// Of masses, if something is measured in them.
    pub mass: Option<String>,
    /// Of energies.
    pub energy: String,
    /// Of the parameters, as the file has them.
    pub parameters: Vec<String>,
    /// Of the coordinates, as the file has them.
    pub coordinates: Vec<String>,
    /// Of the velocities of the coordinates.
    pub velocities: Vec<String>,
    /// Of the definitions, as they follow from what they stand for; none of a definition that is zero.
    pub definitions: Vec<Option<String>>,
    /// Of what is said about each contact.
    pub contacts: Vec<ContactUnits>,
}

/// The units of what is said about a contact. With a gap in G they are G/T, G/T², E/G, E T/G and G²/(E T²).
#[derive(Clone, Debug, PartialEq)]
pub struct ContactUnits {
    /// Of the gap.
    pub gap: String,
    /// Of slip and gap rate.
    pub velocity: String,
    /// Of accelerations.
    pub acceleration: String,
    /// Of contact forces.
    pub force: String,
    /// Of contact impulses.
    pub impulse: String,
    /// Of A, B, C and what is made of them: acceleration per force.
    pub mobility: String,
}

/// How many parameters and coordinates have no unit, and how many there are, where some but not all have a unit that is not
/// `1`: their dimensions are not checked.
pub fn lacking(mechanism: &Mechanism) -> Option<(usize, usize)> {
    let parameters = mechanism.parameters.iter().map(|p| p.unit.as_deref());
    let all: Vec<Option<&str>> =
        parameters.chain(mechanism.coordinates.iter().map(|c| c.unit.as_deref())).collect();
    let real = |text: &&str| Unit::parse(text).is_ok_and(|unit| !unit.is_number());
    let missing = all.iter().filter(|unit| unit.is_none()).count();
    (missing > 0 && all.iter().flatten().any(real)).then_some((missing, all.len()))
}

impl Units {
    /// The units of a mechanism; none if one is missing or does not fit, or if all are those of numbers.
    pub fn of(mechanism: &Mechanism) -> Option<Self> {
        let checked = checked(mechanism).filter(|checked| checked.found.is_empty())?;
        let Checked { base, coordinates, gaps, .. } = &checked;
        let written = |unit: &Option<String>| unit.clone().unwrap_or_default();
        let contacts = gaps.iter().map(|gap| contact(base, gap.as_ref()?)).collect::<Option<_>>()?;
        Some(Self {
            time: base.time.to_string(),
            length: base.length.as_ref().map(Unit::to_string),
            mass: base.mass.as_ref().map(Unit::to_string),
            energy: energy(&base.energy),
            parameters: mechanism.parameters.iter().map(|p| written(&p.unit)).collect(),
            coordinates: mechanism.coordinates.iter().map(|c| written(&c.unit)).collect(),
            velocities: coordinates.iter().map(|q| velocity(base, q)).collect::<Option<_>>()?,
            definitions: checked.definitions.iter().map(|unit| unit.as_ref().map(Unit::to_string)).collect(),
            contacts,
        })
    }
}

/// An energy in joules is written so; the unit by itself could be that of a torque.
fn energy(unit: &Unit) -> String {
    match *unit == Unit::of(&[(Part::Mass, 1), (Part::Length, 2), (Part::Time, -2)]) {
        true => "J".to_owned(),
        false => unit.to_string(),
    }
}

fn velocity(base: &Base, unit: &Unit) -> Option<String> {
    unit.over(&base.time).map(|unit| plain(unit).to_string())
}

fn contact(base: &Base, gap: &Unit) -> Option<ContactUnits> {
    let of = |gaps: i64, energies: i64, times: i64| {
        let power = |unit: &Unit, n: i64| unit.power(Exponent::from_integer(n));
        let product = power(gap, gaps)?.times(&base.unit(Wanted([energies, 0, 0, times]))?)?;
        Some(plain(product).to_string())
    };
    Some(ContactUnits {
        gap: of(1, 0, 0)?,
        velocity: of(1, 0, -1)?,
        acceleration: of(1, 0, -2)?,
        force: of(-1, 1, 0)?,
        impulse: of(-1, 1, 1)?,
        mobility: of(2, -1, -2)?,
    })
}
