//! `cycle`: a periodic motion, from a state near it.

mod ask;
mod fault;
mod returns;
mod symmetry;

pub use ask::{CycleOptions, DEFAULT_WAIT, cycle};
pub use fault::CycleFault;
