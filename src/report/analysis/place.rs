//! Where a state is, and the equations of motion there as numbers.

use super::contacts::{matrix, number, row};
use super::units::{Field, field, unit_in, with_unit};
use crate::analysis::{ByName, Number, Quantity, StateOutcome, UnitsOutcome};
use crate::report::document::Document;
use crate::report::number::significant;

/// Time, coordinates, velocities, parameters, closed contacts.
pub(super) fn place_fields(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Vec<Field> {
    let closed = if state.closed.is_empty() { "none".to_string() } else { state.closed.join(", ") };
    let words = |label: &str, text: String| field(label, text, "");
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
    document.paragraph(model_words(state));
    document.matrices(vec![matrix("M", &state.model.mass_matrix), row("h", &state.model.bias_force)]);
    let energy = units.map(|units| units.energy.as_str());
    document.fields(vec![
        number("kinetic energy", state.model.kinetic_energy, "", energy),
        number("potential energy", state.model.potential_energy, "", energy),
    ]);
    document
}

/// What makes h, what M couples, and how the mechanism would move without contact.
fn model_words(state: &StateOutcome) -> String {
    let model = &state.model;
    let acts = |force: &[Quantity]| force.iter().any(|x| x.shown.abs() > 0.0);
    let parts = [
        (&model.inertial, "inertia"),
        (&model.potential, "the potential"),
        (&model.applied, "applied forces"),
    ];
    let made: Vec<&str> = parts.into_iter().filter(|(part, _)| acts(part)).map(|(_, word)| word).collect();
    let made = match &made[..] {
        [] => "h is zero".to_string(),
        made => format!("h is made by {}", listed(made)),
    };
    let names: Vec<&str> = state.q.0.iter().map(|(name, _)| name.as_str()).collect();
    let rows = model.mass_matrix.iter().enumerate();
    let couples = rows.flat_map(|(i, row)| row.iter().enumerate().take(i).map(move |(j, x)| (j, i, x.shown)));
    let coupled: Vec<String> = couples
        .filter(|(.., x)| x.abs() > 0.0)
        .map(|(j, i, _)| format!("{} with {}", names[j], names[i]))
        .collect();
    let coupled = match &coupled[..] {
        [] => "M couples no coordinates".to_string(),
        pairs if pairs.len() <= MOST_NAMED => {
            format!("M couples {}", listed(&pairs.iter().map(String::as_str).collect::<Vec<_>>()))
        }
        pairs => format!("M couples {} pairs of coordinates", pairs.len()),
    };
    let free: Vec<String> = names
        .iter()
        .zip(&model.free_acceleration)
        .map(|(name, x)| format!("{name}'' = {}", significant(x.shown)))
        .collect();
    format!(
        "Here {made}, and {coupled}. Without contact forces the motion would begin with {}.",
        free.join(", ")
    )
}

/// Most pairs of coordinates that are named.
const MOST_NAMED: usize = 4;

/// Words in a row, the last after "and".
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
