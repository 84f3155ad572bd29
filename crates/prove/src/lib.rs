//! Statements over whole sets of states, with certificates.
//!
//! A [`Statement`] says of every point of a box: where some values of a tape are zero and a formula is assumed, another formula
//! holds. [`prove`] halves the box until enclosures show the formula in every part, finds a point at which it fails, or ends with
//! the parts that stay open. What it finds is a [`certificate`] that a program of its own can check without
//! searching: the halvings, and for each part whether values or slopes were enough. Knows no file format of mechanisms.
#![doc = include_str!("../README.md")]

use mechan_num as num;
use mechan_tape as tape;

mod algebra;
mod certificate;
mod coq;
mod exact;
mod formula;
mod judge;
mod reduce;
mod search;
mod statement;
mod survey;
mod tree;
mod witness;

pub use algebra::identities;
pub use certificate::{CERTIFICATE_SCHEMA, MOST_VARYING, Subject, certificate, number_or_range};
pub use coq::{CoqFault, coq};
pub use exact::Exact;
pub use formula::{Formula, Truth};
pub use reduce::reduced;
pub use search::{Budget, Proof, Verdict, prove, resume};
pub use statement::{Input, Square, Statement, fraction_near};
pub use survey::{Survey, survey};
pub use tree::Region;
pub use witness::{Refutation, Witness};
