//! Where a state is, and the equations of motion there as numbers.

use super::contacts::{field, matrix, row};
use super::units::{unit_in, with_unit};
use crate::analysis::{ByName, Number, StateOutcome, UnitsOutcome};
use crate::report::document::Document;
use crate::report::number::significant;

/// Time, coordinates, velocities, parameters, closed contacts.
pub(super) fn place_fields(
    state: &StateOutcome,
    units: Option<&UnitsOutcome>,
) -> Vec<(String, String, String)> {
    let closed = if state.closed.is_empty() { "none".to_string() } else { state.closed.join(", ") };
    let words = |label: &str, text: String| (label.to_string(), text, String::new());
    let mut fields = vec![
        words("q", assignments(&state.q, |name| unit_in(units, |u| &u.coordinates, name))),
        words("v", assignments(&state.v, |name| unit_in(units, |u| &u.velocities, name))),
    ];
    if state.t.0 != 0.0 {
        fields.insert(0, words("t", with_unit(significant(state.t.0), units.map(|u| u.time.as_str()))));
    }
    if !state.parameters.0.is_empty() {
        let unit = |name: &str| unit_in(units, |u| &u.parameters, name);
        fields.push(words("parameters", assignments(&state.parameters, unit)));
    }
    fields.push(words("closed contacts", closed));
    fields
}

fn assignments<'u>(values: &ByName<Number>, unit: impl Fn(&str) -> Option<&'u str>) -> String {
    let one = |(name, x): &(String, Number)| format!("{name} = {}", with_unit(significant(x.0), unit(name)));
    values.0.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// M, h and the energies.
pub(super) fn model_document(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.matrices(vec![matrix("M", &state.model.mass_matrix), row("h", &state.model.bias_force)]);
    let energy = units.map(|units| units.energy.as_str());
    document.fields(vec![
        field("kinetic energy", state.model.kinetic_energy, "", energy),
        field("potential energy", state.model.potential_energy, "", energy),
    ]);
    document
}
