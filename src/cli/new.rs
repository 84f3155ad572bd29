//! `mechan new`: a commented starter file, or a mechanism of the library under a name of one's own.

use super::Answer;
use super::output::write_result;
use crate::format::starter;
use crate::pipeline::{Failure, Usage, shipped_or_else};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Name of the mechanism: letters, digits and `_`, a letter first
    name: String,
    /// Start from this mechanism of the library
    #[arg(long, value_name = "SHIPPED")]
    from: Option<String>,
    /// Write to a file that does not exist yet
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    let name = &arguments.name;
    let valid = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !valid {
        return Err(Usage::Name(name.clone()).into());
    }
    if let Some(path) = arguments.output.as_ref().filter(|p| p.exists()) {
        return Err(Usage::Exists { file: path.display().to_string() }.into());
    }
    let text = match &arguments.from {
        None => starter(name),
        Some(from) => shipped_or_else(from)?.text_as(name).map_err(|e| Failure::file(from, e))?,
    };
    write_result(&text, arguments.output.as_deref())?;
    Ok(0)
}
