//! The experiments with beads of \[ACLM11 6\]: Table 1, times over contacts (Fig. 8), and the fixed point for one friction after the other
//! (Fig. 9). The paper prints neither radii nor box nor masses: these are ours, with about its numbers of contacts.

mod beads;
mod clock;
mod friction;
mod method;
mod printed;
mod study;

pub use beads::{Beads, beads};
pub use friction::{FrictionLog, FrictionStudy};
pub use method::GranularMethod;
pub use printed::{PRINTED, PrintedRow};
pub use study::{GranularOptions, GranularOutcome, GranularProgress, GranularRun, GranularStep, granular};

/// The schema of the study's JSON.
pub const GRANULAR_SCHEMA: &str = "mechan.granular/1";
