//! Labelled numbers of a report, and units beside them.

use crate::analysis::{Analysis, ByName, ContactUnitsOutcome, UnitsOutcome};
use crate::report::document::Document;

/// A line of a list: label, value, remark.
pub(super) type Field = (String, String, String);

pub(super) fn field(label: impl Into<String>, value: impl Into<String>, remark: impl Into<String>) -> Field {
    (label.into(), value.into(), remark.into())
}

/// A number with its unit; pure numbers have none.
pub(super) fn with_unit(number: String, unit: Option<&str>) -> String {
    match unit {
        Some(unit) if unit == "1" || number == "-" => number,
        // 4/kg is read more easily than 4 1/kg
        Some(unit) if unit.starts_with("1/") => format!("{number}{}", &unit[1..]),
        Some(unit) => format!("{number} {unit}"),
        None => number,
    }
}

/// The unit of a name, in a list of units that may not be known.
pub(super) fn unit_in<'u>(
    units: Option<&'u UnitsOutcome>,
    list: fn(&UnitsOutcome) -> &ByName<String>,
    name: &str,
) -> Option<&'u str> {
    units.and_then(|units| list(units).get(name)).map(String::as_str)
}

/// In what the numbers of tables and sentences are that have no room for a unit.
pub(super) fn units_document(analysis: &Analysis) -> Document {
    let mut document = Document::new();
    let Some(units) = &analysis.units else { return document };
    let mut groups: Vec<(Vec<&str>, &ContactUnitsOutcome)> = Vec::new();
    for (name, contact) in &units.contacts.0 {
        match groups.iter_mut().find(|(_, known)| *known == contact) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], contact)),
        }
    }
    let mut sentence = format!("Times are in {}, energies in {}", units.time, units.energy);
    for (names, contact) in &groups {
        let whose = if groups.len() > 1 { format!(" at {}", names.join(" and ")) } else { String::new() };
        sentence += &format!(
            "; contact forces{whose} in {}, impulses in {}, velocities in {}, accelerations in {}",
            contact.force, contact.impulse, contact.velocity, contact.acceleration
        );
    }
    document.paragraph(sentence + ".");
    document
}
