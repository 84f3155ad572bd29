//! `mechan cycle`: a periodic motion and its multipliers.

use super::form::{ReportForm, Written};
use super::interrupt::heard;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::pipeline::{CycleOptions, DEFAULT_WAIT, SimulateOptions, cycle, load};
use crate::report::{cycle_document, write_trajectory};
use crate::simulate::event::Limits;
use clap::Args;

#[derive(Args, Debug)]
#[command(
    after_help = "The section should cut the motion where no contact is being struck. For what moves by \
prescription it has to fix the phase: `--section 'cos(omega*t)'`."
)]
pub(super) struct Arguments {
    /// Mechanism file (YAML) or model file (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The state from which it is searched [default: the first]
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Override a parameter, a coordinate or `dot(x)`; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// Returns are where this expression of t, coordinates and velocities falls through zero
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    section: String,
    /// A map of coordinates: what follows a return is the image of what went before it
    #[arg(long, value_name = "x=-x,..", allow_hyphen_values = true)]
    symmetry: Option<String>,
    /// The longest time of a return, in seconds
    #[arg(long, value_name = "T", default_value_t = DEFAULT_WAIT)]
    t_end: f64,
    /// Error per step, relative to each number's own size [default: 1e-12]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// The same in the units of each number, beside that [default: 0]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    atol: Option<f64>,
    /// Samples of one period at equal times [default: 200]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// What to follow where several motions are possible: a mode or `iwc`; repeatable, the first that is possible is taken
    #[arg(long, value_name = "NAME")]
    future: Vec<String>,
    /// Events after which a return is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().events)]
    max_events: usize,
    /// Steps after which a return is cut short
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: usize,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 3 where there is no periodic motion to be found, 130 where it was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Tables)?;
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let found = heard(|| cycle(&loaded, &model, &options(arguments)))?;
    let form = &arguments.form;
    match form.data_file() {
        Some(path) => {
            write_trajectory(&found.trajectory, path)?;
            form.show(|| cycle_document(&found), || serde_json::to_string_pretty(&found))?;
        }
        None => form.write(|| cycle_document(&found), || serde_json::to_string_pretty(&found))?,
    }
    Ok(0)
}

fn options(arguments: &Arguments) -> CycleOptions {
    CycleOptions {
        motion: SimulateOptions {
            state: arguments.state.clone(),
            set: arguments.set.clone(),
            t_end: arguments.t_end,
            rtol: arguments.rtol,
            atol: arguments.atol,
            samples: arguments.samples,
            futures: arguments.future.clone(),
            limits: Limits { steps: arguments.max_steps, events: arguments.max_events },
            ..SimulateOptions::default()
        },
        section: arguments.section.clone(),
        symmetry: arguments.symmetry.clone(),
    }
}
