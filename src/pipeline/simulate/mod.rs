//! `simulate`: from a state of a mechanism to its motion, or to every motion that may follow.

mod ask;
mod captured;
mod compliant;
mod converge;
mod cycle;
mod engine;
mod ensemble;
mod futures;
mod least;
// what steps time, softens contacts or captures events is half of all that moves, and a page shows none of it
#[cfg_attr(not(feature = "schemes"), path = "no_other.rs")]
mod other;
mod outcome;
mod pictures;
mod scheme;
mod stepped;
mod stop;
mod subject;
mod tables;

pub(super) use ask::asked_state;
pub use ask::{GivenState, SimulateOptions, Simulation, simulate};
pub use compliant::{ComplianceStudy, compliance_study};
pub use converge::{ConvergeOptions, DEFAULT_SPAN, converge};
pub use cycle::{CycleFault, CycleOptions, DEFAULT_WAIT, cycle};
pub(super) use engine::{Kept, Motions};
pub use ensemble::{
    EnsembleFault, EnsembleOptions, EnsembleOutcome, EnsembleStudy, Identity, PartFault, Parts, Refused,
    collect_ensemble, write_ensemble,
};
pub(super) use ensemble::{chunk, complete, gridded, motion_question};
pub use futures::{DEFAULT_DEPTH, futures};
pub(super) use outcome::{NoOutcome, OutcomeExpression};
pub use pictures::{draw_futures, draw_motion, draw_study, write_gltf};
pub use scheme::{Scheme, SchemeOption, UnknownScheme};
pub(super) use stepped::discretisation;
pub(super) use subject::{Placing, Start, Subject, check_futures, was_interrupted};
pub use tables::{MotionTables, TableFault, write_tables};
