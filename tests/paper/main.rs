//! Published results, each test named after its source.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod cv16_tables;
mod derived_rod;
mod gb99_jam;
mod least_friction;
mod rod;
mod two_contact_table;
mod ucd_pencil;
