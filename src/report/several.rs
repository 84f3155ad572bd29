//! What several contacts can do next: the forces of each mode contact by contact, their ranges where they are not unique, and
//! why the other modes are none.

use super::document::{Cell, Document, Table};
use super::number::significant;
use super::prospect::{consistent, word};
use crate::analysis::Quantity;
use crate::analysis::planar::{ModeOutcome, Prospect, Stability};
use crate::num::Number;

/// Modes that are not consistent up to which each is told with its reason.
const TOLD: usize = 16;

/// The modes of several closed contacts.
pub(super) fn several_document(prospect: &Prospect) -> Document {
    let mut document = Document::new();
    let (possible, others): (Vec<_>, Vec<_>) =
        prospect.modes.iter().partition(|mode| mode.consistent || mode.marginal);
    document.paragraph(counts(prospect, possible.len()));
    if !possible.is_empty() {
        document.table(force_table(&possible));
    }
    for mode in &possible {
        document.paragraph(format!("{}: {}.", word(mode), mode.reason));
    }
    for mode in possible.iter().filter(|mode| mode.hyperstatic.is_some()) {
        document.paragraph(format!("Forces of {} are not unique; the range of each is", word(mode)));
        document.table(range_table(mode));
    }
    for mode in possible.iter().filter(|mode| mode.accelerations_range.is_some()) {
        document.paragraph(format!("The motion of {} depends on them; accelerations are within", word(mode)));
        document.table(acceleration_table(mode));
    }
    if others.len() <= TOLD {
        others.iter().for_each(|mode| document.paragraph(format!("{}: no; {}.", word(mode), mode.reason)));
    } else {
        document.paragraph(format!(
            "{} other modes are not consistent; the machine-readable report has the reason of each.",
            others.len()
        ));
    }
    document
}

fn counts(prospect: &Prospect, possible: usize) -> String {
    let examined = prospect.modes_examined.unwrap_or(0);
    let pruned = match prospect.modes_pruned {
        Some(0) => String::new(),
        Some(pruned) => format!(", {pruned} were excluded together with others"),
        None => ", all others were excluded together".to_string(),
    };
    format!(
        "Modes: {examined} were judged one by one{pruned}; {possible} satisfy the contact laws, equalities included."
    )
}

/// One row for each contact of a mode.
fn force_table(modes: &[&ModeOutcome]) -> Table {
    let header = [
        "mode",
        "consistent",
        "contact",
        "lambda_N",
        "lambda_T",
        "slip acc.",
        "gap acc.",
        "normal stability",
    ];
    let rows = modes.iter().flat_map(|mode| {
        let contacts = mode.forces.0.iter().zip(&mode.accelerations.0).enumerate();
        contacts.map(|(i, ((name, force), (_, acceleration)))| {
            let first = |text: String| Cell::Text(if i == 0 { text } else { String::new() });
            let number = |x: Quantity| Cell::Number(x.shown);
            vec![
                first(word(mode)),
                first(consistent(mode).to_string()),
                Cell::Text(name.clone()),
                number(force.normal),
                number(force.tangential.first().copied().unwrap_or(f64::NAN.into())),
                number(acceleration.u),
                number(acceleration.v),
                first(mode.normal_stability.map_or("-", Stability::name).to_string()),
            ]
        })
    });
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn range_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "lambda_N from", "to", "lambda_T from", "to"];
    let ranges = mode.hyperstatic.iter().flat_map(|ranges| &ranges.0);
    let rows = ranges.map(|(name, range)| row(name, [range.normal, range.tangential]));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn acceleration_table(mode: &ModeOutcome) -> Table {
    let header = ["contact", "slip acc. from", "to", "gap acc. from", "to"];
    let ranges = mode.accelerations_range.iter().flat_map(|ranges| &ranges.0);
    let rows = ranges.map(|(name, range)| row(name, [range.u, range.v]));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

fn row(name: &str, ranges: [[Number; 2]; 2]) -> Vec<Cell> {
    let ends = ranges.into_iter().flatten().map(|x| Cell::Text(significant(x.0)));
    std::iter::once(Cell::Text(name.to_string())).chain(ends).collect()
}
