//! Table 2 of the survey, and the same for one mechanism: the verdict on a sliding pencil over friction and angle.
//!
//! `cargo run --example table --no-default-features`

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use mechan::analysis::planar::consistency_table;
use mechan::report::{render_text, survey_table_document};
use mechan::{AnalyzeOptions, Derived, Deriver, Failure};

/// The first letters of the verdict at this friction and angle from the upright, in degrees.
fn verdict(pencil: &Derived, friction: f64, angle: f64) -> Result<String, Failure> {
    let set = vec![format!("mu={friction}"), format!("theta={}", angle.to_radians())];
    let options =
        AnalyzeOptions { set, without_next_step: true, ..AnalyzeOptions::of_state("slipping_with_the_lean") };
    let analysis = pencil.analyze(&options)?;
    let found = analysis.outcomes().next().and_then(|state| state.prospect.verdict);
    Ok(found.map_or("-", |verdict| verdict.name()).chars().take(6).collect())
}

fn main() -> Result<(), Failure> {
    println!("{}", render_text(&survey_table_document(&consistency_table())));

    let pencil = mechan::load("examples/falling_pencil.model.json")?.derive(&Deriver::nobody())?;
    let angles = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0];
    println!("mu      {}", angles.map(|angle| format!("{angle:>6}°")).join(" "));
    for friction in [0.4, 0.8, 1.2, 1.6, 2.0] {
        let row = angles.iter().map(|&angle| verdict(&pencil, friction, angle));
        println!("{friction:<7} {}", row.collect::<Result<Vec<_>, _>>()?.join("  "));
    }
    Ok(())
}
