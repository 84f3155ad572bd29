//! Generated code, compiled or run, against the tape it was generated from. What has no runtime here is skipped with a notice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod case;
mod compiled;
#[path = "../models/interpreter.rs"]
mod interpreter;
mod julia;
mod matlab;
mod python;
mod text;

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a program prints; none where there is no such program.
fn run(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        other => other.expect("the command runs"),
    };
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder can be written");
    path
}
