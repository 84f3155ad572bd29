//! The automatic sequence against each single solver on generated heaps, one line of CSV per heap, tolerance and way:
//! `heap,seed,dim,contacts,tolerance,way,status,residual,iterations,seconds`.
//!
//! `cargo bench --no-default-features --bench plan -- [--bodies N] [--seed K] [--family NAME] [--ways NAME,NAME]`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(clippy::print_stdout, non_snake_case, reason = "a program for the terminal; symbols of the papers")]

use std::time::Instant;

use mechan::answer::solve;
use mechan::coulomb::solver::by_name;
use mechan::coulomb::{Condensed, Form, Outcome, Problem, Request, solve_with};

#[path = "heaps/granular.rs"]
mod granular;
#[path = "heaps/packing.rs"]
mod packing;
#[path = "heaps/random.rs"]
mod random;

use granular::{Grains, heap};
use packing::Packing;

const TOLERANCES: [f64; 3] = [1e-3, 1e-6, 1e-8];
const WAYS: [&str; 4] = ["gauss-seidel", "alart-curnier", "proximal", "gradient"];

/// A family of heaps; seeds make its members.
struct Family {
    name: &'static str,
    packing: Packing,
    grains: Grains,
}

fn families(bodies: usize) -> Vec<Family> {
    let width = 0.7 * (bodies as f64).sqrt();
    let discs = Packing { dim: 2, bodies, radii: [0.5, 1.0], width, walls: true, reach: 0.01 };
    let spheres = Packing { dim: 3, width: 0.8 * (bodies as f64).cbrt(), ..discs };
    let grains = Grains { friction: [0.3, 0.3], density: [1.0, 1.0], noise: 0.5 };
    let family = |name, packing, grains| Family { name, packing, grains };
    vec![
        family("discs", discs, grains),
        family("discs dense", Packing { reach: 0.1, ..discs }, Grains { friction: [0.0, 2.0], ..grains }),
        family("discs pile", Packing { walls: false, ..discs }, Grains { friction: [0.5, 0.5], ..grains }),
        family("spheres", spheres, grains),
        family("spheres dense", Packing { reach: 0.1, ..spheres }, Grains { friction: [0.0, 2.0], ..grains }),
        family("spheres silo", Packing { width: 3.0, ..spheres }, grains),
        family(
            "spheres mixed",
            Packing { radii: [0.2, 1.0], ..spheres },
            Grains { density: [0.01, 100.0], ..grains },
        ),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    let bodies: usize = value("--bodies").map_or(200, |x| x.parse().unwrap());
    let seed: u64 = value("--seed").map_or(1, |x| x.parse().unwrap());
    let only = value("--family");
    let ways: Vec<&str> = value("--ways").map_or(WAYS.to_vec(), |x| x.split(',').collect());
    println!("heap,seed,dim,contacts,tolerance,way,status,residual,iterations,seconds");
    for family in families(bodies).iter().filter(|f| only.is_none_or(|name| f.name == name)) {
        let global = heap(&family.packing, &family.grains, seed);
        let problem = local(&global);
        for tolerance in TOLERANCES {
            run(family.name, seed, &problem, tolerance, "automatic");
            ways.iter().for_each(|way| run(family.name, seed, &problem, tolerance, way));
        }
    }
}

fn local(problem: &Problem) -> Problem {
    let Form::Global(global) = problem.form() else { unreachable!("heaps are global") };
    let local = Condensed::new(problem.dim(), global).unwrap().local;
    Problem::local(problem.dim(), problem.mu().to_vec(), &local.W.to_sparse(), local.q).unwrap()
}

fn run(name: &str, seed: u64, problem: &Problem, tolerance: f64, way: &str) {
    let request = Request { tolerance, ..Request::default() };
    let start = Instant::now();
    let found = match by_name(way) {
        Ok(solver) => solve_with(problem, &request, solver.as_ref(), 20_000),
        Err(_) => solve(problem, &request),
    }
    .unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let status = if found.outcome == Outcome::Solved { "solved" } else { "no" };
    println!(
        "{name},{seed},{},{},{tolerance:e},{way} {},{status},{:.1e},{},{seconds:.4}",
        problem.dim(),
        problem.contacts(),
        found.solver,
        found.residual.relative,
        found.iterations
    );
}
