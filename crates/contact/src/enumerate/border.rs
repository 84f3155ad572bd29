//! Border cases: points that are good enough although the numbers exactly as they stand have no solution near them. Numbers
//! within the tolerance of these have one.

use super::{Border, Enumeration, Mode, Point};
use crate::coulomb::{Local, Outcome, Problem, Request, Session, Solution, Status};
use crate::num::Tol;
use crate::num::dense::norm;

/// Points that solve the problem to rounding, though no solution is near them: at most one for each word that the search
/// left with forces `near` a solution.
pub(super) fn border_cases(problem: &Problem, all: &mut Enumeration, near: &[Vec<f64>]) {
    if near.is_empty() {
        return;
    }
    let Ok(mut session) = Session::new(problem, Request::default()) else { return };
    for r in near {
        let found = session.judge(r, ("enumeration", all.branches));
        if found.outcome == Outcome::Solved && !is_listed((session.local(), problem.mu()), all, &found) {
            all.border.push(border(&found));
        }
    }
}

/// A point in the words of the list.
pub(crate) fn border(solution: &Solution) -> Border {
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
pub(crate) fn is_listed((local, mu): (&Local, &[f64]), all: &Enumeration, point: &Solution) -> bool {
    let (tol, u, r) = (Tol::default().listed, &point.u, &point.r);
    let (speed, force) = (tol * norm(u).max(norm(&local.q)), tol * norm(r));
    let obeys = |word: &[Mode]| {
        let contact = |(i, mode): (usize, &Mode)| {
            let friction = mu[i] * r[2 * i];
            let (still, normal) = (u[2 * i + 1].abs() <= speed, u[2 * i].abs() <= speed);
            match mode {
                Mode::TakeOff => r[2 * i].abs() <= force,
                Mode::Stick => normal && still,
                Mode::SlipPos => normal && u[2 * i + 1] >= -speed && (r[2 * i + 1] + friction).abs() <= force,
                Mode::SlipNeg => normal && u[2 * i + 1] <= speed && (r[2 * i + 1] - friction).abs() <= force,
                Mode::Slide => normal,
            }
        };
        word.iter().enumerate().all(contact)
    };
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let same = |border: &Border| apart(&border.point.u, u) <= speed && apart(&border.point.r, r) <= force;
    all.proof.sets.iter().any(|set| obeys(&set.word)) || all.border.iter().any(same)
}
