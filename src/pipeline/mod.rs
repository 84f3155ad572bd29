//! From a file to its analysis: load, derive (or take from the cache), resolve the states, analyse. Each stage
//! is a function of this folder, and [`analyze`] reads from top to bottom.

mod analyze;
mod failure;
mod key;
mod load;
mod model;
mod states;

pub use analyze::{AnalyzeOptions, analyze};
pub use failure::Failure;
pub use load::{Loaded, load, load_bytes};
pub use model::{Deriver, derive_model};
#[cfg(feature = "derive")]
pub use model::derive_equations;
pub use states::{select_states, state_names};
