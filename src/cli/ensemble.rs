//! `mechan ensemble`: many motions over random or gridded conditions, one row each.

use super::form::ReportForm;
use super::motion::MotionArguments;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::pipeline::{
    EnsembleFault, EnsembleOptions, EnsembleOutcome, EnsembleStudy, Failure, Usage, collect_ensemble, load,
    write_ensemble,
};
use crate::report::{ensemble_document, write_whole};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
#[command(
    after_help = "Columns: run, what varies, status, t_end, n_KIND for each kind of event, coordinates and \
velocities at the end, defect of the energy. A run that cannot begin has status `refused`. The rows are the same on \
one thread, on many, and in chunks."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    motion: MotionArguments,
    /// Number of runs; with --grid at each of its points
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// What random numbers depend on beside run and name
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,
    /// Draw a parameter, a coordinate or `dot(x)` for each run; `NAME=log:LO:HI` draws its order of magnitude; repeatable
    #[arg(long, value_name = "NAME=LO:HI")]
    random: Vec<String>,
    /// N values from LO to HI, or `NAME=log:LO:HI:N`; several make a grid, the first the slowest
    #[arg(long, value_name = "NAME=LO:HI:N")]
    grid: Vec<String>,
    /// The I-th of N parts, for several machines; `mechan merge` joins them
    #[arg(long, value_name = "I/N")]
    chunk: Option<String>,
    /// Go on where the file of --output ends
    #[arg(long)]
    resume: bool,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 0: how a run ends is an answer.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let loaded = load(&arguments.motion.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let study = EnsembleStudy::new(&loaded, &model, &options(arguments))?;
    let range = study.range();
    let gauge = Gauge::new(terminal, range.end - range.start);
    let outcome = match arguments.form.data_file().filter(|path| !is_json(path)) {
        Some(path) => {
            let outcome = write_ensemble(&study, path, arguments.resume, gauge.told())?;
            gauge.clear();
            let document = || ensemble_document(study.identity().names(), &outcome.summary);
            arguments.form.show(document, || serde_json::to_string_pretty(&counts(&outcome)))?;
            outcome
        }
        None if arguments.resume => return Err(Usage::from(EnsembleFault::ResumeWhat).into()),
        None => in_memory(arguments, &study, &gauge)?,
    };
    if let Some(refused) = outcome.refused {
        terminal.note(&format!("mechan: run {} could not begin: {}", refused.run, refused.reason));
    }
    Ok(0)
}

fn in_memory(
    arguments: &Arguments,
    study: &EnsembleStudy<'_>,
    gauge: &Gauge<'_>,
) -> Result<EnsembleOutcome, Failure> {
    let (ensemble, outcome) = collect_ensemble(study, gauge.told())?;
    gauge.clear();
    let document = || ensemble_document(study.identity().names(), &outcome.summary);
    match arguments.form.data_file() {
        Some(path) => {
            let text = serde_json::to_string(&ensemble)
                .map_err(|error| Failure::Unprintable { what: "the ensemble", error })?;
            write_whole(path, (text + "\n").as_bytes())
                .map_err(|error| Failure::Unwritable { name: path.display().to_string(), error })?;
            arguments.form.show(document, || serde_json::to_string_pretty(&counts(&outcome)))?;
        }
        None => arguments.form.write(document, || serde_json::to_string(&ensemble))?,
    }
    Ok(outcome)
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

fn options(arguments: &Arguments) -> EnsembleOptions {
    EnsembleOptions {
        motion: arguments.motion.options(),
        runs: arguments.runs,
        seed: arguments.seed,
        random: arguments.random.clone(),
        grid: arguments.grid.clone(),
        chunk: arguments.chunk.clone(),
        threads: arguments.threads.map(NonZeroUsize::get),
    }
}

/// What stands on standard output as JSON where the rows went to a file.
pub(super) fn counts(outcome: &EnsembleOutcome) -> serde_json::Value {
    serde_json::json!({ "runs": outcome.summary.runs(), "statuses": outcome.summary.statuses })
}

/// How far an ensemble is, with the time that is left.
struct Gauge<'t> {
    terminal: &'t Terminal,
    runs: u64,
    begun: Instant,
}

/// How often it is told.
const EVERY: Duration = Duration::from_millis(500);

impl<'t> Gauge<'t> {
    fn new(terminal: &'t Terminal, runs: u64) -> Self {
        Self { terminal, runs, begun: Instant::now() }
    }

    /// What is told after each run.
    fn told(&self) -> impl FnMut(u64) {
        let (mut last, mut first) = (self.begun, None);
        let watched = self.terminal.is_watched();
        move |done| {
            // runs that were there before took no time
            let first = *first.get_or_insert(done - 1);
            if watched && last.elapsed() >= EVERY {
                last = Instant::now();
                let each = self.begun.elapsed().as_secs_f64() / (done - first) as f64;
                let left = each * (self.runs - done.min(self.runs)) as f64;
                self.terminal.gauge(&format!("mechan: {done} of {} runs, {} left", self.runs, span(left)));
            }
        }
    }

    fn clear(&self) {
        if self.terminal.is_watched() {
            self.terminal.gauge("");
        }
    }
}

/// A time in words.
fn span(seconds: f64) -> String {
    let whole = seconds.ceil().max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}
