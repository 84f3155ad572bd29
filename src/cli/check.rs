//! `mechan check`: every problem of every file, nothing else.

use super::Answer;
use super::output::{Terminal, write_result};
use crate::pipeline::load;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Mechanism files (YAML) or model files (JSON); `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Answer {
    let mut worst = 0;
    for file in &arguments.files {
        match load(file).and_then(|loaded| crate::pipeline::check_states(&loaded).map(|()| loaded)) {
            Ok(loaded) => {
                terminal.warnings(&loaded.source, &loaded.warnings);
                write_result(&format!("{file}: ok\n"), None)?;
            }
            Err(failure) => {
                terminal.failure(&failure);
                worst = worst.max(failure.exit_status());
            }
        }
    }
    Ok(worst)
}
