//! Mutated mechanisms and problems: bytes, tokens and numbers of good files changed at random. Nothing may panic, every
//! refusal has a code and a place, and what is accepted is answered or refused state by state.
//!
//! The sequence is fixed. `MECHAN_FUZZ_CASES=N` runs N cases of each kind instead of the few of every test run, and
//! `MECHAN_FUZZ_SEED=K` another sequence. The failing case is printed with its text. What was found here has a test of
//! its own beside its kind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

#[cfg(all(feature = "derive", feature = "cli"))]
mod answers;
mod files;
mod mutation;
mod problems;

use mutation::Mutator;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The files of a folder with one of some extensions, in order of their names.
fn bases(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no .{extension}");
    paths.iter().map(|p| std::fs::read(p).expect("a file can be read")).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Runs a test on mutations of some texts; one that panics is shown.
fn fuzz(usual: u64, bases: &[Vec<u8>], test: impl Fn(&[u8])) {
    let cases = number("MECHAN_FUZZ_CASES").unwrap_or(usual);
    let seed = number("MECHAN_FUZZ_SEED").unwrap_or(1);
    for case in 0..cases {
        let mut mutator = Mutator::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(case));
        let base = &bases[mutator.below(bases.len())];
        let text = mutator.mutated(base, bases);
        if catch_unwind(AssertUnwindSafe(|| test(&text))).is_err() {
            panic!("case {case} of seed {seed}:\n{}", String::from_utf8_lossy(&text));
        }
    }
}
