//! From a derived model file to everything that `analyze` needs at a state of the falling pencil: gap, gap rate,
//! slip, M factored, A, B, C, a, b, p±, k±; and the same by hand; the verdict; the right-hand side of its motions.
//! Allocations are counted: evaluation makes none.
//!
//! `cargo bench --no-default-features --bench model`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

#[path = "models/pencil.rs"]
mod pencil;

use divan::{AllocProfiler, Bencher, black_box, counter::ItemsCount};
use mechan::analysis::planar::{Sketch, sketch_kernel};
use mechan::contact::Friction;
use mechan::model::{Block, Kernel, Model, Singular};
use mechan::num::Tol;
use mechan::predict::Mode;
use mechan::simulate::{ContactMotion, SmoothMotion};
use mechan::tape::Input;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const STATES: usize = 4096;

fn evaluated(bencher: Bencher<'_, '_>, kernel: &Kernel) {
    let mut values = kernel.values();
    bencher.bench_local(|| {
        let inputs = black_box(&pencil::STATE);
        let solved = kernel.solve(inputs, &mut values);
        black_box(solved.map(|()| pencil::found(kernel, &values, inputs[11])))
    });
}

/// Machine code for the one tape: what a map or a simulation evaluates.
#[divan::bench(sample_size = 1000)]
fn pencil_compiled(bencher: Bencher) {
    evaluated(bencher, &pencil::kernel().unwrap().compiled());
}

/// The one tape interpreted: no compilation before.
#[divan::bench(sample_size = 1000)]
fn pencil_interpreted(bencher: Bencher) {
    evaluated(bencher, &pencil::kernel().unwrap());
}

/// All blocks of the model and of its solution, interpreted: what a report shows.
#[divan::bench(sample_size = 1000)]
fn pencil_all_blocks(bencher: Bencher) {
    evaluated(bencher, &pencil::model().unwrap().kernel(&Block::all()));
}

fn model() -> Model {
    pencil::model().unwrap()
}

/// t, q, q̇ and the parameters of a state of the pencil.
/// The tip closed and slipping with the lean, p+ > 0.
const SLIPPING: pencil::Inputs = [0.0, 0.1, 0.0, 0.46, 1.0, 0.0, -2.0, 1.2, 0.8, 9.81, 0.3, 0.9, 0.5];

fn verdict(bencher: Bencher<'_, '_>, kernel: &Kernel) {
    let (q, v, parameters) = (&SLIPPING[1..4], &SLIPPING[4..7], &SLIPPING[7..]);
    let (friction, tol, mut values) = (Friction::new(0.9).unwrap(), Tol::default(), kernel.values());
    kernel.set_parameters(parameters, &mut values);
    bencher.bench_local(|| {
        kernel.solve_at(0.0, black_box(q), v, &mut values)?;
        let sketch = Sketch { kernel, values: &values, length: 0.5 };
        Ok::<_, Singular>(sketch.verdict(0, friction, &tol))
    });
}

/// From a state to the verdict, with the sizes that decide what counts as zero.
#[divan::bench(sample_size = 1000)]
fn pencil_verdict_compiled(bencher: Bencher) {
    verdict(bencher, &sketch_kernel(&model(), &[]).compiled());
}

#[divan::bench(sample_size = 1000)]
fn pencil_verdict_interpreted(bencher: Bencher) {
    verdict(bencher, &sketch_kernel(&model(), &[]));
}

fn rate(bencher: Bencher<'_, '_>, motion: &SmoothMotion, mode: Mode) {
    let mut work = motion.work(&SLIPPING[7..]);
    let contacts = [ContactMotion::of(mode, Friction::new(0.9).unwrap(), 1, 0.0)];
    let (y, mut rate) = (&SLIPPING[1..7], [0.0; 6]);
    bencher.bench_local(|| {
        let done = motion.rate(0.0, black_box(y), &contacts, &mut rate, &mut work);
        black_box(&rate);
        done
    });
}

const MODES: [Mode; 4] = [
    Mode::Free,
    Mode::Slip { along: [1.0, 0.0], side: 1.0 },
    Mode::Slip { along: [-1.0, 0.0], side: 1.0 },
    Mode::STICK,
];

/// (q̇, v̇) of a motion in each mode, with the contact force.
#[divan::bench(sample_size = 1000, args = MODES)]
fn pencil_rate_compiled(bencher: Bencher, mode: Mode) {
    rate(bencher, &SmoothMotion::new(&model(), &[]).compiled(), mode);
}

#[divan::bench(sample_size = 1000, args = MODES)]
fn pencil_rate_interpreted(bencher: Bencher, mode: Mode) {
    rate(bencher, &SmoothMotion::new(&model(), &[]), mode);
}

#[divan::bench(sample_size = 1000)]
fn pencil_by_hand_specialised(bencher: Bencher) {
    bencher.bench_local(|| pencil::specialised(black_box(&pencil::STATE)));
}

#[divan::bench(sample_size = 1000)]
fn pencil_by_hand_general(bencher: Bencher) {
    bencher.bench_local(|| pencil::general(black_box(&pencil::STATE)));
}

/// Angles and rates one per state, all else uniform, as for a map; the time of one state is this over 4096.
#[divan::bench]
fn pencil_batch(bencher: Bencher) {
    let kernel = pencil::kernel().unwrap();
    let moving = [3, 6];
    let uniform: Vec<usize> = (0..pencil::STATE.len()).filter(|i| !moving.contains(i)).collect();
    let batch = kernel.batch(&uniform);
    let column = |x: f64| (0..STATES).map(|k| x + 1e-4 * k as f64).collect::<Vec<_>>();
    let columns: Vec<Vec<f64>> = pencil::STATE.iter().map(|&x| column(x)).collect();
    let inputs: Vec<Input> = (0..pencil::STATE.len())
        .map(
            |i| if moving.contains(&i) { Input::Each(&columns[i]) } else { Input::Uniform(pencil::STATE[i]) },
        )
        .collect();
    let (mut found, mut scratch) = (batch.columns(STATES), batch.scratch());
    bencher.counter(ItemsCount::new(STATES)).bench_local(|| {
        let done = batch.evaluate(black_box(&inputs), &mut found, &mut scratch);
        black_box(done.map(|()| found.column(Block::Delassus, 2)[STATES - 1]))
    });
}

/// From the model file's text to machine code: once per run.
#[divan::bench]
fn pencil_read(bencher: Bencher) {
    bencher.bench_local(pencil::model);
}

#[divan::bench]
fn pencil_kernel(bencher: Bencher) {
    bencher.bench_local(pencil::kernel);
}

#[divan::bench]
fn pencil_compile(bencher: Bencher) {
    let kernel = pencil::kernel().unwrap();
    bencher.bench_local(|| black_box(&kernel).clone().compiled());
}

/// The same for the kernels of a verdict, and of a report.
#[divan::bench]
fn pencil_verdict_kernel(bencher: Bencher) {
    let model = model();
    bencher.bench_local(|| sketch_kernel(black_box(&model), &[]));
}

#[divan::bench]
fn pencil_kernel_of_all_blocks(bencher: Bencher) {
    let model = model();
    bencher.bench_local(|| black_box(&model).kernel(&Block::all()));
}
