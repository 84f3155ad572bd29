//! Certificates at size: 10⁵ planar and 10⁴ spatial contacts, each verdict verified exactly inside the timed part.
//! `cargo bench --bench existence` runs all; `-- small` the seconds-long ones only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use divan::{AllocProfiler, Bencher};
use mechan::existence::{Existence, Kinematics, Method, Rows, assess, margin_cap, solve_margin};

mod heaps;
use heaps::{Sides, ball_lattice, brick_wall};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn run(bencher: Bencher, problem: &Kinematics, expected: fn(&Existence) -> bool) {
    bencher.bench_local(|| {
        let existence = assess(problem);
        assert!(expected(&existence));
        existence
    });
}

/// The tip of a rod at rest on the ground, in the plane (3 velocities) and in space (6).
#[divan::bench(args = [2, 3], sample_count = 100)]
fn one_contact(bencher: Bencher, dim: usize) {
    let rows = match dim {
        2 => vec![vec![0.0, 1.0, 0.4], vec![1.0, 0.0, 0.9]],
        _ => vec![
            vec![0.0, 0.0, 1.0, 0.4, 0.1, 0.0],
            vec![1.0, 0.0, 0.0, 0.9, 0.0, 0.3],
            vec![0.0, 1.0, 0.0, 0.0, 0.2, 0.7],
        ],
    };
    let jacobian = Rows::from_dense(&rows, rows[0].len());
    run(bencher, &Kinematics { dim, H: jacobian, w: vec![0.0; dim], mu: vec![0.4] }, |e| {
        e.no_wedging.holds()
    });
}

/// A bar that wedges in one direction [AC11 (4.36)]; w decides what else holds.
#[divan::bench(args = [0.0, 1.0, -1.0], sample_count = 100)]
fn one_wedging_contact(bencher: Bencher, sliding: f64) {
    let jacobian = Rows::from_dense(&[vec![1.0], vec![2.0]], 1);
    let problem = Kinematics { dim: 2, H: jacobian, w: vec![0.0, sliding], mu: vec![1.0] };
    run(bencher, &problem, |e| e.no_wedging.fails() && (e.strong.fails() || e.strong.holds()));
}

#[divan::bench(args = [Sides::Free, Sides::Walls(0.0), Sides::Walls(-0.25), Sides::Walls(0.25)], sample_count = 3)]
fn small_wall_1000(bencher: Bencher, sides: Sides) {
    run(bencher, &brick_wall(16, 10, 0.6, sides), |e| e.weak.holds() || e.non_penetration.fails());
}

/// 100 440 contacts, 50 400 velocities.
#[divan::bench(args = [Sides::Free, Sides::Walls(0.0), Sides::Walls(-0.25), Sides::Walls(0.25)], sample_count = 1)]
fn wall_100_000(bencher: Bencher, sides: Sides) {
    run(bencher, &brick_wall(140, 120, 0.6, sides), |e| e.weak.holds() || e.non_penetration.fails());
}

/// 10 115 contacts and more, 20 250 velocities.
#[divan::bench(args = [Sides::Free, Sides::Walls(0.0), Sides::Walls(-0.25), Sides::Walls(0.25)], sample_count = 1)]
fn lattice_10_000(bencher: Bencher, sides: Sides) {
    run(bencher, &ball_lattice(15, 0.5, sides), |e| e.weak.holds() || e.non_penetration.fails());
}

/// The program (4.39) alone, with nothing known about the answer: the best velocity's clearance must come near the value.
fn margin(bencher: Bencher, problem: &Kinematics, value: f64) {
    bencher.bench_local(|| {
        let found = solve_margin(problem, margin_cap(problem), Method::Plain).unwrap();
        assert!((found.clearance(problem) - value).abs() < 1e-5);
        found
    });
}

/// A linear program with 100 802 contacts between walls at rest: the value is zero.
#[divan::bench(sample_count = 1)]
fn linear_program_100_000(bencher: Bencher) {
    margin(bencher, &brick_wall(140, 120, 0.6, Sides::Walls(0.0)), 0.0);
}

/// A second-order cone program with 10 125 contacts.
#[divan::bench(sample_count = 1)]
fn cone_program_10_000(bencher: Bencher) {
    margin(bencher, &ball_lattice(15, 0.5, Sides::Walls(0.0)), 0.0);
}
