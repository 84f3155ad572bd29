//! The next time step of a state as a section of a report: what is proven, and the solutions.

use crate::analysis::{ByName, NextStep, Number, StepContact, StepFamily, StepSolution};
use crate::answer::Answer;
use crate::existence::Conclusion;
use crate::report::document::{Cell, Depth, Document, Table};
use crate::report::number::{beside, significant};
use crate::report::solution::{conclusion, existence_fields};

/// The sections of a state: what is proven in a sentence, then everything; without closed contacts there is nothing to say.
pub(super) fn next_step_document(document: &mut Document, next: &NextStep) {
    if next.solution.contacts.is_empty() {
        return;
    }
    let refuted = next.solution.status == Answer::NoSolution;
    let mut proven = Document::new();
    proven.paragraph(format!(
        "One step of Moreau's scheme with inelastic impacts, as an incremental problem: {}.{}",
        match next.existence.conclusion {
            Conclusion::Impossible => conclusion(next.existence.conclusion),
            _ if refuted => "no solution exists",
            Conclusion::Stable | Conclusion::Exists | Conclusion::Open =>
                conclusion(next.existence.conclusion),
        },
        count_words(next)
    ));
    let title = format!("The next time step, h = {} s", significant(next.h.0));
    let mut details = Document::new();
    details.fields(existence_fields(&next.existence));
    match &next.solutions {
        Some(solutions) => listed(&mut details, solutions, next.complete == Some(true)),
        None => found(&mut details, next),
    }
    proven.section("step", Depth::Full, "Certificates and solutions", details);
    document.section("step", Depth::Usual, title, proven);
}

/// How many solutions there are, where all are known.
fn count_words(next: &NextStep) -> String {
    match (&next.solutions, next.complete) {
        (Some(solutions), Some(true)) => match &solutions[..] {
            [only] if only.dimension == Some(0) && !only.border => " It is the only one.".to_string(),
            [] | [_] => String::new(),
            several => format!(" There are {}.", several.len()),
        },
        _ => String::new(),
    }
}

/// All solutions of a planar problem.
fn listed(document: &mut Document, solutions: &[StepFamily], complete: bool) {
    let count = match (solutions, complete) {
        ([], true) => {
            "There is no solution: every combination of contact modes is refuted, which was checked in exact arithmetic."
        }
        ([family], true) if family.border => {
            "One solution within the tolerance; the numbers exactly as they stand have none:"
        }
        ([family], true) if family.dimension == Some(0) => "Exactly one solution:",
        ([family], true) if family.motion_dimension == Some(0) => {
            "Exactly one motion, with impulses that are not unique:"
        }
        ([_], true) => "One connected set of solutions:",
        (_, true) => "All solutions:",
        (_, false) => "Solutions found before the search was cut short:",
    };
    document.paragraph(count);
    if !solutions.is_empty() {
        let rows = solutions.iter().enumerate().flat_map(|(i, family)| {
            let freedom = freedom(family);
            let cells = contact_rows(&family.contacts);
            cells
                .into_iter()
                .map(move |row| [vec![count_cell(i + 1)], row, vec![Cell::Text(freedom.clone())]].concat())
        });
        let header = [&["solution"], &COLUMNS[..], &["impulses"]].concat();
        document
            .table(Table { header: header.into_iter().map(String::from).collect(), rows: rows.collect() });
    }
}

/// How far the impulses of a family are determined.
fn freedom(family: &StepFamily) -> String {
    match (family.dimension, family.motion_dimension) {
        (None, _) | (_, None) => "a border case".to_string(),
        (Some(0), _) => "unique".to_string(),
        (Some(d), Some(0)) => {
            format!("not unique: {d} dimension(s), {} vertices, {} rays", family.vertices, family.rays)
        }
        (Some(d), Some(m)) => {
            format!("{d} dimension(s), motion {m}, {} vertices, {} rays", family.vertices, family.rays)
        }
    }
}

/// The best point, where all solutions cannot be listed.
fn found(document: &mut Document, next: &NextStep) {
    let solution = &next.solution;
    let residual = format!("residual {} ({})", significant(solution.residual.0), solution.solver);
    document.paragraph(match solution.status {
        Answer::NoSolution => format!(
            "There is no solution: some contact must be penetrated, whatever the forces (certified). Best point found, not a \
             solution, {residual}:"
        ),
        status => format!("Best point: {}, {residual}.", status.word().replace('_', " ")),
    });
    document
        .table(Table { header: COLUMNS.map(String::from).to_vec(), rows: contact_rows(&by_law(solution)) });
}

/// The contacts of a solution, whose velocities are zero where the law of what they do makes them so: what is left there is the residual,
/// which is told beside.
fn by_law(solution: &StepSolution) -> ByName<StepContact> {
    let mut contacts = solution.contacts.clone();
    if solution.status == Answer::Solved {
        for (_, contact) in &mut contacts.0 {
            let zeros = match &*contact.status {
                "stick" => contact.u.len(),
                "slip" => 1,
                _ => 0,
            };
            contact.u[..zeros].fill(Number(0.0));
        }
    }
    contacts
}

const COLUMNS: [&str; 4] = ["contact", "motion", "velocity N, T", "impulse N, T"];

fn contact_rows(contacts: &ByName<StepContact>) -> Vec<Vec<Cell>> {
    let all = |of: fn(&StepContact) -> &Vec<Number>| {
        contacts.0.iter().flat_map(|(_, contact)| of(contact)).map(|x| x.0).collect::<Vec<f64>>()
    };
    let (velocities, impulses) = (all(|contact| &contact.u), all(|contact| &contact.r));
    let row = |(name, contact): &(String, StepContact)| {
        let (u, r) = (list(&contact.u, &velocities), list(&contact.r, &impulses));
        let words = [name.clone(), contact.status.to_string(), u, r];
        words.into_iter().map(Cell::Text).collect()
    };
    contacts.0.iter().map(row).collect()
}

fn count_cell(n: usize) -> Cell {
    Cell::Text(n.to_string())
}

fn list(values: &[Number], others: &[f64]) -> String {
    values.iter().map(|x| significant(beside(x.0, others.iter().copied()))).collect::<Vec<_>>().join(", ")
}
