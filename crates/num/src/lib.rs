//! Numbers: the trait all kernels are generic over, dual numbers, intervals, exact fractions, tolerances, small dense
//! helpers, threads that work on them together, requests to end. Knows no mechanics.
#![doc = include_str!("../README.md")]

mod ball;
pub mod bounds;
mod bracket;
pub mod circle;
pub mod dense;
mod dual;
mod dyadic;
mod gcd;
pub mod halt;
mod interval;
pub mod lanes;
mod magnitude;
pub mod nearest;
mod number;
mod order;
mod quantity;
pub mod random;
pub mod rational;
mod real;
mod strip;
pub mod team;
mod tol;
mod trig;

pub use ball::Ball;
pub use bracket::{Bracket, bracketed_root};
pub use dual::Dual;
pub use dyadic::{Dyadic, ScaledVector};
pub use gcd::gcd;
pub use interval::Interval;
pub use magnitude::Magnitude;
pub use number::{Number, numbers};
pub use order::InOrder;
pub use quantity::Quantity;
pub use real::Real;
pub use strip::Strip;
pub use tol::Tol;
pub use trig::{SIN_COS_LIMIT, sin_cos};
pub use trig::{sin_cos_lanes, sin_cos_many};
