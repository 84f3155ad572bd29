//! Why a motion could not go on.

use crate::answer::{Study, solve};
use crate::coulomb::{Problem, Request};
use crate::simulate::trajectory::{Over, Status};
use crate::stepping::StepError;

/// How a motion ends at a step that failed; where the contact problem of the step has no solution, with the proof in words.
pub(super) fn refused(error: &StepError, problem: Option<&Problem>) -> Over {
    let proof = match (error, problem) {
        (StepError::Unsolved { .. }, Some(problem)) => proof(problem),
        _ => None,
    };
    match proof {
        Some(proof) => {
            (Status::Inconsistent, Some(format!("the contact problem of the step has no solution: {proof}")))
        }
        None => (Status::Failed, Some(error.to_string())),
    }
}

/// Why a problem has no solution, if that is proven and the proof holds.
fn proof(problem: &Problem) -> Option<String> {
    let solution = solve(problem, &Request::default()).ok()?;
    let refutation = Study::of(problem, solution, None).refutation?;
    refutation.verify(problem).then(|| refutation.to_string())
}
