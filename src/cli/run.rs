//! `mechan run`: a scene of many bodies, stepped in time, one row a step.

use super::derive::scene_of;
use super::gauge::Gauge;
use super::interrupt::{INTERRUPTED, flag};
use super::output::{Terminal, write_result};
use super::{
    Answer,
    form::{ReportForm, Written, ends},
};
use crate::coulomb::solver::NAMES;
use crate::pipeline::{
    CheckpointOption, Export, Failure, RunOptions, SceneFault, SceneRun, TableOptions, Usage, side_of,
};
use crate::plot::{Animation, SceneFilm, pile};
use crate::report::{run_document, write_whole};
use crate::scene::{Options, Record, RunStatus, RunSummary, Simulation};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "--output NAME.csv, .parquet and .json write the rows, NAME.glb the run as glTF 2.0 with animation, for viewers; other endings the report."
)]
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
    /// Threads for steps with many contacts; the rows are the same on any number [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
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
    /// Write where bodies are and how they move (.csv, .parquet): a row for each body and step
    #[arg(long, value_name = "FILE")]
    bodies: Option<PathBuf>,
    /// Write what contacts carry (.csv, .parquet): bodies, place, normal, force and slip, a row for each contact and step
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Steps from one that these tables show to the next [default: 1]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Decide for every step whether it must have a solution: two more columns, `existence` and `margin`
    #[arg(long)]
    certify: bool,
    /// `pile`: the bodies at the end with their chains of forces (.svg or .png); `animation`: the same in motion, as a page (.html); repeatable
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    /// The side from which pictures show a scene in space: x, -x, y, -y, z or -z, the axis at whose end the eye is [default: a horizontal one]
    #[arg(long, value_name = "SIDE", requires = "plot", allow_hyphen_values = true)]
    seen_from: Option<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 3 if a step was not solved to the tolerance, 130 if the run was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Motions)?;
    let (options, pictures) = (options(arguments)?, pictures(arguments)?);
    let loaded = scene_of(&arguments.file, terminal)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let side = side_of(&loaded.scene, arguments.seen_from.as_deref())?;
    let mut run = SceneRun::new(&loaded, options)?;
    let mut gauge = Gauge::new(terminal, "steps", run.steps());
    let animated = pictures.iter().any(|picture| matches!(picture, Picture::Animation(_)));
    let mut film = animated.then(|| Animation::new(run.simulation(), run.steps(), side));
    let mut seen = arguments.form.film().map(|_| SceneFilm::new(run.simulation(), run.steps()));
    let mut told = |simulation: &Simulation, record: &Record| {
        seen.iter_mut().for_each(|seen| seen.look(simulation));
        film.iter_mut().for_each(|film| film.look(simulation));
        let Record { contacts, residual, .. } = record;
        gauge.tell_with(record.step, || format!(", {contacts} contacts, residual {residual:.1e}"));
    };
    let end = match arguments.form.data_file().filter(|path| !ends(path, &["json"])) {
        Some(path) => {
            let end = run.write(path, flag(), &mut told)?;
            gauge.clear();
            arguments.form.show(|| run_document(&end), || serde_json::to_string_pretty(&end))?;
            end
        }
        None if arguments.form.film().is_some() => {
            let (_, end) = run.collect(flag(), &mut told)?;
            gauge.clear();
            arguments.form.show(|| run_document(&end), || serde_json::to_string_pretty(&end))?;
            end
        }
        None if arguments.form.is_json() || arguments.form.data_file().is_some() => {
            let (outcome, end) = run.collect(flag(), &mut told)?;
            gauge.clear();
            let text = serde_json::to_string(&outcome).map_err(Failure::unprintable("the run"))?;
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
    if let (Some(path), Some(seen)) = (arguments.form.film(), &seen) {
        write_whole(path, &seen.bytes(run.simulation())).map_err(Failure::unwritable(path))?;
    }
    for picture in pictures {
        let path = picture.path(&loaded.scene.name);
        match (picture, &film) {
            (Picture::Animation(_), Some(film)) => film.write(run.simulation(), &path)?,
            (Picture::Pile(_) | Picture::Animation(_), _) => pile(run.simulation(), side).write(&path)?,
        }
        terminal.note(&format!("mechan: {} written", path.display()));
    }
    Ok(ended(&end, terminal))
}

/// What is said of a run that did not do all that was asked, and the exit status.
fn ended(end: &RunSummary, terminal: &Terminal) -> u8 {
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
    match end.status {
        RunStatus::End => 0,
        RunStatus::NotConverged => 3,
        RunStatus::Interrupted => INTERRUPTED,
    }
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
            threads: arguments.threads.map(NonZeroUsize::get),
        },
        steps: arguments.steps,
        checkpoint: arguments
            .checkpoint
            .as_ref()
            .map(|file| CheckpointOption { file: file.clone(), every: arguments.every }),
        resume: arguments.resume.clone(),
        exports: exports.collect::<Result<_, _>>()?,
        certify: arguments.certify,
        tables: TableOptions {
            bodies: arguments.bodies.clone(),
            contacts: arguments.contacts.clone(),
            sample: arguments.sample,
        },
    })
}

/// A picture that is asked for, with its file.
enum Picture {
    Pile(Option<PathBuf>),
    Animation(Option<PathBuf>),
}

impl Picture {
    fn path(&self, scene: &str) -> PathBuf {
        let (file, ending) = match self {
            Self::Pile(file) => (file, "pile.svg"),
            Self::Animation(file) => (file, "animation.html"),
        };
        file.clone().unwrap_or_else(|| format!("{scene}_{ending}").into())
    }
}

/// The pictures that are asked for.
fn pictures(arguments: &Arguments) -> Result<Vec<Picture>, Failure> {
    let picture = |text: &String| {
        let (name, file) =
            text.split_once('=').map_or((text.as_str(), None), |(name, file)| (name, Some(file)));
        let page = |file: &Path| ends(file, &["html"]);
        let path = file.map(PathBuf::from);
        match name {
            "pile" if file != Some("") => Ok(Picture::Pile(path)),
            "animation" if path.as_deref().is_none_or(page) => Ok(Picture::Animation(path)),
            _ => Err(SceneFault::Picture { found: text.clone() }.into()),
        }
    };
    arguments.plot.iter().map(picture).collect()
}
