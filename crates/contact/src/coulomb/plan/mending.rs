//! What sweeps leave at a few contacts of a heap: Newton steps there, while the others keep their forces.
//!
//! In a heap the whole comes to rest long before the last of its contacts: a light bead between heavy ones, or a wheel of beads that turn
//! each other, takes thousands of sweeps of all contacts and a few Newton steps of its own. The contacts that miss what is asked for, and
//! those around them, make a problem of the same kind, whose free velocities are those that the others' forces leave:
//! q' = q + W r − W' r'. That is a step of the alternating method of Schwarz [Schwarz 1870]; sweeps over all contacts follow it.

use super::cost::newton_step;
use super::default::{FEW, HASTY};
use crate::coulomb::attempt::{Attempt, Goal, Run};
use crate::coulomb::order::Order;
use crate::coulomb::problem::Local;
use crate::coulomb::residual::local_residual;
use crate::coulomb::solver::{Solver, Task, zeros};
use crate::coulomb::tolerance::METHODS;

/// How many times neighbours are taken in.
const RINGS: usize = 2;
/// The part of all contacts that may be mended, where that is more than a few: Newton steps of more cost more than sweeps.
const SHARE: usize = 16;
/// Newton steps, at most.
const STEPS: usize = 200;

/// Mends the contacts that miss what is asked for; what that cost, in sweeps. Nothing where they are none or many.
pub(super) fn mend(task: &Task<'_>, goal: &Goal, run: &mut Run, r: &mut [f64]) -> Option<f64> {
    let order = Order::of(surroundings(task, &run.missing)?);
    zeros(&mut run.velocity, r.len());
    let before = local_residual(task.local, task.mu, r, &mut run.velocity).relative;
    let (local, mut force) = alone(task, &order, &run.velocity, r);
    let part = Task { local: &local, mu: &order.of_contacts(task.mu) };
    let mut own = run.part.take().unwrap_or_default();
    zeros(&mut own.velocity, force.len());
    let tolerance = METHODS.mended * local_residual(&local, part.mu, &force, &mut own.velocity).relative;
    let options = run.options(&Goal { tolerance, ..*goal }, STEPS);
    let cost = newton_step(&part, &mut own, &force);
    let iterations = HASTY.solve(&part, &options, &mut own.workspace, &mut force);
    run.part = Some(own);
    order.restore(&force, r);
    run.workspace.trail.moved(r, order.contacts(), local.W.block_size());
    let residual = local_residual(task.local, task.mu, r, &mut run.velocity).relative;
    run.attempts.push(Attempt { row: 0, solver: HASTY.name(), iterations, before, residual });
    Some(cost * iterations as f64 * local.W.stored() as f64 / task.local.W.stored() as f64)
}

/// These contacts and those around them, if there are some and not too many.
fn surroundings(task: &Task<'_>, missing: &[usize]) -> Option<Vec<usize>> {
    let W = &task.local.W;
    let most = (W.blocks() / SHARE).max(FEW).min(W.blocks() / 2);
    let mut is_in = vec![false; W.blocks()];
    let mut found = Vec::new();
    let mut take = |i: usize, found: &mut Vec<usize>| {
        if !std::mem::replace(&mut is_in[i], true) {
            found.push(i);
        }
    };
    missing.iter().for_each(|&i| take(i, &mut found));
    let mut begin = 0;
    for _ in 0..RINGS {
        let end = found.len();
        if end > most {
            return None;
        }
        for k in begin..end {
            W.row(found[k]).for_each(|k| take(W.column(k), &mut found));
        }
        begin = end;
    }
    found.sort_unstable();
    (!found.is_empty() && found.len() <= most).then_some(found)
}

