//! A study of ε → 0 as a report.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::simulate::compliant::{Series, Study};

/// A report of what follows a state of a mechanism as its contacts become rigid.
pub fn study_document(mechanism: &str, state: &str, (study, warnings): (&Study, &[String])) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{mechanism}: what follows {state} as contacts become rigid"));
    document.paragraph(if study.uniformly_resolvable {
        format!(
            "Every stiffness, damping and start that was tried gives the same outcome, {}: uniformly resolvable, as far as tried.",
            study.outcomes.join(", ")
        )
    } else {
        format!(
            "The outcome depends on the compliance or the start, or is not decided by these runs: {}.",
            study.outcomes.join(", ")
        )
    });
    warnings.iter().for_each(|warning| document.warning(warning.clone()));
    let header =
        ["stiffness", "damping", "start (Y, V)", "outcome", "modes", "steps"].map(String::from).to_vec();
    document.table(Table { header, rows: study.series.iter().map(row).collect() });
    document
}

fn row(series: &Series) -> Vec<Cell> {
    let list = |pick: fn(&crate::contact::Compliance) -> f64| {
        series.compliance.iter().map(|c| significant(pick(c))).collect::<Vec<_>>().join(", ")
    };
    let starts: Vec<String> = series
        .starts
        .iter()
        .map(|start| format!("({}, {})", significant(start.Y), significant(start.V)))
        .collect();
    let runs = |pick: fn(&crate::simulate::compliant::SeriesRun) -> String| {
        series.runs.iter().map(pick).collect::<Vec<_>>().join(" / ")
    };
    vec![
        Cell::Text(list(|c| c.stiffness)),
        Cell::Text(list(|c| c.damping)),
        Cell::Text(if starts.is_empty() { "(0, 0)".to_string() } else { starts.join(" ") }),
        Cell::Text(series.outcome.clone()),
        Cell::Text(runs(|run| run.mode.clone())),
        Cell::Text(runs(|run| run.steps.to_string())),
    ]
}
