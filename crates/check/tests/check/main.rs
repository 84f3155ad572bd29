//! The checker against exact arithmetic, against certificates of every answer, and against damaged ones.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should say where")]

mod answers;
mod arithmetic;
mod damaged;
mod exact;
mod functions;
mod identities;
mod models;
mod mutations;
mod oracle;
mod program;
mod tapes;
