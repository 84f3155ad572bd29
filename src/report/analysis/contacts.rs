//! The contacts of a state in numbers: a line each, then everything about each.

use super::space::direction_fields;
use super::units::{Field, field, with_unit};
use crate::analysis::{
    ContactOutcome, ContactUnitsOutcome, LocalOutcome, Quantity, StateOutcome, UnitsOutcome,
};
use crate::report::document::{Cell, Document, Matrix, Table};
use crate::report::number::{beside, significant};

/// A line a contact: how it moves, what the free motion does, and how far p is from 0.
pub(super) fn contact_table(state: &StateOutcome, units: Option<&UnitsOutcome>) -> Table {
    let is_plane = state.contacts.0.iter().all(|(_, c)| matches!(c.local, LocalOutcome::Plane { .. }));
    let gains: &[&str] = if is_plane { &["p+", "p-"] } else { &["p_min"] };
    let header = [&["contact", "", "gap", "gap rate", "slip", "mu", "b"], gains, &["mu_min"]].concat();
    let rows = state.contacts.0.iter().map(|(name, contact)| {
        let units = units.and_then(|units| units.contacts.get(name));
        let closed = if state.closed.contains(name) { "closed" } else { "open" };
        let shown = |x: Quantity, unit: Option<&String>| {
            Cell::Text(with_unit(significant(x.shown), unit.map(String::as_str)))
        };
        let velocity = units.map(|u| &u.velocity);
        let slip = contact.slip.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", ");
        let (b, gains) = match &contact.local {
            LocalOutcome::Plane { b, p_plus, p_minus, .. } => (*b, vec![*p_plus, *p_minus]),
            LocalOutcome::Space { b, p_min, .. } => (*b, vec![p_min.value]),
        };
        let mut cells = vec![
            Cell::Text(name.clone()),
            Cell::Text(closed.to_string()),
            shown(contact.gap, units.map(|u| &u.gap)),
            shown(contact.gap_rate, velocity),
            Cell::Text(with_unit(slip, velocity.map(String::as_str))),
            Cell::Text(significant(contact.friction.0)),
            shown(b, units.map(|u| &u.acceleration)),
        ];
        cells.extend(gains.into_iter().map(|p| shown(p, units.map(|u| &u.mobility))));
        cells.push(shown(contact.mu_min, None));
        cells
    });
    Table { header: header.into_iter().map(String::from).collect(), rows: rows.collect() }
}

/// From which friction on slip is paradoxical, contact by contact.
pub(super) fn contact_words(state: &StateOutcome) -> String {
    let one = |(name, contact): &(String, ContactOutcome)| match contact.mu_min.shown {
        mu if mu.is_nan() => format!("at {name} no friction makes p negative"),
        mu => format!("at {name} some slip has p < 0 if mu > {}", significant(mu)),
    };
    let words = state.contacts.0.iter().map(one).collect::<Vec<_>>().join("; ");
    format!("In this configuration: {words}.")
}

/// Everything about each contact, under its title.
pub(super) fn contact_documents(
    state: &StateOutcome,
    units: Option<&UnitsOutcome>,
) -> Vec<(String, Document)> {
    let one = |(name, contact): &(String, ContactOutcome)| {
        let units = units.and_then(|units| units.contacts.get(name));
        let closed = if state.closed.contains(name) { "closed" } else { "open" };
        (format!("Contact {name} ({closed})"), contact_document(contact, units))
    };
    state.contacts.0.iter().map(one).collect()
}

/// W M⁻¹ Wᵀ of the closed contacts.
pub(super) fn delassus_document(state: &StateOutcome) -> Document {
    let mut document = Document::new();
    document.paragraph(match state.closed.as_slice() {
        [only] => own_words(only, &state.delassus),
        _ => coupling_words(state),
    });
    document.matrices(vec![matrix("D", &state.delassus)]);
    document
}

/// What the normal force of a contact does there, where it is the only one: D_NN, and D_TN = D_NT.
fn own_words(contact: &str, delassus: &[Vec<Quantity>]) -> String {
    let Some((gap, slips)) = delassus.first().and_then(|row| row.split_first()) else { return String::new() };
    let slip = match slips.iter().map(|slip| significant(slip.shown)).collect::<Vec<_>>().as_slice() {
        _ if slips.iter().all(|slip| slip.shown.abs() <= 0.0) => "makes nothing slip there".to_string(),
        [one] => format!("changes its slip with {one}"),
        several => format!("changes its slip with ({})", several.join(", ")),
    };
    let gap = significant(gap.shown);
    format!("A unit of normal force at {contact} opens its gap with an acceleration of {gap} and {slip}.")
}

