//! Moreau's scheme with a θ-method   [A09 (16)]: with q_θ = q_k + θh v_θ, v_θ = (1 − θ)v_k + θv_{k+1},
//!
//! M(q_θ)(v_{k+1} − v_k) + h·h(t_θ, q_θ, v_θ) = Hᵀ(q_θ) P + Jᵀ(q_θ) ν,   q_{k+1} = q_k + h v_θ,   U_{k+1} = H(q_θ) v_{k+1} + w,
//!
//! and for the contacts whose predicted gap g(q_k) + γh U_{N,k} is not positive the law of impact and friction between P and
//! U_{k+1} + e U_k, Newton's in the normal and in the tangential direction; the others have no impulse. Bilateral constraints
//! hold at velocity level, J(q_θ) v_{k+1} + ∂φ/∂t = 0.

use super::increment::Closing;
use super::mechanics::{Mechanics, Point};
use super::newton::{Equations, Linearised, Newton};
use super::tangent::{StepAt, Tangent};
use super::{Discretisation, Doing, Scheme, StepError, Taken};
use crate::coulomb::{Problem, Request};
use crate::model::{Block, Layout, Output};
use crate::num::dense;

/// Moreau's scheme.
#[derive(Debug)]
pub struct Moreau {
    gamma: f64,
    newton: Newton,
    velocity: VelocityStep,
}

/// The equations of v_{k+1}.
#[derive(Debug)]
struct VelocityStep {
    theta: f64,
    h: f64,
    start: Point,
    /// U_k of all contacts.
    before: Vec<f64>,
    /// q_θ, v_θ, x − v_k.
    q: Vec<f64>,
    v: Vec<f64>,
    change: Vec<f64>,
    tangent: Tangent,
}

impl VelocityStep {
    /// v_θ and q_θ of the step that ends with x.
    fn place(&mut self, x: &[f64]) {
        let Self { theta, h, start, q, v, change, .. } = self;
        for i in 0..x.len() {
            v[i] = (1.0 - *theta) * start.v[i] + *theta * x[i];
            q[i] = start.q[i] + *theta * *h * v[i];
            change[i] = x[i] - start.v[i];
        }
    }

    /// R = M(x − v_k) + h·h, and its matrix.
    fn balance(&self, mechanics: &Mechanics<'_>, x: &[f64], out: &mut Linearised) {
        let (mass, bias) = (mechanics.force(Output::MassMatrix), mechanics.force(Output::Bias));
        out.matrix.clear();
        out.matrix.extend_from_slice(mass);
        if self.theta > 0.0 {
            out.matrix.iter_mut().zip(self.tangent.packed()).for_each(|(entry, rest)| *entry += rest);
        }
        out.residual.clear();
        out.size.clear();
        for i in 0..x.len() {
            let place = |j: usize| dense::packed_len(i.max(j)) + i.min(j);
            let (mut inertia, mut size) = (0.0, 0.0);
            for j in 0..x.len() {
                inertia += mass[place(j)] * self.change[j];
                size += out.matrix[place(j)].abs() * (x[j].abs() + self.start.v[j].abs());
            }
            out.residual.push(inertia + self.h * bias[i]);
            out.size.push(size + self.h * bias[i].abs());
        }
    }

    /// The rows of contacts with their restitution, and those of constraints.
    fn rows(&self, mechanics: &Mechanics<'_>, contacts: &[Closing], out: &mut Linearised) {
        let layout = mechanics.layout();
        let (n, d) = (layout.coordinates, layout.tangents);
        out.rows.clear(n + 1);
        let jacobian = mechanics.force(Block::ContactJacobian);
        for closing in contacts {
            let law = mechanics.laws()[closing.contact];
            for k in 0..=d {
                let row = closing.contact * (1 + d) + k;
                let restitution = if k == 0 { law.restitution } else { law.tangential };
                let offset = explicit_rate(mechanics, closing.contact, k) + restitution * self.before[row];
                out.rows.push(jacobian[row * n..(row + 1) * n].iter().copied().chain([offset]));
            }
        }
        let constraints = mechanics.force(Output::ConstraintJacobian).chunks_exact(n);
        for (row, rate) in constraints.zip(mechanics.force(Output::ConstraintRate)) {
            out.rows.push(row.iter().chain([rate]).copied());
        }
    }
}

impl Equations for VelocityStep {
    fn linearise(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        contacts: &[Closing],
        x: &[f64],
        out: &mut Linearised,
    ) -> Result<(), StepError> {
        self.place(x);
        mechanics.evaluate(self.start.t + self.theta * self.h, &self.q, &self.v)?;
        if self.theta > 0.0 && !self.tangent.is_of(self.h) {
            self.differentiate(mechanics);
        }
        self.balance(mechanics, x, out);
        self.rows(mechanics, contacts, out);
        Ok(())
    }

