//! The path of smoothed problems: Newton's method on the Fischer-Burmeister function with one ε for all contacts, large at
//! first, which falls from step to step.
//!
//! φ_ε(x, y) = 0 says x∘y = ½ ε² e with x and y inside the cone [Fukushima, Luo & Tseng 2002]: the central path of interior point
//! methods, but the iterates need not lie inside. Every contact has its share of a force on it, so that no set of contacts with
//! force is to be guessed, and on large heaps the number of steps hardly grows with the contacts. Friction is not associated, so
//! that the path of some contact may turn back before ε = 0: where a step has become short, sweeps over the contacts, each solved
//! with its ε as it is, lead to where the path goes on.

use super::checkpoint::{Checkpoint, Checkpoints, Resumable};
use super::fischer_burmeister::{Pair, System};
use super::gauss_seidel::others;
use super::newton::History;
use super::workspace::Buffers;
use super::{Monitor, Options, Solver, Task, Workspace};
use crate::coulomb::tolerance::METHODS;
use crate::linear::{inverse, mul_add};

/// Newton steps along the path of smoothed problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothed {
    /// What a Newton step costs, in plain sweeps: where the path turns back the sweeps along it count as further iterations.
    pub step: f64,
}

impl Default for Smoothed {
    fn default() -> Self {
        Self { step: f64::INFINITY }
    }
}

/// ε² at the start, relative to the mean ‖φ‖² there.
const START: f64 = 30.0;
/// Factor by which ε² falls with a full step.
const FALL: f64 = 0.3;
/// Sweeps follow a step shorter than this, and so many.
const STUCK: f64 = 0.3;
const SWEEPS: usize = 20;
/// What such a sweep costs, in plain ones.
const HEAVY: f64 = 6.0;
/// Newton steps on one contact in such a sweep.
const STEPS: usize = 3;
/// ‖φ‖² of a contact over its ε² that is small enough in a sweep.
const NEAR: f64 = METHODS.smoothing;
/// The shortest of these steps.
const SHORTEST: f64 = 0.01;

impl Solver for Smoothed {
    fn name(&self) -> &'static str {
        "smoothed"
    }

    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        self.once(task, options, workspace, r)
    }
}

impl Resumable for Smoothed {
    fn checkpoint(checkpoints: &mut Checkpoints) -> &mut Checkpoint {
        &mut checkpoints.smoothed
    }

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        (buffers, checkpoint): (&mut Buffers<D, DD>, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        let Buffers { monitor, newton, .. } = buffers;
        let newton = newton.get_or_insert_default();
        newton.prepare(task, 1.0);
        // x and y of one unit, whatever the friction
        newton.rho.iter_mut().zip(task.mu).filter(|(_, mu)| **mu > 0.0).for_each(|(rho, mu)| rho[0] *= mu);
        checkpoint.enter(r);
        monitor.start(task, r);
        Path { system: System::new(task, newton), step: self.step }.follow(options, monitor, checkpoint, r)
    }
}

struct Path<'a, const D: usize, const DD: usize> {
    system: System<'a, D, DD>,
    step: f64,
}

