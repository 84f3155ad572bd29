//! Our three sparse factorisations beside those of faer, on one thread: one line of CSV per matrix and factorisation,
//! `matrix,unknowns,entries,factorisation,order_us,numbers_us,solve_us,error`.
//!
//! `cargo run --release --manifest-path benches/factorisations/Cargo.toml -- [PROBLEM...]`. Every time is the shortest of many
//! repetitions: `order` of what depends on the pattern alone, `numbers` of a factorisation in memory that is there already,
//! `solve` of one right-hand side. The error is that of a known solution, relative to its largest entry.
#![allow(non_snake_case, dead_code, unused_imports, reason = "symbols of the papers; a part of `linear` is used")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a benchmark that cannot go on should say where")]

use std::time::{Duration, Instant};

#[path = "../../../crates/contact/src/linear/mod.rs"]
mod linear;
mod num {
    pub use mechan::num::*;
}
#[path = "../../heaps/granular.rs"]
mod granular;
#[path = "../../heaps/mod.rs"]
mod heaps;
#[path = "../../heaps/packing.rs"]
mod packing;
#[path = "../../heaps/random.rs"]
mod random;

mod dense;
mod margin;
mod mass;
mod newton;
mod theirs;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    println!("matrix,unknowns,entries,factorisation,order_us,numbers_us,solve_us,error");
    dense::compare();
    mass::compare(&files);
    newton::compare(&files);
    margin::compare();
}

/// What one factorisation of one matrix took.
struct Times {
    order: f64,
    numbers: f64,
    solve: f64,
    error: f64,
}

/// A matrix, by its name, unknowns and entries.
struct Matrix<'a> {
    name: &'a str,
    unknowns: usize,
    entries: usize,
}

impl Matrix<'_> {
    fn print(&self, factorisation: &str, times: Option<Times>) {
        let Self { name, unknowns, entries } = self;
        match times {
            Some(Times { order, numbers, solve, error }) => println!(
                "{name},{unknowns},{entries},{factorisation},{order:.1},{numbers:.1},{solve:.1},{error:.0e}"
            ),
            None => println!("{name},{unknowns},{entries},{factorisation},-,-,-,-"),
        }
    }
}

/// The shortest of many repetitions, in microseconds.
fn shortest<T>(mut run: impl FnMut() -> T) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    let mut count = 0;
    while count < 5 || begin.elapsed() < Duration::from_millis(150) {
        let start = Instant::now();
        std::hint::black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
        count += 1;
    }
    best * 1e6
}

/// A solution without pattern.
fn known(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 * 0.7).sin()).collect()
}

fn error(x: &[f64], exact: &[f64]) -> f64 {
    let size = exact.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    x.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}
