//! A solved incremental problem as a report and as `mechan.solution/1`.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::analysis::Number;
use crate::incremental::enumerate::{Enumeration, Family, Point};
use crate::incremental::existence::{Conclusion, Existence, Margin, Refutation, Verdict, to_json};
use crate::incremental::{Problem, Residual, Solution};
use serde_json::{Value, json};

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
    pub faceted: Option<FacetedView>,
    /// Time of the solver alone, in seconds.
    pub seconds: f64,
    /// What is proven about existence.
    pub existence: &'a Existence,
    /// The proof that there is no solution.
    pub refutation: Option<&'a Refutation>,
    /// All solutions, if they were asked for.
    pub enumeration: Option<&'a Enumeration>,
}

/// The status for people, who see at once that another law was solved.
fn status_words(view: &SolvedView<'_>) -> String {
    match view.faceted {
        Some(law) if law.solved => format!("solved with {} facets", law.facets),
        _ => view.status.replace('_', " "),
    }
}

/// How well a point solves the law of a pyramid.
#[derive(Clone, Copy, Debug)]
pub struct FacetedView {
    /// Facets of the pyramid.
    pub facets: usize,
    /// Its residual by that law.
    pub residual: Residual,
    /// Whether that is within the tolerance.
    pub solved: bool,
}

/// The machine-readable form.
pub fn solution_json(view: &SolvedView<'_>) -> Value {
    let solution = view.solution;
    let words: Vec<&str> = solution.statuses(view.problem).iter().map(|s| s.word()).collect();
    let value = json!({
        "schema": "mechan.solution/1",
        "problem": view.problem.name(),
        "status": view.status,
        "solver": solution.solver,
        "iterations": solution.iterations,
        "residual": Number(solution.residual.relative),
        "residual_absolute": Number(solution.residual.absolute),
        "faceted": view.faceted.map(faceted_json),
        "time_seconds": view.seconds,
        "u": solution.u,
        "v": solution.v,
        "r": solution.r,
        "contacts": words,
        "existence": existence_json(view.existence, None),
        "no_solution_because": view.refutation.map(refutation_words),
    });
    with_solutions(value, view)
}

/// The law that a `facets-N` solver solves; `status` and `residual` above are those of Coulomb's law.
fn faceted_json(law: FacetedView) -> Value {
    json!({
        "facets": law.facets,
        "status": if law.solved { "solved" } else { "not_converged" },
        "residual": Number(law.residual.relative),
        "residual_absolute": Number(law.residual.absolute),
    })
}

fn faceted_words(law: FacetedView) -> String {
    format!(
        "The point {} the law of a pyramid of {} facets inside the friction cone (residual {}), in which friction \
         depends on the direction. The residual above, and the status, are those of Coulomb's law.",
        if law.solved { "solves" } else { "does not solve" },
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
        Refutation::NoMode { branches } => {
            format!(
                "no combination of contact modes has a solution: {branches} branches searched in exact arithmetic"
            )
        }
    }
}

/// All solutions of a planar problem, if they were asked for.
fn with_solutions(mut value: Value, view: &SolvedView<'_>) -> Value {
    if let (Some(all), Value::Object(map)) = (view.enumeration, &mut value) {
        map.insert(
            "solutions".to_string(),
            all.families.iter().map(|f| family_json(f, view.problem)).collect(),
        );
        map.insert("complete".to_string(), all.complete.into());
    }
    value
}

/// One solution, or a family of them by its extreme points and rays; u, v, r are those of its centre.
fn family_json(family: &Family, problem: &Problem) -> Value {
    let centre = family.centre();
    let points =
        |list: &[Point]| -> Vec<Value> { list.iter().map(|p| json!({"u": p.u, "r": p.r})).collect() };
    json!({
        "u": centre.u,
        "v": problem.generalized_velocity(&centre.r).unwrap_or_default(),
        "r": centre.r,
        "contacts": family.modes.iter().map(|m| m.word()).collect::<Vec<_>>(),
        "dimension": family.dimension,
        "motion_dimension": family.motion_dimension,
        "vertices": points(&family.vertices),
        "rays": points(&family.rays),
    })
}

/// The existence section with the time step of the problem, if one is known.
pub fn existence_json(existence: &Existence, step: Option<f64>) -> Value {
    let mut value = json!({ "h": step });
    if let (Value::Object(map), Value::Object(section)) = (&mut value, to_json(existence)) {
        map.extend(section);
    }
    value
}

fn conclusion(existence: &Existence) -> &'static str {
    match existence.conclusion() {
        Conclusion::Stable => "a solution exists, and remains under small changes of the data",
        Conclusion::Exists => "a solution exists",
        Conclusion::Impossible => "no solution exists: penetration cannot be prevented",
        Conclusion::Open => "the assumptions do not say",
    }
}

