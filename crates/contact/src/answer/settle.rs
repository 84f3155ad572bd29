//! One answer from two routes: the point of the solvers and the list of all solutions must not contradict each other.
//!
//! A point that is good enough although the numbers exactly as they stand have no solution near it is a border case: numbers
//! within the tolerance of these have one. It is listed, and marked. Where the solvers found nothing the answer is one of
//! the list. An exact solution that only the last digits of the numbers make one, so that rounding hides its velocities,
//! leaves the answer undecided: in other units they round otherwise.

use super::rounding::survives_rounding;
use crate::coulomb::{Outcome, Problem, ProblemError, Request, Session, Solution};
use crate::enumerate::{Enumeration, Point, border, is_listed};
use crate::num::InOrder;
use crate::num::dense::norm;
use std::borrow::Borrow;

/// The answer: `best` if it solves the problem and the list has it, or may lack it; else one of the list; else `best`
/// again, which joins a list that has nothing as a border case if it solves the problem.
///
/// # Errors
/// As [`super::solve()`].
pub fn settle(
    problem: &Problem,
    request: &Request,
    best: Solution,
    all: &mut Enumeration,
) -> Result<Solution, ProblemError> {
    let mut session = Session::new(problem, *request)?;
    session.adopt(best);
    settle_in(&mut session, all);
    Ok(session.into_solution())
}

/// The same for the problem of a session and its solution, whose place the answer takes.
pub fn settle_in<'s, P: Borrow<Problem>>(session: &'s mut Session<P>, all: &mut Enumeration) -> &'s Solution {
    let best = session.solution();
    let solved = best.outcome == Outcome::Solved;
    if !(solved && (!all.complete || is_listed((session.local(), session.problem().mu()), all, best))) {
        match one_of(session, all) {
            Some(listed) => {
                session.adopt(listed);
            }
            None if solved => all.border.push(border(session.solution())),
            None => {}
        }
    }
    session.solution()
}

/// A solution of the list: the first that rounding does not hide, else the smallest, undecided if it rests on the last digits
/// of the numbers.
fn one_of<P: Borrow<Problem>>(session: &mut Session<P>, all: &Enumeration) -> Option<Solution> {
    let centres: Vec<Point> = all.families.iter().map(|family| family.centre()).collect();
    let mut vertices: Vec<&Point> = all.families.iter().flat_map(|family| &family.vertices).collect();
    vertices.put_in_order(|a, b| norm(&a.r).total_cmp(&norm(&b.r)));
    let border = all.border.iter().map(|border| &border.point);
    let points = centres.iter().chain(vertices.iter().copied()).chain(border);
    let mut given = |point: &Point| session.judge(&point.r, ("enumeration", all.branches));
    if let Some(good) = points.map(&mut given).find(|found| found.outcome == Outcome::Solved) {
        return Some(good);
    }
    let smallest = vertices.first()?;
    let judged = given(smallest);
    let most = session.request().tol.outlasting;
    let lasts = survives_rounding(session.local(), &smallest.u, &smallest.r, most);
    let outcome = if lasts { Outcome::Solved } else { Outcome::Undecided };
    Some(Solution { outcome, u: smallest.u.clone(), ..judged })
}
