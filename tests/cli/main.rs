//! The command line as a user meets it: output, exit status and help of every command.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

#[cfg(feature = "derive")]
mod analyze;
mod bad_input;
mod commands;
#[cfg(feature = "derive")]
mod concurrent;
mod converge;
mod ensemble;
mod explore;
mod gltf;
mod habits;
mod hints;
#[cfg(target_os = "linux")]
mod interrupt;
mod library;
mod manners;
mod map;
mod model_file;
mod prove;
mod readme;
mod run;
mod scenes;
mod simulate;
mod solve;
#[cfg(feature = "derive")]
mod states;
#[cfg(feature = "derive")]
mod step;
mod tables;
mod units;
