//! `ensemble`: many motions over random or gridded conditions, and `merge` of their parts.

mod ask;
mod fault;
mod identity;
mod part;
mod ranges;
mod run;
mod samples;

pub(in crate::pipeline) use ask::chunk;
pub use ask::{EnsembleOptions, EnsembleStudy};
pub use fault::{EnsembleFault, PartFault};
pub use identity::Identity;
pub(in crate::pipeline) use identity::motion_question;
pub use part::Parts;
pub(in crate::pipeline) use part::complete;
pub(in crate::pipeline) use ranges::gridded;
pub use run::{EnsembleOutcome, Refused, collect_ensemble, write_ensemble};
