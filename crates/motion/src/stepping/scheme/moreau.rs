//! Moreau's scheme with a θ-method   [A09 (16)]: with q_θ = q_k + θh v_θ, v_θ = (1 − θ)v_k + θv_{k+1},
//!
//! M(q_θ)(v_{k+1} − v_k) + h·h(t_θ, q_θ, v_θ) = Hᵀ(q_θ) P + Jᵀ(q_θ) ν,   q_{k+1} = q_k + h v_θ,   U_{k+1} = H(q_θ) v_{k+1} + w,
//!
//! and for the contacts whose predicted gap g(q_k) + γh U_{N,k} is not positive the law of impact and friction between P and
//! U_{k+1} + e U_k, Newton's in the normal and in the tangential direction; the others have no impulse. Bilateral constraints
//! hold at velocity level, J(q_θ) v_{k+1} + ∂φ/∂t = 0.
//!
//! With `Rule::Ends` forces are those of both ends, and M, H and J are taken at the end of the step, which is how Siconos' `MoreauJeanOSI` reads
//! the θ-method:
//!
//! M(q_{k+1})(v_{k+1} − v_k) + h·[θ h(t_{k+1}, q_{k+1}, v_{k+1}) + (1 − θ) h(t_k, q_k, v_k)] = Hᵀ(q_{k+1}) P + Jᵀ(q_{k+1}) ν.
//!
//! Both rules are one where M and H are constant and h is affine: steps of such mechanisms are those of the middle.

use super::increment::Closing;
use super::linear::{self, Linear};
use super::mechanics::{Mechanics, Point};
use super::newton::{Equations, Linearised, Newton};
use super::tangent::{StepAt, Tangent};
use super::{Discretisation, Scheme, StepError, StepRecord};
use crate::coulomb::{Problem, Request};
use crate::model::{Block, Layout, Output};
use crate::num::Tol;
use crate::stepping::flight::Flight;

/// Moreau's scheme.
#[derive(Clone, Debug)]
pub struct Moreau {
    gamma: f64,
    newton: Newton,
    velocity: VelocityStep,
    linear: Linear,
}

/// Where in the step forces, M and Jacobians are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// All of them at t_θ, q_θ, v_θ   [A09 (16)].
    Middle,
    /// M and Jacobians at the end, forces at both ends with the weights 1 − θ and θ.
    Ends,
}

/// The equations of v_{k+1}.
#[derive(Clone, Debug)]
struct VelocityStep {
    rule: Rule,
    theta: f64,
    h: f64,
    start: Point,
    /// U_k of all contacts.
    before: Vec<f64>,
    /// h and the applied forces at the beginning, for the rule of both ends.
    bias: Vec<f64>,
    applied: Vec<f64>,
    /// Where the equations are evaluated: q_θ and v_θ, or q_{k+1} and x; x − v_k.
    q: Vec<f64>,
    v: Vec<f64>,
    change: Vec<f64>,
    tangent: Tangent,
}

impl VelocityStep {
    /// Where the equations of the step that ends with x are evaluated.
    fn place(&mut self, x: &[f64]) {
        let Self { rule, theta, h, start, q, v, change, .. } = self;
        for i in 0..x.len() {
            let mean = (1.0 - *theta) * start.v[i] + *theta * x[i];
            (q[i], v[i]) = match rule {
                Rule::Middle => (start.q[i] + *theta * *h * mean, mean),
                Rule::Ends => (start.q[i] + *h * mean, x[i]),
            };
            change[i] = x[i] - start.v[i];
        }
    }

    /// The time of that place.
    fn time(&self) -> f64 {
        match self.rule {
            Rule::Middle => self.start.t + self.theta * self.h,
            Rule::Ends => self.start.t + self.h,
        }
    }

    /// What the rule needs of the beginning of the step.
    fn begin(&mut self, mechanics: &mut Mechanics<'_>) -> Result<(), StepError> {
        if self.rule == Rule::Ends {
            mechanics.evaluate(self.start.t, &self.start.q, &self.start.v)?;
            self.bias.copy_from_slice(mechanics.force(Output::Bias));
            self.applied.copy_from_slice(mechanics.force(Output::Applied));
        }
        Ok(())
    }

    /// The mean over the step of a force of which this is the value at the place of evaluation.
    fn mean(&self, here: f64, before: f64) -> f64 {
        match self.rule {
            Rule::Middle => here,
            Rule::Ends => self.theta * here + (1.0 - self.theta) * before,
        }
    }

