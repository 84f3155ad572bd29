//! Smooth motions against independent routes: one dense system of all equations at once, the closed forms of one contact,
//! the balance of energy.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod balance;
mod compliant;
mod cycle;
mod event;
#[cfg(feature = "derive")]
mod library;
mod memory;
mod penetration;
mod stepped;
mod stop;
mod system;
mod walking;

use mechan::model::{Model, ModelFile, State};
use serde_json::Value;

/// A fixed sequence of numbers in (−1, 1).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// The models that are kept in files, by name.
pub(crate) fn kept_models() -> [(&'static str, Model); 3] {
    let files = [
        ("falling_pencil", include_str!("../../benches/models/falling_pencil.json")),
        ("painleve_rod", include_str!("../../benches/models/painleve_rod.json")),
        ("two_link_manipulator", include_str!("../../benches/models/two_link_manipulator.json")),
    ];
    files.map(|(name, text)| (name, ModelFile::read(text).unwrap().model))
}

fn numbers(map: &Value) -> Vec<f64> {
    map.as_object().unwrap().values().map(|x| x.as_f64().unwrap()).collect()
}

/// The named states of a shipped mechanism as its reference file has them.
pub(crate) fn reference_states(name: &str) -> Vec<State> {
    let text = std::fs::read_to_string(format!("tests/models/{name}.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let state = |s: &Value| State {
        t: s["t"].as_f64().unwrap(),
        q: numbers(&s["q"]),
        v: numbers(&s["v"]),
        parameters: numbers(&s["parameters"]),
    };
    file["states"].as_object().unwrap().values().map(state).collect()
}

/// Each named state, and states near it in any motion.
pub(crate) fn states(name: &str) -> Vec<State> {
    let mut numbers = Numbers(17);
    let mut found = Vec::new();
    for state in reference_states(name) {
        for _ in 0..4 {
            let q = state.q.iter().map(|q| q + 0.2 * numbers.next()).collect();
            found.push(State { q, v: numbers.list(state.v.len()), ..state.clone() });
        }
        found.push(state);
    }
    found
}
