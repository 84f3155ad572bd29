//! A solved incremental problem as a report and as `mechan.solution/1`.

use super::document::{Cell, Document, Table};
use super::number::significant;
use crate::analysis::Number;
use crate::incremental::existence::{Certificate, Conclusion, Existence, Margin, ScaledVector, Verdict};
use crate::incremental::{Problem, Solution};
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
    /// Time of the solver alone, in seconds.
    pub seconds: f64,
    /// What is proven about existence.
    pub existence: &'a Existence,
}

/// The machine-readable form.
pub fn solution_json(view: &SolvedView<'_>) -> Value {
    let solution = view.solution;
    let words: Vec<&str> = solution.statuses(view.problem).iter().map(|s| s.word()).collect();
    json!({
        "schema": "mechan.solution/1",
        "problem": view.problem.name(),
        "status": view.status,
        "solver": solution.solver,
        "iterations": solution.iterations,
        "residual": Number(solution.residual.relative),
        "residual_absolute": Number(solution.residual.absolute),
        "time_seconds": view.seconds,
        "u": solution.u,
        "v": solution.v,
        "r": solution.r,
        "contacts": words,
        "existence": existence_json(view.existence),
    })
}

/// The existence section; an undecided assumption is `null`.
pub fn existence_json(existence: &Existence) -> Value {
    let margin = match existence.margin {
        Margin::Unbounded => Number(f64::INFINITY),
        Margin::Value(s) => Number(s),
    };
    json!({
        "h": null,
        "strong": decided(&existence.strong),
        "weak": decided(&existence.weak),
        "klarbring_pang": decided(&existence.klarbring_pang),
        "non_penetration": decided(&existence.non_penetration),
        "no_wedging": decided(&existence.no_wedging),
        "margin": margin,
        "conclusion": conclusion(existence),
        "certificate": certificates(existence),
    })
}

fn decided(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Holds(_) => Value::Bool(true),
        Verdict::Fails(_) => Value::Bool(false),
        Verdict::Undecided(_) => Value::Null,
    }
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

fn certificates(existence: &Existence) -> Value {
    let entries = assumptions(existence);
    let found =
        entries.iter().filter_map(|(name, v)| Some(((*name).to_string(), certificate(v.certificate()?))));
    Value::Object(found.collect())
}

fn certificate(certificate: &Certificate) -> Value {
    let vector = |v: &ScaledVector| json!(v.to_f64());
    let numbers =
        |r: &[crate::incremental::existence::Dyadic]| json!(r.iter().map(|x| x.to_f64()).collect::<Vec<_>>());
    match certificate {
        Certificate::Velocity(v) => json!({"kind": "velocity", "v": vector(v)}),
        Certificate::Direction(d) => json!({"kind": "direction", "v": vector(d)}),
        Certificate::Limit { base, direction } => {
            json!({"kind": "limit", "v": vector(base), "direction": vector(direction)})
        }
        Certificate::Multiplier(r) => json!({"kind": "multiplier", "r": numbers(r)}),
        Certificate::Chain { face, separator } => {
            json!({"kind": "chain", "face": numbers(face), "separator": numbers(separator)})
        }
    }
}

/// The report of one problem.
pub fn solution_document(view: &SolvedView<'_>) -> Document {
    let (problem, solution) = (view.problem, view.solution);
    let mut document = Document::new();
    document.heading(1, format!("{}: {}", problem.name(), view.status.replace('_', " ")));
    let field = |label: &str, value: String, remark: &str| (label.to_string(), value, remark.to_string());
    document.fields(vec![
        field("contacts", problem.contacts().to_string(), &format!("in dimension {}", problem.dim())),
        field("solver", solution.solver.to_string(), &format!("{} iterations", solution.iterations)),
        field("residual", significant(solution.residual.relative), "natural map, relative"),
        field("", significant(solution.residual.absolute), "absolute"),
        field("time", format!("{} s", significant(view.seconds)), "of the solver alone"),
    ]);
    document.heading(2, "Existence");
    document.fields(existence_fields(view.existence));
    document
        .paragraph(format!("Proven, if M is symmetric positive definite: {}.", conclusion(view.existence)));
    if problem.contacts() > 0 {
        document.heading(2, "Contacts");
        document.table(contact_table(view));
    }
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
            Cell::Text(v.status.to_string()),
            Cell::Text(v.solution.solver.to_string()),
            Cell::Text(v.solution.iterations.to_string()),
            Cell::Number(v.solution.residual.relative),
            Cell::Number(v.seconds),
        ]
    };
    Table { header: header.map(String::from).to_vec(), rows: views.iter().map(row).collect() }
}