    fn differentiate(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Self { theta, h, start, q, v, change, tangent, .. } = self;
        let along = [*theta * *theta * *h, *theta];
        tangent.compute(mechanics, &StepAt { h: *h, along, t: start.t + *theta * *h, q, v, change });
        true
    }

    fn are_linear(&self, mechanics: &Mechanics<'_>) -> bool {
        self.theta <= 0.0 || (mechanics.is_linear() && self.tangent.is_whole())
    }
}

impl Moreau {
    /// With θ and γ of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        let zero = || vec![0.0; layout.coordinates];
        Self {
            gamma: of.gamma,
            newton: Newton::new(layout, request),
            velocity: VelocityStep {
                theta: of.theta,
                h: of.step,
                start: Point::default(),
                before: vec![0.0; layout.contacts * (1 + layout.tangents)],
                q: zero(),
                v: zero(),
                change: zero(),
                tangent: Tangent::default(),
            },
        }
    }

    /// Takes a step in which the gaps of the contacts are taken to be smaller by `slack`.
    pub(super) fn step_with(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (point, h): (&mut Point, f64),
        slack: &[f64],
        taken: &mut Taken,
    ) -> Result<(), StepError> {
        mechanics.contact_velocities(&mut taken.before);
        self.velocity.h = h;
        self.velocity.start.assign(point);
        self.velocity.before.copy_from_slice(&taken.before);
        self.predict(mechanics, h, slack);
        self.newton.x.copy_from_slice(&point.v);
        self.newton.solve(&mut self.velocity, mechanics)?;
        self.finish(mechanics, point, taken);
        Ok(())
    }

    /// The contacts whose gap is predicted to close   [A09 (16d), (16e)].
    fn predict(&mut self, mechanics: &Mechanics<'_>, h: f64, slack: &[f64]) {
        let increment = &mut self.newton.increment;
        increment.closing.clear();
        let gaps = mechanics.gaps().iter().zip(mechanics.gap_rates());
        for (contact, ((gap, rate), law)) in gaps.zip(mechanics.laws()).enumerate() {
            let bilateral = law.bilateral;
            // a gap that is rounding is none
            let rounding = mechanics.gap_rounding(contact).max(slack.get(contact).copied().unwrap_or(0.0));
            if bilateral || (gap + self.gamma * h * rate <= rounding && mechanics.may_close(contact)) {
                let slip = mechanics.slips()[contact * mechanics.layout().tangents];
                increment.closing.push(Closing { contact, bilateral, friction: law.friction, slip });
            } else {
                increment.forget(contact);
            }
        }
    }

    /// What the contacts did, and the point at the end.
    fn finish(&mut self, mechanics: &Mechanics<'_>, point: &mut Point, taken: &mut Taken) {
        let (Self { newton, velocity, .. }, dim) = (self, 1 + mechanics.layout().tangents);
        let (n, h) = (newton.x.len(), velocity.h);
        let (increment, about) = (&mut newton.increment, &newton.about);
        taken.doing.fill(Doing::Open);
        taken.impulses.fill(0.0);
        taken.work = 0.0;
        for (k, closing) in increment.closing.iter().enumerate() {
            let impulse = &increment.r[k * dim..(k + 1) * dim];
            taken.doing[closing.contact] = increment.doing[k];
            taken.impulses[closing.contact * dim..(closing.contact + 1) * dim].copy_from_slice(impulse);
            // what moves by prescription pushes with −w·P
            let rates = (0..dim).map(|i| explicit_rate(mechanics, closing.contact, i));
            taken.work -= rates.zip(impulse).map(|(w, p)| w * p).sum::<f64>();
        }
        let constraints = about.rows.rows().skip(increment.closing.len() * dim).map(|row| &row[..n]);
        increment.reactions(constraints, &about.residual, &mut taken.reactions);
        for i in 0..n {
            let mean = 0.5 * (velocity.start.v[i] + newton.x[i]);
            taken.work += h * mechanics.force(Output::Applied)[i] * mean;
            let theta = velocity.theta;
            point.q[i] += h * ((1.0 - theta) * velocity.start.v[i] + theta * newton.x[i]);
        }
        point.v.copy_from_slice(&newton.x);
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
        self.step_with(mechanics, (point, longest), &[], taken)
    }

    fn unsolved(&self) -> Option<&Problem> {
        Some(self.newton.increment.problem())
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
