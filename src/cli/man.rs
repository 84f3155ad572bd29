//! `mechan man`: manual pages of the program and of every command.

use super::Answer;
use super::output::Terminal;
use crate::pipeline::Failure;
use clap::{Args, Command};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Writes mechan.1 and one page a command, mechan-analyze.1 and so on. `man -M` and MANPATH look into the folder above one that \
is called man1."
)]
pub(super) struct Arguments {
    /// The folder that they are written to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, command: Command, terminal: &Terminal) -> Answer {
    let folder = &arguments.folder;
    clap_mangen::generate_to(command, folder).map_err(Failure::unwritable(folder))?;
    terminal.notice(&format!("manual pages written to {}", folder.display()));
    Ok(0)
}
