//! From a derived model file to everything that `analyze` needs at a state of the falling pencil: gap, gap rate,
//! slip, M factored, A, B, C, a, b, p±, k±; and the same by hand. Allocations are counted: evaluation makes none.
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
use mechan::model::{ContactKernel, ContactQuantity, Dynamics, ModelFileError, Output};
use mechan::tape::Input;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const STATES: usize = 4096;

fn kernel() -> Result<ContactKernel, ModelFileError> {
    pencil::model().map(|model| ContactKernel::new(&model))
}

/// Machine code for the one tape: what a map or a simulation evaluates.
#[divan::bench(sample_size = 1000)]
fn pencil_compiled(bencher: Bencher) {
    let Ok(compiled) = kernel().map(|k| k.compile()) else { return };
    let (mut values, mut scratch) = (compiled.values(), compiled.scratch());
    bencher.bench_local(|| {
        let inputs = black_box(&pencil::STATE);
        let solved = compiled.evaluate(inputs, &mut values, &mut scratch);
        black_box(solved.map(|()| pencil::found(&values, inputs[11])))
    });
}

/// The one tape interpreted: no compilation before.
#[divan::bench(sample_size = 1000)]
fn pencil_interpreted(bencher: Bencher) {
    let Ok(kernel) = kernel() else { return };
    let (mut values, mut scratch) = (kernel.values(), kernel.scratch());
    bencher.bench_local(|| {
        let inputs = black_box(&pencil::STATE);
        let solved = kernel.evaluate(inputs, &mut values, &mut scratch);
        black_box(solved.map(|()| pencil::found(&values, inputs[11])))
    });
}

/// The blocks of the model interpreted, then M factored and solved on numbers: any size of model, any question.
#[divan::bench(sample_size = 1000)]
fn pencil_by_blocks(bencher: Bencher) {
    let Ok(model) = pencil::model() else { return };
    let kinematics = [Output::Gap, Output::GapRate, Output::SlipRate];
    let kernel = model.kernel(&[&Dynamics::<f64>::NEEDED[..], &kinematics].concat());
    let (mut values, mut dynamics) = (kernel.values(), Dynamics::new(kernel.layout()));
    bencher.bench_local(|| {
        kernel.evaluate(black_box(&pencil::STATE), &mut values);
        black_box(dynamics.update(&kernel, &values)).map(|()| dynamics.delassus_entry(1, 1))
    });
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
    let Ok(kernel) = kernel() else { return };
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
        black_box(done.map(|()| found.column(ContactQuantity::Delassus(1, 1))[STATES - 1]))
    });
}

/// From the model file's text to machine code: once per run.
#[divan::bench]
fn pencil_read(bencher: Bencher) {
    bencher.bench_local(pencil::model);
}

#[divan::bench]
fn pencil_kernel(bencher: Bencher) {
    let Ok(model) = pencil::model() else { return };
    bencher.bench_local(|| ContactKernel::new(black_box(&model)));
}

#[divan::bench]
fn pencil_compile(bencher: Bencher) {
    let Ok(kernel) = kernel() else { return };
    bencher.bench_local(|| black_box(&kernel).compile());
}
