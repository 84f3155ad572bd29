//! `mechan converge`: orders of accuracy of schemes on a motion.

use super::form::{ReportForm, Written};
use super::interrupt::{INTERRUPTED, heard};
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::pipeline::{ConvergeOptions, Usage, converge, illustrate_convergence, load};
use crate::plot::{ConvergencePlot, convergence};
use crate::report::convergence_document;
use crate::simulate::converge::Unfinished;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Schemes: moreau, moreau-jean, moreau-projected, schatzman-paoli, moreau-heuristic, moreau-adaptive, radau-3, \
radau-5, lobatto-2, lobatto-4, lobatto-6, herk-2 .. herk-6, event, compliant. Errors are measured against a closed form where there is one, else \
against a converged motion with an estimate of its own error."
)]
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
    /// The time at which it ends, in seconds [default: 5 after it begins]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    t_end: Option<f64>,
    /// Which schemes, with commas [default: all that apply]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    schemes: Vec<String>,
    /// Steps, in seconds, with commas [default: as many as the order of each scheme needs]
    #[arg(long, value_name = "H1,H2,..", value_delimiter = ',', allow_negative_numbers = true)]
    steps: Vec<f64>,
    /// Where in a time step forces are taken, from 0 (explicit) to 1, of time-stepping schemes [default: 1/2]
    #[arg(long, value_name = "THETA", allow_negative_numbers = true)]
    theta: Option<f64>,
    /// How far ahead of a time step gaps are predicted, in steps from 0 to 1, of the same [default: 1/2]
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true)]
    gamma: Option<f64>,
    /// A picture: `order` (errors over steps) or `work` (errors over evaluations), of `:q.max` (default), `:v.hausdorff`, ..;
    /// repeatable; a page (HTML) has both
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// Exit status 130 where it was interrupted.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let form = &arguments.form;
    form.check(Written::Json)?;
    let plots = arguments.plot.iter().map(|text| text.parse::<ConvergencePlot>().map_err(Usage::Plot));
    let plots = plots.collect::<Result<Vec<_>, _>>()?;
    let loaded = load(&arguments.file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let options = ConvergeOptions {
        state: arguments.state.clone(),
        set: arguments.set.clone(),
        t_end: arguments.t_end,
        schemes: arguments.schemes.clone(),
        steps: arguments.steps.clone(),
        theta: arguments.theta,
        gamma: arguments.gamma,
    };
    let found = heard(|| converge(&loaded, &model, &options))?;
    for plot in &plots {
        let own = || PathBuf::from(format!("{}_{}.svg", found.mechanism, plot.stem()));
        let path = plot.file.clone().unwrap_or_else(own);
        convergence(&found, plot).map_err(Usage::Plot)?.write(&path)?;
        terminal.note(&format!("mechan: {} written", path.display()));
    }
    let pictures = || illustrate_convergence(&found);
    let document = || convergence_document(&found).with_pictures(form.pictures(pictures));
    form.write(document, || serde_json::to_string_pretty(&found))?;
    Ok(found.interrupted.map_or(0, |Unfinished { schemes, of }| {
        terminal.warning(&format!("interrupted: {schemes} of {of} schemes are done"));
        INTERRUPTED
    }))
}
