//! `mechan schema`: the JSON Schema of the format.

use super::Answer;
use super::output::write_result;
use crate::format::scene::scene_schema;
use crate::format::schema;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Of which format
    #[arg(value_enum, default_value_t = Of::Mechanism)]
    of: Of,
    /// Write to a file
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Mechanisms
    Mechanism,
    /// Scenes of many bodies
    Scene,
}

pub(super) fn run(arguments: &Arguments) -> Answer {
    let schema = match arguments.of {
        Of::Mechanism => schema(),
        Of::Scene => scene_schema(),
    };
    write_result(&format!("{schema:#}\n"), arguments.output.as_deref())?;
    Ok(0)
}
