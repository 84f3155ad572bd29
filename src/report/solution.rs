//! A solved incremental problem as a report, and as data.

mod all;
mod outcome;
mod words;

pub use outcome::{
    FacetedOutcome, FamilyOutcome, PointOutcome, SOLUTION_SCHEMA, SolutionOutcome, StepExistence,
};
pub use words::solution_warnings;

use super::document::{Cell, Document, Matrix, Table};
use super::number::significant;
use crate::answer::Answer;
use crate::coulomb::{Faceted, Form, Problem, Solution};
use crate::enumerate::Enumeration;
use crate::existence::{Conclusion, Examined, Existence, ExistenceOutcome, Refutation};
use crate::stepping::Step;
use words::proven;

/// A problem, its best point, and what is proven about it.
#[derive(Clone, Copy, Debug)]
pub struct SolvedView<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// How it ended.
    pub status: Answer,
    /// The best point.
    pub solution: &'a Solution,
    /// The law of a pyramid that the point was asked to solve instead of Coulomb's.
    pub faceted: Option<Faceted>,
    /// Time of the solver alone, in seconds; none on a machine without a clock.
    pub seconds: Option<f64>,
    /// What is proven about existence.
    pub existence: &'a Existence,
    /// The proof that there is no solution.
    pub refutation: Option<&'a Refutation>,
    /// All solutions, if they were asked for.
    pub enumeration: Option<&'a Enumeration>,
    /// The mechanism's step behind the problem, if there is one.
    pub step: Option<&'a Step>,
}

impl SolvedView<'_> {
    /// The names of a mechanism's contacts; empty for a problem given as numbers.
    fn labels(&self) -> &[String] {
        self.step.map_or(&[], |step| &step.labels)
    }

    /// What a contact is called: its name, or its number.
    fn label(&self, contact: usize) -> String {
        self.labels().get(contact).cloned().unwrap_or_else(|| contact.to_string())
    }
}

/// The status for people, who see at once that another law was solved.
fn status_words(view: &SolvedView<'_>) -> String {
    match view.faceted {
        Some(law) if law.is_solved() => format!("solved with {} facets", law.facets),
        _ => view.status.word().to_string(),
    }
}

fn faceted_words(law: Faceted) -> String {
    format!(
        "The point {} the law of a pyramid of {} facets inside the friction cone (residual {}), in which friction \
         depends on the direction. The residual above, and the status, are those of Coulomb's law.",
        if law.is_solved() { "solves" } else { "does not solve" },
        law.facets,
        significant(law.residual.relative)
    )
}

pub(super) fn conclusion(found: Conclusion) -> &'static str {
    match found {
        Conclusion::Stable => "a solution exists, and remains under small changes of the data",
        Conclusion::Exists => "a solution exists",
        Conclusion::Impossible => "no solution exists: penetration cannot be prevented",
        Conclusion::Open => "the assumptions do not say whether a solution exists",
    }
}

/// The report of one problem.
pub fn solution_document(view: &SolvedView<'_>) -> Document {
    let mut document = Document::new();
    document.heading(1, format!("{}: {}", view.problem.name(), status_words(view).replace('_', " ")));
    document.fields(summary_fields(view));
    solution_warnings(view).into_iter().for_each(|warning| document.warning(warning));
    if let Some(law) = view.faceted {
        document.paragraph(faceted_words(law));
    }
    document.heading(2, "Existence");
    document.fields(existence_fields(&view.existence.into()));
    if let Some(refutation) = view.refutation {
        document.paragraph(format!("There is no solution: {refutation}."));
    }
    if let Some(words) = proven(view) {
        document.paragraph(words);
    }
    if let Some(all) = view.enumeration {
        document.append(all::enumeration_document(all, view));
    }
    contacts(&mut document, view);
    if (1..=SHOWN_VELOCITIES).contains(&view.solution.v.len()) {
        document.matrices(vec![Matrix { name: "v".to_string(), rows: vec![view.solution.v.clone()] }]);
    }
    document
}

/// The point, which is not called a solution where it is none.
fn contacts(document: &mut Document, view: &SolvedView<'_>) {
    if view.problem.contacts() == 0 {
        return;
    }
    let solved = view.status == Answer::Solved;
    document.heading(2, if solved { "Contacts" } else { "Best point found, not a solution" });
    if view.refutation.is_some() {
        let residual = view.solution.residual;
        document.paragraph(format!(
            "Its residual is {} (natural map, relative; absolute {}).",
            significant(residual.relative),
            significant(residual.absolute)
        ));
    }
    document.table(contact_table(view));
}

/// The generalized velocities shown in a report, which do not wrap.
const SHOWN_VELOCITIES: usize = 8;

/// Label, value and remark.
type Field = (String, String, String);

fn field(label: &str, value: String, remark: &str) -> Field {
    (label.to_string(), value, remark.to_string())
}

