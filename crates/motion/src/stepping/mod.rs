//! The incremental problem of a mechanism's next step, from its kernel at a state with bilateral constraints eliminated, and the
//! schemes that follow a motion step by step.
#![allow(non_snake_case)]

mod constraints;
mod dense;
mod flight;
mod quasistatic;
mod scheme;
mod step;
mod stepper;
mod table;

pub use constraints::{Constraints, Motions};
pub use dense::DenseProblem;
pub use flight::Flight;
pub use quasistatic::QuasiStatic;
pub use scheme::{
    Adaptive, Discretisation, Equations, Mechanics, MechanicsMemory, Moreau, Point, PointFunction, Projected,
    SchatzmanPaoli, Scheme, SchemeName, StepError, StepLaw, StepOutcome, StepRecord, UnknownScheme, Weak,
};
pub use step::{Step, StepInput, StepModel};
pub use stepper::Stepper;
pub use table::Table;
