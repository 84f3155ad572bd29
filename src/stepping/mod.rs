//! The incremental problem of a mechanism's next step: from its kernel at a state, bilateral constraints eliminated.
#![allow(non_snake_case)]

mod parts;
mod quasistatic;
mod step;

pub use parts::{Constraints, Motions, Parts};
pub use quasistatic::QuasiStatic;
pub use step::{Step, StepInput, StepModel};
