//! A study of orders of accuracy as a report.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::simulate::converge::{Convergence, Errors, ReferenceKind, Run, SchemeStudy, Unfinished};

/// A report of errors and their slopes.
pub fn convergence_document(study: &Convergence) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{}: orders of accuracy from {}", study.mechanism, study.state));
    let kind = match study.reference.kind {
        ReferenceKind::Exact => "closed forms between located impacts, good to",
        ReferenceKind::Converged => "a converged motion, whose own error is estimated as",
    };
    document.paragraph(format!(
        "To t = {}. Errors are against {kind} {}. h is the step, of schemes with steps of their own its mean.",
        significant(study.t_end.0),
        significant(study.reference.error.0)
    ));
    if let Some(Unfinished { schemes, of }) = study.interrupted {
        document.warning(format!("Interrupted: {schemes} of {of} schemes are done."));
    }
    study.warnings.iter().for_each(|warning| document.warning(warning.clone()));
    document.heading(2, "Fitted slopes");
    document.table(slopes(study));
    document.paragraph(
        "Distances of filled-in graphs (H), grid norms (L1, L2) and largest errors on the grid (max), of positions and \
         velocities, over h in logarithms; errors that the reference hides are left out.",
    );
    document.heading(2, "Errors");
    document.table(errors(study));
    for scheme in &study.studies {
        for (parameter, reason) in &scheme.failed {
            let h = significant(parameter.0);
            document.warning(format!("{} did not reach the end at {h}: {reason}", scheme.scheme));
        }
    }
    document
}

fn norms(errors: &Errors) -> [f64; 4] {
    [errors.hausdorff.0, errors.l1.0, errors.l2.0, errors.uniform.0]
}

fn slopes(study: &Convergence) -> Table {
    let header = ["scheme", "order", "q: H", "L1", "L2", "max", "v: H", "L1", "L2", "max"];
    let row = |scheme: &SchemeStudy| {
        // two decimals are what a fit is good for
        let cell = |x: f64| {
            Cell::Text(if x.is_nan() { "-".to_string() } else { format!("{x:.2}").replace("-0.00", "0.00") })
        };
        let both = norms(&scheme.slopes.q).into_iter().chain(norms(&scheme.slopes.v)).map(cell);
        [Cell::Text(scheme.scheme.clone()), Cell::Number(f64::from(scheme.order))]
            .into_iter()
            .chain(both)
            .collect()
    };
    Table { header: header.map(String::from).to_vec(), rows: study.studies.iter().map(row).collect() }
}

fn errors(study: &Convergence) -> Table {
    let header = ["scheme", "h", "q: H", "L1", "L2", "max", "v: H", "L1", "L2", "max", "evaluations"];
    let row = |scheme: &SchemeStudy, run: &Run| {
        let both = norms(&run.errors.q).into_iter().chain(norms(&run.errors.v));
        let cell = |x: f64| Cell::Text(if x.is_finite() { format!("{x:.2e}") } else { significant(x) });
        let h = Cell::Text(rounded(run.h.0));
        [Cell::Text(scheme.scheme.clone()), h]
            .into_iter()
            .chain(both.map(cell))
            .chain([Cell::Number(run.evaluations as f64)])
            .collect::<Vec<_>>()
    };
    let rows = study.studies.iter().flat_map(|scheme| scheme.runs.iter().map(move |run| row(scheme, run)));
    Table { header: header.map(String::from).to_vec(), rows: rows.collect() }
}

/// A step with four digits.
fn rounded(h: f64) -> String {
    significant(format!("{h:.3e}").parse().unwrap_or(h))
}
