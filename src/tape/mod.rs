//! A typed, serialisable instruction tape: what derivation leaves behind and every analysis evaluates.
//!
//! A [`Builder`] shares common subexpressions and applies cheap identities; [`Tape::eval`] interprets over any
//! [`Real`](crate::num::Real). Knows no mechanics.

mod builder;
mod eval;
mod op;
mod program;
mod wire;

pub use builder::{Builder, Value};
pub use eval::Scratch;
pub use op::{Op, Unary};
pub use program::{Tape, View};
pub use wire::TapeError;