    /// The factor of the forces that depend on x.
    fn weight(&self) -> f64 {
        match self.rule {
            Rule::Middle => self.h,
            Rule::Ends => self.theta * self.h,
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
        out.begin(mass, &self.change, |j| x[j].abs() + self.start.v[j].abs());
        out.add((0..x.len()).map(|i| self.h * self.mean(bias[i], self.bias[i])));
    }

    /// What u of a contact row has beside H x: w, and restitution of what was before.
    fn offset(&self, mechanics: &Mechanics<'_>, row: usize) -> f64 {
        let dim = 1 + mechanics.layout().tangents;
        let (contact, k) = (row / dim, row % dim);
        let law = mechanics.laws()[contact];
        let restitution = if k == 0 { law.restitution } else { law.tangential };
        explicit_rate(mechanics, contact, k) + restitution * self.before[row]
    }

    /// The rows of contacts with their restitution, and those of constraints.
    fn rows(&self, mechanics: &Mechanics<'_>, contacts: &[Closing], out: &mut Linearised) {
        let layout = mechanics.layout();
        let (n, d) = (layout.coordinates, layout.tangents);
        out.rows.clear(n + 1);
        let jacobian = mechanics.force(Block::ContactJacobian);
        for closing in contacts {
            for row in closing.contact * (1 + d)..(closing.contact + 1) * (1 + d) {
                let offset = self.offset(mechanics, row);
                out.rows.push(jacobian[row * n..(row + 1) * n].iter().copied().chain([offset]));
            }
        }
        out.hold(mechanics, |k, _| mechanics.force(Output::ConstraintRate)[k]);
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
        mechanics.evaluate(self.time(), &self.q, &self.v)?;
        if self.theta > 0.0 && !self.tangent.is_of(self.weight()) {
            self.differentiate(mechanics);
        }
        self.balance(mechanics, x, out);
        self.rows(mechanics, contacts, out);
        Ok(())
    }

    fn differentiate(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let (t, h, theta) = (self.time(), self.weight(), self.theta);
        let along = match self.rule {
            Rule::Middle => [theta * theta * self.h, theta],
            Rule::Ends => [theta * self.h, 1.0],
        };
        let Self { q, v, change, tangent, .. } = self;
        tangent.compute(mechanics, &StepAt { h, along, t, q, v, change });
        true
    }

    fn simplify(&mut self) -> bool {
        self.tangent.omit(self.weight());
        self.theta > 0.0
    }

    fn are_linear(&self, mechanics: &Mechanics<'_>) -> bool {
        self.theta <= 0.0 || (mechanics.is_linear() && self.tangent.is_whole())
    }
}

impl Moreau {
    /// With θ and γ of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        Self::with_rule(Rule::Middle, layout, of, request)
    }

    /// The same with forces at both ends of the step.
    pub fn at_ends(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        Self::with_rule(Rule::Ends, layout, of, request)
    }

    fn with_rule(rule: Rule, layout: &Layout, of: &Discretisation, request: Request) -> Self {
        let zero = || vec![0.0; layout.coordinates];
        Self {
            gamma: of.gamma,
            newton: Newton::new(layout, request),
            linear: Linear::default(),
            velocity: VelocityStep {
                rule,
                theta: of.theta,
                h: of.step,
                start: Point::default(),
                before: vec![0.0; layout.contacts * (1 + layout.tangents)],
                bias: zero(),
                applied: zero(),
                q: zero(),
                v: zero(),
                change: zero(),
                tangent: Tangent::default(),
            },
        }
    }

