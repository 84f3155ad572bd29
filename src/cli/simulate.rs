//! `mechan simulate`: a motion from a state, every motion that may follow, or what follows as contacts become rigid.

use super::form::{ReportForm, Written};
use super::interrupt::{INTERRUPTED, heard};
use super::motion::MotionArguments;
use super::output::Terminal;
use super::{Answer, derive::model_of};
use crate::model::Model;
use crate::pipeline::{
    DEFAULT_DEPTH, Failure, Loaded, MotionTables, SimulateOptions, TableFault, Usage, compliance_study,
    draw_futures, draw_motion, draw_study, futures, illustrate_futures, illustrate_motion, load, simulate,
    write_gltf, write_tables,
};
use crate::plot::{Picture, Plot, PlotRequest};
use crate::report::{futures_document, study_document, trajectory_document, write_trajectory};
use crate::simulate::trajectory::Status;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "--output NAME.csv, .parquet and .json write the samples, NAME.glb the motion as glTF 2.0 with animation, for viewers; other endings the report."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    motion: MotionArguments,
    /// Samples at equal times [default: 200]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Write where bodies are and how they move (.csv, .parquet): a row for each body and sample
    #[arg(long, value_name = "FILE")]
    bodies: Option<PathBuf>,
    /// Write what contacts carry (.csv, .parquet): bodies, place, normal, force and slip, a row for each closed contact and sample
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Follow every motion that may follow, as a tree
    #[arg(long, value_name = "all")]
    futures: Option<Which>,
    /// Forks that are followed on one way of the tree
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DEPTH, requires = "futures")]
    depth: usize,
    /// A picture: columns such as `theta,tip.N`, `phase:theta`, `motion`, `animation` (.svg or .html), `tree` of all futures, or `portrait` of a
    /// compliant contact; repeatable
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    form: ReportForm,
}

/// Which futures are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All of them.
    All,
}

/// Exit status 3 where the numbers failed or the budget was used up, 130 where it was interrupted; how a motion ends otherwise is an answer.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let is_one = arguments.futures.is_none() && arguments.motion.how.eps.len() <= 1;
    arguments.form.check(if is_one { Written::Motions } else { Written::Json })?;
    let requests = arguments.plot.iter().map(|text| text.parse().map_err(Usage::Plot));
    let requests = requests.collect::<Result<Vec<PlotRequest>, _>>()?;
    let loaded = load(&arguments.motion.file)?;
    terminal.loaded(&loaded);
    let tables = MotionTables { bodies: arguments.bodies.clone(), contacts: arguments.contacts.clone() };
    tables.check(&loaded.mechanism, arguments.form.file())?;
    if !is_one && !tables.is_empty() {
        return Err(Usage::Tables(TableFault::Several).into());
    }
    let model = model_of(&loaded, terminal)?;
    let options = SimulateOptions { samples: arguments.samples, ..arguments.motion.options() };
    let asked = Asked { arguments, requests, tables, loaded, model, options, terminal };
    let statuses = if arguments.futures.is_some() {
        asked.futures()?
    } else if arguments.motion.how.eps.len() > 1 {
        asked.study()?
    } else {
        asked.motion()?
    };
    if statuses.contains(&Status::Interrupted) {
        terminal.warning("interrupted: what was followed until then is written");
        return Ok(INTERRUPTED);
    }
    let failed = statuses.iter().any(|status| matches!(status, Status::Failed | Status::Budget));
    Ok(if failed { 3 } else { 0 })
}

/// A mechanism and what is asked of it.
struct Asked<'a> {
    arguments: &'a Arguments,
    requests: Vec<PlotRequest>,
    tables: MotionTables,
    loaded: Loaded,
    model: Model,
    options: SimulateOptions,
    terminal: &'a Terminal,
}

impl Asked<'_> {
    fn motion(&self) -> Result<Vec<Status>, Failure> {
        let found = heard(|| simulate(&self.loaded, &self.model, &self.options))?;
        let mechanism = (&self.loaded, &self.model);
        self.draw(|request| draw_motion(request, mechanism, &self.options, &found))?;
        if !self.tables.is_empty() {
            write_tables(&self.loaded, &self.model, &self.options, (&found, &self.tables))?;
        }
        let form = &self.arguments.form;
        match form.data_file().or(form.film()) {
            Some(path) => {
                match form.film() {
                    Some(film) => write_gltf(&self.loaded, &self.model, &self.options, (&found, film))?,
                    None => write_trajectory(&found, path)?,
                }
                form.show(|| trajectory_document(&found), || serde_json::to_string_pretty(&found))?;
            }
            None => {
                let pictures = || illustrate_motion(mechanism, &self.options, &found);
                let document = || trajectory_document(&found).with_pictures(form.pictures(pictures));
                form.write(document, || serde_json::to_string_pretty(&found))?;
            }
        }
        let is_said = matches!(found.status, Status::Stopped | Status::Interrupted);
        if let Some(reason) = found.reason.as_ref().filter(|_| !is_said) {
            self.terminal
                .note(&format!("mechan: the motion ended with status {}: {reason}", found.status.name()));
        }
        Ok(vec![found.status])
    }

    fn futures(&self) -> Result<Vec<Status>, Failure> {
        let tree = heard(|| futures(&self.loaded, &self.model, &self.options, self.arguments.depth))?;
        let mechanism = (&self.loaded, &self.model);
        self.draw(|request| draw_futures(request, mechanism, &self.options, &tree))?;
        let form = &self.arguments.form;
        let pictures = || illustrate_futures(mechanism, &self.options, &tree);
        let document = || futures_document(&tree).with_pictures(form.pictures(pictures));
        form.write(document, || serde_json::to_string_pretty(&tree))?;
        Ok(tree.nodes.iter().map(|node| node.trajectory.status).collect())
    }

    fn study(&self) -> Result<Vec<Status>, Failure> {
        let found = heard(|| compliance_study(&self.loaded, &self.model, &self.options))?;
        let mechanism = (&self.loaded, &self.model);
        self.draw(|request| draw_study(request, mechanism, &self.options))?;
        let document = || study_document(&found.mechanism, &found.state, (&found.study, &found.warnings));
        self.arguments.form.write(document, || serde_json::to_string_pretty(&found))?;
        Ok(Vec::new())
    }

    /// Draws the pictures that were asked for; one without a file is named after what it shows.
    fn draw(&self, draw: impl Fn(&PlotRequest) -> Result<Picture, Failure>) -> Result<(), Failure> {
        for (request, text) in self.requests.iter().zip(&self.arguments.plot) {
            let path = request.file.clone().unwrap_or_else(|| self.own_name(text));
            let picture = draw(request)?;
            match request.plot {
                Plot::Animation => picture.write_moving(&path, &self.loaded.mechanism.name)?,
                _ => picture.write(&path)?,
            }
            self.terminal.note(&format!("mechan: {} written", path.display()));
        }
        Ok(())
    }

    fn own_name(&self, text: &str) -> PathBuf {
        let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        Path::new(&format!("{}_{plain}.svg", self.loaded.mechanism.name)).to_path_buf()
    }
}
