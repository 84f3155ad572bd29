//! The plan on generated heaps and on problem files.
//!
//! Against each single solver on heaps, one line of CSV per heap, tolerance and way, and at the end how the time of the usual way
//! compares with that of the best single solver:
//!
//! `cargo bench --no-default-features --bench plan -- [--bodies N] [--seed K] [--family NAME] [--held-out] [--ways NAME,NAME]
//! [--tolerances X,X]`, with `--only NAME` one way alone (`solve` is the usual one, `plan` the plan without what comes before it, `heap` the way of scenes), with `--local` without M and H, or with `--write FOLDER` just the problems, into files;
//! problem files that are named take the place of the heaps
//!
//! Against itself without one of its rows, and with others, in turns, on heaps and files:
//!
//! `cargo bench --no-default-features --bench plan -- --ablate [--seconds S] [--bodies N] [--seed K] FILE...`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(clippy::print_stdout, non_snake_case, reason = "a program for the terminal; symbols of the papers")]

use std::path::Path;
use std::time::Instant;

use mechan::coulomb::solver::by_name;
use mechan::coulomb::{
    Condensed, Form, Outcome, Plan, Problem, Request, Session, Start, read_file, solve_with, write_file,
};

#[path = "plan/ablation.rs"]
mod ablation;
#[path = "clock/mod.rs"]
mod clock;
#[path = "heaps/families.rs"]
mod families;
#[path = "heaps/granular.rs"]
mod granular;
#[path = "heaps/masonry.rs"]
mod masonry;
#[path = "heaps/packing.rs"]
mod packing;
#[path = "heaps/random.rs"]
mod random;

use clock::cpu_seconds;
use families::families;

const WAYS: &str = "gauss-seidel,accelerated,alart-curnier,fischer-burmeister,proximal,gradient";
/// Iterations of a single solver.
const ITERATIONS: usize = 20_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    let number = |name: &str, usual: usize| value(name).map_or(usual, |x| x.parse().unwrap());
    let (bodies, seed) = (number("--bodies", 200), number("--seed", 1) as u64);
    if arguments.iter().any(|a| a == "--ablate") {
        let files: Vec<&String> = arguments.iter().filter(|a| a.contains(".json")).collect();
        ablation::run(&files, (bodies, seed), value("--seconds").map_or(0.2, |x| x.parse().unwrap()));
        return;
    }
    let held_out = arguments.iter().any(|a| a == "--held-out");
    let ways: Vec<&str> = value("--ways").map_or(WAYS, |x| x).split(',').collect();
    let tolerances = value("--tolerances").map_or("1e-3,1e-4,1e-6,1e-8", |x| x);
    let tolerances: Vec<f64> = tolerances.split(',').map(|x| x.parse().unwrap()).collect();
    println!("heap,seed,dim,contacts,tolerance,way,solver,status,residual,iterations,seconds");
    let files: Vec<&String> = arguments.iter().filter(|a| a.contains(".json")).collect();
    for file in &files {
        let problem = read_file(Path::new(file)).unwrap();
        for &tolerance in &tolerances {
            run((problem.name(), 0, tolerance), &problem, value("--only").map_or("plan", |x| x));
        }
    }
    if !files.is_empty() {
        return;
    }
    let mut ratios = Vec::new();
    for family in families(bodies) {
        if family.held_out != held_out || value("--family").is_some_and(|name| family.name != name) {
            continue;
        }
        let problem = family.member(seed);
        if let Some(folder) = value("--write") {
            let file = format!("{}-{bodies}-{seed}.json.gz", family.name.replace(' ', "-"));
            write_file(&problem.named(&*file), &Path::new(folder).join(&file)).unwrap();
            continue;
        }
        let problem = if arguments.iter().any(|a| a == "--local") { local(&problem) } else { problem };
        for &tolerance in &tolerances {
            let heap = (family.name, seed, tolerance);
            if let Some(way) = value("--only") {
                run(heap, &problem, way);
                continue;
            }
            let usual = run(heap, &problem, "solve");
            let single = ways.iter().map(|way| run(heap, &problem, way)).fold(f64::INFINITY, f64::min);
            ratios.push(usual / single);
        }
    }
    let (mean, worst) = summary(&ratios);
    println!(
        "the usual way over best single solver: geometric mean {mean:.2}, worst {worst:.2}, of {}",
        ratios.len()
    );
}

/// Geometric mean and largest.
fn summary(ratios: &[f64]) -> (f64, f64) {
    let mean = (ratios.iter().map(|x| x.ln()).sum::<f64>() / ratios.len() as f64).exp();
    (mean, ratios.iter().copied().fold(0.0, f64::max))
}

fn local(problem: &Problem) -> Problem {
    let Form::Global(global) = problem.form() else { unreachable!("heaps are global") };
    let local = Condensed::new(problem.dim(), global).unwrap().local;
    Problem::local(problem.dim(), problem.mu().to_vec(), &local.W.to_sparse(), local.q).unwrap()
}

/// The seconds of CPU time it took, elapsed ones where the system does not tell; infinitely many if the problem was not solved.
fn run((name, seed, tolerance): (&str, u64, f64), problem: &Problem, way: &str) -> f64 {
    let request = Request { tolerance, ..Request::default() };
    let (cpu, start) = (cpu_seconds(), Instant::now());
    let found = match by_name(way) {
        Ok(solver) => solve_with(problem, &request, solver.as_ref(), ITERATIONS).unwrap(),
        Err(_) => {
            let mut session = Session::new(problem, request).unwrap();
            match way {
                "solve" => session.solve(Start::Cold),
                "heap" => session.solve_heap(Start::Cold),
                _ => session.solve_by(&Plan::default(), Start::Cold),
            };
            if std::env::var("TRACE").is_ok() {
                session.attempts().iter().for_each(|a| println!("  {a:?}"));
            }
            session.into_solution()
        }
    };
    let seconds =
        cpu_seconds().zip(cpu).map_or(start.elapsed().as_secs_f64(), |(after, before)| after - before);
    let solved = found.outcome == Outcome::Solved;
    let status = if solved { "solved" } else { "no" };
    println!(
        "{name},{seed},{},{},{tolerance:e},{way},{},{status},{:.1e},{},{seconds:.4}",
        problem.dim(),
        problem.contacts(),
        found.solver,
        found.residual.relative,
        found.iterations
    );
    if solved { seconds } else { f64::INFINITY }
}
