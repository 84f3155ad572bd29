//! Claims about all states: what is proven agrees with closed forms, with `analyze` at single states and with samples; what is refuted fails
//! where it is said to; every certificate passes the checker, which shares nothing with the search.

#![allow(non_snake_case, reason = "the papers' letters")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod agreement;
mod answers;
mod checked;
mod coq;
mod refused;
mod together;

use mechan::pipeline::{ProveOptions, ProvedClaim, load_shipped, shipped};
use mechan::prove::Budget;
use mechan::{Derived, Deriver};

/// A mechanism of the library, by its model.
fn library(name: &str) -> Derived {
    load_shipped(shipped(name).unwrap()).unwrap().derive(&Deriver::nobody()).unwrap()
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_string()).collect()
}

fn ask(claim: &str, boxes: &[&str]) -> ProveOptions {
    let budget = Budget { parts: 200_000, threads: 2 };
    ProveOptions { claims: texts(&[claim]), boxes: texts(boxes), budget, ..ProveOptions::default() }
}

/// The answer about one claim, whose certificate is checked.
fn answer(mechanism: &Derived, options: &ProveOptions) -> ProvedClaim {
    let mut found = mechanism.prove(options).unwrap();
    assert_eq!(found.len(), 1);
    let claim = found.pop().unwrap();
    checked::passes(&claim);
    claim
}
