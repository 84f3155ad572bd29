//! `mechan completions`: completions for a shell.

use super::Answer;
use super::output::write_result;
use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, command: &mut Command) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, command, "mechan", &mut text);
    write_result(&String::from_utf8_lossy(&text), None)?;
    Ok(0)
}
