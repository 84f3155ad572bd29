//! An analysis as a report: per state the equations of motion as numbers, then each contact.

use super::critical::critical_document;
use super::document::{Document, Matrix};
use super::next_step::next_step_document;
use super::number::significant;
use super::space::{direction_fields, outlook_document};
use super::units::{unit_in, units_document, with_unit};
use crate::analysis::{
    Analysis, ByName, ContactOutcome, ContactUnitsOutcome, LocalOutcome, Number, Quantity, StateAnswer,
    StateFailure, StateOutcome, UnitsOutcome,
};

/// The report of an analysis.
pub fn analysis_document(analysis: &Analysis) -> Document {
    let mut document = Document::new();
    document.heading(1, title(analysis));
    if let Some(description) = &analysis.description {
        document.paragraph(description.trim());
    }
    if analysis.library {
        document.paragraph("This is the mechanism of mechan's library; there is no file of that name here.");
    }
    document.append(units_document(analysis));
    if !analysis.critical_friction.is_empty() {
        document.append(critical_document(analysis));
    }
    for answer in &analysis.states {
        document.append(match answer {
            StateAnswer::Outcome(state) => state_document(state, analysis.units.as_ref()),
            StateAnswer::Failure(failure) => failure_document(failure),
        });
    }
    document
}

fn title(analysis: &Analysis) -> String {
    match &analysis.title {
        Some(title) => format!("{}: {title}", analysis.mechanism),
        None => analysis.mechanism.clone(),
    }
}

/// Why nothing is said about a state.
fn failure_document(failure: &StateFailure) -> Document {
    let mut document = Document::new();
    document.heading(2, format!("State {}", failure.state));
    for fault in &failure.faults {
        document.warning(format!("no analysis: {} [{}]", fault.message, fault.code));
    }
    document
}

fn state_document(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.heading(2, format!("State {}", state.state));
    if let Some(description) = &state.description {
        document.paragraph(description.trim());
    }
    document.fields(state_fields(state, units));
    document.heading(3, "Equations of motion: M v' + h = W_N^T lambda_N + W_T^T lambda_T");
    document.matrices(vec![matrix("M", &state.model.mass_matrix), row("h", &state.model.bias_force)]);
    let energy = units.map(|units| units.energy.as_str());
    document.fields(vec![
        field("kinetic energy", state.model.kinetic_energy, "", energy),
        field("potential energy", state.model.potential_energy, "", energy),
    ]);
    for (name, contact) in &state.contacts.0 {
        let units = units.and_then(|units| units.contacts.get(name));
        document.append(contact_document(name, contact, state.closed.contains(name), units));
    }
    document.append(outlook_document(&state.prospect));
    if let Some(next) = &state.existence {
        document.append(next_step_document(next));
    }
    if state.delassus.len() > 2 {
        document.heading(3, "Delassus matrix of the closed contacts");
        document.matrices(vec![matrix("D", &state.delassus)]);
    }
    state.warnings.iter().for_each(|w| document.warning(w.clone()));
    document
}

fn state_fields(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Vec<(String, String, String)> {
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

fn contact_document(
    name: &str,
    contact: &ContactOutcome,
    closed: bool,
    units: Option<&ContactUnitsOutcome>,
) -> Document {
    let mut document = Document::new();
    document.heading(3, format!("Contact {name} ({})", if closed { "closed" } else { "open" }));
    document.matrices(contact_matrices(contact));
    let slip = contact.slip.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", ");
    let velocity = units.map(|u| u.velocity.as_str());
    let mut fields = vec![
        field("gap", contact.gap, "", units.map(|u| u.gap.as_str())),
        field("gap rate", contact.gap_rate, "", velocity),
        ("slip".to_string(), with_unit(slip, velocity), "tangential velocity".to_string()),
        field("friction", contact.friction.0.into(), "mu", None),
    ];
    fields.extend(local_fields(&contact.local, units));
    let mobility = units.map(|u| u.mobility.as_str());
    fields.push(field("p (current slip)", contact.p_slip, "undefined at rest", mobility));
    fields.push(field("mu_min", contact.mu_min, "least friction for p = 0 in this configuration", None));
    document.fields(fields);
    document
}

fn contact_matrices(contact: &ContactOutcome) -> Vec<Matrix> {
    let mut matrices = vec![row("W_N", &contact.normal_jacobian), matrix("W_T", &contact.tangent_jacobian)];
    if let LocalOutcome::Space { A, B, a, .. } = &contact.local {
        matrices.push(matrix("A", &[A[0].to_vec(), A[1].to_vec()]));
        matrices.push(row("B", B));
        matrices.push(row("a", a));
    }
    matrices
}

fn local_fields(local: &LocalOutcome, units: Option<&ContactUnitsOutcome>) -> Vec<(String, String, String)> {
    let mobility = units.map(|u| u.mobility.as_str());
    let acceleration = units.map(|u| u.acceleration.as_str());
    match local {
        LocalOutcome::Plane { A, B, C, a, b, p_plus, p_minus, k_plus, k_minus } => vec![
            field("A", *A, "slip acceleration per unit lambda_T", mobility),
            field("B", *B, "coupling of normal and tangent", mobility),
            field("C", *C, "gap acceleration per unit lambda_N", mobility),
            field("a", *a, "slip acceleration without contact force", acceleration),
            field("b", *b, "gap acceleration without contact force", acceleration),
            field("p+", *p_plus, "C - mu B", mobility),
            field("p-", *p_minus, "C + mu B", mobility),
            field("k+", *k_plus, "mu A - B", mobility),
            field("k-", *k_minus, "mu A + B", mobility),
        ],
        LocalOutcome::Space { C, b, forbidden, p_min, .. } => {
            let mut fields = vec![
                field("C", *C, "gap acceleration per unit lambda_N", mobility),
                field("b", *b, "gap acceleration without contact force", acceleration),
            ];
            fields.extend(direction_fields(forbidden, p_min, mobility));
            fields
        }
    }
}

fn field(label: &str, value: Quantity, remark: &str, unit: Option<&str>) -> (String, String, String) {
    (label.to_string(), with_unit(significant(value.shown), unit), remark.to_string())
}

fn plain(values: &[Quantity]) -> Vec<f64> {
    values.iter().map(|x| x.shown).collect()
}

fn row(name: &str, values: &[Quantity]) -> Matrix {
    Matrix { name: name.to_string(), rows: vec![plain(values)] }
}

fn matrix(name: &str, rows: &[Vec<Quantity>]) -> Matrix {
    Matrix { name: name.to_string(), rows: rows.iter().map(|r| plain(r)).collect() }
}
