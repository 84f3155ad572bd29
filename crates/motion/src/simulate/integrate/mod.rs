//! Integrators with memory of their own, made once and used for many phases: nothing is allocated in a step, and a
//! step can be looked into, cut short, or repeated, as the location of events needs it.

mod dop853;
mod fixed;
mod lu;
mod radau;
mod roots;

pub use dop853::{Dop853, Flow};
pub use fixed::{Exact, FixedError, FixedStep, Surd, TABLEAUX, Tableau};
pub use radau::{Control, Radau, StepError, System};
pub use roots::Cubic;
