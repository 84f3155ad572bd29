//! mechan turns a YAML description of a mechanism into its equations of motion and says what rigid-body
//! mechanics with Coulomb friction can and cannot predict about it.
//!
//! The folders of `src/` are the stages of one pipeline, in this order; imports go only back up the list:
//! `diag`, `num`, `expression`, `format`, `tape`, `model`, `derive`, `contact`, `analysis`, `incremental`,
//! `report`, `pipeline`, `cli`.

pub mod analysis;
pub mod cli;
pub mod contact;
#[cfg(feature = "derive")]
pub mod derive;
pub mod diag;
pub mod expression;
pub mod format;
pub mod incremental;
pub mod model;
pub mod num;
pub mod pipeline;
pub mod report;
pub mod tape;
