//! `mechan schema`: the JSON Schema of the format.

use super::Answer;
use super::output::write_result;
use crate::format::schema;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Write to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    write_result(&format!("{:#}\n", schema()), arguments.output.as_deref())?;
    Ok(0)
}
