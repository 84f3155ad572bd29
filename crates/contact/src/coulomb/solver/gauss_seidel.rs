//! Block Gauss-Seidel: contact after contact is solved exactly with the forces of the others as they are.
//!
//! The reference method of the field: simple and robust, linear convergence, slow where many contacts share few
//! degrees of freedom.

use super::one_contact::{Contact, STEPS};
use super::workspace::Buffers;
use super::{Options, Solver, Task, Workspace, zeros};
use crate::coulomb::cone::project;
use crate::linear::{BlockMatrix, mul_add};

/// Block Gauss-Seidel.
#[derive(Clone, Copy, Debug, Default)]
pub struct GaussSeidel;

impl Solver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        sweeps(task, options, workspace, r).0
    }
}

/// What the solver does, with the iterations used and the relative residual of the point that it returns.
pub(crate) fn sweeps(
    task: &Task<'_>,
    options: &Options,
    workspace: &mut Workspace,
    r: &mut [f64],
) -> (usize, f64) {
    match task.local.W.block_size() {
        2 => sweep_until(task, options, workspace.plane(), r),
        _ => sweep_until(task, options, workspace.space(), r),
    }
}

fn sweep_until<const D: usize, const DD: usize>(
    task: &Task<'_>,
    options: &Options,
    buffers: &mut Buffers<D, DD>,
    r: &mut [f64],
) -> (usize, f64) {
    let Buffers { sweeper, monitor, .. } = buffers;
    sweeper.prepare(task);
    monitor.begin(r);
    let (mut next_check, mut judged) = (1, false);
    for iteration in 1..=options.iterations {
        let change = sweeper.sweep(task, r.as_chunks_mut::<D>().0);
        if iteration == next_check || change <= options.tolerance || iteration == options.iterations {
            let residual = monitor.look(task, r);
            if residual <= options.tolerance {
                return (iteration, residual);
            }
            // most tiny problems are solved by now, and the start need not be looked at
            if !std::mem::replace(&mut judged, true) {
                monitor.judge_start(task);
            }
            monitor.keep(residual, r);
            if options.is_late() {
                return (iteration, monitor.restore(r));
            }
            // a check costs about half a sweep
            next_check = iteration + 1 + iteration / CHECK_FRACTION;
        }
    }
    if !judged {
        monitor.judge_start(task);
    }
    (options.iterations, monitor.restore(r))
}

/// The residual is looked at more rarely as the iteration goes on: every k·(1 + 1/8) sweeps.
pub(super) const CHECK_FRACTION: usize = 8;

/// The prepared contacts and the sweep over them.
#[derive(Debug, Default)]
pub(crate) struct Sweeper<const D: usize, const DD: usize> {
    contacts: Vec<Contact<D, DD>>,
    ratio: Vec<f64>,
    /// Steps for the slip of a contact, at most.
    steps: usize,
}

impl<const D: usize, const DD: usize> Sweeper<D, DD> {
    /// Makes it that of a problem.
    pub(crate) fn prepare(&mut self, task: &Task<'_>) {
        self.prepare_for(task, STEPS);
    }

    /// The same with at most so many steps for the slip of a contact.
    pub(crate) fn prepare_for(&mut self, task: &Task<'_>, steps: usize) {
        let W = &task.local.W;
        let blocks = W.chunks::<DD>();
        let contact = |(i, &mu): (usize, &f64)| Contact::new(&blocks[W.diagonal(i)], mu);
        self.contacts.clear();
        self.contacts.extend(task.mu.iter().enumerate().map(contact));
        zeros(&mut self.ratio, task.mu.len());
        self.steps = steps;
    }

    /// One sweep over all contacts; returns the relative change of r.
    pub(crate) fn sweep(&mut self, task: &Task<'_>, r: &mut [[f64; D]]) -> f64 {
        let (mut change, mut size) = (0.0, 0.0);
        let free = task.local.q.as_chunks::<D>().0;
        for i in 0..r.len() {
            let q = others::<D, DD>(&task.local.W, i, r, &free[i]);
            let new = match self.contacts[i].solve_within(&q, &mut self.ratio[i], self.steps) {
                Some(new) => new,
                None => projected_step(
                    &task.local.W.chunks::<DD>()[task.local.W.diagonal(i)],
                    &q,
                    &r[i],
                    task.mu[i],
                ),
            };
            for a in 0..D {
                change += (new[a] - r[i][a]) * (new[a] - r[i][a]);
                size += new[a] * new[a];
            }
            r[i] = new;
        }
        if size > 0.0 { (change / size).sqrt() } else { change.sqrt() }
    }
}

