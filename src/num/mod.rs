//! Numbers: the trait all kernels are generic over, dual numbers, tolerances, small dense helpers, cones,
//! polynomial roots. Knows no mechanics.

mod real;
mod tol;

pub use real::Real;
pub use tol::Tol;
