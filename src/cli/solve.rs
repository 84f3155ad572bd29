//! `mechan solve`: incremental problems, given as numbers or as the next time step of a mechanism.

use super::Answer;
use super::derive::model_of;
use super::form::{ReportForm, Written};
use super::output::Terminal;
use crate::coulomb::solver::NAMES;
use crate::coulomb::solver::fixed_point::FACETS;
use crate::coulomb::{Budget, Problem, write_file};
use crate::pipeline::{
    Extent, Failure, Given, Loaded, NamedStep, Positive, Proofs, SolveOptions, Solved, StepOptions, Timing,
    Usage, read_given, solve_problem, solve_step, step_problems,
};
use crate::report::{
    Document, SOLUTION_SCHEMA, SolvedView, solution_document, solution_warnings, summary_document,
};
use crate::stepping::StepModel;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Problem files (fcp-1, `.json` or `.json.gz`; FCLIB's, `.hdf5` or `.h5`), or mechanisms, whose next time step is solved;
    /// `-` is standard input
    #[arg(required = true, value_name = "PROBLEM")]
    files: Vec<PathBuf>,
    /// Backward error to reach, a residual without units [default: 1e-8]
    #[arg(long, value_name = "RESIDUAL", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    #[arg(long, value_name = "NAME", help = solver_help())]
    solver: Option<String>,
    /// Iterations of the solver chosen by name
    #[arg(long, value_name = "N", requires = "solver", allow_negative_numbers = true)]
    iterations: Option<usize>,
    /// Iterations of all solvers together, after which the search ends, and steps of the proofs of existence
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    budget: Option<usize>,
    /// Do not ask whether a solution must exist, which can take longer than to find one
    #[arg(long)]
    no_existence: bool,
    /// All solutions (plane, few contacts), families of forces included
    #[arg(long)]
    all: bool,
    /// Branches after which the search for all solutions is cut short [default: 3000, about a second]
    #[arg(long, value_name = "N", requires = "all")]
    branches: Option<usize>,
    /// Threads for problems with 2000 contacts or more; the answer is the same on any number [default: 1]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Time by the median of 11 runs, if one is shorter than 1 ms
    #[arg(long)]
    timing: bool,
    /// Also write the one problem, or that of the one state: `.json`, `.json.gz`, or FCLIB's `.hdf5`, `.h5`
    #[arg(long, value_name = "PATH")]
    save_problem: Option<PathBuf>,
    #[command(flatten)]
    form: ReportForm,
    // last, since its heading would stand over what follows
    #[command(flatten)]
    mechanism: MechanismArguments,
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

/// What only a mechanism has.
#[derive(Args, Debug)]
#[command(next_help_heading = "Mechanisms")]
struct MechanismArguments {
    /// Only this state; repeatable
    #[arg(long, value_name = "NAME")]
    state: Vec<String>,
    /// Override a parameter, a coordinate or `dot(x)` in every state; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// Time step in seconds [default: 0.001]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// What the step is made of
    #[arg(long, value_enum, default_value_t = Model::Dynamics)]
    step_model: Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Moreau's scheme with inelastic impacts: velocities and impulses
    Dynamics,
    /// Backward Euler without inertia: velocities and forces
    QuasiStatic,
    /// The same with gaps and displacements; v holds the coordinates
    QuasiStaticPosition,
}

/// A problem with its solution, or the name of one that has none, with the reason.
type Answered = Result<Solved, (String, Failure)>;

/// Exit status 3 if a problem did not converge or stays undecided; a proof that there is no solution is an answer. A file
/// or a state that fails does not take the others with it.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Json)?;
    let options = options(arguments)?;
    if arguments.save_problem.is_some() && arguments.files.len() > 1 {
        return Err(Usage::SeveralFiles { files: arguments.files.len() }.into());
    }
    let (mut answers, mut worst): (Vec<Answered>, u8) = (Vec::new(), 0);
    for file in &arguments.files {
        terminal.progress(&format!("solving {}", file.display()));
        match solve_one(file, arguments, &options, terminal) {
            Ok(found) => answers.extend(found),
            Err(failure) => answers.push(Err((file.display().to_string(), failure))),
        }
    }
    for (_, failure) in answers.iter().filter_map(|a| a.as_ref().err()) {
        terminal.failure(failure);
        worst = worst.max(failure.exit_status());
    }
    if answers.iter().flatten().any(|s| !s.is_answered()) {
        terminal.note(
            "mechan: not every problem was solved to the tolerance; try a larger one, or another --solver",
        );
        worst = worst.max(3);
    }
    let one = arguments.files.len() == 1;
    if !one || answers.iter().any(Result::is_ok) {
        answers.iter().flatten().for_each(|solved| warn(&solved.view(), terminal));
        arguments.form.write(|| document(&answers, one), || json(&answers, one))?;
    }
    Ok(worst)
}

