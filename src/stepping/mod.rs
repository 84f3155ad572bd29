//! The incremental problem of a mechanism's next step: from its kernel at a state, bilateral constraints eliminated.
#![allow(non_snake_case)]

mod constraints;
mod dense;
mod quasistatic;
mod step;
mod stepper;
mod table;

pub use constraints::{Constraints, Motions};
pub use dense::DenseProblem;
pub use quasistatic::QuasiStatic;
pub use step::{Step, StepInput, StepModel};
pub use stepper::Stepper;
pub use table::Table;
