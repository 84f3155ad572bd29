//! `mechan show`: the file of a mechanism of the library.

use super::Answer;
use super::output::write_result;
use crate::pipeline::{Failure, shipped_or_else};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Its name, see `mechan list`
    name: String,
    /// Write to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    let text = shipped_or_else(&arguments.name)?.text();
    let text = text.map_err(|error| Failure::file(&arguments.name, error))?;
    write_result(&text, arguments.output.as_deref())?;
    Ok(0)
}
