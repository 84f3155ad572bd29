//! Moreau's time steps as JSON lines: mechanism, steps, least and median time of a motion with all its rows, and per step. Run with
//! `cargo bench --no-default-features --features program --bench stepping`; after `--` a number is how many milliseconds each motion is
//! repeated, instead of 1000, and a name that of the only mechanism. `benches/compare_siconos_stepping.py` runs it beside Siconos.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(missing_docs)]

use mechan::pipeline::{Deriver, Scheme, SimulateOptions, simulate};
use mechan::stepping::SchemeName;
use std::hint::black_box;
use std::time::{Duration, Instant};

const LONGEST: Duration = Duration::from_secs(1);

/// How long each motion is repeated.
fn longest() -> Duration {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    asked.map_or(LONGEST, Duration::from_millis)
}

/// Model, state, end, step.
const MOTIONS: [(&str, &str, f64, f64); 2] =
    [("bouncing_ball", "dropped", 5.0, 5e-4), ("woodpecker", "start", 0.3, 2e-5)];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let named = MOTIONS.iter().any(|motion| asked.iter().any(|name| name == motion.0));
    for (name, state, t_end, step) in MOTIONS {
        if named && !asked.iter().any(|asked| asked == name) {
            continue;
        }
        let loaded = mechan::load(&format!("benches/models/{name}.json")).unwrap();
        let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
        let options = SimulateOptions {
            state: Some(state.to_string()),
            scheme: Scheme::Stepped(SchemeName::Moreau),
            step: Some(step),
            t_end,
            ..SimulateOptions::default()
        };
        let steps = simulate(&loaded, &model, &options).unwrap().work.steps;
        let [least, median] =
            times(|| drop(black_box(simulate(&loaded, &model, black_box(&options)).unwrap())));
        println!(
            "{{\"mechanism\": \"{name}\", \"steps\": {steps}, \"least\": {least:e}, \"median\": {median:e}, \"per_step\": {:e}}}",
            median / steps as f64
        );
    }
}

/// Least and median time of one call.
fn times(mut call: impl FnMut()) -> [f64; 2] {
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.is_empty() || start.elapsed() < longest() {
        let begin = Instant::now();
        call();
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    [times[0], times[times.len() / 2]]
}
