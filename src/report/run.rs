//! A run of a scene as a report.

use super::document::Document;
use crate::scene::RunSummary;

/// What is told of a run at its end.
pub fn run_document(summary: &RunSummary) -> Document {
    let mut document = Document::new();
    let RunSummary { scene, bodies, step, steps, of, status, .. } = summary;
    document.heading(1, format!("{scene}: {bodies} bodies, {steps} of {of} steps of {step} s"));
    let [mean, most, last] = summary.contacts;
    let [kinetic, potential] = summary.energy;
    let row = |label: &str, value: String, remark: &str| (label.to_owned(), value, remark.to_owned());
    let mut fields = vec![row("status", status.word().to_owned(), "")];
    if summary.taken > 0 {
        fields.extend([
            row("contacts a step", format!("{mean:.1}"), &format!("at most {most}, {last} at the end")),
            row(
                "time a step",
                format!("{:.3} ms", summary.time_ms),
                &format!("{:.1} iterations", summary.iterations),
            ),
            row(
                "largest residual",
                format!("{:.2e}", summary.residual),
                &format!("{} steps not to the tolerance", summary.unsolved),
            ),
            row(
                "deepest overlap",
                format!("{:.3e} m", summary.penetration),
                &format!("where contacts are looked for; {:.1e} m at the end", summary.penetration_at_end),
            ),
        ]);
    }
    fields.extend([
        row("kinetic energy", format!("{kinetic:.6e} J"), "at the end"),
        row("potential energy", format!("{potential:.6e} J"), "at the end"),
    ]);
    document.fields(fields);
    if summary.taken == 0 {
        document.paragraph("No step was taken.");
    }
    if let Some(reason) = summary.existence {
        document.paragraph(format!("Existence needs no computing here: {reason} [AC11 4.5.4]."));
    }
    if let Some(proofs) = &summary.proofs {
        let all = proofs.reason + proofs.certified + proofs.impossible + proofs.open;
        document.paragraph(format!(
            "Of {all} steps {} have a solution by a reason that needs no computing, {} by a certificate of (4.39) or stronger, {} have none, \
             and of {} nothing is proven [AC11 4.5.4, 4.6].",
            proofs.reason, proofs.certified, proofs.impossible, proofs.open
        ));
        if let Some(step) = proofs.first_impossible {
            document.warning(format!(
                "step {step} has no solution, which is proven: what follows it means nothing"
            ));
        }
    }
    if let Some(fast) = &summary.fast {
        document.warning(format!(
            "{} moved {:.3e} m in step {}, farther than from its centre to its surface ({:.3e} m): bodies may have passed through each other \
             or through walls; take a shorter step",
            fast.body, fast.moved, fast.step, fast.core
        ));
    }
    document
}