/// How much the normal force of one contact moves the gap of another, of those that are coupled most.
fn coupling_words(state: &StateOutcome) -> String {
    let (closed, each) = (&state.closed, state.delassus.len() / state.closed.len().max(1));
    let gap = |i: usize, j: usize| state.delassus[i * each][j * each].shown;
    let share = |i: usize, j: usize| gap(i, j).abs() / (gap(i, i) * gap(j, j)).sqrt();
    let pairs = (0..closed.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let most =
        pairs.filter(|&(i, j)| share(i, j) > 0.0).max_by(|a, b| share(a.0, a.1).total_cmp(&share(b.0, b.1)));
    let Some((i, j)) = most else {
        return "No normal force of a contact accelerates the gap of another.".to_string();
    };
    let way = if gap(i, j) > 0.0 { "opens" } else { "closes" };
    let tail = if closed.len() > 2 { ", the most coupled pair" } else { "" };
    format!(
        "A unit of normal force at {} opens its own gap with an acceleration of {} and {way} that of {} with {}{tail}.",
        closed[j],
        significant(gap(j, j)),
        closed[i],
        significant(gap(i, j).abs()),
    )
}

fn contact_document(contact: &ContactOutcome, units: Option<&ContactUnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.matrices(contact_matrices(contact));
    let slip = contact.slip.iter().map(|x| significant(x.shown)).collect::<Vec<_>>().join(", ");
    let velocity = units.map(|u| u.velocity.as_str());
    let mut fields = vec![
        number("gap", contact.gap, "", units.map(|u| u.gap.as_str())),
        number("gap rate", contact.gap_rate, "", velocity),
        field("slip", with_unit(slip, velocity), "tangential velocity"),
        number("friction", contact.friction.0.into(), "mu", None),
    ];
    fields.extend(local_fields(&contact.local, units));
    let mobility = units.map(|u| u.mobility.as_str());
    fields.push(number("p (current slip)", contact.p_slip, "undefined at rest", mobility));
    fields.push(number("mu_min", contact.mu_min, "least friction for p = 0 in this configuration", None));
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

fn local_fields(local: &LocalOutcome, units: Option<&ContactUnitsOutcome>) -> Vec<Field> {
    let mobility = units.map(|u| u.mobility.as_str());
    let acceleration = units.map(|u| u.acceleration.as_str());
    match local {
        LocalOutcome::Plane { A, B, C, a, b, p_plus, p_minus, k_plus, k_minus } => vec![
            number("A", *A, "slip acceleration per unit lambda_T", mobility),
            number("B", beside_others(*B, [*A, *C]), "coupling of normal and tangent", mobility),
            number("C", *C, "gap acceleration per unit lambda_N", mobility),
            number("a", beside_others(*a, [*b; 2]), "slip acceleration without contact force", acceleration),
            number("b", beside_others(*b, [*a; 2]), "gap acceleration without contact force", acceleration),
            number("p+", *p_plus, "C - mu B", mobility),
            number("p-", *p_minus, "C + mu B", mobility),
            number("k+", *k_plus, "mu A - B", mobility),
            number("k-", *k_minus, "mu A + B", mobility),
        ],
        LocalOutcome::Space { C, b, forbidden, p_min, .. } => {
            let mut fields = vec![
                number("C", *C, "gap acceleration per unit lambda_N", mobility),
                number("b", *b, "gap acceleration without contact force", acceleration),
            ];
            fields.extend(direction_fields(forbidden, p_min, mobility));
            fields
        }
    }
}

/// A labelled number with its unit.
pub(super) fn number(label: &str, value: Quantity, remark: &str, unit: Option<&str>) -> Field {
    field(label, with_unit(significant(value.shown), unit), remark)
}

/// A number as it reads beside others of its unit.
fn beside_others(x: Quantity, others: [Quantity; 2]) -> Quantity {
    Quantity { shown: beside(x.shown, others.map(|other| other.value)), ..x }
}

fn plain(values: &[Quantity]) -> Vec<f64> {
    values.iter().map(|x| x.shown).collect()
}

pub(super) fn row(name: &str, values: &[Quantity]) -> Matrix {
    Matrix { name: name.to_string(), rows: vec![plain(values)] }
}

pub(super) fn matrix(name: &str, rows: &[Vec<Quantity>]) -> Matrix {
    Matrix { name: name.to_string(), rows: rows.iter().map(|r| plain(r)).collect() }
}
