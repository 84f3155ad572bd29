//! What the incremental solvers find for contacts at rest, whose next step is the acceleration problem itself.

use super::judge::Solved;
use super::system::System;
use crate::analysis::planar::Consistency;
use crate::analysis::space::SpaceWord;
use crate::coulomb::{Outcome, Problem, Request, Status};

/// The acceleration problem by the incremental solvers; none if they do not solve it.
pub(super) fn solved_step(system: &System) -> Option<Solved> {
    let rows = system.free.len();
    let unit = |i: usize| (0..rows).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let identity: Vec<Vec<f64>> = (0..rows).map(unit).collect();
    // u = D r + q as u = H v + w with H = 1, M⁻¹ = D
    let problem =
        Problem::from_dense_inverse(system.mu.clone(), &system.D, &vec![0.0; rows], &identity, &system.free);
    let found = crate::answer::solve(&problem.ok()?, &Request::default()).ok()?;
    if found.outcome != Outcome::Solved {
        return None;
    }
    let word: Vec<SpaceWord> = found
        .statuses
        .iter()
        .map(|status| match status {
            Status::TakeOff => SpaceWord::Free,
            Status::Stick => SpaceWord::Stick,
            Status::Slip => SpaceWord::Slip,
        })
        .collect();
    let direction =
        |i: usize| (word[i] == SpaceWord::Slip).then(|| found.u[3 * i + 2].atan2(found.u[3 * i + 1]));
    Some(Solved {
        directions: (0..word.len()).map(direction).collect(),
        word,
        forces: found.r,
        accelerations: found.u,
        consistency: Consistency::Yes,
        fault: None,
    })
}
