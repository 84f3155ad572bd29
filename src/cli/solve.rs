//! `mechan solve`: incremental problems given as numbers.

use super::Answer;
use super::form::ReportForm;
use super::output::Terminal;
use crate::incremental::solver::NAMES;
use crate::incremental::solver::fixed_point::FACETS;
use crate::pipeline::{Extent, Failure, SolveOptions, Solved, Status, solve_file};
use crate::report::{Document, FacetedView, SolvedView, solution_document, solution_json, summary_table};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Problem files (fcp-1, `.json` or `.json.gz`)
    #[arg(required = true, value_name = "PROBLEM")]
    files: Vec<PathBuf>,
    /// Relative residual to reach [default: 1e-8]
    #[arg(long, value_name = "RESIDUAL")]
    tolerance: Option<f64>,
    #[arg(long, value_name = "NAME", help = solver_help())]
    solver: Option<String>,
    /// Iterations of the solver chosen by name
    #[arg(long, value_name = "N", requires = "solver")]
    iterations: Option<usize>,
    /// All solutions (plane, few contacts), families of forces included
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    form: ReportForm,
}

fn solver_help() -> String {
    format!(
        "One solver instead of the automatic choice: {} (N from {} to {}: with pyramids inside the cones, for \
         comparison)",
        NAMES.join(", "),
        FACETS.start(),
        FACETS.end()
    )
}

/// Exit status 3 if a problem did not converge; a proof that there is no solution is an answer.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let options = options(arguments)?;
    let (mut solved, mut worst) = (Vec::new(), 0);
    for file in &arguments.files {
        terminal.progress(&format!("solving {}", file.display()));
        match solve_file(file, &options) {
            Ok(one) => solved.push(one),
            Err(failure) => {
                terminal.failure(&failure);
                worst = worst.max(failure.exit_status());
            }
        }
    }
    if solved.iter().any(|s| !s.is_answered()) {
        terminal.note(
            "mechan: not every problem was solved to the tolerance; try a larger one, or another --solver",
        );
        worst = worst.max(3);
    }
    if !solved.is_empty() {
        let views: Vec<SolvedView<'_>> = solved.iter().map(view).collect();
        let one = arguments.files.len() == 1;
        arguments.form.write(|| document(&views, one), || json(&views, one))?;
    }
    Ok(worst)
}

fn options(arguments: &Arguments) -> Result<SolveOptions, Failure> {
    if let Some(tolerance) = arguments.tolerance.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return Err(Failure::Usage(format!("--tolerance is {tolerance}, expected a number > 0")));
    }
    Ok(SolveOptions {
        tolerance: arguments.tolerance,
        solver: arguments.solver.clone(),
        iterations: arguments.iterations,
        extent: if arguments.all { Extent::All } else { Extent::One },
    })
}

fn view(solved: &Solved) -> SolvedView<'_> {
    SolvedView {
        problem: &solved.problem,
        status: match solved.status() {
            Status::Solved => "solved",
            Status::NoSolution => "no_solution",
            Status::NotConverged => "not_converged",
        },
        solution: &solved.solution,
        faceted: solved.faceted.map(|law| FacetedView {
            facets: law.facets,
            residual: law.residual,
            solved: law.is_solved(),
        }),
        seconds: solved.time.as_secs_f64(),
        existence: &solved.existence,
        refutation: solved.refutation.as_ref(),
        enumeration: solved.enumeration.as_ref(),
    }
}

/// One problem in full, several as a summary table.
fn document(views: &[SolvedView<'_>], one: bool) -> Document {
    let mut document = Document::new();
    match views {
        [view] if one => document.append(solution_document(view)),
        _ => document.table(summary_table(views)),
    }
    document
}

/// One problem is one object, several are a list of them.
fn json(views: &[SolvedView<'_>], one: bool) -> serde_json::Result<String> {
    match views {
        [view] if one => serde_json::to_string_pretty(&solution_json(view)),
        _ => serde_json::to_string_pretty(&views.iter().map(solution_json).collect::<Vec<_>>()),
    }
}
