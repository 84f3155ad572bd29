//! The experiments of \[ACLM11 6\]: successive approximations s ← F(s), each convex program solved by a projected gradient, from the force
//! before, or by interior points in velocities, and stopped by the paper's own criteria. These depend on units: forces and
//! velocities are added to each other and to 1.

use super::program::Inner;
use crate::coulomb::cone::project;
use crate::coulomb::problem::{Form, Local, Problem};
use crate::coulomb::pyramid::Cones;
use crate::coulomb::solver::Task;
use crate::num::dense::norm;

/// What solves the convex programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvexMethod {
    /// The naive projected gradient on the dual program in forces, [ACLM11 (4.7)], (v) of section 6.
    Gradient,
    /// Interior points on the program in velocities, [ACLM11 (3.15)], as sparse as M and H: (i) of section 6, or (iv) with facets.
    Interior(Cones),
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stopping {
    /// ε of ‖F(s) − s‖ / (‖s‖ + 1) ≤ ε. The paper's (6.1) has 1/n before it; with n contacts one program would then do at nearly every
    /// step, and nothing be left to see in its Fig. 9, where it printed three programs a step: so it is left out.
    pub epsilon: f64,
    /// Convex programs at most.
    pub programs: usize,
    /// ‖P(r − ∇) − r‖ / (n(‖r‖ + 1)) at which the gradient stops.
    pub gradient: f64,
    /// Its steps at most.
    pub steps: usize,
}

impl Stopping {
    /// As printed in \[ACLM11 6\].
    pub const DEFAULT_GRADIENT: f64 = 1e-8;
}

impl Default for Stopping {
    /// As printed in \[ACLM11 6\].
    fn default() -> Self {
        Self { epsilon: 0.01, programs: 20, gradient: Self::DEFAULT_GRADIENT, steps: 250 }
    }
}

/// Successive approximations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Successive {
    /// What solves the convex programs.
    pub inside: ConvexMethod,
    /// When to stop.
    pub stopping: Stopping,
}

/// The force of a convex program, and the velocities that belong to it.
type ForceAndVelocity = (Vec<f64>, Vec<f64>);

/// How they went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approximations {
    /// The last force.
    pub r: Vec<f64>,
    /// ‖F(s) − s‖ / (‖s‖ + 1) after each convex program: n times the left-hand side of (6.1).
    pub criteria: Vec<f64>,
    /// Steps of the gradient, of all programs.
    pub steps: usize,
}

impl Successive {
    /// Solves a problem with its local form from a force, where the programs can use one; none if the interior points refuse the data.
    #[must_use]
    pub fn solve(&self, problem: &Problem, local: &Local, mut r: Vec<f64>) -> Option<Approximations> {
        match (self.inside, problem.form()) {
            (ConvexMethod::Gradient, _) => {
                let mut gradient = Gradient::new(Task { local, mu: problem.mu() });
                let mut u = vec![0.0; r.len()];
                local.W.apply(&r, &local.q, &mut u);
                let start = Cones::SecondOrder.speeds(problem.dim(), &u);
                let mut steps = 0;
                let mut found = self.iterate(Cones::SecondOrder, problem.dim(), start, &mut |s| {
                    steps += gradient.descend(s, &self.stopping, &mut r);
                    Some((r.clone(), gradient.velocity(&r)))
                })?;
                found.steps = steps;
                Some(found)
            }
            (ConvexMethod::Interior(cones), form) => {
                let mut inner = match form {
                    Form::Global(global) => Inner::velocity(problem, global, cones)?,
                    Form::Local(local) => Inner::force(&Task { local, mu: problem.mu() }, cones)?,
                };
                let start = vec![0.0; problem.contacts()];
                self.iterate(cones, problem.dim(), start, &mut |s| inner.solve(s).map(|a| (a.r, a.u)))
            }
        }
    }