fn assumptions(existence: &Existence) -> [(&'static str, &Verdict); 5] {
    [
        ("strong", &existence.strong),
        ("weak", &existence.weak),
        ("klarbring_pang", &existence.klarbring_pang),
        ("non_penetration", &existence.non_penetration),
        ("no_wedging", &existence.no_wedging),
    ]
}

/// The report of one problem.
pub fn solution_document(view: &SolvedView<'_>) -> Document {
    let (problem, solution) = (view.problem, view.solution);
    let mut document = Document::new();
    document.heading(1, format!("{}: {}", problem.name(), status_words(view)));
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    document.fields(vec![
        field("contacts", problem.contacts().to_string(), &format!("in dimension {}", problem.dim())),
        field("solver", solution.solver.to_string(), &format!("{} iterations", solution.iterations)),
        field("residual", significant(solution.residual.relative), "natural map, relative"),
        field("", significant(solution.residual.absolute), "absolute"),
        field("time", format!("{} s", significant(view.seconds)), "of the solver alone"),
    ]);
    if let Some(law) = view.faceted {
        document.paragraph(faceted_words(law));
    }
    document.heading(2, "Existence");
    document.fields(existence_fields(view.existence));
    document
        .paragraph(format!("Proven, if M is symmetric positive definite: {}.", conclusion(view.existence)));
    if let Some(refutation) = view.refutation {
        document.paragraph(format!("There is no solution: {}.", refutation_words(refutation)));
    }
    if let Some(all) = view.enumeration {
        document.append(enumeration_document(all));
    }
    if problem.contacts() > 0 {
        document.heading(2, "Contacts");
        document.table(contact_table(view));
    }
    document
}

/// Every solution of a planar problem; families by their dimension and the number of extreme points and rays.
fn enumeration_document(all: &Enumeration) -> Document {
    let mut document = Document::new();
    document.heading(
        2,
        format!(
            "All solutions: {}{}",
            all.families.len(),
            if all.complete { "" } else { " found, search cut short" }
        ),
    );
    let header = ["modes", "dimension of forces", "of motion", "vertices", "rays", "r"];
    let row = |family: &Family| {
        let modes = family.modes.iter().map(|m| m.word()).collect::<Vec<_>>().join(", ");
        let r = family.centre().r.iter().map(|x| significant(*x)).collect::<Vec<_>>().join(", ");
        let count = |n: usize| Cell::Text(n.to_string());
        vec![
            Cell::Text(modes),
            count(family.dimension),
            count(family.motion_dimension),
            count(family.vertices.len()),
            count(family.rays.len()),
            Cell::Text(r),
        ]
    };
    document.table(Table {
        header: header.map(String::from).to_vec(),
        rows: all.families.iter().map(row).collect(),
    });
    document
}

fn existence_fields(existence: &Existence) -> Vec<(String, String, String)> {
    let words = |verdict: &Verdict| match verdict {
        Verdict::Holds(_) => "holds (certified)",
        Verdict::Fails(_) => "fails (certified)",
        Verdict::Undecided(_) => "undecided within tolerance",
    };
    let margin = match existence.margin {
        Margin::Unbounded => "unbounded".to_string(),
        Margin::Value(s) => significant(s),
    };
    let mut fields: Vec<_> = assumptions(existence)
        .iter()
        .map(|(name, v)| (name.replace('_', "-"), words(v).to_string(), String::new()))
        .collect();
    fields.push((
        "margin".to_string(),
        margin,
        "of the strong assumption, as the cone program gives it".to_string(),
    ));
    fields
}

/// The contacts shown in a report; the machine-readable form has all.
const SHOWN: usize = 50;

fn contact_table(view: &SolvedView<'_>) -> Table {
    let (d, solution) = (view.problem.dim(), view.solution);
    let names = if d == 2 { &["N", "T"][..] } else { &["N", "T1", "T2"][..] };
    let columns = |letter: &str| names.iter().map(|n| format!("{letter}_{n}")).collect::<Vec<_>>();
    let mut header = vec!["contact".to_string(), "status".to_string()];
    header.extend(columns("u"));
    header.extend(columns("r"));
    let row = |(i, status): (usize, &crate::incremental::Status)| {
        let mut cells = vec![Cell::Text(i.to_string()), Cell::Text(status.word().to_string())];
        let block = d * i..d * (i + 1);
        cells.extend(solution.u[block.clone()].iter().chain(&solution.r[block]).map(|&x| Cell::Number(x)));
        cells
    };
    let statuses = solution.statuses(view.problem);
    let mut rows: Vec<Vec<Cell>> = statuses.iter().enumerate().take(SHOWN).map(row).collect();
    if statuses.len() > SHOWN {
        rows.push(vec![Cell::Text("..".to_string()), Cell::Text(format!("{} more", statuses.len() - SHOWN))]);
    }
    Table { header, rows }
}

/// A line per problem.
pub fn summary_table(views: &[SolvedView<'_>]) -> Table {
    let header = ["problem", "dim", "contacts", "status", "solver", "iterations", "residual", "seconds"];
    let row = |v: &SolvedView<'_>| {
        vec![
            Cell::Text(v.problem.name().to_string()),
            Cell::Text(v.problem.dim().to_string()),
            Cell::Text(v.problem.contacts().to_string()),
            Cell::Text(status_words(v)),
            Cell::Text(v.solution.solver.to_string()),
            Cell::Text(v.solution.iterations.to_string()),
            Cell::Number(v.solution.residual.relative),
            Cell::Number(v.seconds),
        ]
    };
    Table { header: header.map(String::from).to_vec(), rows: views.iter().map(row).collect() }
}
