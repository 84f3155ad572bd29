//! `mechan ensemble`: many motions over random or gridded conditions, one row each.

use super::form::{ReportForm, Written, ends};
use super::gauge::Gauge;
use super::interrupt::{INTERRUPTED, heard};
use super::motion::MotionArguments;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::pipeline::{
    EnsembleFault, EnsembleOptions, EnsembleOutcome, EnsembleStudy, Failure, Usage, collect_ensemble, load,
    write_ensemble, write_json,
};
use crate::report::ensemble_document;
use clap::Args;
use std::num::NonZeroUsize;

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
    /// Draw a parameter, a coordinate or `dot(x)` for each run; `NAME=log:LO:HI` draws its order of magnitude, `NAME=normal:MEAN:DEVIATION[:LO:HI]`
    /// from a normal distribution (again outside the range), `NAME=file:SAMPLES.csv` takes the column of that name row by row; repeatable
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

/// Exit status 0: how a run ends is an answer; 130 where it was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Tables)?;
    let loaded = load(&arguments.motion.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let study = EnsembleStudy::new(&loaded, &model, &options(arguments))?;
    let range = study.range();
    let mut gauge = Gauge::new(terminal, "runs", range.end - range.start);
    let outcome = match arguments.form.data_file().filter(|path| !ends(path, &["json"])) {
        Some(path) => {
            let outcome = heard(|| write_ensemble(&study, path, arguments.resume, |done| gauge.tell(done)))?;
            gauge.clear();
            let document = || ensemble_document(study.identity().names(), &outcome.summary);
            arguments.form.show(document, || serde_json::to_string_pretty(&counts(&outcome)))?;
            outcome
        }
        None if arguments.resume => return Err(Usage::from(EnsembleFault::ResumeWhat).into()),
        None => in_memory(arguments, &study, &mut gauge)?,
    };
    if let Some(first) = outcome.first_moved {
        let EnsembleOutcome { moved, .. } = outcome;
        terminal.note(&format!("mechan: {moved} runs began elsewhere; run {}: {}", first.run, first.reason));
    }
    if let Some(refused) = outcome.refused {
        terminal.note(&format!("mechan: run {} could not begin: {}", refused.run, refused.reason));
    }
    if outcome.interrupted {
        let (done, of) = (outcome.summary.runs(), range.end - range.start);
        terminal.warning(&format!("interrupted: {done} of {of} runs are done"));
        return Ok(INTERRUPTED);
    }
    Ok(0)
}

fn in_memory(
    arguments: &Arguments,
    study: &EnsembleStudy<'_>,
    gauge: &mut Gauge<'_>,
) -> Result<EnsembleOutcome, Failure> {
    let (ensemble, outcome) = heard(|| collect_ensemble(study, |done| gauge.tell(done)))?;
    gauge.clear();
    let document = || ensemble_document(study.identity().names(), &outcome.summary);
    match arguments.form.data_file() {
        Some(path) => {
            write_json(path, "the ensemble", &ensemble)?;
            arguments.form.show(document, || serde_json::to_string_pretty(&counts(&outcome)))?;
        }
        None => arguments.form.write(document, || serde_json::to_string(&ensemble))?,
    }
    Ok(outcome)
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
    let (runs, interrupted) = (outcome.summary.runs(), outcome.interrupted);
    serde_json::json!({ "runs": runs, "statuses": outcome.summary.statuses, "interrupted": interrupted })
}