impl<const D: usize, const DD: usize> Path<'_, D, DD> {
    fn follow(
        &mut self,
        options: &Options,
        monitor: &mut Monitor,
        checkpoint: &mut Checkpoint,
        r: &mut [f64],
    ) -> usize {
        let task = self.system.task;
        self.system.epsilon = f64::MIN_POSITIVE;
        let defect = 2.0 * self.system.merit(monitor.velocity(), r, 0.0) / task.mu.len().max(1) as f64;
        self.system.epsilon = (START * defect).max(f64::MIN_POSITIVE);
        let mut history = History::new();
        if checkpoint.is_begun() {
            (self.system.epsilon, self.system.shift, history) =
                (checkpoint.epsilon, checkpoint.shift, checkpoint.history);
        }
        let (mut used, mut work) = (0, 0.0);
        while work < options.iterations as f64 && monitor.residual() > options.tolerance && !options.is_late()
        {
            used += 1;
            work += 1.0;
            let here = self.system.epsilon;
            self.system.epsilon = (FALL * here).max(f64::MIN_POSITIVE);
            if !self.system.newton_step(monitor.velocity(), r) {
                self.system.give_up();
                self.system.epsilon = here;
                continue;
            }
            history.push(self.system.merit(monitor.velocity(), r, 0.0));
            let (tau, _) = history.search(|tau| self.system.merit(monitor.velocity(), r, tau));
            self.system.epsilon += (1.0 - tau) * (here - self.system.epsilon);
            self.system.adapt(tau);
            r.iter_mut().zip(&self.system.newton.dr).for_each(|(r, d)| *r += tau * d);
            if tau < STUCK {
                (0..SWEEPS).for_each(|_| self.sweep(r.as_chunks_mut::<D>().0));
                history = History::new();
                work += SWEEPS as f64 * HEAVY / self.step;
            }
            monitor.observe(task, r);
        }
        (checkpoint.epsilon, checkpoint.shift, checkpoint.history) =
            (self.system.epsilon, self.system.shift, history);
        checkpoint.leave(r);
        monitor.restore(r);
        used
    }

    /// Every contact in turn on its own path, with the forces of the others as they are.
    fn sweep(&self, r: &mut [[f64; D]]) {
        let local = &self.system.task.local;
        let free = local.q.as_chunks::<D>().0;
        for i in 0..r.len() {
            let q = others::<D, DD>(&local.W, i, r, &free[i]);
            let own = &local.W.chunks::<DD>()[local.W.diagonal(i)];
            r[i] = One { system: &self.system, i, own, q, epsilon: self.system.smoothing(i) }.improve(&r[i]);
        }
    }
}

/// One contact with the others held: u = W_ii r + q.
struct One<'a, const D: usize, const DD: usize> {
    system: &'a System<'a, D, DD>,
    i: usize,
    own: &'a [f64; DD],
    q: [f64; D],
    epsilon: f64,
}

/// A force of one contact, with its velocity and φ.
#[derive(Clone, Copy)]
struct At<const D: usize> {
    r: [f64; D],
    u: [f64; D],
    phi: [f64; D],
    square: f64,
}

