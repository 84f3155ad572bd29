//! A solved incremental problem as a report and as `mechan.solution/1`.

mod all;
mod words;

pub use words::solution_warnings;

use super::document::{Cell, Document, Matrix, Table};
use super::number::significant;
use crate::analysis::{Number, numbers};
use crate::coulomb::{Faceted, Form, Problem, Solution};
use crate::enumerate::{Border, Enumeration, Family, Point};
use crate::existence::{Conclusion, Existence, Margin, Refutation, Verdict, to_json};
use crate::stepping::Step;
use serde_json::{Value, json};
use words::{is_overruled, proven};

/// A problem, its best point, and what is proven about it.
#[derive(Clone, Copy, Debug)]
pub struct SolvedView<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// `solved`, `no_solution` or `not_converged`.
    pub status: &'a str,
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
        _ => view.status.to_string(),
    }
}

/// The machine-readable form.
pub fn solution_json(view: &SolvedView<'_>) -> Value {
    let solution = view.solution;
    let words: Vec<&str> = solution.statuses.iter().map(|s| s.word()).collect();
    let mut value = json!({
        "schema": "mechan.solution/1",
        "problem": view.problem.name(),
        "status": view.status,
        "solver": solution.solver,
        "iterations": solution.iterations,
        "residual": Number(solution.residual.relative),
        "residual_absolute": Number(solution.residual.absolute),
        "backward_error": Number(solution.backward_error.whole),
        "contact_error": Number(solution.backward_error.single),
        "time_seconds": view.seconds,
        "u": numbers(&solution.u),
        "v": numbers(&solution.v),
        "r": numbers(&solution.r),
        "contacts": words,
        "existence": existence_of(view),
        "no_solution_because": view.refutation.map(refutation_words),
        "warnings": solution_warnings(view),
    });
    if let (Some(law), Value::Object(map)) = (view.faceted, &mut value) {
        map.insert("faceted".to_string(), faceted_json(law));
    }
    if let (Some(refutation), Value::Object(map)) = (view.refutation, &mut value) {
        map.insert("refutation".to_string(), refutation.to_json());
    }
    if let (false, Value::Object(map)) = (view.labels().is_empty(), &mut value) {
        map.insert("contact_names".to_string(), json!(view.labels()));
    }
    with_solutions(value, view)
}

/// The law that a `facets-N` solver solves; `status` and `residual` above are those of Coulomb's law.
fn faceted_json(law: Faceted) -> Value {
    json!({
        "facets": law.facets,
        "status": if law.is_solved() { "solved" } else { "not_converged" },
        "residual": Number(law.residual.relative),
        "residual_absolute": Number(law.residual.absolute),
    })
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

/// Why there is no solution.
fn refutation_words(refutation: &Refutation) -> String {
    match refutation {
        Refutation::Penetration(_) => {
            "some contact must be penetrated, whatever the forces (certified)".to_string()
        }
        Refutation::NoMode { proof } => {
            let branches = match proof.branches() {
                1 => "the one branch".to_string(),
                n => format!("each of {n} branches"),
            };
            format!(
                "no combination of contact modes has a solution (certified: {branches} checked in exact arithmetic)"
            )
        }
    }
}

/// All solutions of a planar problem, if they were asked for.
fn with_solutions(mut value: Value, view: &SolvedView<'_>) -> Value {
    if let (Some(all), Value::Object(map)) = (view.enumeration, &mut value) {
        let families = all.families.iter().map(|f| family_json(f, view));
        let border = all.border.iter().map(|b| border_json(b, view));
        map.insert("solutions".to_string(), families.chain(border).collect());
        map.insert("complete".to_string(), all.complete.into());
        if view.refutation.is_none() {
            map.insert("proof".to_string(), all.proof.to_json());
        }
    }
    value
}

/// One solution, or a family of them by its extreme points and rays; u, v, r are those of its centre.
fn family_json(family: &Family, view: &SolvedView<'_>) -> Value {
    let centre = family.centre();
    let points = |list: &[Point]| -> Vec<Value> {
        list.iter().map(|p| json!({"u": numbers(&p.u), "r": numbers(&p.r)})).collect()
    };
    json!({
        "u": numbers(&centre.u),
        "v": numbers(&generalized_velocity(&centre, view)),
        "r": numbers(&centre.r),
        "border": false,
        "contacts": family.modes.iter().map(|m| m.word()).collect::<Vec<_>>(),
        "dimension": family.dimension,
        "motion_dimension": family.motion_dimension,
        "vertices": points(&family.vertices),
        "rays": points(&family.rays),
    })
}

/// A point that solves the problem within the tolerance only; of what dimension its like are is not known.
fn border_json(border: &Border, view: &SolvedView<'_>) -> Value {
    json!({
        "u": numbers(&border.point.u),
        "v": numbers(&generalized_velocity(&border.point, view)),
        "r": numbers(&border.point.r),
        "border": true,
        "contacts": border.modes.iter().map(|m| m.word()).collect::<Vec<_>>(),
        "dimension": null,
        "motion_dimension": null,
        "vertices": [],
        "rays": [],
    })
}

fn generalized_velocity(point: &Point, view: &SolvedView<'_>) -> Vec<f64> {
    let v = view.problem.generalized_velocity(&point.r).unwrap_or_default();
    view.step.map_or(v.clone(), |step| step.velocity(&v))
}

/// The existence section. What follows from assumptions that hold rests on a condition, which a refutation shows to fail.
fn existence_of(view: &SolvedView<'_>) -> Value {
    let mut value = existence_json(view.existence, view.step.map(|step| step.h));
    if is_overruled(view) {
        value["conclusion"] = Conclusion::Open.word().into();
    }
    value
}

/// The existence section with the time step of the problem, if one is known.
pub fn existence_json(existence: &Existence, step: Option<f64>) -> Value {
    let mut value = json!({ "h": step });
    if let (Value::Object(map), Value::Object(section)) = (&mut value, to_json(existence)) {
        map.extend(section);
    }
    value
}

pub(super) fn conclusion(existence: &Existence) -> &'static str {
    match existence.conclusion() {
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
    document.fields(existence_fields(view.existence));
    if let Some(refutation) = view.refutation {
        document.paragraph(format!("There is no solution: {}.", refutation_words(refutation)));
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
    let solved = view.status == "solved";
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

pub(super) fn existence_fields(existence: &Existence) -> Vec<Field> {
    let words = |verdict: &Verdict| match verdict {
        Verdict::Holds(_) => "holds (certified)",
        Verdict::Fails(_) => "fails (certified)",
        Verdict::Undecided(_) => "undecided within tolerance",
    };
    let margin = match (existence.margin, existence.margin_bound.map(significant)) {
        (Margin::Unbounded, _) => "unbounded".to_string(),
        (Margin::Value(s), Some(bound)) if bound != significant(s) => {
            format!("{}, at most {bound}", significant(s))
        }
        (Margin::Value(s), _) => significant(s),
    };
    // [ACLM11 (4.1), (4.4), (4.6), (4.5), (5.1)]
    let assumptions = [
        ("strong", &existence.strong, "asks for a v with u_N > mu |u_T| at all contacts"),
        ("weak", &existence.weak, "asks for a v with u_N >= mu |u_T| at all contacts"),
        ("klarbring-pang", &existence.klarbring_pang, "asks for the same in the limit"),
        ("non-penetration", &existence.non_penetration, "asks for a v with u_N >= 0 at all contacts"),
        ("no-wedging", &existence.no_wedging, "asks that no forces in the cones cancel each other"),
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
