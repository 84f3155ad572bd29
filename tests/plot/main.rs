//! Pictures: where things stand on the page, by numbers; what cannot be drawn; and examples to look at, in `target/tmp/pictures`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    non_snake_case,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod examples;
mod faults;
mod geometry;
mod motions;
mod read_off;
mod states;
mod tracks;
