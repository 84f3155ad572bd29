//! A typed, serialisable instruction tape: what derivation leaves behind and every analysis evaluates.
//!
//! A [`Builder`] shares common subexpressions and applies cheap identities; [`Tape::eval`] interprets over any
//! [`Real`](crate::num::Real), [`Batch`] over many states at once, [`Compiled`] by machine code. All three give
//! the same bits. Knows no mechanics.
#![doc = include_str!("../README.md")]

use mechan_num as num;

mod batch;
mod builder;
mod compilation;
mod compiled;
mod degree;
mod enclosure;
mod eval;
mod linear;
mod op;
mod period;
mod places;
mod program;
mod sizes;
mod wire;

pub use batch::{Batch, BatchError, BatchScratch, Input};
pub use builder::{Builder, Value};
pub use compilation::Compilation;
pub use compiled::{Compiled, CompiledScratch};
pub use degree::Degree;
pub use enclosure::{Cone, Enclosure};
pub use eval::Scratch;
pub use linear::Factor;
pub use op::{Op, Unary};
pub use program::{Tape, View};
pub use wire::TapeError;
