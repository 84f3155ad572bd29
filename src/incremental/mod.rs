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

mod automatic;
mod backward;
mod block;
mod condense;
pub mod cone;
mod driver;
mod elimination;
pub mod enumerate;
mod error;
pub mod existence;
mod faceted;
mod factor;
mod listing;
mod order;
mod outlasting;
mod parts;
mod place;
mod problem;
pub mod proof;
mod pyramid;
mod quasistatic;
mod read;
mod ready;
mod residual;
mod rows;
mod scaling;
pub mod solver;
mod sparse;
mod status;
mod step;
mod study;
mod tolerance;
mod warning;
mod write;

pub use backward::BackwardError;
pub use block::BlockMatrix;
pub use condense::Condensed;
pub use driver::{Outcome, Request, Solution, solve, solve_with};
pub use error::ProblemError;
pub use faceted::Faceted;
pub use factor::Cholesky;
pub use listing::settle;
pub use parts::{Constraints, Motions, Parts};
pub use problem::{ContactRows, Form, Global, Local, Problem, Warning};
pub use pyramid::Cones;
pub use quasistatic::QuasiStatic;
pub use read::{Limits, is_gzip, read, read_file};
pub use residual::{Residual, local_residual, residual, residual_of};
pub use sparse::Sparse;
pub use status::Status;
pub use step::{Step, StepInput, StepModel};
pub use study::{Answer, Study};
pub use tolerance::SolverTol;
pub use write::{write, write_file};
