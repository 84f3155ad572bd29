//! `mechan new`: a commented starter file.

use super::Answer;
use super::output::write_result;
use crate::format::starter;
use crate::pipeline::Failure;
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
        return Err(Failure::Usage(format!(
            "`{name}` is not a name: use letters, digits and `_`, and start with a letter"
        )));
    }
    if let Some(path) = arguments.output.as_ref().filter(|p| p.exists()) {
        return Err(Failure::Usage(format!("{} exists already; choose another name", path.display())));
    }
    write_result(&starter(name), arguments.output.as_deref())?;
    Ok(0)
}
