//! `mechan analyze`: the main job.

use super::form::ReportForm;
use super::output::Terminal;
use super::{Answer, derive::deriver};
use crate::analysis::Analysis;
use crate::num::Tol;
use crate::pipeline::{AnalyzeOptions, Failure, analyze, derive_model, load};
use crate::report::{Document, analysis_document};
use clap::Args;

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
    #[arg(long, value_name = "H")]
    step: Option<f64>,
    /// For how long to follow a motion without slip, in seconds [default: ten times the mechanism's own time]
    #[arg(long, value_name = "T")]
    look_ahead: Option<f64>,
    #[command(flatten)]
    form: ReportForm,
}

/// One report for all files. A file that fails does not take the others' reports with it; the worst exit status
/// is returned.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let options = AnalyzeOptions {
        states: arguments.state.clone(),
        set: arguments.set.clone(),
        jam: arguments.jam,
        step: arguments.step,
        without_next_step: false,
        look_ahead: arguments.look_ahead,
        tolerances: Tol::default(),
    };
    let mut analyses = Vec::new();
    let mut worst = 0;
    for file in &arguments.files {
        match analyze_file(file, &options, terminal) {
            Ok(analysis) => analyses.push(analysis),
            Err(failure) => {
                terminal.failure(&failure);
                worst = worst.max(failure.exit_status());
            }
        }
    }
    if !analyses.is_empty() {
        let one = arguments.files.len() == 1;
        arguments.form.write(|| document(&analyses), || json(&analyses, one))?;
    }
    Ok(worst)
}

fn analyze_file(file: &str, options: &AnalyzeOptions, terminal: &Terminal) -> Result<Analysis, Failure> {
    let loaded = load(file)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let model = derive_model(&loaded, &deriver(terminal, &|m| terminal.progress(m))?)?;
    analyze(&loaded, &model, options)
}

fn document(analyses: &[Analysis]) -> Document {
    let mut document = Document::new();
    analyses.iter().for_each(|a| document.append(analysis_document(a)));
    document
}

/// One file is one object, several are a list of them.
fn json(analyses: &[Analysis], one: bool) -> serde_json::Result<String> {
    match analyses {
        [analysis] if one => serde_json::to_string_pretty(analysis),
        _ => serde_json::to_string_pretty(analyses),
    }
}
