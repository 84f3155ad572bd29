//! The next step by the incremental solvers, as h → 0: its solution is one of the listed modes, and the one where there is one only.

use crate::random::{self, Dice};
use mechan::analysis::space::{Contact, ContactStatus, SpaceMode, modes};
use mechan::answer::solve;
use mechan::coulomb::{Outcome, Problem, Request, Solution, Status};
use mechan::linear::Sparse;
use mechan::num::Tol;
use mechan::predict::ModeName;

fn step(contact: &Contact, u: [f64; 2], h: f64) -> Option<Solution> {
    let n = &contact.numbers;
    let W =
        [vec![n.C, n.B[0], n.B[1]], vec![n.B[0], n.A[0][0], n.A[0][1]], vec![n.B[1], n.A[1][0], n.A[1][1]]];
    let W = Sparse::from_dense("W", &W, 3).unwrap();
    let q = vec![h * n.b, u[0] + h * n.a[0], u[1] + h * n.a[1]];
    let problem = Problem::local(3, vec![contact.friction.mu()], &W, q).unwrap();
    let solution = solve(&problem, &Request::default()).unwrap();
    (solution.outcome == Outcome::Solved).then_some(solution)
}

fn word(status: Status) -> ModeName {
    match status {
        Status::TakeOff => ModeName::FREE,
        Status::Stick => ModeName::STICK,
        Status::Slip => ModeName::SLIP,
    }
}

/// Whether the impulse over h is the force of a mode.
fn is(mode: &SpaceMode, solution: &Solution, h: f64, within: f64) -> bool {
    let force: Vec<f64> = solution.r.iter().map(|r| r / h).collect();
    let [N, T1, T2] = random::force(mode);
    let size = 1.0 + N.abs() + T1.hypot(T2);
    let off = [force[0] - N, force[1] - T1, force[2] - T2];
    random::word(mode) == word(solution.statuses[0]) && off.iter().all(|x| x.abs() < within * size)
}

/// From rest the step is the acceleration problem itself, whatever h is.
#[test]
fn solutions_from_rest_are_in_the_list() {
    let (mut dice, tol) = (Dice(41), Tol::default());
    let mut solved = 0;
    for run in 0..400 {
        let contact = dice.at_rest();
        let (reports, _) = modes(&contact, &tol);
        let Some(solution) = step(&contact, [0.0; 2], 1.0) else { continue };
        solved += 1;
        let found = reports.iter().any(|mode| mode.judged.is_consistent() && is(mode, &solution, 1.0, 1e-6));
        assert!(found, "run {run}: {contact:?} {solution:?}");
    }
    assert!(solved > 300, "{solved}");
}

/// While slipping with p > 0 the step tends to the one consistent mode with order 1.
#[test]
fn steps_tend_to_the_mode_as_h_tends_to_0() {
    let (mut dice, tol) = (Dice(42), Tol::default());
    let mut seen = 0;
    for run in 0..300 {
        let u = [dice.roll(), dice.roll()];
        let contact = Contact { stands: ContactStatus::Slipping(u), ..dice.at_rest() };
        let along = contact.stands.direction().unwrap();
        let gain = contact.numbers.normal_gain(contact.friction, along);
        if gain.value < 0.05 * gain.scale
            || u[0].hypot(u[1]) < 0.1
            || contact.numbers.least_gain(contact.friction).value < 0.0
        {
            continue;
        }
        let (reports, _) = modes(&contact, &tol);
        let only = reports.iter().find(|mode| mode.judged.is_consistent()).unwrap();
        let solution = step(&contact, u, 1e-6).unwrap();
        assert!(is(only, &solution, 1e-6, 2e-3), "run {run}: {only:?} {solution:?}");
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
}
