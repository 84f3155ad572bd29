//! The units of a mechanism as its reports say them.

use crate::analysis::{ByName, ContactUnitsOutcome, UnitsOutcome};
use crate::expression::Symbol;
use crate::format::{ContactUnits, Mechanism, Units};

/// The units of a mechanism's numbers; none where they were not checked or all are numbers.
pub(super) fn units_of(mechanism: &Mechanism) -> Option<UnitsOutcome> {
    let units = Units::of(mechanism)?;
    let coordinates = || mechanism.coordinates.iter().map(|c| c.name.as_str());
    let parameters = mechanism.parameters.iter().map(|p| p.name.as_str());
    let contacts = mechanism.contacts.iter().map(|c| c.name.as_str());
    Some(UnitsOutcome {
        time: units.time,
        length: units.length,
        mass: units.mass,
        energy: units.energy,
        coordinates: ByName::new(coordinates(), units.coordinates),
        velocities: ByName::new(coordinates(), units.velocities),
        parameters: ByName::new(parameters, units.parameters),
        contacts: ByName::new(contacts, units.contacts.into_iter().map(contact)),
    })
}

/// The unit of a name, as words; none of a mere number, and where units were not checked.
pub(super) fn unit_of(mechanism: &Mechanism, of: Symbol) -> Option<String> {
    let units = Units::of(mechanism)?;
    let found = match of {
        Symbol::Time => Some(units.time),
        Symbol::Coordinate(i) => units.coordinates.into_iter().nth(i),
        Symbol::Rate(i) => units.velocities.into_iter().nth(i),
        Symbol::Parameter(i) => units.parameters.into_iter().nth(i),
    };
    found.filter(|unit| !unit.is_empty() && unit != "1")
}

/// The units of the columns of a motion; none of mere numbers, and where units were not checked.
pub fn column_units(mechanism: &Mechanism, columns: &[String]) -> Vec<Option<String>> {
    let units = units_of(mechanism);
    let known = |unit: &String| !unit.is_empty() && unit != "1";
    columns.iter().map(|column| column_unit(units.as_ref()?, column).filter(known)).collect()
}

/// The unit of a column of a trajectory, by its name.
pub(super) fn column_unit(units: &UnitsOutcome, column: &str) -> Option<String> {
    let rate = || column.strip_prefix("dot(")?.strip_suffix(')').and_then(|name| units.velocities.get(name));
    let at_contact = || {
        let (name, what) = column.rsplit_once('.')?;
        let units = units.contacts.get(name)?;
        match what.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "gap" => Some(&units.gap),
            "slip" => Some(&units.velocity),
            "N" | "T" => Some(&units.force),
            _ => None,
        }
    };
    let time = (column == "t").then_some(&units.time);
    time.or_else(|| units.coordinates.get(column)).or_else(rate).or_else(at_contact).cloned()
}

fn contact(units: ContactUnits) -> ContactUnitsOutcome {
    let ContactUnits { gap, velocity, acceleration, force, impulse, mobility } = units;
    ContactUnitsOutcome { gap, velocity, acceleration, force, impulse, mobility }
}
