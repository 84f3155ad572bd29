//! Scenes of many bodies against closed forms, balances, and themselves: in another order, cut in two, on other units.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod bodies;
mod existence;
mod faults;
mod granular;
mod heaps;
mod mechanisms;
mod overlaps;
mod pictures;
mod runs;
mod schema;
mod shared;
mod silo;
mod tables;
mod walls;
