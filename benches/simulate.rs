//! The pencil from ω₀ = 10⁻³ until it lies flat, as JSON lines: friction, median time of a motion, steps, evaluations, and the
//! times of its events. Run with `cargo bench --no-default-features --features program --bench simulate [-- MILLISECONDS]`, the
//! time that each friction is given; `benches/compare_scipy.py` runs it in turn with SciPy.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(missing_docs)]

use mechan::pipeline::{Deriver, SimulateOptions, Simulation};
use mechan::simulate::event::Memory;
use std::hint::black_box;
use std::time::{Duration, Instant};

const MILLISECONDS: u64 = 1000;

fn main() {
    let asked = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let longest = Duration::from_millis(asked.unwrap_or(MILLISECONDS));
    let loaded = mechan::load("benches/models/falling_pencil.json").unwrap();
    let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
    for mu in [0.2, 0.4, 0.8] {
        let options = SimulateOptions {
            state: Some("balanced".to_string()),
            set: vec!["dot(theta)=1e-3".to_string(), format!("mu={mu}")],
            t_end: 10.0,
            rtol: Some(1e-10),
            samples: Some(0),
            stop: Some("pi/2 - theta".to_string()),
            ..SimulateOptions::default()
        };
        let pencil = Simulation::new(&loaded, &model, &options).unwrap();
        let motion = pencil.run(&options).unwrap().trajectory;
        let events: Vec<f64> = motion.events.iter().map(|event| event.t.0).collect();
        let mut memory = Memory::default();
        let run = || drop(black_box(pencil.run_with(&mut memory, black_box(&options)).unwrap()));
        let median = median(longest, run);
        let [steps, evaluations] = [motion.work.steps, motion.work.evaluations];
        println!(
            "{{\"mu\": {mu}, \"seconds\": {median:e}, \"steps\": {steps}, \"evaluations\": {evaluations}, \"events\": {events:?}}}"
        );
    }
}

/// Median time of one call.
fn median(longest: Duration, mut call: impl FnMut()) -> f64 {
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < longest {
        let begin = Instant::now();
        call();
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
