//! Published results, each test named after its source.
#![allow(non_snake_case, clippy::unwrap_used)]

mod cv16_tables;
mod derived_rod;
mod gb99_jam;
mod least_friction;
mod rod;
mod ucd_pencil;
