//! A contact problem of one's own in numbers: Painlevé's rod, whose tip is lifted by 0.04 m/s or pressed on, solved and proven.
//!
//! u = W r + q by contacts, [N, T] each. `cargo run --example problem --no-default-features`

#![allow(clippy::print_stdout, reason = "a program for the terminal")]
#![allow(non_snake_case, reason = "the papers' letters")]

use mechan::coulomb::ProblemError;
use mechan::linear::Sparse;
use mechan::{Answer, Extent, Failure, Problem, SolveOptions, SolverName, solve_problem};

/// One planar contact: W = [C B; B A], μ, q = (b, a).
fn rod(b: f64) -> Result<Problem, ProblemError> {
    let W = Sparse::from_coordinates("W", (2, 2), &[0, 0, 1, 1], &[0, 1, 0, 1], &[1.6, 1.2, 1.2, 3.4])?;
    Ok(Problem::local(2, vec![1.5], &W, vec![b, 1.0])?.named("rod"))
}

fn main() -> Result<(), Failure> {
    for b in [0.04, -0.2] {
        let problem = rod(b).map_err(|error| Failure::file("rod", error))?;
        let all = SolveOptions { extent: Extent::All, ..SolveOptions::default() };
        let outcome = solve_problem(problem.clone(), &all)?.outcome();
        println!("b = {b}: {}", outcome.status.word());
        for family in outcome.solutions.iter().flatten() {
            println!("  {}: u = {:?}, r = {:?}", family.contacts.join(", "), family.u, family.r);
        }
        // one method instead of all of them, by type
        let lemke = SolveOptions { solver: Some(SolverName::Lemke), ..SolveOptions::default() };
        let found = solve_problem(problem, &lemke)?;
        println!("  {} alone: {}", SolverName::Lemke, found.study.answer() == Answer::Solved);
    }
    Ok(())
}
