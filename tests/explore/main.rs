//! The explorer's engine, natively: its answers are those of the library, drags keep what they are to keep, and nothing that is asked makes it panic. The page
//! itself is tested in a browser by `crates/web/ci/test`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod engine;
#[cfg(feature = "explore")]
mod page;
