//! `simulate`: from a state of a mechanism to its motion, or to every motion that may follow.

mod ask;
mod futures;
mod stop;

pub use ask::{Simulation, SimulateOptions, simulate};
pub use futures::{DEFAULT_DEPTH, futures};
