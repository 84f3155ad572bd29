//! Numbers: the trait all kernels are generic over, dual numbers, tolerances, small dense helpers, cones,
//! polynomial roots. Knows no mechanics.

pub mod dense;
mod dual;
mod interval;
mod magnitude;
mod real;
mod tol;
mod trig;

pub use dual::Dual;
pub use interval::Interval;
pub use magnitude::Magnitude;
pub use real::Real;
pub use tol::Tol;
pub use trig::{SIN_COS_LIMIT, sin_cos};
pub(crate) use trig::{sin_cos_lanes, sin_cos_many};
