//! The method of multipliers in the velocities of the bodies, for crowds: a proximal point method whose Newton steps have bodies
//! for unknowns, and whose weight is led by what the last steps cost.
//!
//! With a weight ρ per contact the force p(u) that obeys Coulomb's law with the velocity u + (p − r)/ρ is
//! `y = r − ρ u`, `p_N = max(0, y_N)`, p_T the point nearest to y_T in the disc of radius μ p_N. Then
//! `F(z) = M z − Hᵀ p(q + H z) = 0` is solved for z, and p becomes r [Hestenes 1969, Powell 1969; Rockafellar 1976]; friction
//! takes part in the Newton matrix `M + Hᵀ (−∂p/∂u) H`, which is not symmetric. In hyperstatic crowds the forces have to go a long
//! way that moves the bodies hardly at all, past hundreds of contacts that change between stick, slip and take-off: a step of the
//! method goes along it as far as ρ lets it, and ρ is doubled where two Newton steps suffice.

use super::accelerated::MUCH;
use super::checkpoint::{Checkpoint, Checkpoints, Resumable};
use super::newton::rho;
use super::workspace::Buffers;
use super::{Monitor, Options, Task, Workspace, assign, zeros};
use crate::coulomb::backward::{Rho, lawful};
use crate::coulomb::cone::tangent_norm;
use crate::linear::Origin;
use crate::linear::reduced::Bodies;

/// The method of multipliers, for a W of which it is known what it was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Multipliers;

/// ρ at the start, over the inverse of the contact's own block.
const START: f64 = 1e3;
/// The factor by which ρ grows where a step took up to FEW Newton steps, and falls where it took more than MANY; twice after a failure.
const FACTOR: f64 = 2.0;
const FEW: usize = 2;
const MANY: usize = 4;
/// Newton steps of one step, at most.
const MOST: usize = 8;
/// Part to which ‖F‖ must fall, and the part that will do where it does not.
const REDUCTION: f64 = 0.1;
const ENOUGH: f64 = 0.5;
/// The shortest step.
const SHORTEST: f64 = 0.02;
/// Sufficient decrease.
const ARMIJO: f64 = crate::coulomb::METHODS.sufficient;
/// Steps that even the shortest length does not make good, after which ρ is too large.
const BAD: usize = 2;
/// ρ below which failures end it.
const LEAST: f64 = 10.0;

/// The memory of the method.
#[derive(Debug, Default)]
pub(crate) struct Memory<const D: usize> {
    z: Vec<f64>,
    begin: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    defect: Vec<f64>,
    force: Vec<f64>,
    velocity: Vec<f64>,
    base: Vec<Rho>,
    middle: Vec<[[f64; D]; D]>,
}

impl Multipliers {
    /// The name in reports.
    pub(crate) const NAME: &'static str = "multipliers";
}

impl Resumable for Multipliers {
    fn checkpoint(checkpoints: &mut Checkpoints) -> &mut Checkpoint {
        &mut checkpoints.multipliers
    }

    /// With the ρ of the call before, whether it goes on from that or not.
    fn along(
        &self,
        task: &Task<'_>,
        options: &Options,
        (workspace, checkpoint): (&mut Workspace, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        checkpoint.weight = workspace.trail.weight;
        let used = self.run_by_rows(task, options, (&mut *workspace, &mut *checkpoint), r);
        workspace.trail.weight = checkpoint.weight;
        used
    }

    /// It does nothing where systems are not solved by bodies, and takes up the force given if that is much better than its own.
    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        (buffers, checkpoint): (&mut Buffers<D, DD>, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        let Buffers { newton, monitor, multipliers, .. } = buffers;
        let newton = newton.get_or_insert_default();
        newton.linear.prepare(&task.local.W);
        monitor.start(task, r);
        let (Some(bodies), Some(origin)) = (newton.linear.bodies(), task.local.W.origin()) else { return 0 };
        let memory = multipliers.get_or_insert_default();
        memory.base.clear();
        memory.base.extend(rho::<D, DD>(task, 1.0));
        if checkpoint.is_begun() && monitor.residual() > MUCH * checkpoint.residual {
            checkpoint.enter(r);
        }
        let used =
            Run { task, options, bodies, origin, memory, steps: 0 }.outer(&mut checkpoint.weight, monitor, r);
        checkpoint.leave(r);
        checkpoint.residual = monitor.restore(r);
        used
    }
}

struct Run<'a, const D: usize> {
    task: &'a Task<'a>,
    options: &'a Options,
    bodies: &'a mut Bodies<D>,
    origin: &'a Origin,
    memory: &'a mut Memory<D>,
    steps: usize,
}

