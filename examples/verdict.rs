//! What rigid-body mechanics says about the falling pencil, state by state.
//!
//! `cargo run --example verdict` derives its equations; with `--no-default-features` they come from a model file.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use mechan::{AnalyzeOptions, Deriver, Failure};

fn main() -> Result<(), Failure> {
    let (file, deriver) = if cfg!(feature = "derive") {
        ("mechanisms/falling_pencil.yaml", Deriver::this_process())
    } else {
        ("examples/falling_pencil.model.json", Deriver::nobody())
    };
    let pencil = mechan::load(file)?.derive(&deriver)?;
    let analysis = pencil.analyze(&AnalyzeOptions::default())?;
    for state in analysis.outcomes() {
        let verdict = state.prospect.verdict.map_or("none", |verdict| verdict.name());
        println!("{:24} {verdict:14} what follows: {}", state.state, state.prospect.resolved.join(" or "));
    }
    for (contact, critical) in &analysis.critical_friction.0 {
        println!("least friction with a paradox at {contact}: {}", critical.mu.0);
    }
    Ok(())
}
