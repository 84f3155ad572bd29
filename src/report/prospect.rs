//! What can happen next at one contact, as a section of a report; and the survey's tables.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::analysis::{self, ImpactOutcome, ModeOutcome, Number, Prospect, VelocityOutcome, Verdict};

/// The section of a state; empty where no single contact decides.
pub(super) fn prospect_document(prospect: &Prospect) -> Document {
    let mut document = Document::new();
    if prospect.verdict.is_none() && prospect.modes.is_empty() {
        return document;
    }
    document.heading(3, "What can happen next");
    document.paragraph(sentence(prospect));
    if !prospect.modes.is_empty() {
        document.table(mode_table(&prospect.modes));
        prospect
            .modes
            .iter()
            .for_each(|mode| document.paragraph(format!("{}: {}.", word(mode), mode.reason)));
    }
    for (name, impact) in &prospect.impact.0 {
        document.append(impact_document(name, impact));
    }
    document
}

fn sentence(prospect: &Prospect) -> String {
    let verdict = match prospect.verdict {
        Some(Verdict::Consistent) => "consistent: exactly one motion is possible",
        Some(Verdict::Inconsistent) => {
            "inconsistent: no motion of the rigid mechanism satisfies the contact law"
        }
        Some(Verdict::Indeterminate) => "indeterminate: several motions satisfy the contact law",
        Some(Verdict::Marginal) => "marginal: the state lies on a boundary between different answers",
        None => "none: this is not a state of the rigid mechanism",
    };
    let cell = prospect.table.map(|c| format!(" (cell {}({}) of Tables 2 and 3)", c.column, c.row));
    let follows =
        if prospect.resolved.is_empty() { "nothing".to_string() } else { prospect.resolved.join(" or ") };
    format!(
        "Verdict: {verdict}{}. After normal stability and impact without collision: {follows}.",
        cell.unwrap_or_default()
    )
}

fn word(mode: &ModeOutcome) -> String {
    mode.mode.0.iter().map(|(_, m)| *m).collect::<Vec<_>>().join(", ")
}

fn mode_table(modes: &[ModeOutcome]) -> Table {
    let header = ["mode", "consistent", "lambda_N", "lambda_T", "slip acc.", "gap acc.", "normal stability"];
    Table { header: header.map(String::from).to_vec(), rows: modes.iter().map(mode_row).collect() }
}

fn mode_row(mode: &ModeOutcome) -> Vec<Cell> {
    let force = mode.forces.0.first().map(|(_, f)| f);
    let acceleration = mode.accelerations.0.first().map(|(_, a)| a);
    let number = |x: Option<Number>| Cell::Number(x.map_or(f64::NAN, |x| x.0));
    let consistent = match (mode.consistent, mode.marginal) {
        (_, true) => "marginal",
        (true, false) => "yes",
        (false, false) => "no",
    };
    vec![
        Cell::Text(word(mode)),
        Cell::Text(consistent.to_string()),
        number(force.map(|f| f.normal)),
        number(force.and_then(|f| f.tangential.first().copied())),
        number(acceleration.map(|a| a.u)),
        number(acceleration.map(|a| a.v)),
        Cell::Text(mode.normal_stability.unwrap_or("-").to_string()),
    ]
}

fn impact_document(name: &str, impact: &ImpactOutcome) -> Document {
    let mut document = Document::new();
    let law = format!("{} restitution, e = {}", impact.law, significant(impact.restitution.0));
    let velocity =
        |v: &VelocityOutcome| format!("slip {}, gap rate {}", significant(v.u.0), significant(v.v.0));
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    if let (Some(pre), Some(post), Some(impulse)) = (&impact.pre, &impact.post, &impact.impulse) {
        document.heading(3, format!("Impact at {name}: {law}"));
        document.fields(vec![
            field("before", velocity(pre), ""),
            field("after", velocity(post), ""),
            field(
                "impulse",
                format!("N {}, T {}", significant(impulse.normal.0), significant(impulse.tangential.0)),
                "",
            ),
            field("phases", impact.phases.join(", then "), ""),
            field("energy loss", significant(impact.energy_loss.0), ""),
            field(
                "region",
                impact.region.map_or("-".to_string(), |r| r.to_string()),
                "of Fig. 10 (reconstructed)",
            ),
        ]);
    }
    if let Some(post) = &impact.iwc_post {
        document.heading(3, format!("Impact without collision at {name}: {law}"));
        document.fields(vec![field("after", velocity(post), "")]);
    }
    document
}

/// A table of the survey.
pub fn survey_table_document(table: &analysis::Table) -> Document {
    let mut document = Document::new();
    document.heading(1, table.title);
    let cells = |row: &Vec<String>| row.iter().map(|c| Cell::Text(c.clone())).collect();
    document.table(Table { header: table.head.clone(), rows: table.rows.iter().map(cells).collect() });
    document
}
