//! Certificates at size: 10⁵ planar and 10⁴ spatial contacts, each verdict verified exactly inside the timed part.
//! `cargo bench --bench existence` runs all; `-- small` the seconds-long ones only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use divan::{AllocProfiler, Bencher};
use mechan::incremental::existence::{Existence, Kinematics, assess};

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
