//! `simulate`: from a state of a mechanism to its motion, or to every motion that may follow.

mod ask;
mod compliant;
mod futures;
mod pictures;
mod stop;
mod subject;

pub use ask::{Scheme, SimulateOptions, Simulation, simulate};
pub use compliant::{ComplianceStudy, compliance_study};
pub use futures::{DEFAULT_DEPTH, futures};
pub use pictures::{draw_futures, draw_motion};
