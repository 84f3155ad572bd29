//! The `mechan` command; see the library for everything else.

use std::process::ExitCode;

fn main() -> ExitCode {
    mechan::cli::run(std::env::args_os())
}
