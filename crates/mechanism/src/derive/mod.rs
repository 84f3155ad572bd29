//! From a mechanism to its equations of motion, with Symbolica. The only place where Lagrange's equations live.
//!
//! Two things leave this module: a [`Model`](crate::model::Model) (numbers) and [`Equations`] (for people). Without a
//! licence Symbolica runs once per machine, on one thread, and ends the process otherwise. So it is asked in a process
//! of its own ([`Worker`]), one at a time on a machine. Only what works in that process, `symbolic`, needs Symbolica and
//! the feature `derive`; to ask a program that has it needs neither.

mod equations;
mod error;
mod page;
#[cfg(feature = "derive")]
mod symbolic;
pub mod worker;

pub use equations::{Definition, Equations, Printed, PrintedContact, Wording};
pub use error::DeriveError;
#[cfg(feature = "derive")]
pub use symbolic::{derive, equations};
#[cfg(feature = "derive")]
pub use worker::InProcess;
pub use worker::{Turn, Worker};
