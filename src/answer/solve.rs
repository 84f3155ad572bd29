//! From a problem to its best point: what `mechan solve` calls. The solvers' plan comes first; few planar contacts that
//! resist it are decided by listing all solutions.

use super::settle::settle_ready;
use crate::coulomb::{
    Method, Outcome, Problem, ProblemError, Ready, Request, Solution, automatic, first_attempts, is_lost,
};
use crate::enumerate::{Limits, enumerate};

/// Solves `problem` by the automatic sequence.
///
/// # Errors
/// `Indefinite` when M cannot be factored; not reaching the tolerance is an outcome, not an error.
pub fn solve(problem: &Problem, request: &Request) -> Result<Solution, ProblemError> {
    let ready = Ready::new(problem, request)?;
    if problem.dim() == 2 && problem.contacts() <= FEW.contacts {
        let first = ready.run(&Method { sequence: &first_attempts, polished: true, starts: 1 });
        if first.outcome == Outcome::Solved {
            return Ok(first);
        }
        if is_lost(problem, &request.tol) {
            return Ok(Solution { outcome: Outcome::Undecided, ..first });
        }
        if let Ok(mut all) = enumerate(problem, FEW) {
            let complete = all.complete;
            let answer = settle_ready(&ready, first, &mut all);
            if complete || answer.outcome == Outcome::Solved {
                return Ok(answer);
            }
        }
    }
    let last = ready.run(&Method { sequence: &automatic, polished: true, starts: request.tol.starts });
    if last.outcome == Outcome::Solved {
        return Ok(last);
    }
    if is_lost(problem, &request.tol) {
        // a point may solve such a problem, but nothing can be said where none does
        return Ok(Solution { outcome: Outcome::Undecided, ..last });
    }
    match enumerate(problem, Limits::default()) {
        Ok(mut all) => Ok(settle_ready(&ready, last, &mut all)),
        Err(_) => Ok(last),
    }
}

/// Planar problems of which all solutions are listed if the first attempts find none: more attempts find none either if
/// there is none, and take longer to say so.
const FEW: Limits = Limits { contacts: 8, rays: 1000, branches: 500 };
