//! The derived mechanism as numbers.
#![allow(non_snake_case)]

mod layout;

pub use layout::{Layout, Output};
