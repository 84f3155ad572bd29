//! The command line as a user meets it: output, exit status and help of every command.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod analyze;
mod bad_input;
mod commands;
#[cfg(feature = "derive")]
mod concurrent;
mod readme;
mod run;
mod solve;
mod step;
