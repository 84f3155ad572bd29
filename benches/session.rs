//! A sequence of slightly changed problems, each from nothing, by one session from no force, and by one session from the last
//! forces: one line of CSV per file,
//! `problem,kind,dim,contacts,fresh,cold,warm,fresh_iterations,warm_iterations,gain`, in seconds and iterations per problem; the
//! gain is that of the warm session over the fresh start.
//!
//! `cargo bench --no-default-features --bench session -- [--steps N] FILE...`. The free velocities q (the forces f of a global
//! problem) change by a thousandth of their size from step to step. The three ways take turns; CPU time where the
//! system tells it, reading the clock included.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

#[path = "clock/mod.rs"]
mod clock;

use std::path::Path;
use std::time::Instant;

use clock::cpu_seconds;
use mechan::answer::{solve, solve_in};
use mechan::coulomb::{Form, Global, Outcome, Problem, Request, Session, Start, read_file};

/// The size of a change, relative to the largest entry.
const CHANGE: f64 = 1e-3;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut steps, mut files) = (1000, Vec::new());
    while let Some(argument) = arguments.next() {
        if argument == "--steps" {
            steps = arguments.next().unwrap().parse().unwrap();
        } else {
            files.push(argument);
        }
    }
    println!("problem,kind,dim,contacts,fresh,cold,warm,fresh_iterations,warm_iterations,gain");
    files.iter().for_each(|file| report(&read_file(Path::new(file)).expect("a problem file"), steps));
}

/// Seconds and iterations of all steps, and how many were solved.
#[derive(Default)]
struct Total {
    seconds: f64,
    iterations: usize,
    solved: usize,
}

impl Total {
    fn add(&mut self, run: impl FnOnce() -> (usize, Outcome)) {
        let (cpu, start) = (cpu_seconds(), Instant::now());
        let (iterations, outcome) = run();
        let wall = start.elapsed().as_secs_f64();
        self.seconds += cpu_seconds().zip(cpu).map_or(wall, |(after, before)| after - before);
        self.iterations += iterations;
        self.solved += usize::from(outcome == Outcome::Solved);
    }
}

fn report(recorded: &Problem, steps: usize) {
    let (mut fresh, mut cold, mut warm) = (Total::default(), Total::default(), Total::default());
    let session = || Session::new(recorded.clone(), Request::default()).unwrap();
    let (mut used, mut moved, mut state) = (session(), session(), 1_u64);
    solve_in(&mut moved, Start::Cold);
    for _ in 0..steps {
        let problem = shaken(recorded, &mut state);
        fresh.add(|| {
            let found = solve(&problem, &Request::default()).unwrap();
            (found.iterations, found.outcome)
        });
        for (session, start, total) in
            [(&mut used, Start::Cold, &mut cold), (&mut moved, Start::Warm, &mut warm)]
        {
            total.add(|| {
                session.update(&problem).unwrap();
                let found = solve_in(session, start);
                (found.iterations, found.outcome)
            });
        }
    }
    assert_eq!((fresh.solved, cold.solved, warm.solved), (steps, steps, steps), "not all are solved");
    let (kind, n) =
        (if matches!(recorded.form(), Form::Local(_)) { "local" } else { "global" }, steps as f64);
    println!(
        "{},{kind},{},{},{:.3e},{:.3e},{:.3e},{:.1},{:.1},{:.2}",
        recorded.name(),
        recorded.dim(),
        recorded.contacts(),
        fresh.seconds / n,
        cold.seconds / n,
        warm.seconds / n,
        fresh.iterations as f64 / n,
        warm.iterations as f64 / n,
        fresh.seconds / warm.seconds
    );
}

/// The recorded problem with other free velocities or forces.
fn shaken(problem: &Problem, state: &mut u64) -> Problem {
    let mu = problem.mu().to_vec();
    match problem.form() {
        Form::Local(local) => {
            let q = changed(&local.q, state);
            Problem::local(problem.dim(), mu, &local.W.to_sparse(), q).unwrap()
        }
        Form::Global(global) => {
            let f = changed(&global.f, state);
            Problem::global(problem.dim(), mu, Global { f, ..global.clone() }).unwrap()
        }
    }
}

fn changed(x: &[f64], state: &mut u64) -> Vec<f64> {
    let size = CHANGE * x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut next = || {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    x.iter().map(|x| x + size * next()).collect()
}
