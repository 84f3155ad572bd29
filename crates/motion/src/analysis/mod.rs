//! One question about a state per file; outcomes in the shape of the machine-readable output.
#![allow(non_snake_case)]

mod analysed;
mod by_name;
mod contact_status;
mod coupling;
mod impact;
mod local;
pub mod map;
mod mode;
mod next_step;
mod outcome;
pub mod planar;
mod prospect;
pub mod search;
pub mod several;
mod size;
pub mod space;
mod state;
mod still;
mod tangential;
mod units;

pub use crate::num::{Number, Quantity, numbers};
pub use by_name::ByName;
pub use contact_status::ContactStatus;
pub use coupling::{Coupling, normal_gain};
pub use impact::{DirectionOutcome, ImpactOutcome, ImpulseOutcome, IwcOutcome, VelocityOutcome};
pub use local::{ContactSizes, ContactView, Local, LocalWork, PlanarModel, Scales};
pub use mode::{AccelerationOutcome, AccelerationRange, FlipsAt, ForceOutcome, ForceRange, ModeOutcome};
pub use next_step::{NextStep, StepContact, StepFamily, StepNames, StepSolution, next_step};
pub use outcome::{
    ANALYSIS_SCHEMA, Analysis, ContactOutcome, CriticalFriction, JamFriction, LocalOutcome, ModelOutcome,
    SlipOutcome, StateAnswer, StateFailure, StateOutcome, this_schema,
};
pub use prospect::{DirectionSearch, Particular, PlaneOutcome, Prospect, SeveralOutcome, SpaceOutcome};
pub use size::Sizes;
pub use state::{Ahead, Decided, Names, RestDepth, StateInput, decided, deciding_contact, state_outcome};
pub use tangential::Tangential;
pub use units::{ContactUnitsOutcome, UnitsOutcome};
