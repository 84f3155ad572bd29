//! Moreau's scheme with a θ-method   [A09 (16)]: with q_θ = q_k + θh v_θ, v_θ = (1 − θ)v_k + θv_{k+1},
//!
//! M(q_θ)(v_{k+1} − v_k) + h·h(t_θ, q_θ, v_θ) = Hᵀ(q_θ) P + Jᵀ(q_θ) ν,   q_{k+1} = q_k + h v_θ,   U_{k+1} = H(q_θ) v_{k+1} + w,
//!
//! and for the contacts whose predicted gap g(q_k) + γh U_{N,k} is not positive the law of impact and friction between P and
//! U_{k+1} + e U_k, Newton's in the normal and in the tangential direction; the others have no impulse. Bilateral constraints
//! hold at velocity level, J(q_θ) v_{k+1} + ∂φ/∂t = 0.
//!
//! For θ > 0 the step is solved by Newton's method, in which the contact law is part of every linear problem. The
//! matrix M + symmetric part of the rest is kept from step to step as long as it serves: of a linear mechanism with a
//! symmetric matrix one iteration is exact, otherwise they converge linearly, by a factor O(h).

use super::increment::{Closing, Increment};
use super::mechanics::{Mechanics, Point};
use super::tangent::{StepAt, Tangent};
use super::{Discretisation, Scheme, StepError, Taken};
use crate::coulomb::{Problem, Request};
use crate::model::{Block, Layout, Output};
use crate::num::dense;

/// When Newton's method of a step ends.
struct Iterations {
    /// Residual relative to its terms at which a step counts as solved: rounding.
    done: f64,
    /// The same that is accepted where it falls no more.
    accepted: f64,
    /// Factor by which it must fall for the matrix to be kept.
    kept: f64,
    /// Most iterations.
    most: usize,
}

const ITERATIONS: Iterations = Iterations { done: 1e-14, accepted: 1e-9, kept: 0.1, most: 50 };

/// Moreau's scheme.
#[derive(Debug)]
pub struct Moreau {
    theta: f64,
    gamma: f64,
    increment: Increment,
    tangent: Tangent,
    start: Point,
    /// q_θ, v_θ.
    q: Vec<f64>,
    v: Vec<f64>,
    /// x = v_{k+1}, x − v_k, R(x) and the size of its terms.
    x: Vec<f64>,
    change: Vec<f64>,
    residual: Vec<f64>,
    size: Vec<f64>,
    /// H x and J x when they were solved for.
    moved: Vec<f64>,
}