/// q_i + Σ_{j ≠ i} W_ij r_j.
#[inline]
pub(crate) fn others<const D: usize, const DD: usize>(
    W: &BlockMatrix,
    i: usize,
    r: &[[f64; D]],
    q: &[f64; D],
) -> [f64; D] {
    let (mut sum, (before, after)) = (*q, W.beside::<DD>(i));
    for (blocks, columns) in [before, after] {
        for (block, column) in blocks.iter().zip(columns) {
            mul_add::<D, DD>(block, &r[*column as usize], &mut sum);
        }
    }
    sum
}

/// Where one contact alone has no solution, one step of projected descent keeps the iteration defined.
pub(super) fn projected_step<const D: usize, const DD: usize>(
    w: &[f64; DD],
    q: &[f64; D],
    r: &[f64; D],
    mu: f64,
) -> [f64; D] {
    let size = w.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if size <= 0.0 {
        return *r;
    }
    let mut u = *q;
    mul_add::<D, DD>(w, r, &mut u);
    let hat = crate::coulomb::cone::de_saxce(&u, mu);
    let mut x = *r;
    for a in 0..D {
        x[a] -= hat[a] / (size * D as f64);
    }
    project(&x, mu)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coulomb::problem::Local;
    use crate::coulomb::residual::local_residual;
    use crate::linear::Sparse;

    /// Reached or not, the residual is that of the force returned.
    #[test]
    fn the_residual_is_that_of_the_point() -> Result<(), super::super::super::error::ProblemError> {
        let W = [[2.0, 0.5, 0.9, 0.1], [0.5, 3.0, -0.2, 0.4], [0.9, -0.2, 1.5, 0.3], [0.1, 0.4, 0.3, 2.5]];
        let W = Sparse::from_dense("W", &W.map(|row| row.to_vec()), 4)?;
        let local = Local { W: BlockMatrix::from_sparse(2, &W), q: vec![-1.0, 0.4, -2.0, -3.0] };
        let task = Task { local: &local, mu: &[0.3, 0.8] };
        let mut workspace = Workspace::default();
        for (tolerance, iterations) in [(1e-10, 1), (1e-10, 2), (1e-10, 500), (0.1, 500)] {
            let mut r = vec![0.0; 4];
            let (used, residual) =
                sweeps(&task, &Options::new(tolerance, iterations), &mut workspace, &mut r);
            let again = local_residual(&local, task.mu, &r, &mut [0.0; 4]).relative;
            assert_eq!(residual.to_bits(), again.to_bits());
            assert_eq!(residual <= tolerance, used < iterations, "{used} of {iterations}: {residual}");
        }
        Ok(())
    }

    /// Two contacts without friction whose coupling is larger than their own entries: every sweep leads four times as far from
    /// the solution (1, 1), and the start is given back.
    #[test]
    fn sweeps_that_lead_away_change_nothing() -> Result<(), super::super::super::error::ProblemError> {
        let W = [[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let W = Sparse::from_dense("W", &W.map(|row| row.to_vec()), 4)?;
        let local = Local { W: BlockMatrix::from_sparse(2, &W), q: vec![-3.0, 0.0, 1.0, 0.0] };
        let task = Task { local: &local, mu: &[0.0, 0.0] };
        let start = [1.0, 0.0, 1.0 + 1e-3, 0.0];
        let known = local_residual(&local, task.mu, &start, &mut [0.0; 4]).relative;
        for iterations in [0, 1, 3] {
            let mut r = start;
            let found = sweeps(&task, &Options::new(1e-10, iterations), &mut Workspace::default(), &mut r);
            assert_eq!((found.0, found.1.to_bits(), r), (iterations, known.to_bits(), start));
        }
        Ok(())
    }
}
