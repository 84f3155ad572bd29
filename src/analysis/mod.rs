//! One question about a state per file; outcomes in the shape of the machine-readable output.
#![allow(non_snake_case)]

mod number;
mod outcome;
mod state;

pub use number::{Named, Number, numbers};
pub use outcome::{ANALYSIS_SCHEMA, Analysis, ContactOutcome, LocalOutcome, ModelOutcome, StateOutcome};
pub use state::{Names, StateInput, state_outcome};
