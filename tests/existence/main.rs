//! Existence theory of the incremental problem: the papers' examples, certificates against enumeration, Lemke and
//! brute force, and certificates that were tampered with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case, clippy::float_cmp)]

mod ac11_examples;
mod ac11_painleve;
mod budget;
#[path = "../incremental/eliminate.rs"]
mod eliminate;
#[path = "../../benches/heaps/mod.rs"]
mod heaps;
mod programs;
mod quasistatic;
mod recorded;
mod scale;
mod solvers;
mod tampering;
