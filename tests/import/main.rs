//! Robot descriptions as mechanism files: what is written, against other programs, and what is refused.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod bad_input;
mod command;
mod held;
#[path = "../models/interpreter.rs"]
mod interpreter;
mod options;
mod other_programs;
mod written;

use mechan::diag::{Color, Diagnostic, Source, render_all};
use mechan::import::{ImportOptions, Imported, import};

/// A description of this folder.
fn robot(file: &str) -> Source {
    let path = format!("{}/tests/import/robots/{file}", env!("CARGO_MANIFEST_DIR"));
    Source::new(file, std::fs::read_to_string(path).expect("the description is there"))
}

fn imported(source: &Source, options: &ImportOptions) -> Imported {
    import(source, options).unwrap_or_else(|faults| panic!("{}", render_all(&faults, source, Color::Plain)))
}

/// A mechanism file as JSON, by a reader other than ours.
fn json(text: &str) -> serde_json::Value {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What is said about a description that is refused.
fn refused(text: &str) -> (Vec<Diagnostic>, String) {
    let source = Source::new("robot.xml", text);
    let faults = import(&source, &ImportOptions::default()).expect_err("it is refused");
    let shown = render_all(&faults, &source, Color::Plain);
    (faults, shown)
}

/// A robot of two links, the second a pendulum about y, with parts of one's own.
fn pendulum(inertial: &str, joint: &str, more: &str) -> String {
    format!(
        "<robot name=\"p\">\n<link name=\"world\"/>\n<link name=\"rod\">{inertial}</link>\n\
         <joint name=\"hinge\" type=\"revolute\">\n<parent link=\"world\"/><child link=\"rod\"/><axis xyz=\"0 1 0\"/>{joint}\n</joint>\n{more}</robot>\n"
    )
}

const MASS: &str = "<inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"2\"/>\
    <inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.01\"/></inertial>";
