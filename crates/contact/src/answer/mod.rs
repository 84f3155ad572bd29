//! One answer about an incremental problem from three routes: the solvers' best point, the list of all solutions, and the
//! proofs that there must be one or can be none. They must not contradict each other.
#![allow(non_snake_case)]

mod rounding;
mod settle;
mod solve;
mod study;

pub use rounding::rests_on_rounding;
pub use settle::{settle, settle_in};
pub use solve::solve_listed;
pub use solve::{solve, solve_again, solve_in};
pub use study::{Answer, Study};
