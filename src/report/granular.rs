//! The study of beads in a box as a report.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::scene::granular::{FrictionLog, GranularOutcome, GranularRun};

/// The paper's table with ours beside it, times over contacts, and the fixed point for one friction after the other.
pub fn granular_document(study: &GranularOutcome) -> Document {
    let mut document = Document::new();
    document.heading(1, "Beads that fall into a box [ACLM11 6]");
    if let Some(run) = study.runs.first() {
        let beads = &run.beads;
        document.paragraph(format!(
            "Friction {}, restitution {}, steps of {} s, as printed. Radius {} m, mass {} kg and the square box, whose side is one diameter \
             times the root of the number of beads, are ours: the paper prints none of them.",
            beads.friction, beads.restitution, beads.step, beads.radius, beads.mass
        ));
        table(&mut document, study);
        over_contacts(&mut document, study);
    }
    friction(&mut document, study);
    if !study.complete {
        document.warning("interrupted: what was asked for is not all there");
    }
    document
}

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn words(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn number(x: f64, digits: usize) -> Cell {
    Cell::Number(format!("{x:.digits$}").parse().unwrap_or(x))
}

fn optional(x: Option<f64>) -> Cell {
    x.map_or_else(|| words("-"), |x| number(x, 1))
}

fn table(document: &mut Document, study: &GranularOutcome) {
    document.heading(2, "Table 1");
    let names = [
        "beads",
        "solved by",
        "steps",
        "contacts a step",
        "programs a step",
        "ms a step",
        "not met",
        "backward error",
    ];
    let mut rows = Vec::new();
    let mut last = 0;
    for run in &study.runs {
        if run.beads.beads != last {
            last = run.beads.beads;
            for row in study.printed.iter().filter(|row| row.beads == last) {
                rows.push(vec![
                    Cell::Number(last as f64),
                    words(format!("printed: {}", row.method)),
                    Cell::Number(row.steps as f64),
                    Cell::Number(row.contacts),
                    Cell::Number(row.programs),
                    Cell::Number(row.time_ms),
                    words("-"),
                    words("-"),
                ]);
            }
        }
        rows.push(vec![
            Cell::Number(last as f64),
            words(run.words),
            Cell::Number(run.steps.len() as f64),
            number(run.contacts, 1),
            optional(run.programs),
            number(run.time_ms, 3),
            optional(run.unmet.map(|unmet| unmet as f64)),
            words(format!("{:.1e}", run.backward_error)),
        ]);
    }
    document.table(Table { header: header(&names), rows });
    document.paragraph(
        "Programs are the convex ones of the fixed point, a step that has contacts. Not met: steps at whose end ‖F(s) − s‖ / (‖s‖ + 1) was \
         above 0.01 after 20 of them. This is the paper's criterion (6.1), which depends on units, without the factor 1/n that is printed \
         before it: with it one program suffices nearly always. The backward error of Coulomb's law has no units: the median of the steps; \
         four facets solve another law. Times are those of one thread's work, contacts and problem included; printed times are those of the authors' machine.",
    );
}

/// Bands of contacts.
const BANDS: usize = 5;

fn over_contacts(document: &mut Document, study: &GranularOutcome) {
    let Some(most) = study.runs.iter().map(|run| run.beads.beads).max() else { return };
    let runs: Vec<&GranularRun> = study.runs.iter().filter(|run| run.beads.beads == most).collect();
    let largest = runs.iter().flat_map(|run| &run.steps).map(|step| step.contacts).max().unwrap_or(0);
    if largest < BANDS {
        return;
    }
    document.heading(2, "Time a step over contacts (Fig. 8)");
    let mut names = vec!["contacts".to_owned()];
    names.extend(runs.iter().map(|run| format!("{}, ms", run.words)));
    let row = |band: usize| {
        let ends = [band, band + 1].map(|k| k * largest / BANDS);
        let cell = |run: &&GranularRun| {
            let within = run.steps.iter().filter(|step| step.contacts > ends[0] && step.contacts <= ends[1]);
            let times: Vec<f64> = within.map(|step| step.time_ms).collect();
            if times.is_empty() {
                return words("-");
            }
            number(times.iter().sum::<f64>() / times.len() as f64, 2)
        };
        let mut row = vec![words(format!("{} to {}", ends[0] + 1, ends[1]))];
        row.extend(runs.iter().map(cell));
        row
    };
    document.table(Table { header: names, rows: (0..BANDS).map(row).collect() });
    document.paragraph(format!("{most} beads; warm: every step begins at the forces of the one before."));
}

fn friction(document: &mut Document, study: &GranularOutcome) {
    let Some(friction) = study.friction.as_ref().filter(|friction| !friction.logs.is_empty()) else { return };
    document.heading(2, "The fixed point and friction (Fig. 9)");
    let names = ["friction", "step", "contacts", "programs", "first", "last", "factor a program"];
    let row = |log: &FrictionLog| {
        let [first, last] = [log.criteria.first(), log.criteria.last()].map(|x| x.copied().unwrap_or(0.0));
        let programs =
            log.programs.map_or_else(|| format!("> {}", log.criteria.len()), |programs| programs.to_string());
        vec![
            Cell::Number(log.friction),
            Cell::Number(log.step as f64),
            Cell::Number(log.contacts as f64),
            words(programs),
            words(format!("{first:.1e}")),
            words(format!("{last:.1e}")),
            log.rate().map_or_else(|| words("-"), |rate| number(rate, 2)),
        ]
    };
    document.table(Table { header: header(&names), rows: friction.logs.iter().map(row).collect() });
    document.paragraph(format!(
        "{} beads, the first step with {} contacts or the last: convex programs, by projected gradient, until ‖F(s) − s‖ / (‖s‖ + 1) is at most {}; its first and last \
         values.",
        friction.beads,
        friction.contacts,
        significant(friction.epsilon)
    ));
}
