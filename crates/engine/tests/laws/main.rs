//! Laws that hold for every contact, checked on random ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod chatter;
mod contacts;
mod impact;
mod modes;