impl<const D: usize, const DD: usize> One<'_, D, DD> {
    fn at(&self, r: [f64; D]) -> At<D> {
        let mut u = self.q;
        mul_add::<D, DD>(self.own, &r, &mut u);
        let phi = self.pair(&u, &r).phi(self.epsilon);
        At { r, u, phi, square: phi.iter().map(|x| x * x).sum() }
    }

    fn pair(&self, u: &[f64; D], r: &[f64; D]) -> Pair<D> {
        self.system.pair(self.i, u, r)
    }

    /// A few Newton steps, each of which makes ‖φ‖ smaller.
    fn improve(&self, r: &[f64; D]) -> [f64; D] {
        let mut here = self.at(*r);
        for _ in 0..STEPS {
            let better = if here.square <= NEAR * self.epsilon { None } else { self.step(&here) };
            match better {
                Some(next) => here = next,
                None => break,
            }
        }
        here.r
    }

    fn step(&self, here: &At<D>) -> Option<At<D>> {
        let map = self.pair(&here.u, &here.r).jacobian(&here.u, self.epsilon);
        let mut slope = [0.0; DD];
        for a in 0..D {
            for b in 0..D {
                let through: f64 = (0..D).map(|c| map.rows[a][c] * self.own[c * D + b]).sum();
                slope[a * D + b] = map.own[a][b] + through;
            }
        }
        let mut d = [0.0; D];
        mul_add::<D, DD>(&inverse::<D, DD>(&slope), &here.phi, &mut d);
        let mut tau = 1.0;
        while tau > SHORTEST {
            let next = self.at(std::array::from_fn(|a| here.r[a] - tau * d[a]));
            if next.square < here.square {
                return Some(next);
            }
            tau *= 0.5;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FischerBurmeister, GaussSeidel, Options, Resumable, Solver, Task, Workspace};
    use super::Smoothed;
    use crate::coulomb::problem::Local;
    use crate::coulomb::residual::local_residual;
    use crate::linear::{BlockMatrix, Sparse};

    /// Twelve contacts in a row, each coupled to the next; two without friction, some that open, slip and stick.
    fn row() -> Result<(Local, Vec<f64>), crate::linear::MatrixError> {
        let n = 12;
        let number = |k: usize| (1.7 * k as f64 + 0.3).sin();
        let entry = |i: usize, j: usize| match (i == j, (i / 3).abs_diff(j / 3)) {
            (true, _) => 3.0 + number(i),
            (false, 0 | 1) => 0.3 * number(i * j + i + j),
            (false, _) => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..3 * n).map(|i| (0..3 * n).map(|j| entry(i, j)).collect()).collect();
        let W = BlockMatrix::from_sparse(3, &Sparse::from_dense("W", &rows, 3 * n)?);
        let free = |i: usize| if i.is_multiple_of(3) { number(i) - 0.6 } else { 0.7 * number(5 * i) };
        let mu = (0..n).map(|i| if i.is_multiple_of(6) { 0.0 } else { 0.1 * i as f64 }).collect();
        Ok((Local { W, q: (0..3 * n).map(free).collect() }, mu))
    }

    /// The solution is the one that sweeps find.
    #[test]
    fn the_path_ends_at_the_solution() -> Result<(), crate::linear::MatrixError> {
        let (local, mu) = row()?;
        let task = Task { local: &local, mu: &mu };
        let (mut r, mut other) = (vec![0.0; 36], vec![0.0; 36]);
        let steps =
            Smoothed::default().solve(&task, &Options::new(1e-11, 60), &mut Workspace::default(), &mut r);
        GaussSeidel.solve(&task, &Options::new(1e-12, 2000), &mut Workspace::default(), &mut other);
        assert!(local_residual(&local, &mu, &r, &mut [0.0; 36]).relative <= 1e-11, "after {steps} steps");
        assert!(r.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-9), "{r:?} {other:?}");
        assert!(steps < 60 && r.chunks(3).any(|r| r[0] < 1e-9) && r.chunks(3).any(|r| r[0] > 1e-2));
        Ok(())
    }

    /// To the last bit, and whatever point is given it then; the Newton method that begins at no force likewise.
    #[test]
    fn what_is_interrupted_goes_on() -> Result<(), crate::linear::MatrixError> {
        let (local, mu) = row()?;
        let task = Task { local: &local, mu: &mu };
        type Call = fn(&Task<'_>, &Options, &mut Workspace, &mut [f64]) -> usize;
        let calls: [Call; 2] = [
            |task, options, workspace, r| Smoothed::default().go_on(task, options, workspace, r),
            |task, options, workspace, r| FischerBurmeister.go_on(task, options, workspace, r),
        ];
        for call in calls {
            let mut whole = vec![0.0; 36];
            let steps = call(&task, &Options::new(1e-11, 60), &mut Workspace::default(), &mut whole);
            assert!((5..60).contains(&steps), "{steps} steps");
            let (mut workspace, mut r) = (Workspace::default(), vec![0.0; 36]);
            assert_eq!(call(&task, &Options::new(1e-11, 3), &mut workspace, &mut r), 3);
            r.fill(1.0);
            assert_eq!(call(&task, &Options::new(1e-11, 60), &mut workspace, &mut r), steps - 3);
            assert_eq!(r, whole);
            workspace.forget_ways();
            r.fill(0.0);
            assert_eq!(call(&task, &Options::new(1e-11, 60), &mut workspace, &mut r), steps);
        }
        Ok(())
    }
}
