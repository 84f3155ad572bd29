//! Tests of the incremental problem: data, residual, solvers.

#![allow(non_snake_case, reason = "the papers' letters")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod analytic;
mod bad_input;
mod files;
mod random;
mod residuals;
