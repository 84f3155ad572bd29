//! Problems: a mutated problem file is read and solved, or refused in one line.

use crate::{bases, fuzz};
use mechan::coulomb::{Limits, read};
use mechan::pipeline::{SolveOptions, solve_problem};

#[test]
fn mutated_problems_are_solved_or_refused_in_words() {
    fuzz(400, &bases("problems", "json"), |text| match read(text, Limits::default()) {
        Err(error) => in_words(&error.to_string()),
        Ok(problem) => match solve_problem(problem, &SolveOptions::default()) {
            Err(failure) => in_words(&failure.to_string()),
            Ok(solved) => {
                let point = &solved.study.solution;
                assert!(point.u.iter().chain(&point.r).all(|x| x.is_finite()), "{point:?}");
            }
        },
    });
}

fn in_words(message: &str) {
    assert!(!message.is_empty() && message.len() < 2000 && message.lines().count() == 1, "{message}");
}