fn solve_one(
    file: &Path,
    arguments: &Arguments,
    options: &SolveOptions,
    terminal: &Terminal,
) -> Result<Vec<Answered>, Failure> {
    match read_given(file)? {
        Given::Mechanism(loaded) => {
            let steps = steps(&loaded, arguments, terminal)?;
            let solved = |(name, step): NamedStep| {
                step.and_then(|step| solve_step(step, options)).map_err(|failure| (name, failure))
            };
            Ok(steps.into_iter().map(solved).collect())
        }
        Given::Problem(_) if arguments.mechanism.given() => {
            Err(Usage::NoMechanism { file: file.display().to_string() }.into())
        }
        Given::Problem(problem) => {
            arguments.save_problem.iter().try_for_each(|path| save(&problem, path))?;
            solve_problem(*problem, options).map(|solved| vec![Ok(solved)])
        }
    }
}

fn steps(loaded: &Loaded, arguments: &Arguments, terminal: &Terminal) -> Result<Vec<NamedStep>, Failure> {
    terminal.loaded(loaded);
    let model = model_of(loaded, terminal)?;
    let mechanism = &arguments.mechanism;
    let options = StepOptions {
        states: mechanism.state.clone(),
        set: mechanism.set.clone(),
        step: mechanism.step,
        model: match mechanism.step_model {
            Model::Dynamics => StepModel::Dynamics,
            Model::QuasiStatic => StepModel::QuasiStatic,
            Model::QuasiStaticPosition => StepModel::QuasiStaticPosition,
        },
    };
    let steps = step_problems(loaded, &model, &options)?;
    match (&arguments.save_problem, steps.as_slice()) {
        (None, _) | (Some(_), [(_, Err(_))]) => {}
        (Some(path), [(_, Ok(step))]) => save(&step.problem, path)?,
        (Some(_), steps) => {
            return Err(Usage::SeveralStates { file: loaded.source.name.clone(), states: steps.len() }.into());
        }
    }
    Ok(steps)
}

fn save(problem: &Problem, path: &Path) -> Result<(), Failure> {
    write_file(problem, path).map_err(|error| Failure::file(path.display().to_string(), error))
}

impl MechanismArguments {
    fn given(&self) -> bool {
        !self.state.is_empty()
            || !self.set.is_empty()
            || self.step.is_some()
            || self.step_model != Model::Dynamics
    }
}

fn options(arguments: &Arguments) -> Result<SolveOptions, Failure> {
    if let Some(tolerance) = arguments.tolerance.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return Err(Usage::Positive { what: Positive::Tolerance, found: tolerance }.into());
    }
    Ok(SolveOptions {
        tolerance: arguments.tolerance,
        solver: arguments.solver.as_deref().map(str::parse).transpose().map_err(Usage::Solver)?,
        iterations: arguments.iterations,
        budget: Budget { iterations: arguments.budget, time: None },
        proofs: if arguments.no_existence { Proofs::None } else { Proofs::Sought },
        extent: if arguments.all { Extent::All } else { Extent::One },
        branches: arguments.branches,
        timing: if arguments.timing { Timing::Median } else { Timing::Once },
        threads: arguments.threads,
    })
}

fn warn(view: &SolvedView<'_>, terminal: &Terminal) {
    for warning in solution_warnings(view) {
        terminal.note(&format!("warning: {}: {warning}", view.problem.name()));
    }
}

/// One problem in full, several as a summary table; those without a solution say why.
fn document(answers: &[Answered], one: bool) -> Document {
    let views: Vec<SolvedView<'_>> = answers.iter().flatten().map(Solved::view).collect();
    let mut document = match views.as_slice() {
        [] => Document::new(),
        [view] if one => solution_document(view),
        views => summary_document(views),
    };
    for (name, failure) in answers.iter().filter_map(|a| a.as_ref().err()) {
        document.warning(format!("{name}: no solution: {} [{}]", failure.message(), failure.code()));
    }
    document
}

/// One problem is one object, several are a list of them.
fn json(answers: &[Answered], one: bool) -> serde_json::Result<String> {
    let value = |answer: &Answered| match answer {
        Ok(solved) => serde_json::to_value(solved.outcome()),
        Err((name, failure)) => Ok(serde_json::json!({
            "schema": SOLUTION_SCHEMA,
            "problem": name,
            "error": {"code": failure.code(), "message": failure.message()},
        })),
    };
    match answers {
        [Ok(solved)] if one => serde_json::to_string_pretty(&solved.outcome()),
        _ => serde_json::to_string_pretty(&answers.iter().map(value).collect::<Result<Vec<_>, _>>()?),
    }
}
