//! `mechan simulate`: a motion from a state, every motion that may follow, or what follows as contacts become rigid.

use super::form::ReportForm;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::model::Model;
use crate::pipeline::{
    DEFAULT_DEPTH, Failure, Loaded, Scheme as Computed, SimulateOptions, Usage, compliance_study,
    draw_futures, draw_motion, futures, load, simulate,
};
use crate::plot::{Picture, PlotRequest};
use crate::report::{futures_document, study_document, trajectory_document, write_trajectory};
use crate::simulate::event::Limits;
use crate::simulate::trajectory::Status;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

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
    /// How it is computed
    #[arg(long, value_enum, default_value_t = Scheme::Event)]
    scheme: Scheme,
    /// Of the compliant scheme: forces are those of a spring 1/eps^2; several, with commas, ask what follows as eps -> 0
    #[arg(long, value_name = "E1,E2,..", value_delimiter = ',', allow_negative_numbers = true)]
    eps: Vec<f64>,
    /// Error per step, relative to each number's own size [default: 1e-10]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// The same in the units of each number, beside that [default: 0]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    atol: Option<f64>,
    /// Samples at equal times [default: 200]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// What to follow where several motions are possible: a mode or `iwc`; repeatable, the first that is possible is taken
    #[arg(long, value_name = "NAME")]
    future: Vec<String>,
    /// Follow every motion that may follow, as a tree
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
    /// A picture: columns such as `theta,tip.N`, `phase:theta`, `motion`, or `tree` of all futures; repeatable
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// How a motion is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheme {
    /// From event to event, with rigid contacts
    Event,
    /// With regularised contacts, needs --eps
    Compliant,
}

/// Which futures are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All of them.
    All,
}

/// Exit status 3 where the numbers failed or the budget was used up; how a motion ends otherwise is an answer.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let requests = arguments.plot.iter().map(|text| text.parse().map_err(Usage::Plot));
    let requests = requests.collect::<Result<Vec<PlotRequest>, _>>()?;
    let loaded = load(&arguments.file)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let model = model_of(&loaded, terminal)?;
    let asked = Asked { arguments, requests, loaded, model, options: options(arguments), terminal };
    let statuses = if arguments.futures.is_some() {
        asked.futures()?
    } else if arguments.eps.len() > 1 {
        asked.study()?
    } else {
        asked.motion()?
    };
    let failed = statuses.iter().any(|status| matches!(status, Status::Failed | Status::Budget));
    Ok(if failed { 3 } else { 0 })
}

fn options(arguments: &Arguments) -> SimulateOptions {
    SimulateOptions {
        state: arguments.state.clone(),
        set: arguments.set.clone(),
        scheme: match arguments.scheme {
            Scheme::Event => Computed::Event,
            Scheme::Compliant => Computed::Compliant,
        },
        eps: arguments.eps.clone(),
        t_end: arguments.t_end,
        rtol: arguments.rtol,
        atol: arguments.atol,
        samples: arguments.samples,
        futures: arguments.future.clone(),
        stop: arguments.stop.clone(),
        limits: Limits { steps: arguments.max_steps, events: arguments.max_events },
    }
}

/// A mechanism and what is asked of it.
struct Asked<'a> {
    arguments: &'a Arguments,
    requests: Vec<PlotRequest>,
    loaded: Loaded,
    model: Model,
    options: SimulateOptions,
    terminal: &'a Terminal,
}

impl Asked<'_> {
    fn motion(&self) -> Result<Vec<Status>, Failure> {
        let found = simulate(&self.loaded, &self.model, &self.options)?;
        let mechanism = (&self.loaded, &self.model);
        self.draw(|request| draw_motion(request, mechanism, &self.options, &found))?;
        let form = &self.arguments.form;
        match form.data_file() {
            Some(path) => {
                write_trajectory(&found, path)?;
                form.show(|| trajectory_document(&found), || serde_json::to_string_pretty(&found))?;
            }
            None => form.write(|| trajectory_document(&found), || serde_json::to_string_pretty(&found))?,
        }
        if let Some(reason) = found.reason.as_ref().filter(|_| found.status != Status::Stopped) {
            self.terminal
                .note(&format!("mechan: the motion ended with status {}: {reason}", found.status.name()));
        }
        Ok(vec![found.status])
    }

    fn futures(&self) -> Result<Vec<Status>, Failure> {
        let tree = futures(&self.loaded, &self.model, &self.options, self.arguments.depth)?;
        let mechanism = (&self.loaded, &self.model);
        self.draw(|request| draw_futures(request, mechanism, &self.options, &tree))?;
        self.arguments.form.write(|| futures_document(&tree), || serde_json::to_string_pretty(&tree))?;
        Ok(tree.nodes.iter().map(|node| node.trajectory.status).collect())
    }

    fn study(&self) -> Result<Vec<Status>, Failure> {
        let found = compliance_study(&self.loaded, &self.model, &self.options)?;
        let document = || study_document(&found.mechanism, &found.state, &found.study);
        self.arguments.form.write(document, || serde_json::to_string_pretty(&found))?;
        Ok(Vec::new())
    }

    /// Draws the pictures that were asked for; one without a file is named after what it shows.
    fn draw(&self, draw: impl Fn(&PlotRequest) -> Result<Picture, Failure>) -> Result<(), Failure> {
        for (request, text) in self.requests.iter().zip(&self.arguments.plot) {
            let path = request.file.clone().unwrap_or_else(|| self.own_name(text));
            draw(request)?.write(&path)?;
            self.terminal.note(&format!("mechan: {} written", path.display()));
        }
        Ok(())
    }

    fn own_name(&self, text: &str) -> PathBuf {
        let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        Path::new(&format!("{}_{plain}.svg", self.loaded.mechanism.name)).to_path_buf()
    }
}
