//! Integrators whose memory the caller owns, with dense output for events.

mod lu;
mod radau;
mod roots;

pub use radau::{Control, Radau, StepError, System};
pub use roots::{Cubic, bracketed_root};
