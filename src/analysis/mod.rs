//! One question about a state per file; outcomes in the shape of the machine-readable output.
#![allow(non_snake_case)]

mod closed;
mod local;
pub mod map;
mod next_step;
mod number;
mod outcome;
mod outlook;
pub mod planar;
pub mod search;
pub mod several;
mod size;
pub mod space;
mod state;
mod still;
mod units;

pub use crate::num::{Number, numbers};
pub use local::{ContactSizes, ContactView, Local, LocalWork, PlanarModel, Scales};
pub use next_step::{NextStep, StepContact, StepFamily, StepNames, StepSolution, next_step};
pub use number::{ByName, Quantity};
pub(crate) use outcome::this_schema;
pub use outcome::{
    ANALYSIS_SCHEMA, Analysis, ContactOutcome, CriticalFriction, JamFriction, LocalOutcome, ModelOutcome,
    SlipOutcome, StateAnswer, StateFailure, StateOutcome,
};
pub use outlook::Outlook;
pub use size::Sizes;
pub use state::{Ahead, Names, RestDepth, StateInput, deciding_contact, state_outcome};
pub(crate) use state::{Decided, decided};
pub use units::{ContactUnitsOutcome, UnitsOutcome};
