//! The tape against routes that share nothing with it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod folder;
mod known;
#[path = "../../benches/models/mod.rs"]
#[allow(dead_code)]
mod models;
mod numbers;
mod properties;
