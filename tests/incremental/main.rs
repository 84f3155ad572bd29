//! Tests of the incremental problem: data, residual, solvers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case, reason = "the papers' letters")]

mod analytic;
mod bad_input;
mod eliminate;
mod enumeration;
#[cfg(feature = "hdf5")]
mod fclib;
mod files;
mod named;
mod pivoting;
mod plan;
mod random;
mod records;
mod residuals;
mod separations;
mod session;
mod stream;
mod units;
mod variations;
mod words;
