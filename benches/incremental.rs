//! Times of the incremental solvers on problem files, one line of CSV per file:
//! `problem,kind,dim,contacts,solver,status,residual,iterations,seconds`.
//!
//! `cargo bench --no-default-features --bench incremental -- [--solver NAME] FILE...`. The seconds are the median of
//! up to 200 repetitions within about a second, the solver's alone, set-up included, reading not; CPU time of the
//! thread where the system tells it (Linux), so that other load does not count.

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
use mechan::answer::solve_again;
use mechan::coulomb::solver::by_name;
use mechan::coulomb::{Form, Outcome, Problem, Request, Solution, SolveMemory, read_file, solve_with};

const SECONDS: f64 = 1.0;
const REPETITIONS: usize = 200;
/// Runs shorter than this are timed by the wall clock.
const SHORT: f64 = 2e-4;
const ITERATIONS: usize = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let (mut solver, mut files) = (None, Vec::new());
    while let Some(argument) = arguments.next() {
        if argument == "--solver" { solver = arguments.next() } else { files.push(argument) }
    }
    println!("problem,kind,dim,contacts,solver,status,residual,iterations,seconds");
    for file in files {
        let problem = read_file(Path::new(&file)).expect("a problem file");
        report(&problem, solver.as_deref());
    }
}

fn report(problem: &Problem, solver: Option<&str>) {
    let (solution, seconds) = time(problem, solver);
    let kind = match problem.form() {
        Form::Local(_) => "local",
        Form::Global(_) => "global",
    };
    let status = if solution.outcome == Outcome::Solved { "solved" } else { "not_converged" };
    println!(
        "{},{kind},{},{},{},{status},{:.2e},{},{seconds:.3e}",
        problem.name(),
        problem.dim(),
        problem.contacts(),
        solution.solver,
        solution.residual.relative,
        solution.iterations
    );
}

fn time(problem: &Problem, solver: Option<&str>) -> (Solution, f64) {
    let begin = Instant::now();
    let (mut times, mut spare) = (Vec::new(), SolveMemory::default());
    loop {
        let (cpu, start) = (cpu_seconds(), Instant::now());
        let solution = once(problem, solver, &mut spare);
        let wall = start.elapsed().as_secs_f64();
        // reading the clock of the scheduler takes longer than a short run
        let cpu = cpu_seconds().zip(cpu).map(|(after, before)| after - before);
        times.push(if wall > SHORT { cpu.unwrap_or(wall) } else { wall });
        if times.len() >= REPETITIONS || begin.elapsed().as_secs_f64() > SECONDS {
            times.sort_by(f64::total_cmp);
            return (solution, times[times.len() / 2]);
        }
    }
}

fn once(problem: &Problem, solver: Option<&str>, spare: &mut SolveMemory) -> Solution {
    let request = Request::default();
    match solver {
        None => solve_again(problem, &request, spare),
        Some(name) => {
            let solver = by_name(name).expect("the name of a solver");
            solve_with(problem, &request, solver.as_ref(), ITERATIONS)
        }
    }
    .expect("a positive definite mass matrix")
}
