//! The next time step of the pencil in an inconsistent state: as numbers, all its solutions, and the problem as a file.
//!
//! `cargo run --example next_step --no-default-features`

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use mechan::{Deriver, Extent, Failure, SolveOptions, solve_step};

fn main() -> Result<(), Failure> {
    let pencil = mechan::load("examples/falling_pencil.model.json")?.derive(&Deriver::nobody())?;
    let step = pencil.next_step("inconsistent", 1e-3)?;
    println!(
        "{}: {} contact(s), in contact {}",
        step.problem.name(),
        step.problem.contacts(),
        step.labels.join(", ")
    );

    let solved = solve_step(step, &SolveOptions { extent: Extent::All, ..SolveOptions::default() })?;
    let outcome = solved.outcome();
    println!("{} ({})", outcome.status.word(), outcome.existence.existence.conclusion.word());
    for family in outcome.solutions.iter().flatten() {
        println!(
            "  {}: v = {:?}, impulse = {:?}",
            family.contacts.join(", "),
            values(&family.v),
            values(&family.r)
        );
    }
    Ok(())
}

fn values(list: &[mechan::Number]) -> Vec<f64> {
    list.iter().map(|number| number.0).collect()
}
