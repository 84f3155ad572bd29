//! What a Newton step costs, in sweeps, by counting operations.

use crate::coulomb::attempt::Run;
use crate::coulomb::solver::Task;
use crate::linear::BlockMatrix;
use crate::linear::reduced::Kept;

/// Multiplications of a factorisation in the time of one of a sweep in space, over the cube root of their number per contact: the
/// larger the fronts, the better they are vectorised; and at least so many.
const SPEED: f64 = 0.22;
const SLOWEST: f64 = 0.7;
/// What a contact's own problem costs in a sweep, in the plane and in space.
const CONTACT: [f64; 2] = [8.0, 60.0];
/// What a block costs in a sweep.
const BLOCK: [f64; 2] = [2.0, 9.0];
/// Steps along the path of smoothed problems, where it leads to the end.
const PATH: f64 = 40.0;
/// What a contact with force costs in a Newton step beside the factorisation: assembling, bookkeeping, line search.
const STEP: f64 = 400.0;
/// What a step along the path costs beside that of a Newton step, without the sweeps where it turns back.
const PATH_STEP: f64 = 2.0;
/// What a dear one costs, in sweeps.
const DEAR: f64 = 50.0;
/// What a Newton step costs at least, in sweeps, also where no contact has a force yet.
const LEAST: f64 = 4.0;

/// What the whole path of smoothed problems costs, in sweeps.
pub(super) fn path(task: &Task<'_>, run: &mut Run) -> f64 {
    PATH * path_step(task, run)
}

/// The cost of a Newton step over that of a sweep, where the contacts that have a force in `r` have unknowns. The order of
/// elimination is found for it, and stays for the steps.
pub(super) fn newton_step(task: &Task<'_>, run: &mut Run, r: &[f64]) -> f64 {
    let active = r.chunks(task.local.W.block_size()).filter(|r| r[0] > 0.0).count();
    step_with(task, run, active)
}

/// Whether a Newton step costs so much that sweeps should not be interrupted by any.
pub(crate) fn is_dear(task: &Task<'_>, run: &mut Run) -> bool {
    step_with(task, run, task.mu.len()) > DEAR
}

/// The same of a step along the path of smoothed problems, on which all contacts have unknowns, without the sweeps that may follow.
pub(super) fn path_step(task: &Task<'_>, run: &mut Run) -> f64 {
    step_with(task, run, task.mu.len()) + PATH_STEP
}

/// Whether Newton's systems are solved in the velocities of the bodies.
pub(super) fn is_by_bodies(task: &Task<'_>, run: &mut Run) -> bool {
    let W = &task.local.W;
    match W.block_size() {
        2 => bodies(&mut run.workspace.plane().newton.get_or_insert_default().linear, W),
        _ => bodies(&mut run.workspace.space().newton.get_or_insert_default().linear, W),
    }
}

fn bodies<const D: usize, const DD: usize>(linear: &mut Kept<D, DD>, W: &BlockMatrix) -> bool {
    linear.prepare(W);
    linear.bodies().is_some()
}

fn step_with(task: &Task<'_>, run: &mut Run, active: usize) -> f64 {
    let W = &task.local.W;
    let (d, contacts) = (W.block_size(), W.blocks() as f64);
    let products = match d {
        2 => products(&mut run.workspace.plane().newton.get_or_insert_default().linear, W),
        _ => products(&mut run.workspace.space().newton.get_or_insert_default().linear, W),
    };
    let active = active as f64;
    let share = active / contacts.max(1.0);
    let sweep = W.stored() as f64 * BLOCK[d - 2] + contacts * CONTACT[d - 2];
    let speed = (SPEED * (products / contacts.max(1.0)).cbrt()).max(SLOWEST);
    let step = STEP * active + products * (d * d * d) as f64 * share.powi(3) / speed;
    (step / sweep).max(LEAST)
}

fn products<const D: usize, const DD: usize>(linear: &mut Kept<D, DD>, W: &BlockMatrix) -> f64 {
    linear.prepare(W);
    linear.products()
}
