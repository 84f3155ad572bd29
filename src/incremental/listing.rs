//! One answer from two routes: the point of the solvers and the list of all solutions must not contradict each other.
//!
//! A point that is good enough although the numbers exactly as they stand have no solution near it is a border case: numbers
//! within the tolerance of these have one. It is listed, and marked. Where the solvers found nothing the answer is one of
//! the list. An exact solution that only the last digits of the numbers make one, so that rounding hides its velocities,
//! leaves the answer undecided: in other units they round otherwise.

use super::condense::Condensed;
use super::driver::{Outcome, Request, Solution};
use super::enumerate::{Border, Enumeration, Mode, Point};
use super::error::ProblemError;
use super::outlasting::outlasts;
use super::problem::{Form, Problem};
use super::proof::Choice;
use super::ready::Ready;
use super::residual::norm;
use super::status::Status;
use crate::num::Tol;

/// The answer: `best` if it solves the problem and the list has it, or may lack it; else one of the list; else `best`
/// again, which joins a list that has nothing as a border case if it solves the problem.
///
/// # Errors
/// As [`super::solve`].
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

/// Points that solve the problem to rounding, though no solution is near them: at most one for each word that the search
/// left with forces `near` a solution.
pub(super) fn border_cases(problem: &Problem, all: &mut Enumeration, near: &[Vec<f64>]) {
    let request = Request::default();
    let Ok(ready) = Ready::new(problem, &request) else { return };
    for r in near {
        let found = ready.point(r, ("enumeration", all.branches));
        if found.outcome == Outcome::Solved && !is_listed(problem, all, &found.u, &found.r) {
            all.border.push(border(&found));
        }
    }
}

/// A point in the words of the list.
fn border(solution: &Solution) -> Border {
    let mode = |(status, u): (&Status, &[f64])| match (status, u[1] > 0.0) {
        (Status::TakeOff, _) => Mode::TakeOff,
        (Status::Stick, _) => Mode::Stick,
        (Status::Slip, true) => Mode::SlipPos,
        (Status::Slip, false) => Mode::SlipNeg,
    };
    let modes = solution.statuses.iter().zip(solution.u.chunks_exact(2)).map(mode).collect();
    Border { modes, point: Point { r: solution.r.clone(), u: solution.u.clone() } }
}

/// Whether a point obeys the modes of a listed set, or is a border case already, within the tolerance.
fn is_listed(problem: &Problem, all: &Enumeration, u: &[f64], r: &[f64]) -> bool {
    let free = match problem.form() {
        Form::Local(local) => norm(&local.q),
        Form::Global(global) => Condensed::new(problem.dim(), global).map_or(0.0, |c| norm(&c.local.q)),
    };
    let tol = Tol::default().listed;
    let (speed, force) = (tol * norm(u).max(free), tol * norm(r));
    let obeys = |word: &[Choice]| {
        let contact = |(i, choice): (usize, &Choice)| {
            let friction = problem.mu()[i] * r[2 * i];
            let (still, normal) = (u[2 * i + 1].abs() <= speed, u[2 * i].abs() <= speed);
            match choice {
                Choice::TakeOff => r[2 * i].abs() <= force,
                Choice::Stick => normal && still,
                Choice::SlipPos => {
                    normal && u[2 * i + 1] >= -speed && (r[2 * i + 1] + friction).abs() <= force
                }
                Choice::SlipNeg => {
                    normal && u[2 * i + 1] <= speed && (r[2 * i + 1] - friction).abs() <= force
                }
                Choice::Slide => normal,
            }
        };
        word.iter().enumerate().all(contact)
    };
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let same = |border: &Border| apart(&border.point.u, u) <= speed && apart(&border.point.r, r) <= force;
    all.proof.sets.iter().any(|set| obeys(&set.word)) || all.border.iter().any(same)
}
