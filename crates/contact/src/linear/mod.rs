//! Linear algebra on matrices that are too large or too sparse for [`crate::num::dense`]: blocks and sparse matrices, orders and
//! elimination trees, and the factorisations. Knows no mechanics.
#![allow(non_snake_case)]

mod block;
pub(crate) mod cholesky;
mod elimination;
mod error;
mod ldu;
mod origin;
pub(crate) mod reduced;
mod sparse;

pub use block::BlockMatrix;
pub(crate) use block::{inverse, largest_diagonal, mul_add, times};
pub use error::MatrixError;
pub use ldu::Ldu;
pub(crate) use ldu::{HalfSolve, Triangle};
pub(crate) use origin::Origin;
pub use sparse::Sparse;
pub(crate) use sparse::check_finite;
