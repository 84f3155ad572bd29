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
mod beside;
mod checked;
mod coq;
mod derived;
mod refused;
mod regions;
mod theorems;
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
    let budget = Budget { parts: 200_000, threads: 2, ..Budget::default() };
    ProveOptions { claims: texts(&[claim]), boxes: texts(boxes), budget, ..ProveOptions::default() }
}

/// A claim at a state: what the state gives varies by a share around it, velocities only where it is asked for.
fn around(mechanism: &Derived, claim: &str, state: &str, share: f64, moves: bool) -> ProveOptions {
    let at = mechanism.state(state, &[]).unwrap();
    let range = |name: String, x: f64| {
        format!("{name}={:e}:{:e}", x - share * (1.0 + x.abs()), x + share * (1.0 + x.abs()))
    };
    let names: Vec<&str> = mechanism.mechanism().coordinates.iter().map(|c| c.name.as_str()).collect();
    let places = names.iter().zip(&at.q).map(|(name, &x)| range((*name).to_string(), x));
    let rates = names.iter().zip(&at.v).filter(|_| moves);
    let rates = rates.map(|(name, &x)| range(format!("dot({name})"), x));
    ProveOptions {
        claims: texts(&[claim]),
        boxes: places.chain(rates).collect(),
        state: Some(state.to_string()),
        budget: Budget { parts: 20_000, threads: 2, ..Budget::default() },
        ..ProveOptions::default()
    }
}

/// The answer about one claim, whose certificate is checked.
fn answer(mechanism: &Derived, options: &ProveOptions) -> ProvedClaim {
    let mut found = mechanism.prove(options).unwrap();
    assert_eq!(found.len(), 1);
    let claim = found.pop().unwrap();
    checked::passes(&claim);
    claim
}
