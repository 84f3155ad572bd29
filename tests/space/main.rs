//! Contacts in space: brute force, the plane embedded, other frames and units, incremental solvers, long arithmetic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    non_snake_case,
    reason = "a test that cannot go on should say where; numbers keep the letters of the papers"
)]

mod body;
mod brute;
#[path = "../models/corner.rs"]
mod corner;
mod corners;
mod embedded;
mod frames;
mod impacts;
mod impulses;
mod incremental;
mod laws;
mod library;
mod plane;
mod random;
mod rest;
mod several;
mod sliding;
#[path = "../models/snapshots.rs"]
mod snapshots;
mod striking;
