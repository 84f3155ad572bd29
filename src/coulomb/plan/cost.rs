//! What a Newton step costs, in sweeps, by counting operations.

use crate::coulomb::attempt::Run;
use crate::coulomb::solver::Task;
use crate::linear::BlockMatrix;
use crate::linear::reduced::Kept;

/// Multiplications of a front in the time of one of a sweep, which is not vectorised.
const FRONT_SPEED: f64 = 3.0;
/// What a contact's own problem costs, in multiplications of its row.
const CONTACT: f64 = 60.0;
/// What assembling, line search and residual cost beside the factorisation, in sweeps.
const REST: f64 = 4.0;

/// The cost of a Newton step over that of a sweep. The order of elimination is found for it, and stays for the steps.
pub(super) fn newton_step(task: &Task<'_>, run: &mut Run) -> f64 {
    let W = &task.local.W;
    let d = W.block_size();
    let products = match d {
        2 => products(&mut run.workspace.plane().newton.linear, W),
        _ => products(&mut run.workspace.space().newton.linear, W),
    };
    let sweep = (W.stored() * d * d) as f64 + CONTACT * W.blocks() as f64;
    REST + products * (d * d * d) as f64 / (FRONT_SPEED * sweep)
}

fn products<const D: usize, const DD: usize>(linear: &mut Kept<D, DD>, W: &BlockMatrix) -> f64 {
    linear.prepare(W);
    linear.products()
}
