//! Rest on several contacts: whether it is possible, whether it must be, and the forces that hold it.

use super::standing::{lyapunov_document, lyapunov_field, robustness_document};
use super::units::{Field, field};
use crate::analysis::several::{ForcePair, RestBy, RestOutcome, StandingOutcome};
use crate::analysis::{ByName, UnitsOutcome};
use crate::equilibrium::Condition;
use crate::report::document::{Cell, Document, Table};
use crate::report::number::beside;

/// Corners of a set of forces up to which they are told.
const TOLD: usize = 16;

/// Weak and strong stability, and in the plane the forces that hold an equilibrium, and what it stands.
pub(super) fn rest_document(rest: &RestOutcome, units: Option<&UnitsOutcome>) -> Document {
    let mut document = Document::new();
    document.paragraph(standing_words(rest.weak, rest.strong, &rest.ambiguous_with));
    let others = rest.ambiguous_with.join(" or ");
    let Some(standing) = &rest.standing else {
        document.fields(fields_in_space(rest, &others));
        return document;
    };
    document.fields(vec![
        field("weakly stable", condition_word(rest.weak), "sticking is consistent (Pang, Trinkle)"),
        field("strongly stable", condition_word(rest.strong), "and no other mode is"),
        field("ambiguous with", if others.is_empty() { "no" } else { &others }, "other consistent modes"),
        field(
            "freedom of the forces",
            standing.dimension.to_string(),
            "dimension of the set that balances the load",
        ),
        lyapunov_field(&standing.lyapunov),
    ]);
    document.append(lyapunov_document(&standing.lyapunov));
    if let Some(robustness) = &standing.robustness {
        document.append(robustness_document(robustness, units));
    }
    add_forces(&mut document, standing);
    document
}

fn fields_in_space(rest: &RestOutcome, others: &str) -> Vec<Field> {
    let proof = match (rest.strong, rest.by.flatten()) {
        (_, Some(RestBy::NormalForces)) => "nothing else can happen: normal forces alone hold it",
        (_, Some(RestBy::Refutation)) => "nothing else can happen: every motion that leaves it is refuted",
        (_, Some(RestBy::Enumeration)) => "nothing else can happen: every combination of modes is decided",
        (Condition::Fails, None) => "something else can happen",
        (_, None) => "whether something else can happen is not decided",
    };
    let mut fields = vec![
        field("weakly stable", condition_word(rest.weak), "forces in the cones hold it (Pang, Trinkle)"),
        field("strongly stable", condition_word(rest.strong), proof),
    ];
    if !others.is_empty() {
        fields.push(field("ambiguous with", others, "other consistent modes"));
    }
    fields
}

pub(super) fn condition_word(condition: Condition) -> &'static str {
    match condition {
        Condition::Holds => "holds",
        Condition::Fails => "fails",
        Condition::Marginal => "marginal",
        Condition::Unknown => "unknown",
    }
}

/// Whether a state must rest, may rest, or cannot.
fn standing_words(weak: Condition, strong: Condition, others: &[String]) -> String {
    match (weak, strong) {
        (Condition::Fails, _) => "No forces inside the friction cones hold it at rest.".to_string(),
        (_, Condition::Holds) => "It rests, and nothing else can happen.".to_string(),
        (Condition::Holds, Condition::Fails) => {
            format!("It can rest, but need not: {} satisfies the contact laws too.", others.join(" or "))
        }
        _ => "Whether it rests, or must, is not decided.".to_string(),
    }
}

/// The forces that hold an equilibrium, if there are few corners.
fn add_forces(document: &mut Document, standing: &StandingOutcome) {
    let corners = standing.force_corners.as_deref().unwrap_or_default();
    let rays = standing.force_rays.as_deref().unwrap_or_default();
    if standing.dimension > 0 && (1..=TOLD).contains(&corners.len()) {
        document.paragraph("Forces inside the friction cones that hold it: the hull of these points");
        document.table(corner_table(corners));
        if !rays.is_empty() {
            document.paragraph("and, without end, of these directions");
            document.table(corner_table(rays));
        }
    }
}

fn corner_table(corners: &[ByName<ForcePair>]) -> Table {
    let header = corners
        .iter()
        .take(1)
        .flat_map(|corner| &corner.0)
        .flat_map(|(name, _)| [format!("{name}: lambda_N"), "lambda_T".to_string()]);
    let pair = |(_, force): &(String, ForcePair)| [force.normal.0, force.tangential.0];
    let row = |corner: &ByName<ForcePair>| {
        let all: Vec<f64> = corner.0.iter().flat_map(pair).collect();
        all.iter().map(|&x| Cell::Number(beside(x, all.iter().copied()))).collect()
    };
    Table { header: header.collect(), rows: corners.iter().map(row).collect() }
}
