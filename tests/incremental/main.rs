//! Tests of the incremental problem: data, residual, solvers.

mod analytic;
mod bad_input;
mod files;
mod random;
mod residuals;
