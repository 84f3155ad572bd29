//! `mechan analyze`: the main job.

use super::output::{Terminal, write_result};
use super::{Answer, derive::deriver};
use crate::analysis::Analysis;
use crate::pipeline::{AnalyzeOptions, Failure, analyze, derive_model, load};
use crate::report::{analysis_document, render_html, render_markdown, render_text};
use clap::{Args, ValueEnum};
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
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the report to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Html,
    Json,
}

/// One report for all files. A file that fails does not take the others' reports with it; the worst exit status
/// is returned.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let options = AnalyzeOptions { states: arguments.state.clone(), set: arguments.set.clone() };
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
        write_result(&render(&analyses, arguments)?, arguments.output.as_deref())?;
    }
    Ok(worst)
}

fn analyze_file(file: &str, options: &AnalyzeOptions, terminal: &Terminal) -> Result<Analysis, Failure> {
    let loaded = load(file)?;
    terminal.warnings(&loaded.source, &loaded.warnings);
    let model = derive_model(&loaded, &deriver(terminal, &|m| terminal.progress(m))?)?;
    analyze(&loaded, &model, options)
}

/// One file is one document; several are a list of them in JSON, and follow each other otherwise.
fn render(analyses: &[Analysis], arguments: &Arguments) -> Result<String, Failure> {
    let mut document = crate::report::Document::new();
    analyses.iter().for_each(|a| document.append(analysis_document(a)));
    Ok(match arguments.format {
        Format::Text => render_text(&document),
        Format::Markdown => render_markdown(&document),
        Format::Html => render_html(&document),
        Format::Json => {
            let text = match (analyses, arguments.files.len()) {
                ([one], 1) => serde_json::to_string_pretty(one),
                _ => serde_json::to_string_pretty(analyses),
            };
            text.map_err(|e| Failure::Numbers(format!("the analysis cannot be written: {e}")))? + "\n"
        }
    })
}
