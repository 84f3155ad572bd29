//! The derivation against independent routes: differences of energies, closed forms.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![cfg(feature = "derive")]

mod frames;
mod geometry;
mod library;
mod long;
#[path = "../models/mod.rs"]
mod models;
mod motion;
mod processes;
mod shipped;

use mechan::derive::Worker;
use mechan::diag::Source;
use mechan::format::{Mechanism, read};
use mechan::model::Model;
use mechan::rederive::{Agreement, agreement};
use models::check::{disagreement, power_balance};
use models::finite::At;

fn worker() -> Worker {
    Worker::new(env!("CARGO_BIN_EXE_mechan").into())
}

fn mechanism(name: &str, text: &str) -> Mechanism {
    read(&Source::new(name, text)).unwrap_or_else(|d| panic!("{name}: {d:?}")).mechanism
}

fn model(mechanism: &Mechanism) -> Model {
    worker().model(mechanism, &|_| {}).unwrap_or_else(|e| panic!("{}: {e}", mechanism.name))
}

/// A fixed sequence of numbers in (-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// The first state, where default tangents are chosen.
fn reference(m: &Mechanism) -> At {
    let state = m.resolve(&m.states[0], &[]).unwrap();
    At { t: state.t, q: state.q, v: state.v, p: state.parameters, d: m.definitions.values.clone() }
}

fn check(m: &Mechanism) {
    agrees(m, &model(m));
}

/// Checks all outputs at points around the named states.
fn agrees(m: &Mechanism, derived: &Model) {
    let (first, mut numbers) = (reference(m), Numbers(7));
    // exactly, where functions are rational; what is not cannot be compared so
    let exactly = agreement(m, derived);
    assert!(!matches!(exactly, Agreement::Differs(_)), "{}: {exactly:?}", m.name);
    for spec in &m.states {
        let state = m.resolve(spec, &[]).unwrap();
        for _ in 0..3 {
            let n = state.q.len();
            let q = state.q.iter().zip(numbers.list(n)).map(|(q, r)| q + 0.3 * r).collect();
            let at = At {
                t: state.t + 0.1 * numbers.next(),
                q,
                v: numbers.list(n),
                p: state.parameters.clone(),
                d: first.d.clone(),
            };
            if let Some(what) = disagreement(m, derived, &at, &first) {
                panic!("{what}");
            }
        }
    }
}

/// Checks that no power is lost, for a mechanism without explicit time.
fn balances(m: &Mechanism) {
    let (derived, first, mut numbers) = (model(m), reference(m), Numbers(11));
    for _ in 0..5 {
        let n = first.q.len();
        let at = At { q: numbers.list(n), v: numbers.list(n), ..first.clone() };
        let lost = power_balance(m, &derived, &at);
        assert!(lost.abs() < 1e-8, "{}: {lost}", m.name);
    }
}