fn summary_fields(view: &SolvedView<'_>) -> Vec<Field> {
    let (problem, solution) = (view.problem, view.solution);
    let place = if problem.dim() == 2 { "in the plane" } else { "in space" };
    let form = match problem.form() {
        Form::Local(_) => format!("{place}; local form"),
        Form::Global(_) => format!("{place}; global form, n = {}", problem.dof()),
    };
    let steps = if solution.iterations == 1 { "iteration" } else { "iterations" };
    let mut fields = vec![
        field("contacts", problem.contacts().to_string(), &form),
        field("solver", solution.solver.to_string(), &format!("{} {steps}", solution.iterations)),
    ];
    // Beside "no solution" it would be read as that of one.
    if view.refutation.is_none() {
        fields.extend([
            field(
                "backward error",
                significant(solution.backward_error.whole),
                "without units, of the whole",
            ),
            field("", significant(solution.backward_error.single), "of the worst contact"),
            field("residual", significant(solution.residual.relative), "natural map, relative"),
            field("", significant(solution.residual.absolute), "absolute"),
        ]);
    }
    let time = view.seconds.map(|s| field("time", format!("{} s", significant(s)), "of the solver alone"));
    fields.extend(time);
    fields
}

pub(super) fn existence_fields(existence: &ExistenceOutcome) -> Vec<Field> {
    let words = |verdict: Option<bool>| match (verdict, existence.examined) {
        (Some(true), _) => "holds (certified)",
        (Some(false), _) => "fails (certified)",
        (None, Examined::Whole) => "undecided within tolerance",
        (None, Examined::CutShort) => "undecided within the budget",
        (None, Examined::Not) => "not looked at",
    };
    let (s, bound) = (existence.margin.0, existence.margin_bound.0);
    let margin = match (significant(s), significant(bound)) {
        _ if s == f64::INFINITY => "unbounded".to_string(),
        (value, limit) if bound.is_nan() || value == limit => value,
        (value, limit) => format!("{value}, at most {limit}"),
    };
    // [ACLM11 (4.1), (4.4), (4.6), (4.5), (5.1)]
    let assumptions = [
        ("strong", existence.strong, "asks for a v with u_N > mu |u_T| at all contacts"),
        ("weak", existence.weak, "asks for a v with u_N >= mu |u_T| at all contacts"),
        ("klarbring-pang", existence.klarbring_pang, "asks for the same in the limit"),
        ("non-penetration", existence.non_penetration, "asks for a v with u_N >= 0 at all contacts"),
        ("no-wedging", existence.no_wedging, "asks that no forces in the cones cancel each other"),
    ];
    let mut fields: Vec<Field> = assumptions
        .into_iter()
        .map(|(name, v, meaning)| field(name, words(v).to_string(), meaning))
        .collect();
    fields.push(field("margin", margin, "of the strong assumption, as the cone program gives it"));
    fields
}

/// The contacts and solutions shown in a report; the machine-readable form has all.
const SHOWN: usize = 50;

fn contact_table(view: &SolvedView<'_>) -> Table {
    let (d, solution) = (view.problem.dim(), view.solution);
    let names = if d == 2 { &["N", "T"][..] } else { &["N", "T1", "T2"][..] };
    let columns = |letter: &str| names.iter().map(|n| format!("{letter}_{n}")).collect::<Vec<_>>();
    let mut header = vec!["contact".to_string(), "status".to_string()];
    header.extend(columns("u"));
    header.extend(columns("r"));
    let row = |(i, status): (usize, &crate::coulomb::Status)| {
        let mut cells = vec![Cell::Text(view.label(i)), Cell::Text(status.word().to_string())];
        let block = d * i..d * (i + 1);
        cells.extend(solution.u[block.clone()].iter().chain(&solution.r[block]).map(|&x| Cell::Number(x)));
        cells
    };
    let statuses = &solution.statuses;
    let mut rows: Vec<Vec<Cell>> = statuses.iter().enumerate().take(SHOWN).map(row).collect();
    if statuses.len() > SHOWN {
        rows.push(vec![Cell::Text("..".to_string()), Cell::Text(format!("{} more", statuses.len() - SHOWN))]);
    }
    Table { header, rows }
}

/// A line per problem, and what to be careful about.
pub fn summary_document(views: &[SolvedView<'_>]) -> Document {
    let mut document = Document::new();
    document.table(summary_table(views));
    for view in views {
        for warning in solution_warnings(view) {
            document.warning(format!("{}: {warning}", view.problem.name()));
        }
    }
    document
}

fn summary_table(views: &[SolvedView<'_>]) -> Table {
    let header = ["problem", "dim", "contacts", "status", "solver", "iterations", "residual", "seconds"];
    let row = |v: &SolvedView<'_>| {
        let mut cells = vec![
            Cell::Text(v.problem.name().to_string()),
            Cell::Text(v.problem.dim().to_string()),
            Cell::Text(v.problem.contacts().to_string()),
            Cell::Text(status_words(v)),
            Cell::Text(v.solution.solver.to_string()),
            Cell::Text(v.solution.iterations.to_string()),
            Cell::Number(v.solution.residual.relative),
            v.seconds.map_or_else(|| Cell::Text("-".to_string()), Cell::Number),
        ];
        if let Some(all) = v.enumeration {
            let more = if all.complete { "" } else { " or more" };
            cells.push(Cell::Text(format!("{}{more}", all.families.len() + all.border.len())));
        }
        cells
    };
    let solutions = views.iter().any(|v| v.enumeration.is_some()).then_some("solutions");
    let header = header.into_iter().chain(solutions).map(String::from).collect();
    Table { header, rows: views.iter().map(row).collect() }
}
