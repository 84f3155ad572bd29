//! A mechanism from its text to its equations as numbers.
//!
//! Imports go only up this list: [`format`](mod@format) reads and checks a mechanism, [`model`] is what is left of one that was derived: tapes, and what is
//! computed with them; [`derive`](mod@derive) makes it, with Symbolica, in one place; [`rederive`] checks it against the file once more.
#![doc = include_str!("../README.md")]

use mechan_language::{diag, expression};
use mechan_num as num;
use mechan_tape as tape;

pub mod format;

pub mod model;

pub mod derive;
pub mod rederive;
