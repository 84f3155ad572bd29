//! The mechanism format as its reader sees it: every diagnostic at its place, every key in the mechanism, the
//! JSON Schema in agreement, and no input that does harm.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod codes;
mod faults;
mod points;
mod properties;
mod reader;
mod rendered;
mod samples;
mod schema;
mod shared;
mod switches;
mod units;