    /// s ← F(s) until the criterion holds; `program` gives the force and the velocities for a given s.
    fn iterate(
        &self,
        cones: Cones,
        dim: usize,
        mut s: Vec<f64>,
        program: &mut dyn FnMut(&[f64]) -> Option<ForceAndVelocity>,
    ) -> Option<Approximations> {
        let mut found = Approximations::default();
        while found.criteria.len() < self.stopping.programs {
            let (r, u) = program(&s)?;
            found.r = r;
            let f = cones.speeds(dim, &u);
            let change: Vec<f64> = f.iter().zip(&s).map(|(f, s)| f - s).collect();
            let criterion = norm(&change) / (norm(&s) + 1.0);
            found.criteria.push(criterion);
            s = f;
            if criterion <= self.stopping.epsilon {
                break;
            }
        }
        Some(found)
    }
}

/// Doublings of the step's inverse at once; more than the exponent range of its true value.
const DOUBLINGS: usize = 60;

/// r ← P(r − (W r + q + μ s e_N)/L), with L doubled until it bounds the curvature along the step.
struct Gradient<'a> {
    task: Task<'a>,
    /// q + μ s e_N.
    lifted: Vec<f64>,
    slope: Vec<f64>,
    next: Vec<f64>,
    next_slope: Vec<f64>,
    curvature: f64,
}

impl<'a> Gradient<'a> {
    fn new(task: Task<'a>) -> Self {
        let n = task.local.q.len();
        let zeros = || vec![0.0; n];
        let curvature = (0..n).map(|i| task.local.W.get(i, i)).fold(f64::MIN_POSITIVE, f64::max);
        Self { task, lifted: zeros(), slope: zeros(), next: zeros(), next_slope: zeros(), curvature }
    }

    /// W r + q.
    fn velocity(&self, r: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; r.len()];
        self.task.local.W.apply(r, &self.task.local.q, &mut u);
        u
    }

    /// Improves r for the sliding speeds s; the number of steps.
    fn descend(&mut self, s: &[f64], stopping: &Stopping, r: &mut Vec<f64>) -> usize {
        let dim = self.task.local.W.block_size();
        self.lifted.copy_from_slice(&self.task.local.q);
        let normals = self.lifted.iter_mut().step_by(dim);
        normals.zip(self.task.mu).zip(s).for_each(|((q, mu), s)| *q += mu * s);
        self.task.local.W.apply(r, &self.lifted, &mut self.slope);
        for step in 0..stopping.steps {
            self.project(r, 1.0);
            let moved: f64 = self.next.iter().zip(&*r).map(|(a, b)| (a - b) * (a - b)).sum();
            if moved.sqrt() / (norm(r) + 1.0) / s.len() as f64 <= stopping.gradient {
                return step;
            }
            self.step(r);
        }
        stopping.steps
    }

    /// next = P(r − slope/size).
    fn project(&mut self, r: &[f64], size: f64) {
        let Self { task, slope, next, .. } = self;
        match task.local.W.block_size() {
            2 => projected::<2>(r, slope, (task.mu, size), next),
            _ => projected::<3>(r, slope, (task.mu, size), next),
        }
    }

    fn step(&mut self, r: &mut Vec<f64>) {
        for _ in 0..DOUBLINGS {
            self.project(r, self.curvature);
            self.task.local.W.apply(&self.next, &self.lifted, &mut self.next_slope);
            let (mut bent, mut moved) = (0.0, 0.0);
            for (i, next) in self.next.iter().enumerate() {
                let change = next - r[i];
                bent += change * (self.next_slope[i] - self.slope[i]);
                moved += change * change;
            }
            if bent <= self.curvature * moved {
                break;
            }
            self.curvature *= 2.0;
        }
        std::mem::swap(r, &mut self.next);
        std::mem::swap(&mut self.slope, &mut self.next_slope);
    }
}

fn projected<const D: usize>(r: &[f64], slope: &[f64], (mu, size): (&[f64], f64), next: &mut [f64]) {
    let (r, slope) = (r.as_chunks::<D>().0, slope.as_chunks::<D>().0);
    for (((r, slope), mu), next) in r.iter().zip(slope).zip(mu).zip(next.as_chunks_mut::<D>().0) {
        let mut x = *r;
        (0..D).for_each(|a| x[a] -= slope[a] / size);
        *next = project(&x, *mu);
    }
}
