//! Checks certificates about mechanisms: that a claim holds wherever its assumptions do, or that it does not.
//!
//! Everything is decided in integers: numbers of 63 bits that round outward ([`Interval`]), and exact fractions to read what is written. Nothing is
//! searched for: a certificate says which boxes to look at, and the check that they cover everything and show what they are said to.
#![doc = include_str!("../README.md")]

mod certificate;
mod elementary;
mod fault;
mod float;
mod formula;
mod identity;
mod interval;
mod number;
mod slopes;
mod tape;
mod verdict;
mod walk;
mod witness;

pub use certificate::Answer;
pub use fault::Fault;
pub use float::{Float, Toward};
pub use interval::Interval;
pub use verdict::{Checked, check, check_while};
pub use walk::Leaves;

/// For those who write certificates: boxes, and what they show.
#[doc(hidden)]
pub use {certificate::Certificate, walk::Walk};

/// Length of a certificate at most.
pub const MOST_BYTES: usize = 64 << 20;
