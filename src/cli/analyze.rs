//! `mechan analyze`: the main job.

use super::Answer;
use super::derive::{equations_of, model_of};
use super::form::{ReportForm, Written};
use super::output::Terminal;
use crate::analysis::{ANALYSIS_SCHEMA, Analysis};
use crate::derive::Wording;
use crate::model::Model;
use crate::num::Tol;
use crate::pipeline::{
    AnalyzeOptions, Failure, Loaded, Usage, analyze, draw_state, illustrate, load, status_of,
};
use crate::plot::StatePlotRequest;
use crate::report::{Choice, Depth, Document, Illustrations, SECTIONS, illustrated_document};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism files (YAML) or model files (JSON); `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Only this state; repeatable
    #[arg(long, value_name = "NAME")]
    state: Vec<String>,
    /// Override a parameter, a coordinate or `dot(x)` in every state; repeatable
    #[arg(long, value_name = "NAME=EXPR")]
    set: Vec<String>,
    /// Also search the domain for the least friction with dynamic jam (one planar contact, one coordinate)
    #[arg(long)]
    jam: bool,
    /// The next time step, in seconds, as an incremental problem [default: 0.001]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// Boxes that the search for the critical friction may spend on each contact [default: 10000, tenths of a second]
    #[arg(long, value_name = "N")]
    boxes: Option<usize>,
    /// For how long to follow a motion without slip, in seconds [default: ten times the mechanism's own time]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    look_ahead: Option<f64>,
    /// A picture of the first state that has it: `state`, `map`, `plane`, `impulse`, `jam`, `portrait`, `vectors`, `gain`, `forces` or `returns`; repeatable
    #[arg(long, value_name = "NAME[=FILE]")]
    plot: Vec<String>,
    #[command(flatten)]
    depth: DepthOptions,
    #[command(flatten)]
    form: ReportForm,
}

/// How much of the report is shown.
#[derive(Args, Debug)]
struct DepthOptions {
    /// Only a line a state
    #[arg(long, conflicts_with_all = ["full", "section"])]
    brief: bool,
    /// Everything that is known (HTML has it folded)
    #[arg(long, conflicts_with = "section")]
    full: bool,
    /// Only this part: overview, description, domain, state, why, pictures, modes, impact, rest, jam, motion, contacts, equations,
    /// step or delassus; repeatable
    #[arg(long, value_name = "NAME")]
    section: Vec<String>,
}

impl DepthOptions {
    /// What is wanted of the report; a page has everything, folded.
    fn choice(&self, is_html: bool) -> Result<Choice, Failure> {
        match (&self.section[..], self.brief, self.full || is_html) {
            ([], true, _) => Ok(Choice::UpTo(Depth::Brief)),
            ([], false, true) => Ok(Choice::UpTo(Depth::Full)),
            ([], false, false) => Ok(Choice::UpTo(Depth::Usual)),
            (names, _, _) => Ok(Choice::only(names).map_err(Usage::Section)?),
        }
    }
}

/// What is said about one file.
enum Report {
    Analysis(Box<Analysis>, Illustrations),
    Failure(FileFailure),
}

/// A file without an analysis, in a list of several.
#[derive(Serialize)]
struct FileFailure {
    schema: &'static str,
    file: String,
    error: Words,
}

#[derive(Serialize)]
struct Words {
    code: &'static str,
    message: String,
}

/// One report for all files. A file or a state that fails does not take the others' reports with it; the worst exit
/// status is returned.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    arguments.form.check(Written::Json)?;
    let usual = Tol::default();
    let choice = arguments.depth.choice(arguments.form.is_html())?;
    let requests = arguments.plot.iter().map(|text| text.parse().map_err(Usage::Plot));
    let requests = requests.collect::<Result<Vec<StatePlotRequest>, _>>()?;
    let options = AnalyzeOptions {
        states: arguments.state.clone(),
        set: arguments.set.clone(),
        jam: arguments.jam,
        step: arguments.step,
        without_next_step: false,
        without_no_slip: false,
        // nobody waits for what is not shown
        without_domain: !arguments.form.is_whole() && !choice.wants("domain", Depth::Usual),
        look_ahead: arguments.look_ahead,
        tolerances: Tol { search_boxes: arguments.boxes.unwrap_or(usual.search_boxes), ..usual },
    };
    let (mut reports, mut worst) = (Vec::new(), 0);
    for file in &arguments.files {
        match analyze_file(file, &options, (&requests, arguments.form.is_html()), terminal) {
            Ok((report, status)) => {
                reports.push(report);
                worst = worst.max(status);
            }
            Err(failure) => {
                terminal.failure(&failure);
                worst = worst.max(failure.exit_status());
                reports.push(Report::Failure(unanswered(file, &failure)));
            }
        }
    }
    let one = arguments.files.len() == 1;
    if !one || reports.iter().any(|r| matches!(r, Report::Analysis(..))) {
        let color = terminal.report_color();
        arguments.form.write_in(color, || document(&reports, &choice), || json(&reports, one))?;
    }
    Ok(worst)
}

/// Draws what was asked for; a picture without a file is named after what it shows.
fn draw(
    requests: &[StatePlotRequest],
    mechanism: (&Loaded, &Model),
    asked: (&Analysis, &[String]),
    terminal: &Terminal,
) -> Result<(), Failure> {
    for request in requests {
        let own = || PathBuf::from(format!("{}_{}.svg", asked.0.mechanism, request.plot.name()));
        let path = request.file.clone().unwrap_or_else(own);
        draw_state(request.plot, mechanism, asked)?.write(&path)?;
        terminal.note(&format!("mechan: {} written", path.display()));
    }
    Ok(())
}

fn unanswered(file: &str, failure: &Failure) -> FileFailure {
    let error = Words { code: failure.code(), message: failure.message() };
    FileFailure { schema: ANALYSIS_SCHEMA, file: file.to_string(), error }
}

/// An analysis with what a page shows beside it, its pictures drawn, and the exit status that its states deserve.
fn analyze_file(
    file: &str,
    options: &AnalyzeOptions,
    (requests, is_page): (&[StatePlotRequest], bool),
    terminal: &Terminal,
) -> Result<(Report, u8), Failure> {
    let loaded = load(file)?;
    terminal.loaded(&loaded);
    let model = model_of(&loaded, terminal)?;
    let analysis = analyze(&loaded, &model, options)?;
    let mut worst = 0;
    for failure in analysis.failures() {
        terminal.faults(&loaded.source, &failure.faults);
        worst = worst.max(status_of(&failure.faults));
    }
    let asked = (&analysis, &options.set[..]);
    draw(requests, (&loaded, &model), asked, terminal)?;
    let shown = is_page.then(|| illustrated((&loaded, &model), asked, terminal));
    Ok((Report::Analysis(Box::new(analysis), shown.unwrap_or_default()), worst))
}

/// Equations and pictures; a page without equations says so beside it.
fn illustrated(
    (loaded, model): (&Loaded, &Model),
    asked: (&Analysis, &[String]),
    terminal: &Terminal,
) -> Illustrations {
    let equations = equations_of(loaded, terminal, Wording::Short);
    if let Err(failure) = &equations {
        terminal.notice(&format!("the page has no equations in symbols: {failure}"));
    }
    illustrate((loaded, model), asked, equations.as_ref().ok())
}

/// What is wanted of the reports, and the names of what is not shown.
fn document(reports: &[Report], choice: &Choice) -> Document {
    let mut document = Document::new();
    for report in reports {
        match report {
            Report::Analysis(analysis, shown) => document.append(illustrated_document(analysis, shown)),
            Report::Failure(failure) => {
                document.heading(1, failure.file.clone());
                document.warning(format!("no analysis: {} [{}]", failure.error.message, failure.error.code));
            }
        }
    }
    let (mut chosen, left_out) = document.chosen(choice);
    // of several names some may say nothing
    if !choice.names().iter().any(|name| chosen.has_section(name)) {
        for name in choice.names() {
            let says = SECTIONS.iter().find(|(known, _)| known == name).map_or("", |(_, says)| *says);
            chosen.note(format!("Nothing is said here under `{name}` ({says})."));
        }
    }
    if *choice == Choice::UpTo(Depth::Usual) && !left_out.is_empty() {
        chosen.note(format!(
            "Not shown in full: {}. --full shows everything, --section NAME a part.",
            left_out.join(", ")
        ));
    }
    chosen
}

/// One file is one object, several are a list of them.
fn json(reports: &[Report], one: bool) -> serde_json::Result<String> {
    let value = |report: &Report| match report {
        Report::Analysis(analysis, _) => serde_json::to_value(analysis),
        Report::Failure(failure) => serde_json::to_value(failure),
    };
    match reports {
        [Report::Analysis(analysis, _)] if one => serde_json::to_string_pretty(analysis),
        _ => serde_json::to_string_pretty(&reports.iter().map(value).collect::<Result<Vec<_>, _>>()?),
    }
}
