//! `mechan simulate`: a motion from a state, or every motion that may follow.

use super::form::ReportForm;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::pipeline::{DEFAULT_DEPTH, SimulateOptions, futures, load, simulate};
use crate::report::{futures_document, trajectory_document};
use crate::simulate::event::Limits;
use crate::simulate::trajectory::Status;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The state it begins at [default: the first]
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Override a parameter, a coordinate or `dot(x)`; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// The time at which it ends, in seconds
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    t_end: f64,
    /// Error per step, relative to each number's own size [default: 1e-10]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// The same in the units of each number, beside that [default: 0]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    atol: Option<f64>,
    /// Samples at equal times [default: 200]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Where several motions are possible: a mode, `iwc`, or `all` for the tree of them; repeatable, the first that is possible
    /// is taken
    #[arg(long, value_name = "NAME")]
    future: Vec<String>,
    /// With `--futures all`: the tree of every motion that may follow
    #[arg(long, value_name = "all")]
    futures: Option<Which>,
    /// Forks that are followed on one way of the tree
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DEPTH)]
    depth: usize,
    /// End where this expression falls through zero; may use `dot(x)` and columns such as `tip.N`
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    stop: Option<String>,
    /// Events after which it is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().events)]
    max_events: usize,
    /// Steps after which it is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: usize,
    #[command(flatten)]
    form: ReportForm,
}

/// Which futures are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Which {
    /// All of them.
    All,
}

/// Exit status 3 where the numbers failed or the budget was used up; how a motion ends otherwise is an answer.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let loaded = load(&arguments.file)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let model = model_of(&loaded, terminal)?;
    let options = SimulateOptions {
        state: arguments.state.clone(),
        set: arguments.set.clone(),
        t_end: arguments.t_end,
        rtol: arguments.rtol,
        atol: arguments.atol,
        samples: arguments.samples,
        futures: arguments.future.clone(),
        stop: arguments.stop.clone(),
        limits: Limits { steps: arguments.max_steps, events: arguments.max_events },
    };
    let statuses: Vec<Status> = if arguments.futures.is_some() {
        let tree = futures(&loaded, &model, &options, arguments.depth)?;
        arguments.form.write(|| futures_document(&tree), || serde_json::to_string_pretty(&tree))?;
        tree.nodes.iter().map(|node| node.trajectory.status).collect()
    } else {
        let found = simulate(&loaded, &model, &options)?;
        arguments.form.write(|| trajectory_document(&found), || serde_json::to_string_pretty(&found))?;
        vec![found.status]
    };
    let failed = statuses.iter().any(|status| matches!(status, Status::Failed | Status::Budget));
    Ok(if failed { 3 } else { 0 })
}
