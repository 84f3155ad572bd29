//! The incremental problem of Coulomb friction: one time step, or one quasi-static step, of a mechanism with
//! nc unilateral frictional contacts, in the plane or in space, given by numbers.
//!
//! Global form, [ACLM11 (4)]: `M v + f = Hᵀ r`, `u = H v + w`. Local form, after eliminating v:
//! `u = W r + q` with `W = H M⁻¹ Hᵀ` and `q = w − H M⁻¹ f`. In both, every contact's pair (uᵢ, rᵢ) obeys
//! Coulomb's law with unilateral contact. A contact's block is `[N, T]` or `[N, T1, T2]`; `u_N > 0` separates,
//! `r_N ≥ 0` compresses.
//!
//! [`Problem`] holds the data and [`residual()`] measures any candidate (u, v, r).
#![allow(non_snake_case)]

mod attempt;
mod backward;
mod condense;
pub mod cone;
mod error;
mod faceted;
mod file;
mod order;
pub mod plan;
mod problem;
mod product;
mod pyramid;
mod request;
mod residual;
mod rows;
mod scaling;
mod session;
mod solution;
pub mod solver;
mod status;
mod tolerance;
mod warning;

pub use attempt::Attempt;
pub use backward::BackwardError;
pub use condense::Condensed;
pub use error::ProblemError;
pub use faceted::Faceted;
pub use file::{FclibError, Limits, is_gzip, is_hdf5, read, read_file, write, write_file};
pub use plan::Plan;
pub use problem::contact_dim;
pub use problem::{ContactRows, Form, Global, Local, Problem, Warning};
pub use pyramid::Cones;
pub use request::{Budget, Request};
pub use residual::{Residual, local_residual, residual, residual_of};
pub(crate) use scaling::is_lost;
pub use session::{Draft, Session, SolveMemory, Start, solve_with};
pub use session::{Found, Method, Tightening, solve_directly};
pub use solution::{Outcome, Solution};
pub use status::Status;
pub(crate) use tolerance::METHODS;
pub use tolerance::SolverTol;
