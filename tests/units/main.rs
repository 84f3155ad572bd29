//! What a report says does not depend on the units of its input, nor on where the axes are, and it never contradicts
//! itself: every shipped mechanism, in all its states.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]
#![allow(non_snake_case, reason = "the papers' letters")]
#![cfg(feature = "derive")]

mod agreement;
mod dimensions;
mod library;
mod motions;
mod scaling;
