//! Periodic motions as fixed points of a return map: Newton's method with differences of whole returns, on the surface that the
//! section, closed contacts, sticking ones and bilateral constraints leave; multipliers are the eigenvalues of the map's derivative
//! there.

mod cycle_file;
mod newton;
mod surface;
mod tolerance;

pub use cycle_file::{CYCLE_SCHEMA, Cycle};
pub use newton::{CycleError, FixedPoint, Returned, fixed_point};
pub use surface::Surface;
pub use tolerance::{AGAIN, BACK, RTOL};
