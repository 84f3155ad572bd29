//! From a mechanism to its equations of motion, with Symbolica. The only place where Lagrange's equations live.
//!
//! The formulas stand where they are used: [`lagrange`](self) has M, B, G and F, `motion` the bodies, `contact` gaps
//! and slips, `terms` the shape in which sums over bodies are kept. Two things leave this module: a [`Model`]
//! (numbers, from the compact form) and [`Equations`] (for people, simplified).
//!
//! Without a licence Symbolica runs once per machine, on one thread, and ends the process otherwise. So it is
//! asked in a process of its own ([`Worker`]), one at a time on a machine.

mod adjugate;
mod algebra;
mod contact;
mod emit;
mod equations;
mod error;
mod lagrange;
mod layout;
mod motion;
mod named;
mod print;
mod reference;
mod simplify;
mod system;
mod terms;
pub mod worker;
mod writer;

pub use equations::{Definition, Equations, Printed, PrintedContact, equations};
pub use error::DeriveError;
pub use worker::{InProcess, Turn, Worker};

use crate::format::Mechanism;
use crate::model::Model;

/// The model of a mechanism: all outputs of its layout on one tape.
///
/// Calls Symbolica on this thread; without a licence no other thread of the machine may do so at this time or,
/// within this process, ever. Use [`Worker`] unless you know that.
///
/// # Errors
/// [`DeriveError`] if a vector has the wrong length or an expression has no instruction.
pub fn derive(mechanism: &Mechanism) -> Result<Model, DeriveError> {
    system::System::new(mechanism)?.model()
}
