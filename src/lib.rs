//! mechan turns a YAML description of a mechanism into its equations of motion and says what rigid-body
//! mechanics with Coulomb friction can and cannot predict about it.
//!
//! The folders of `src/` are the stages of one pipeline, in this order; imports go only back up the list.

pub mod diag;
pub mod num;

pub mod linear;

pub mod expression;
pub mod format;

pub mod tape;

pub mod model;

pub mod derive;

pub mod contact;

pub mod coulomb;

pub mod enumerate;

pub mod existence;

pub mod answer;

pub mod stepping;

pub mod analysis;

pub mod report;

pub mod pipeline;

#[cfg(feature = "cli")]
pub mod cli;
