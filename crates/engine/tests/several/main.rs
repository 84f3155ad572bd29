//! Several planar contacts: their modes against routes that share nothing with the search.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    non_snake_case,
    reason = "a test that cannot go on should say where; symbols are the papers'"
)]

mod body;
mod brute_force;
mod flat;
mod hyperstatic;
mod impact;
mod invariance;
mod lyapunov;
mod rest;
mod robust;
mod stability;
mod steps;
mod strong;
mod ways;
