//! One answer from two routes: the point of the solvers and the list of all solutions must not contradict each other.
//!
//! A point that is good enough although the numbers exactly as they stand have no solution near it is a border case: numbers
//! within the tolerance of these have one. It is listed, and marked. Where the solvers found nothing the answer is one of
//! the list. An exact solution that only the last digits of the numbers make one, so that rounding hides its velocities,
//! leaves the answer undecided: in other units they round otherwise.

use super::outlasting::outlasts;
use crate::coulomb::{Outcome, Problem, ProblemError, Ready, Request, Solution, norm};
use crate::enumerate::{Enumeration, Point, border, is_listed};

/// The answer: `best` if it solves the problem and the list has it, or may lack it; else one of the list; else `best`
/// again, which joins a list that has nothing as a border case if it solves the problem.
///
/// # Errors
/// As [`crate::coulomb::solve`].
pub fn settle(
    problem: &Problem,
    request: &Request,
    best: Solution,
    all: &mut Enumeration,
) -> Result<Solution, ProblemError> {
    Ok(settle_ready(&Ready::new(problem, request)?, best, all))
}

/// The same for a problem that is ready for the solvers.
pub(super) fn settle_ready(ready: &Ready<'_>, best: Solution, all: &mut Enumeration) -> Solution {
    let solved = best.outcome == Outcome::Solved;
    if solved && (!all.complete || is_listed(ready.problem, all, &best.u, &best.r)) {
        return best;
    }
    one_of(ready, all).unwrap_or_else(|| {
        all.border.extend(solved.then(|| border(&best)));
        best
    })
}

/// A solution of the list: the first that rounding does not hide, else the smallest, undecided if it rests on the last digits
/// of the numbers.
fn one_of(ready: &Ready<'_>, all: &Enumeration) -> Option<Solution> {
    let given = |point: &Point| ready.point(&point.r, ("enumeration", all.branches));
    let centres: Vec<Point> = all.families.iter().map(|family| family.centre()).collect();
    let mut vertices: Vec<&Point> = all.families.iter().flat_map(|family| &family.vertices).collect();
    vertices.sort_by(|a, b| norm(&a.r).total_cmp(&norm(&b.r)));
    let border = all.border.iter().map(|border| &border.point);
    let points = centres.iter().chain(vertices.iter().copied()).chain(border);
    let good = points.map(given).find(|found| found.outcome == Outcome::Solved);
    good.or_else(|| {
        let smallest = vertices.first()?;
        let lasts = outlasts(ready.own(), &smallest.u, &smallest.r, ready.request.tol.outlasting);
        let outcome = if lasts { Outcome::Solved } else { Outcome::Undecided };
        Some(Solution { outcome, u: smallest.u.clone(), ..given(smallest) })
    })
}