/// The problem of some contacts at the forces that the others have, and their own forces; `u` = W r + q.
fn alone(task: &Task<'_>, order: &Order, u: &[f64], r: &[f64]) -> (Local, Vec<f64>) {
    let W = task.local.W.permuted(order.contacts());
    let d = W.block_size();
    let (force, mut q) = (order.of_rows(r, d), order.of_rows(u, d));
    let mut moved = vec![0.0; force.len()];
    W.apply(&force, &vec![0.0; force.len()], &mut moved);
    q.iter_mut().zip(&moved).for_each(|(q, moved)| *q -= moved);
    (Local { W, q }, force)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::coulomb::request::Request;
    use crate::coulomb::tolerance::SolverTol;
    use crate::linear::{BlockMatrix, Sparse};

    /// A chain of contacts in the plane, each coupled to the next, that are pressed together while they slide.
    fn chain(n: usize) -> (Local, Vec<f64>) {
        let entry = |i: usize, j: usize| match (i / 2).abs_diff(j / 2) {
            0 if i == j => 2.0,
            1 if i % 2 == j % 2 => -0.9,
            1 => 0.1,
            _ => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..2 * n).map(|i| (0..2 * n).map(|j| entry(i, j)).collect()).collect();
        let W = BlockMatrix::from_sparse(2, &Sparse::from_dense("W", &rows, 2 * n).unwrap());
        let q = (0..2 * n).map(|i| if i % 2 == 0 { -1.0 } else { (i as f64).sin() }).collect();
        (Local { W, q }, vec![0.3; n])
    }

    fn goal() -> Goal {
        let Request { tolerance, threads, .. } = Request::default();
        let tol = SolverTol::default();
        Goal { tolerance, effort: 1.0, iterations: usize::MAX, deadline: None, tol, threads }
    }

    /// A solved problem that is spoiled at one contact is solved again, and the forces far away do not move.
    #[test]
    fn a_spoiled_contact_is_mended_and_the_others_stay() {
        let (local, mu) = chain(400);
        let task = Task { local: &local, mu: &mu };
        let (mut r, mut u) = (vec![0.0; 800], vec![0.0; 800]);
        let mut run = Run::default();
        HASTY.solve(&task, &run.options(&goal(), 1000), &mut run.workspace, &mut r);
        assert!(local_residual(&local, &mu, &r, &mut u).relative <= goal().tolerance);
        let solved = r.clone();
        r[400] *= 2.0;
        run.missing = vec![199, 200, 201];
        let work = mend(&task, &goal(), &mut run, &mut r).unwrap();
        assert!(work > 0.0 && work < 200.0, "{work}");
        let Attempt { before, residual, .. } = run.attempts[0];
        assert!(residual < 1e-2 * before, "{before} {residual}");
        let far = |(i, (a, b)): (usize, (&f64, &f64))| i.abs_diff(400) > 20 && (a - b).abs() > 0.0;
        assert!(!r.iter().zip(&solved).enumerate().any(far), "forces far away stay to the bit");
    }

    /// The problem of some contacts has the velocities that the whole has there.
    #[test]
    fn a_part_moves_as_it_does_in_the_whole() {
        let (local, mu) = chain(30);
        let task = Task { local: &local, mu: &mu };
        let r: Vec<f64> = (0..60).map(|i| 1.0 + (i as f64).cos()).collect();
        let mut u = vec![0.0; 60];
        local.W.apply(&r, &local.q, &mut u);
        let order = Order::of(vec![3, 4, 5, 17]);
        let (part, force) = alone(&task, &order, &u, &r);
        let mut velocity = vec![0.0; 8];
        part.W.apply(&force, &part.q, &mut velocity);
        let off = |(u, v): (&f64, &f64)| (u - v).abs() > 1e-14;
        assert!(!order.of_rows(&u, 2).iter().zip(&velocity).any(off));
    }

    #[test]
    fn many_contacts_and_none_are_left_to_sweeps() {
        let (local, mu) = chain(400);
        let task = Task { local: &local, mu: &mu };
        assert_eq!(surroundings(&task, &[]), None);
        assert_eq!(surroundings(&task, &[0, 10]).unwrap(), [0, 1, 2, 8, 9, 10, 11, 12]);
        assert_eq!(surroundings(&task, &(0..300).collect::<Vec<_>>()), None);
    }
}
