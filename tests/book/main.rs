//! The book and the README: links, pages, commands, examples of the format, formulas and the list of replications.

#![allow(
    non_snake_case,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod commands;
mod format;
mod formulas;
mod gallery;
mod glossary;
mod links;
mod pages;
mod pictures;
mod replication;
#[path = "../cli/run.rs"]
#[allow(dead_code, reason = "shared with the tests of the command line")]
mod run;
