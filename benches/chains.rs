//! M and h of derived models, in machine code: what one evaluation of a chain of links costs.
//!
//! `cargo bench --no-default-features --features machine-code --bench chains -- MODEL..` prints for each model file the nanoseconds of an evaluation
//! of M and h and, at the state that stands in the next argument (`q` and `v`, separated by commas), the numbers: what
//! `benches/compare_chains.py` compares with Pinocchio. Without arguments it does nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod clock;

use clock::cpu_seconds;
use mechan::model::{Block, Kernel, ModelFile, Output};
use std::hint::black_box;

/// Evaluations in one measurement, and measurements.
const EVALUATIONS: usize = 2000;
const MEASUREMENTS: usize = 41;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for pair in arguments.chunks(2) {
        let [file, state] = pair else { panic!("expected a model file and a state after each other") };
        let file = ModelFile::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        let (layout, outputs) = (*file.model.layout(), [Output::MassMatrix, Output::Bias]);
        let kernel = file.model.kernel(&outputs).compiled();
        let derived = mechan::pipeline::load_bytes("chain", file.mechanism.into_bytes()).unwrap();
        let mut inputs = vec![0.0];
        inputs.extend(state.split(',').map(|x| x.parse::<f64>().unwrap()));
        inputs.extend(mechan::pipeline::default_parameters(&derived).unwrap());
        assert_eq!(inputs.len(), layout.inputs());
        let mut values = kernel.values::<f64>();
        kernel.evaluate(&inputs, &mut values);
        let numbers: Vec<f64> =
            outputs.iter().flat_map(|&o| kernel.block(&values, Block::Model(o)).to_vec()).collect();
        println!(
            "{{\"nanoseconds\": {}, \"operations\": {}, \"numbers\": {numbers:?}}}",
            nanoseconds(&kernel, &inputs),
            kernel.tape().instructions()
        );
    }
}

/// The median over measurements.
fn nanoseconds(kernel: &Kernel, inputs: &[f64]) -> f64 {
    let mut values = kernel.values::<f64>();
    let mut times: Vec<f64> = (0..MEASUREMENTS)
        .map(|_| {
            let start = cpu_seconds().unwrap();
            for _ in 0..EVALUATIONS {
                kernel.evaluate(black_box(inputs), &mut values);
                black_box(&values);
            }
            (cpu_seconds().unwrap() - start) / EVALUATIONS as f64 * 1e9
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[MEASUREMENTS / 2]
}
