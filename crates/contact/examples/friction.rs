//! A contact problem in numbers: Painlevé's rod, whose tip is lifted by 0.04 m/s or pressed on.
//!
//! u = W r + q by contacts, [N, T] each. `cargo run -p mechan-contact --example friction`

#![allow(clippy::print_stdout, reason = "a program for the terminal")]
#![allow(non_snake_case, reason = "the papers' letters")]

use mechan_contact::answer::solve;
use mechan_contact::coulomb::{Problem, Request};
use mechan_contact::enumerate::{Limits, enumerate};
use mechan_contact::linear::Sparse;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let W = Sparse::from_coordinates("W", (2, 2), &[0, 0, 1, 1], &[0, 1, 0, 1], &[1.6, 1.2, 1.2, 3.4])?;
    for b in [0.04, -0.2] {
        let rod = Problem::local(2, vec![1.5], &W, vec![b, 1.0])?;
        let found = solve(&rod, &Request::default())?;
        println!("b = {b}: {:?}, r = {:?}", found.outcome, found.r);
        for family in enumerate(&rod, Limits::default())?.families {
            println!("  {:?}: r = {:?}", family.modes, family.vertices[0].r);
        }
    }
    Ok(())
}