impl Moreau {
    /// With θ and γ of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        let zero = || vec![0.0; layout.coordinates];
        Self {
            theta: of.theta,
            gamma: of.gamma,
            increment: Increment::new(layout.contacts, request),
            tangent: Tangent::default(),
            start: Point::default(),
            q: zero(),
            v: zero(),
            x: zero(),
            change: zero(),
            residual: zero(),
            size: zero(),
            moved: Vec::new(),
        }
    }

    /// The contacts whose gap is predicted to close   [A09 (16d), (16e)].
    fn predict(&mut self, mechanics: &Mechanics<'_>, h: f64) {
        let closing = &mut self.increment.closing;
        closing.clear();
        let gaps = mechanics.gaps().iter().zip(mechanics.gap_rates());
        for (contact, ((gap, rate), law)) in gaps.zip(mechanics.laws()).enumerate() {
            let bilateral = law.bilateral;
            if bilateral || (gap + self.gamma * h * rate <= 0.0 && mechanics.may_close(contact)) {
                closing.push(Closing { contact, bilateral });
            }
        }
    }

    /// The forces at θ of the step that ends with x, and R(x) = M(x − v_k) + h·h.
    fn evaluate(&mut self, mechanics: &mut Mechanics<'_>, h: f64) -> Result<(), StepError> {
        let Self { theta, start, q, v, x, change, .. } = self;
        let theta = *theta;
        for i in 0..x.len() {
            v[i] = (1.0 - theta) * start.v[i] + theta * x[i];
            q[i] = start.q[i] + theta * h * v[i];
            change[i] = x[i] - start.v[i];
        }
        mechanics.evaluate(start.t + theta * h, q, v)?;
        let (mass, bias) = (mechanics.force(Output::MassMatrix), mechanics.force(Output::Bias));
        let implicit = self.tangent.is_of(h);
        for i in 0..self.x.len() {
            let place = |j: usize| dense::packed_len(i.max(j)) + i.min(j);
            let terms = (0..self.x.len()).map(|j| mass[place(j)] * self.change[j]);
            self.residual[i] = terms.sum::<f64>() + h * bias[i];
            let rest = |j: usize| if implicit { self.tangent.entry(i, j).abs() } else { 0.0 };
            let sizes = (0..self.x.len())
                .map(|j| (mass[place(j)].abs() + rest(j)) * (self.x[j].abs() + self.start.v[j].abs()));
            self.size[i] = sizes.sum::<f64>() + h * bias[i].abs();
        }
        Ok(())
    }

    /// The linear problem about x   (the matrix of which is kept), solved.
    fn linear_step(&mut self, mechanics: &Mechanics<'_>, h: f64, before: &[f64]) -> Result<(), StepError> {
        let n = self.x.len();
        let Self { increment, tangent, x, residual, .. } = self;
        let Increment { dense: problem, constraints, closing, .. } = increment;
        let (mass, d) = (mechanics.force(Output::MassMatrix), mechanics.layout().tangents);
        let implicit = tangent.is_of(h);
        problem.dim = 1 + d;
        problem.M.clear(n);
        for i in 0..n {
            let rest = |j: usize| if implicit { tangent.entry(i, j) } else { 0.0 };
            problem.M.push((0..n).map(|j| mass[dense::packed_len(i.max(j)) + i.min(j)] + rest(j)));
        }
        problem.f.clear();
        problem.f.extend(problem.M.rows().zip(&*residual).map(|(row, r)| r - dense::dot(row, x)));
        problem.mu.clear();
        problem.H.clear(n);
        problem.w.clear();
        for closing in &*closing {
            let law = mechanics.laws()[closing.contact];
            problem.mu.push(law.friction);
            for k in 0..=d {
                let row = closing.contact * (1 + d) + k;
                problem
                    .H
                    .push(mechanics.force(Block::ContactJacobian)[row * n..(row + 1) * n].iter().copied());
                let restitution = if k == 0 { law.restitution } else { law.tangential };
                problem.w.push(explicit_rate(mechanics, closing.contact, k) + restitution * before[row]);
            }
        }
        constraints.rows.clear(n + 1);
        let rates = mechanics.force(Output::ConstraintRate);
        for (row, rate) in mechanics.force(Output::ConstraintJacobian).chunks_exact(n).zip(rates) {
            constraints.rows.push(row.iter().chain([rate]).copied());
        }
        increment.solve()?;
        x.copy_from_slice(&increment.x);
        Ok(())
    }
}

/// Part of the rate of a contact's row that does not come from v.
fn explicit_rate(mechanics: &Mechanics<'_>, contact: usize, k: usize) -> f64 {
    let d = mechanics.layout().tangents;
    match k.checked_sub(1) {
        None => mechanics.force(Output::GapRate)[contact],
        Some(tangent) => mechanics.force(Output::SlipRate)[contact * d + tangent],
    }
}

impl Moreau {
    /// Newton's method for x, beginning at v_k.
    fn iterate(&mut self, mechanics: &mut Mechanics<'_>, h: f64, before: &[f64]) -> Result<(), StepError> {
        self.x.copy_from_slice(&self.start.v);
        self.evaluate(mechanics, h)?;
        if self.theta > 0.0 && !self.tangent.is_of(h) {
            self.differentiate(mechanics, h);
        }
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS.most {
            self.linear_step(mechanics, h, before)?;
            self.move_contacts(mechanics);
            if self.theta <= 0.0 {
                return self.close_explicit(mechanics, h);
            }
            self.evaluate(mechanics, h)?;
            let error = self.error(mechanics);
            if error <= ITERATIONS.done || (error <= ITERATIONS.accepted && error >= last) {
                return Ok(());
            }
            if error.is_nan() {
                break;
            }
            if error > ITERATIONS.kept * last {
                self.differentiate(mechanics, h);
            }
            last = error;
        }
        Err(StepError::Newton { residual: last })
    }

    /// With θ = 0 nothing is left but the forces of constraints.
    fn close_explicit(&mut self, mechanics: &mut Mechanics<'_>, h: f64) -> Result<(), StepError> {
        if mechanics.layout().constraints > 0 {
            self.evaluate(mechanics, h)?;
            self.error(mechanics);
        }
        Ok(())
    }

