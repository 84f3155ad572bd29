//! The command line as a user meets it: output, exit status and help of every command.

mod analyze;
mod bad_input;
mod commands;
#[cfg(feature = "derive")]
mod concurrent;
mod readme;
mod run;
