//! Schatzman and Paoli's scheme   [A09 (22), (24)], for the positions:
//!
//! M(q_{k+1})(q_{k+1} − 2q_k + q_{k−1}) + h²·h(t_θ, q_θ, v_θ) = p,   v_{k+1} = (q_{k+1} − q_{k−1})/(2h),
//!
//! p = Gᵀ(q̄) P, 0 ≤ g(q̄) ⊥ P ≥ 0 at q̄ = (q_{k+1} + e q_{k−1})/(1 + e) for each contact with its own e. The paper has no
//! friction; here it is Coulomb's law between P and the displacement H_T(q̄)(q_{k+1} − q_k), as of the quasi-static step at position
//! level [AC11 (4.28)], with e_T of the displacement before. Bilateral constraints hold at q_{k+1}.

use super::increment::Closing;
use super::mechanics::{Mechanics, Point};
use super::newton::{Equations, Linearised, Newton};
use super::tangent::{StepAt, Tangent};
use super::{Discretisation, Scheme, StepError, StepRecord};
use crate::coulomb::{Problem, Request};
use crate::model::{Block, Layout, Output};
use crate::num::dense;

/// Schatzman and Paoli's scheme.
#[derive(Clone, Debug)]
pub struct SchatzmanPaoli {
    newton: Newton,
    position: PositionStep,
    /// Step by which q_{k−1} lies before q_k; 0 before the first.
    last: f64,
}

/// The equations of q_{k+1}.
#[derive(Clone, Debug)]
struct PositionStep {
    theta: f64,
    h: f64,
    start: Point,
    /// q_{k−1}.
    before: Vec<f64>,
    /// q_θ, v_θ, q̄, v_{k+1}, and q_{k+1} − 2q_k + q_{k−1}.
    q: Vec<f64>,
    v: Vec<f64>,
    middle: Vec<f64>,
    velocity: Vec<f64>,
    change: Vec<f64>,
    tangent: Tangent,
}

impl PositionStep {
    fn place(&mut self, x: &[f64]) {
        let Self { theta, h, start, before, q, v, velocity, change, .. } = self;
        for i in 0..x.len() {
            velocity[i] = (x[i] - before[i]) / (2.0 * *h);
            q[i] = start.q[i] + *theta * (x[i] - start.q[i]);
            v[i] = (1.0 - *theta) * start.v[i] + *theta * velocity[i];
            change[i] = x[i] - 2.0 * start.q[i] + before[i];
        }
    }

    fn end(&self) -> f64 {
        self.start.t + self.h
    }

    /// The forces kernel at the q̄ of a contact with this e.
    fn evaluate_middle(&mut self, mechanics: &mut Mechanics<'_>, x: &[f64], e: f64) -> Result<(), StepError> {
        for i in 0..x.len() {
            self.middle[i] = (x[i] + e * self.before[i]) / (1.0 + e);
        }
        Ok(mechanics.evaluate(self.end(), &self.middle, &self.velocity)?)
    }

    /// The rows of the contacts; each is evaluated at its own q̄.
    fn contact_rows(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        contacts: &[Closing],
        x: &[f64],
        out: &mut Linearised,
    ) -> Result<(), StepError> {
        let (n, d) = (x.len(), mechanics.layout().tangents);
        let mut evaluated = f64::NAN;
        for &Closing { contact, .. } in contacts {
            let law = mechanics.laws()[contact];
            if law.restitution.to_bits() != evaluated.to_bits() {
                self.evaluate_middle(mechanics, x, law.restitution)?;
                evaluated = law.restitution;
            }
            for k in 0..=d {
                let row = contact * (1 + d) + k;
                let row = &mechanics.force(Block::ContactJacobian)[row * n..(row + 1) * n];
                let offset = match k.checked_sub(1) {
                    // u = (1 + e) g(q̄), whose derivative is H(q̄)
                    None => {
                        (1.0 + law.restitution) * mechanics.force(Output::Gap)[contact] - dense::dot(row, x)
                    }
                    Some(tangent) => {
                        let (now, before) = (dense::dot(row, &self.start.q), dense::dot(row, &self.before));
                        self.h * mechanics.force(Output::SlipRate)[contact * d + tangent] - now
                            + law.tangential * (now - before)
                    }
                };
                out.rows.push(row.iter().copied().chain([offset]));
            }
        }
        Ok(())
    }
}

impl Equations for PositionStep {
    fn linearise(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        contacts: &[Closing],
        x: &[f64],
        out: &mut Linearised,
    ) -> Result<(), StepError> {
        let n = x.len();
        self.place(x);
        out.rows.clear(n + 1);
        self.contact_rows(mechanics, contacts, x, out)?;
        mechanics.evaluate(self.end(), x, &self.velocity)?;
        out.hold_positions(mechanics, x);
        out.matrix.clear();
        let mass = mechanics.force(Output::MassMatrix);
        out.matrix.extend_from_slice(mass);
        out.begin(mass, &self.change, |j| x[j].abs() + self.start.q[j].abs());
        mechanics.evaluate(self.start.t + self.theta * self.h, &self.q, &self.v)?;
        if self.theta > 0.0 && !self.tangent.is_of(self.h * self.h) {
            self.differentiate(mechanics);
        }
        if self.theta > 0.0 {
            out.matrix.iter_mut().zip(self.tangent.packed()).for_each(|(entry, rest)| *entry += rest);
        }
        out.add(mechanics.force(Output::Bias).iter().map(|bias| self.h * self.h * bias));
        Ok(())
    }

