//! An analysis as a report: per state the equations of motion as numbers, then each contact.

use super::critical::critical_document;
use super::document::{Document, Matrix};
use super::next_step::next_step_document;
use super::number::significant;
use super::space::{direction_fields, outlook_document};
use crate::analysis::{
    Analysis, ByName, ContactOutcome, LocalOutcome, Number, Quantity, StateAnswer, StateFailure, StateOutcome,
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
    if !analysis.critical_friction.is_empty() {
        document.append(critical_document(analysis));
    }
    for answer in &analysis.states {
        document.append(match answer {
            StateAnswer::Outcome(state) => state_document(state),
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

fn state_document(state: &StateOutcome) -> Document {
    let mut document = Document::new();
    document.heading(2, format!("State {}", state.state));
    if let Some(description) = &state.description {
        document.paragraph(description.trim());
    }
    document.fields(state_fields(state));
    document.heading(3, "Equations of motion: M v' + h = W_N^T lambda_N + W_T^T lambda_T");
    document.matrices(vec![matrix("M", &state.model.mass_matrix), row("h", &state.model.bias_force)]);
    document.fields(vec![
        field("kinetic energy", state.model.kinetic_energy, ""),
        field("potential energy", state.model.potential_energy, ""),
    ]);
    for (name, contact) in &state.contacts.0 {
        document.append(contact_document(name, contact, state.closed.contains(name)));
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

fn state_fields(state: &StateOutcome) -> Vec<(String, String, String)> {
    let closed = if state.closed.is_empty() { "none".to_string() } else { state.closed.join(", ") };
    let words = |label: &str, text: String| (label.to_string(), text, String::new());
    let mut fields = vec![words("q", assignments(&state.q)), words("v", assignments(&state.v))];
    if state.t.0 != 0.0 {
        fields.insert(0, words("t", significant(state.t.0)));
    }
    if !state.parameters.0.is_empty() {
        fields.push(words("parameters", assignments(&state.parameters)));
    }
    fields.push(words("closed contacts", closed));
    fields
}

fn assignments(values: &ByName<Number>) -> String {
    values.0.iter().map(|(name, x)| format!("{name} = {}", significant(x.0))).collect::<Vec<_>>().join(", ")
}

fn contact_document(name: &str, contact: &ContactOutcome, closed: bool) -> Document {
    let mut document = Document::new();
    document.heading(3, format!("Contact {name} ({})", if closed { "closed" } else { "open" }));
    document.matrices(contact_matrices(contact));
    let slip = contact.slip.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", ");
    let mut fields = vec![
        field("gap", contact.gap, ""),
        field("gap rate", contact.gap_rate, ""),
        ("slip".to_string(), slip, "tangential velocity".to_string()),
        field("friction", contact.friction.0.into(), "mu"),
    ];
    fields.extend(local_fields(&contact.local));
    fields.push(field("p (current slip)", contact.p_slip, "undefined at rest"));
    fields.push(field("mu_min", contact.mu_min, "least friction for p = 0 in this configuration"));
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

fn local_fields(local: &LocalOutcome) -> Vec<(String, String, String)> {
    match local {
        LocalOutcome::Plane { A, B, C, a, b, p_plus, p_minus, k_plus, k_minus } => vec![
            field("A", *A, "slip acceleration per unit lambda_T"),
            field("B", *B, "coupling of normal and tangent"),
            field("C", *C, "gap acceleration per unit lambda_N"),
            field("a", *a, "slip acceleration without contact force"),
            field("b", *b, "gap acceleration without contact force"),
            field("p+", *p_plus, "C - mu B"),
            field("p-", *p_minus, "C + mu B"),
            field("k+", *k_plus, "mu A - B"),
            field("k-", *k_minus, "mu A + B"),
        ],
        LocalOutcome::Space { C, b, forbidden, p_min, .. } => {
            let mut fields = vec![
                field("C", *C, "gap acceleration per unit lambda_N"),
                field("b", *b, "gap acceleration without contact force"),
            ];
            fields.extend(direction_fields(forbidden, p_min));
            fields
        }
    }
}

fn field(label: &str, value: Quantity, remark: &str) -> (String, String, String) {
    (label.to_string(), significant(value.shown), remark.to_string())
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
