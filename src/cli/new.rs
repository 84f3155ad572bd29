//! `mechan new`: a commented starter file.

use super::Answer;
use super::output::write_result;
use crate::format::starter;
use crate::pipeline::Usage;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Name of the mechanism: letters, digits and `_`, a letter first
    name: String,
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
    write_result(&starter(name), arguments.output.as_deref())?;
    Ok(0)
}
