//! What can follow a state: what the analysis says of it, what motions follow from it, what maps, ensembles and event capturing make of it. They have to
//! agree, at every state of the library and at random ones, but for what is known (`known`).
//!
//! `MECHAN_AGREEMENT=N` asks for another number of random states, `MECHAN_SEED=S` for others, `MECHAN_FAMILY=WORD` for some families, `MECHAN_ONLY=I`
//! for one state of each, which is told; `MECHAN_KNOWN=no` fails at what is known, too.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod compare;
#[path = "../ordinary/draw.rs"]
mod draw;
mod elsewhere;
mod families;
mod followed;
mod known;
mod loose;
mod placed;
mod said;
mod shipped;
mod table;

fn asked(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}