    fn differentiate(&mut self, mechanics: &Mechanics<'_>, h: f64) {
        let Self { theta, start, q, v, change, tangent, .. } = self;
        tangent.compute(mechanics, &StepAt { h, theta: *theta, t: start.t + *theta * h, q, v, change });
    }

    /// H x of the contacts of the step, and J x, by the forces that were evaluated last.
    fn move_contacts(&mut self, mechanics: &Mechanics<'_>) {
        let Self { moved, increment, x, .. } = self;
        moved.clear();
        rows(mechanics, &increment.closing, |row, _| moved.push(dense::dot(row, x)));
    }

    /// What is left of the step's equations at x, relative to their terms: R(x) − Hᵀr in the directions that the constraints
    /// leave, and the change of H x and J x since they were solved.
    fn error(&mut self, mechanics: &Mechanics<'_>) -> f64 {
        let Self { residual, size, increment, x, moved, .. } = self;
        let n = x.len();
        let (mut k, mut largest) = (0, 0.0_f64);
        rows(mechanics, &increment.closing, |row, force| {
            if let Some(r) = force.map(|place| increment.r[place]) {
                for i in 0..n {
                    residual[i] -= row[i] * r;
                    size[i] += (row[i] * r).abs();
                }
            }
            let terms = row.iter().zip(&*x).map(|(a, x)| (a * x).abs()).sum::<f64>();
            largest = largest.max(relative(dense::dot(row, x) - moved[k], terms));
            k += 1;
        });
        increment.project(residual, size, |left, terms| largest = largest.max(relative(left, terms)));
        largest
    }

    /// What the contacts did, and the point at the end.
    fn finish(&mut self, mechanics: &Mechanics<'_>, (point, h): (&mut Point, f64), taken: &mut Taken) {
        let (dim, applied) = (1 + mechanics.layout().tangents, mechanics.force(Output::Applied));
        taken.doing.fill(super::Doing::Open);
        taken.impulses.fill(0.0);
        for (k, closing) in self.increment.closing.iter().enumerate() {
            taken.doing[closing.contact] = self.increment.doing[k];
            taken.impulses[closing.contact * dim..(closing.contact + 1) * dim]
                .copy_from_slice(&self.increment.r[k * dim..(k + 1) * dim]);
        }
        self.increment.reactions(mechanics, &self.residual, &mut taken.reactions);
        taken.work = 0.0;
        for (k, closing) in self.increment.closing.iter().enumerate() {
            // what moves by prescription pushes with −w·P
            let pushed = (0..dim)
                .map(|i| explicit_rate(mechanics, closing.contact, i) * self.increment.r[k * dim + i]);
            taken.work -= pushed.sum::<f64>();
        }
        for i in 0..self.x.len() {
            taken.work += h * applied[i] * 0.5 * (self.start.v[i] + self.x[i]);
            point.q[i] += h * self.v[i];
        }
        point.v.copy_from_slice(&self.x);
        point.t += h;
    }
}

impl Scheme for Moreau {
    fn step(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        longest: f64,
        taken: &mut Taken,
    ) -> Result<(), StepError> {
        mechanics.contact_velocities(&mut taken.before);
        self.start.assign(point);
        self.predict(mechanics, longest);
        self.iterate(mechanics, longest, &taken.before)?;
        self.finish(mechanics, (point, longest), taken);
        Ok(())
    }

    fn unsolved(&self) -> Option<&Problem> {
        Some(self.increment.problem())
    }
}

/// Each row of H of the contacts of the step, with the place of its force, then each row of J.
fn rows(mechanics: &Mechanics<'_>, closing: &[Closing], mut visit: impl FnMut(&[f64], Option<usize>)) {
    let layout = mechanics.layout();
    let (n, dim) = (layout.coordinates, 1 + layout.tangents);
    for (k, closing) in closing.iter().enumerate() {
        for i in 0..dim {
            let row = closing.contact * dim + i;
            visit(&mechanics.force(Block::ContactJacobian)[row * n..(row + 1) * n], Some(k * dim + i));
        }
    }
    mechanics.force(Output::ConstraintJacobian).chunks_exact(n).for_each(|row| visit(row, None));
}

/// A number relative to its terms; 0 if there are none.
fn relative(x: f64, terms: f64) -> f64 {
    if terms > 0.0 { x.abs() / terms } else { x.abs() }
}
