//! The tape against routes that share nothing with it.

mod folder;
mod known;
#[path = "../../benches/models/mod.rs"]
#[allow(dead_code)]
mod models;
mod numbers;
mod properties;