    /// The step of length h from a point as if there were no contacts, whatever steps were taken before.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn fly(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (point, h): (&Point, f64),
        out: &mut Flight,
    ) -> Result<(), StepError> {
        self.forget_equations();
        let Self { velocity, newton, .. } = self;
        velocity.h = h;
        velocity.start.assign(point);
        newton.increment.closing.clear();
        velocity.begin(mechanics)?;
        newton.x.copy_from_slice(&point.v);
        newton.solve(velocity, mechanics)?;
        out.set(&newton.x, &newton.about.matrix, &newton.about.rows);
        Ok(())
    }

    /// Takes a step in which the gaps of the contacts are taken to be smaller by `slack`.
    pub(super) fn step_with(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (point, h): (&mut Point, f64),
        slack: &[f64],
        taken: &mut StepRecord,
    ) -> Result<(), StepError> {
        taken.before.copy_from_slice(mechanics.contact_velocities());
        self.velocity.h = h;
        self.predict(mechanics, h, slack);
        if self.step_linear(mechanics, point, &taken.before)? {
            self.finish_linear(mechanics, point, taken);
            return Ok(());
        }
        self.velocity.start.assign(point);
        self.velocity.before.copy_from_slice(&taken.before);
        self.velocity.begin(mechanics)?;
        self.newton.x.copy_from_slice(&point.v);
        self.newton.solve(&mut self.velocity, mechanics)?;
        self.finish(mechanics, point, taken);
        Ok(())
    }

    /// The step of a linear mechanism without constraints, where one linear problem is all of it; whether it was one, and its contacts' modes
    /// are found.
    fn step_linear(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &Point,
        before: &[f64],
    ) -> Result<bool, StepError> {
        let layout = mechanics.layout();
        if !mechanics.is_linear() {
            return Ok(false);
        }
        // means of what is affine are what is affine at means
        self.velocity.rule = Rule::Middle;
        let held = layout.constraints > 0 || self.newton.increment.closing.iter().any(|one| one.bilateral);
        if held {
            return Ok(false);
        }
        linear::evaluate(mechanics, point, [self.velocity.theta, self.velocity.h])?;
        if !(self.linear.is_of(self.velocity.h) || self.prepare(mechanics, point)?) {
            return Ok(false);
        }
        let Self { newton: Newton { increment, x, .. }, linear, .. } = self;
        linear.fly(mechanics, point, x);
        if increment.closing.is_empty() {
            increment.leave_open();
            return Ok(true);
        }
        Ok(increment.press((linear, layout), x, before))
    }

    /// Computes what steps of this length have in common; false if their derivative is not all in their matrix.
    #[cold]
    fn prepare(&mut self, mechanics: &Mechanics<'_>, point: &Point) -> Result<bool, StepError> {
        let Self { velocity, linear, .. } = self;
        velocity.start.assign(point);
        velocity.place(&point.v);
        let implicit = velocity.theta > 0.0;
        if implicit && !velocity.tangent.is_of(velocity.h) {
            velocity.differentiate(mechanics);
        }
        if implicit && !velocity.tangent.is_whole() {
            return Ok(false);
        }
        linear.compute(velocity.h, mechanics, implicit.then(|| velocity.tangent.packed()))?;
        Ok(true)
    }

    /// The contacts whose gap is predicted to close   [A09 (16d), (16e)].
    fn predict(&mut self, mechanics: &Mechanics<'_>, h: f64, slack: &[f64]) {
        let increment = &mut self.newton.increment;
        increment.closing.clear();
        let dim = 1 + mechanics.layout().tangents;
        let (gaps, velocities) = (mechanics.gaps(), mechanics.contact_velocities());
        let (sizes, noise) = (mechanics.gap_sizes(), Tol::default().noise);
        for (contact, law) in mechanics.laws().iter().enumerate() {
            let (velocity, bilateral) = (&velocities[contact * dim..], law.bilateral);
            // a gap that is rounding is none
            let rounding = (noise * sizes[contact]).max(slack.get(contact).copied().unwrap_or(0.0));
            let foreseen = gaps[contact] + self.gamma * h * velocity[0];
            if bilateral || (foreseen <= rounding && mechanics.may_close(contact)) {
                let slip = velocity[1];
                increment.closing.push(Closing { contact, bilateral, friction: law.friction, slip });
            } else {
                increment.forget(contact);
            }
        }
    }

    /// What the contacts of a linear step did, and the point at its end.
    fn finish_linear(&mut self, mechanics: &Mechanics<'_>, point: &mut Point, taken: &mut StepRecord) {
        let Self { newton, velocity: VelocityStep { theta, h, .. }, linear, .. } = self;
        let (dim, theta, h) = (1 + mechanics.layout().tangents, *theta, *h);
        newton.tell(mechanics.layout(), 1.0, taken);
        taken.work = 0.0;
        for Closing { contact, .. } in &newton.increment.closing {
            let work = |row: usize| linear.explicit(row) * taken.impulses[row];
            taken.work -= (contact * dim..(contact + 1) * dim).map(work).sum::<f64>();
        }
        let moved = point.q.iter_mut().zip(&mut point.v).zip(&newton.x);
        for (((q, v), x), applied) in moved.zip(mechanics.force(Output::Applied)) {
            taken.work += h * applied * (0.5 * (*v + x));
            *q += h * ((1.0 - theta) * *v + theta * x);
            *v = *x;
        }
        point.t += h;
    }

    /// What the contacts did, and the point at the end.
    fn finish(&mut self, mechanics: &Mechanics<'_>, point: &mut Point, taken: &mut StepRecord) {
        let (Self { newton, velocity, .. }, layout) = (self, mechanics.layout());
        let (dim, n, h) = (1 + layout.tangents, newton.x.len(), velocity.h);
        newton.tell(layout, 1.0, taken);
        taken.work = 0.0;
        for Closing { contact, .. } in &newton.increment.closing {
            // what moves by prescription pushes with −w·P
            let work = |i: usize| explicit_rate(mechanics, *contact, i) * taken.impulses[contact * dim + i];
            taken.work -= (0..dim).map(work).sum::<f64>();
        }
        for i in 0..n {
            let mean = 0.5 * (velocity.start.v[i] + newton.x[i]);
            let applied = mechanics.force(Output::Applied)[i];
            taken.work += h * velocity.mean(applied, velocity.applied[i]) * mean;
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
        taken: &mut StepRecord,
    ) -> Result<(), StepError> {
        self.step_with(mechanics, (point, longest), &[], taken)
    }

    fn copy(&self) -> Box<dyn Scheme> {
        Box::new(self.clone())
    }

    fn forget_equations(&mut self) {
        self.linear = Linear::default();
        self.velocity.tangent = Tangent::default();
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
