//! From a file to its analysis: load, derive (or take from the cache), resolve the states, analyse. Each stage
//! is a function of this folder, and [`analyze`] reads from top to bottom.

mod analyze;
mod check;
mod critical;
mod failure;
mod finite;
mod given;
mod key;
mod length;
mod load;
mod model;
mod no_slip;
mod parameters;
mod singular;
mod solve;
mod states;
mod step;

pub use analyze::{AnalyzeOptions, DEFAULT_STEP, analyze};
pub use check::{check_states, check_unplaced};
pub use failure::{Failure, status_of};
pub use given::{Given, read_given};
pub use load::{Loaded, load, load_bytes};
#[cfg(feature = "derive")]
pub use model::derive_equations;
pub use model::{Deriver, derive_model};
pub use parameters::code_parameters;
pub use solve::{Extent, SolveOptions, Solved, solve_problem};
pub use states::{default_parameters, select_states, state_names};
pub use step::{NamedStep, StepOptions, solve_step, step_problems};
