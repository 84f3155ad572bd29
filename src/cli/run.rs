//! `mechan run`: a scene of many bodies, stepped in time, one row a step.

use super::gauge::Gauge;
use super::interrupt::{INTERRUPTED, flag};
use super::output::{Terminal, write_result};
use super::{Answer, form::ReportForm};
use crate::coulomb::solver::NAMES;
use crate::pipeline::{
    CheckpointOption, Export, Failure, RunOptions, SceneFault, SceneRun, Usage, load_scene,
};
use crate::plot::pile;
use crate::report::run_document;
use crate::scene::{Options, Record, RunStatus};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Scene file (YAML); `-` is standard input
    #[arg(value_name = "SCENE")]
    file: String,
    /// Number of steps [default: those of the scene]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Backward error to reach in every step [default: that of the scene, or 1e-6]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    #[arg(long, value_name = "NAME", help = format!("One solver instead of the automatic choice: {}", NAMES.join(", ")))]
    solver: Option<String>,
    /// Iterations a step of the solver chosen by name
    #[arg(long, value_name = "N", requires = "solver")]
    iterations: Option<usize>,
    /// Begin every step at no force, not at those of the step before
    #[arg(long)]
    cold: bool,
    /// Keep the last state in a file, from which `--resume` goes on
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Steps from one checkpoint to the next
    #[arg(long, value_name = "N", requires = "checkpoint", default_value_t = 100)]
    every: u64,
    /// Go on from a checkpoint: the rows are those of a run that was not cut in two, times aside
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write the incremental problem of a step (`.json`, `.json.gz`, or FCLIB's `.hdf5`, `.h5`); repeatable
    #[arg(long, value_name = "STEP:FILE")]
    export_problem: Vec<String>,
    /// Decide for every step whether it must have a solution: two more columns, `existence` and `margin`
    #[arg(long)]
    certify: bool,
    /// A picture at the end: `pile`, the bodies with their chains of forces (.svg or .png); repeatable
    #[arg(long, value_name = "pile[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 3 if a step was not solved to the tolerance, 130 if the run was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let (options, pictures) = (options(arguments)?, pictures(arguments)?);
    let loaded = load_scene(&arguments.file)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let mut run = SceneRun::new(&loaded, options)?;
    let mut gauge = Gauge::new(terminal, "steps", run.steps());
    let mut told = |record: &Record| {
        let Record { contacts, residual, .. } = record;
        gauge.tell_with(record.step, || format!(", {contacts} contacts, residual {residual:.1e}"));
    };
    let end = match arguments.form.data_file().filter(|path| path.extension().is_none_or(|e| e != "json")) {
        Some(path) => {
            let end = run.write(path, flag(), &mut told)?;
            gauge.clear();
            arguments.form.show(|| run_document(&end), || serde_json::to_string_pretty(&end))?;
            end
        }
        None if arguments.form.is_json() || arguments.form.data_file().is_some() => {
            let (outcome, end) = run.collect(flag(), &mut told)?;
            gauge.clear();
            let text = serde_json::to_string(&outcome)
                .map_err(|error| Failure::Unprintable { what: "the run", error })?;
            write_result(&(text + "\n"), arguments.form.file())?;
            end
        }
        None => {
            let (_, end) = run.collect(flag(), &mut told)?;
            gauge.clear();
            arguments.form.write(|| run_document(&end), || serde_json::to_string_pretty(&end))?;
            end
        }
    };
    for file in pictures {
        let path = file.unwrap_or_else(|| format!("{}_pile.svg", loaded.scene.name).into());
        pile(run.simulation()).write(&path)?;
        terminal.note(&format!("mechan: {} written", path.display()));
    }
    match end.status {
        RunStatus::Interrupted => {
            terminal.warning(&format!("interrupted: {} of {} steps are done", end.steps, end.of));
        }
        RunStatus::NotConverged => terminal.note(&format!(
            "mechan: {} of {} steps were not solved to the tolerance; try a larger one, or another --solver",
            end.unsolved, end.steps
        )),
        RunStatus::End => {}
    }
    Ok(match end.status {
        RunStatus::End => 0,
        RunStatus::NotConverged => 3,
        RunStatus::Interrupted => INTERRUPTED,
    })
}

fn options(arguments: &Arguments) -> Result<RunOptions, Failure> {
    let solver = arguments.solver.as_deref().map(str::parse).transpose().map_err(Usage::Solver)?;
    let exports = arguments.export_problem.iter().map(|text| text.parse::<Export>());
    Ok(RunOptions {
        solving: Options {
            solver,
            tolerance: arguments.tolerance,
            iterations: arguments.iterations,
            cold: arguments.cold,
        },
        steps: arguments.steps,
        checkpoint: arguments
            .checkpoint
            .as_ref()
            .map(|file| CheckpointOption { file: file.clone(), every: arguments.every }),
        resume: arguments.resume.clone(),
        exports: exports.collect::<Result<_, _>>()?,
        certify: arguments.certify,
    })
}

/// The files of the pictures that are asked for.
fn pictures(arguments: &Arguments) -> Result<Vec<Option<PathBuf>>, Failure> {
    let file = |text: &String| match text.split_once('=') {
        None if text == "pile" => Ok(None),
        Some(("pile", file)) if !file.is_empty() => Ok(Some(PathBuf::from(file))),
        _ => Err(SceneFault::Picture { found: text.clone() }.into()),
    };
    arguments.plot.iter().map(file).collect()
}
