//! Test models and the independent routes that check them.

#![allow(
    unreachable_pub,
    dead_code,
    reason = "shared by several test binaries, none of which uses all of it"
)]

pub mod check;
pub mod finite;