impl<const D: usize> Run<'_, D> {
    fn outer(&mut self, weight: &mut f64, monitor: &mut Monitor, r: &mut [f64]) -> usize {
        *weight = weight.max(START);
        if !self.begin(r) {
            return 0;
        }
        while self.steps < self.options.iterations
            && monitor.residual() > self.options.tolerance
            && !self.options.is_late()
        {
            let before = self.steps;
            assign(&mut self.memory.begin, &self.memory.z);
            if self.inner(*weight, r) {
                r.copy_from_slice(&self.memory.force);
                monitor.observe(self.task, r);
                match self.steps - before {
                    0..=FEW => *weight *= FACTOR,
                    steps if steps > MANY => *weight /= FACTOR,
                    _ => {}
                }
            } else {
                assign(&mut self.memory.z, &self.memory.begin);
                *weight /= FACTOR * FACTOR;
                if *weight < LEAST {
                    break;
                }
            }
        }
        self.steps
    }

    /// The velocities M⁻¹ Hᵀ r; false if M cannot be factored.
    fn begin(&mut self, r: &[f64]) -> bool {
        let Memory { z, middle, force, .. } = &mut *self.memory;
        middle.clear();
        middle.resize(self.task.mu.len(), [[0.0; D]; D]);
        zeros(z, self.bodies.unknowns());
        zeros(force, r.len());
        if !self.bodies.factor_middle(self.origin, middle) {
            return false;
        }
        self.bodies.push(self.origin, r, z);
        self.bodies.solve_velocities(z);
        true
    }

    /// Newton's method for one step of the method; whether ‖F‖ has fallen far enough.
    fn inner(&mut self, weight: f64, r: &[f64]) -> bool {
        let mut size = self.look(weight, r, 0.0);
        let (start, mut bad) = (size, 0);
        for step in 0..MOST.min(self.options.iterations - self.steps) {
            if step > 0 && size <= REDUCTION * start {
                return true;
            }
            self.steps += 1;
            if !self.newton_step(weight, r) {
                return false;
            }
            let mut tau = 1.0;
            loop {
                let next = self.look(weight, r, tau);
                let good = next <= (1.0 - ARMIJO * tau) * size;
                if good || tau < SHORTEST {
                    bad += usize::from(!good);
                    size = next;
                    break;
                }
                tau *= 0.5;
            }
            let Memory { z, trial, .. } = &mut *self.memory;
            std::mem::swap(z, trial);
            if !size.is_finite() || (bad >= BAD && size > ENOUGH * start) {
                return false;
            }
        }
        size <= ENOUGH * start
    }

    /// ‖F‖ at z + τ dz, by the diagonal of M; the velocities there stand in `trial`.
    fn look(&mut self, weight: f64, r: &[f64], tau: f64) -> f64 {
        let Memory { z, step, trial, defect, force, velocity, base, .. } = &mut *self.memory;
        trial.clear();
        match tau > 0.0 {
            true => trial.extend(z.iter().zip(&*step).map(|(z, d)| z + tau * d)),
            false => trial.extend_from_slice(z),
        }
        assign(velocity, &self.task.local.q);
        self.bodies.add_velocities(self.origin, trial, velocity);
        let (u, r) = (velocity.as_chunks::<D>().0, r.as_chunks::<D>().0);
        for (i, p) in force.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            *p = lawful(&u[i], &r[i], self.task.mu[i], &base[i].map(|x| x * weight)).1;
        }
        self.bodies.defect(self.origin, trial, force, defect)
    }

    /// dz with (M + Hᵀ (−∂p/∂u) H) dz = −F at the velocities that were looked at last.
    fn newton_step(&mut self, weight: f64, r: &[f64]) -> bool {
        let Memory { velocity, base, middle, step, defect, .. } = &mut *self.memory;
        let (u, r) = (velocity.as_chunks::<D>().0, r.as_chunks::<D>().0);
        for (i, middle) in middle.iter_mut().enumerate() {
            *middle = slope(&u[i], &r[i], self.task.mu[i], &base[i].map(|x| x * weight));
        }
        if !self.bodies.factor_middle(self.origin, middle) {
            return false;
        }
        step.clear();
        step.extend(defect.iter().map(|x| -x));
        self.bodies.solve_velocities(step);
        true
    }
}

/// −∂p/∂u of one contact.
fn slope<const D: usize>(u: &[f64; D], r: &[f64; D], mu: f64, rho: &Rho) -> [[f64; D]; D] {
    let mut y = *r;
    (0..D).for_each(|a| y[a] -= rho[usize::from(a > 0)] * u[a]);
    let mut out = [[0.0; D]; D];
    if y[0] <= 0.0 {
        return out;
    }
    let (length, radius) = (tangent_norm(&y), mu * y[0]);
    out[0][0] = rho[0];
    for a in 1..D {
        if length <= radius {
            out[a][a] = rho[1];
            continue;
        }
        out[a][0] = mu * y[a] / length * rho[0];
        for b in 1..D {
            let across = if a == b { 1.0 } else { 0.0 } - y[a] * y[b] / (length * length);
            out[a][b] = radius / length * across * rho[1];
        }
    }
    out
}
