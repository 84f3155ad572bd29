//! From a problem to its best point: what `mechan solve` calls. The solvers' plan comes first; few planar contacts that
//! resist it are decided by listing all solutions.

use super::settle::settle_in;
use crate::coulomb::{
    Method, Outcome, Plan, Problem, ProblemError, Request, Session, Solution, SolveMemory, Start, Tightening,
    is_lost, solve_directly,
};
use crate::enumerate::{Enumeration, Limits, enumerate};
use crate::num::halt::Limit;
use std::borrow::Borrow;

/// Solves `problem` by the usual plan.
///
/// # Errors
/// `Indefinite` when M cannot be factored; not reaching the tolerance is an outcome, not an error.
pub fn solve(problem: &Problem, request: &Request) -> Result<Solution, ProblemError> {
    solve_again(problem, request, &mut SolveMemory::default())
}

/// The same in the memory of a solve before, which takes half of the time where a problem has a few contacts only.
///
/// # Errors
/// As [`solve`].
pub fn solve_again(
    problem: &Problem,
    request: &Request,
    spare: &mut SolveMemory,
) -> Result<Solution, ProblemError> {
    if let Some(solution) = solve_directly(problem, request, spare) {
        return Ok(solution);
    }
    Session::once(problem, *request, spare, |session| {
        search_listed(session, Start::Cold);
    })
}

/// The same for the problem of a session.
pub fn solve_in<P: Borrow<Problem>>(session: &mut Session<P>, start: Start) -> &Solution {
    solve_listed(session, start);
    session.solution()
}

/// The same, with the complete list of all solutions if the answer took one; the answer is settled by it.
pub fn solve_listed<P: Borrow<Problem>>(session: &mut Session<P>, start: Start) -> Option<Enumeration> {
    if start == Start::Cold && session.solve_directly() { None } else { search_listed(session, start) }
}

/// The same by a search; the budget of time is that of the list too.
fn search_listed<P: Borrow<Problem>>(session: &mut Session<P>, start: Start) -> Option<Enumeration> {
    let limit = Limit { deadline: session.request().budget.deadline(), steps: None };
    limit.holds(|| searched(session, start)).0
}

fn searched<P: Borrow<Problem>>(session: &mut Session<P>, start: Start) -> Option<Enumeration> {
    let (problem, mut start) = (session.problem(), start);
    if problem.dim() == 2 && problem.contacts() <= FEW.contacts {
        let plan = Plan::brief();
        let (sequence, pace) = (plan.sequence(), Tightening::Leap);
        session.search(&Method { sequence: &sequence, polished: true, starts: 1, pace }, start);
        if is_final(session) {
            return None;
        }
        let all = list(session, FEW);
        if all.is_some() || session.solution().outcome == Outcome::Solved {
            return all;
        }
        start = Start::Cold;
    }
    session.solve(start);
    if is_final(session) { None } else { list(session, Limits::default()) }
}

/// Whether nothing more is to be tried.
fn is_final<P: Borrow<Problem>>(session: &mut Session<P>) -> bool {
    match session.solution().outcome {
        Outcome::Solved | Outcome::Budget => true,
        Outcome::NotConverged | Outcome::Undecided => {
            let lost = is_lost(session.problem(), &session.request().tol);
            if lost {
                // a point may solve such a problem, but nothing can be said where none does
                session.adopt(Solution { outcome: Outcome::Undecided, ..session.solution().clone() });
            }
            lost
        }
    }
}

/// Settles the answer by the list of all solutions, which is returned if it is complete.
fn list<P: Borrow<Problem>>(session: &mut Session<P>, limits: Limits) -> Option<Enumeration> {
    let mut all = enumerate(session.problem(), limits).ok()?;
    settle_in(session, &mut all);
    all.complete.then_some(all)
}

/// Planar problems of which all solutions are listed if the first attempts find none: more attempts find none either if
/// there is none, and take longer to say so.
const FEW: Limits = Limits { contacts: 8, rays: 1000, branches: 500 };