    fn differentiate(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Self { theta, h, start, q, v, change, tangent, .. } = self;
        let along = [*theta, *theta / (2.0 * *h)];
        tangent.compute(mechanics, &StepAt { h: *h * *h, along, t: start.t + *theta * *h, q, v, change });
        true
    }

    fn simplify(&mut self) -> bool {
        self.tangent.omit(self.h * self.h);
        self.theta > 0.0
    }
}

impl SchatzmanPaoli {
    /// With θ of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        let zero = || vec![0.0; layout.coordinates];
        Self {
            newton: Newton::new(layout, request),
            position: PositionStep {
                theta: of.theta,
                h: of.step,
                start: Point::default(),
                before: zero(),
                q: zero(),
                v: zero(),
                middle: zero(),
                velocity: zero(),
                change: zero(),
                tangent: Tangent::default(),
            },
            last: 0.0,
        }
    }

    /// q_{k−1}: before the first step it follows from the velocity, and in free flight from the acceleration.
    fn look_back(&mut self, mechanics: &mut Mechanics<'_>, point: &Point, h: f64) -> Result<(), StepError> {
        let position = &mut self.position;
        if self.last > 0.0 {
            // another step than before goes on with the same velocity
            let ratio = h / self.last;
            if ratio.to_bits() != 1.0_f64.to_bits() {
                let before = position.before.iter_mut().zip(&point.q);
                before.for_each(|(before, q)| *before = q - ratio * (q - *before));
            }
        } else {
            let flies = mechanics.layout().constraints == 0 && mechanics.gaps().iter().all(|gap| *gap > 0.0);
            mechanics.evaluate(point.t, &point.q, &point.v)?;
            position.change.fill(0.0);
            if flies {
                self.newton.x.fill(0.0);
                let (mass, bias) = (mechanics.force(Output::MassMatrix), mechanics.force(Output::Bias));
                self.newton.increment.solve_free(mass, bias, &mut self.newton.x)?;
                position.change.copy_from_slice(&self.newton.x);
            }
            for i in 0..point.q.len() {
                position.before[i] = point.q[i] - h * point.v[i] + 0.5 * h * h * position.change[i];
            }
        }
        self.last = h;
        Ok(())
    }

    /// Adds the contacts whose g(q̄) is negative at the solution; whether there were any.
    fn add_violated(&mut self, mechanics: &mut Mechanics<'_>) -> Result<bool, StepError> {
        let Self { newton, position, .. } = self;
        let before = newton.increment.closing.len();
        let mut evaluated = f64::NAN;
        for (contact, law) in mechanics.laws().iter().enumerate() {
            let closing = &mut newton.increment.closing;
            if closing.iter().any(|closing| closing.contact == contact) || !mechanics.may_close(contact) {
                continue;
            }
            if law.restitution.to_bits() != evaluated.to_bits() {
                position.evaluate_middle(mechanics, &newton.x, law.restitution)?;
                evaluated = law.restitution;
            }
            if law.bilateral || mechanics.force(Output::Gap)[contact] < 0.0 {
                let slip = mechanics.slip(contact);
                closing.push(Closing { contact, bilateral: law.bilateral, friction: law.friction, slip });
            }
        }
        Ok(newton.increment.closing.len() > before)
    }

    fn finish(&mut self, mechanics: &Mechanics<'_>, point: &mut Point, taken: &mut StepRecord) {
        let Self { newton, position, .. } = self;
        let (n, h) = (newton.x.len(), position.h);
        newton.tell(mechanics.layout(), h, taken);
        // impulses act between q_k − q_{k−1} and q_{k+1} − q_k, whose mean is that of v_{k+1}
        (taken.work, taken.weight) = (0.0, 1.0);
        for i in 0..n {
            let velocity = (newton.x[i] - position.before[i]) / (2.0 * h);
            taken.work += h * mechanics.force(Output::Applied)[i] * velocity;
            point.v[i] = velocity;
        }
        position.before.copy_from_slice(&point.q);
        point.q.copy_from_slice(&newton.x);
        point.t += h;
    }
}

impl Scheme for SchatzmanPaoli {
    fn step(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        longest: f64,
        taken: &mut StepRecord,
    ) -> Result<(), StepError> {
        taken.before.copy_from_slice(mechanics.contact_velocities());
        self.look_back(mechanics, point, longest)?;
        self.position.h = longest;
        self.position.start.assign(point);
        self.newton.increment.closing.clear();
        loop {
            for i in 0..point.q.len() {
                self.newton.x[i] = 2.0 * point.q[i] - self.position.before[i];
            }
            self.newton.solve(&mut self.position, mechanics)?;
            if !self.add_violated(mechanics)? {
                break;
            }
        }
        self.finish(mechanics, point, taken);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Scheme> {
        Box::new(self.clone())
    }

    fn forget_equations(&mut self) {
        self.position.tangent = Tangent::default();
    }

    fn unsolved(&self) -> Option<&Problem> {
        Some(self.newton.increment.problem())
    }
}
