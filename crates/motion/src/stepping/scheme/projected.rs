//! Moreau's scheme with positions projected onto the constraints   [A09 (19)]: q_{k+1} = q_k + h v_θ + M⁻¹(Gᵀτ + Jᵀσ) with 0 ≤ g(q_{k+1}) ⊥ τ ≥ 0 and
//! φ(q_{k+1}) = 0. The paper has no M⁻¹, without which the projection depends on the units of the coordinates: here it is that of the kinetic metric.

use super::increment::Closing;
use super::mechanics::{Mechanics, Point};
use super::moreau::Moreau;
use super::newton::{Equations, Linearised, Newton};
use super::{Discretisation, Scheme, StepError, StepRecord};
use crate::coulomb::{Problem, Request};
use crate::model::{Block, Layout, Output};
use crate::num::{Tol, dense};

/// Moreau's scheme with projection.
#[derive(Clone, Debug)]
pub struct Projected {
    moreau: Moreau,
    newton: Newton,
    position: Projection,
    /// What rounding leaves of the gap of contacts that were projected: they are closed at a gap of that size.
    slack: Vec<f64>,
}

/// The equations of the projected q.
#[derive(Clone, Debug, Default)]
struct Projection {
    start: Point,
    /// M where the projection begins.
    mass: Vec<f64>,
    /// x − q there.
    change: Vec<f64>,
}

impl Equations for Projection {
    fn linearise(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        contacts: &[Closing],
        x: &[f64],
        out: &mut Linearised,
    ) -> Result<(), StepError> {
        mechanics.evaluate(self.start.t, x, &self.start.v)?;
        if self.mass.is_empty() {
            self.mass.extend_from_slice(mechanics.force(Output::MassMatrix));
        }
        out.matrix.clone_from(&self.mass);
        let n = x.len();
        self.change.clear();
        self.change.extend(x.iter().zip(&self.start.q).map(|(x, q)| x - q));
        out.begin(&self.mass, &self.change, |j| x[j].abs() + self.start.q[j].abs());
        out.rows.clear(n + 1);
        let dim = 1 + mechanics.layout().tangents;
        for closing in contacts {
            for k in 0..dim {
                let row = closing.contact * dim + k;
                let row = &mechanics.force(Block::ContactJacobian)[row * n..(row + 1) * n];
                let gap = if k == 0 { mechanics.force(Output::Gap)[closing.contact] } else { 0.0 };
                out.rows.push(row.iter().copied().chain([gap - dense::dot(row, x)]));
            }
        }
        out.hold_positions(mechanics, x);
        Ok(())
    }
}

impl Projected {
    /// With θ and γ of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        Self {
            moreau: Moreau::new(layout, of, request),
            newton: Newton::new(layout, request),
            position: Projection::default(),
            slack: vec![0.0; layout.contacts],
        }
    }

    /// The positions of a step, projected. Contacts that others push into violation are added until there are none.
    fn project(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        taken: &StepRecord,
        h: f64,
    ) -> Result<(), StepError> {
        self.slack.fill(0.0);
        self.position.start.assign(point);
        self.position.mass.clear();
        self.newton.increment.closing.clear();
        mechanics.look(point)?;
        let mut constrained = mechanics.layout().constraints > 0;
        loop {
            let violated = self.add_violated(mechanics, taken);
            if !(violated || constrained) {
                return Ok(());
            }
            constrained = false;
            self.newton.x.copy_from_slice(&self.position.start.q);
            self.newton.solve(&mut self.position, mechanics)?;
            point.q.copy_from_slice(&self.newton.x);
            self.allow(mechanics.layout(), h);
            mechanics.look(point)?;
        }
    }

    /// Adds the contacts with a negative gap; whether there were any.
    fn add_violated(&mut self, mechanics: &Mechanics<'_>, taken: &StepRecord) -> bool {
        let closing = &mut self.newton.increment.closing;
        let before = closing.len();
        for (contact, (gap, law)) in mechanics.gaps().iter().zip(mechanics.laws()).enumerate() {
            let known = closing.iter().any(|closing| closing.contact == contact);
            let closed = taken.doing[contact].presses() || mechanics.may_close(contact);
            if !known && (law.bilateral || (*gap < 0.0 && closed)) {
                closing.push(Closing { contact, bilateral: law.bilateral, friction: 0.0, slip: 0.0 });
            }
        }
        closing.len() > before
    }

    /// The sizes of what rounding leaves of the gaps.
    fn allow(&mut self, layout: &Layout, h: f64) {
        let (n, dim, start) = (layout.coordinates, 1 + layout.tangents, &self.position.start);
        let rows = self.newton.about.rows.rows().step_by(dim);
        for (closing, row) in self.newton.increment.closing.iter().zip(rows) {
            let term = |i: usize| row[i].abs() * (start.q[i].abs() + (h * start.v[i]).abs());
            self.slack[closing.contact] = Tol::default().noise * (0..n).map(term).sum::<f64>();
        }
    }
}

impl Scheme for Projected {
    fn step(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        longest: f64,
        taken: &mut StepRecord,
    ) -> Result<(), StepError> {
        self.moreau.step_with(mechanics, (point, longest), &self.slack, taken)?;
        self.project(mechanics, point, taken, longest)
    }

    fn copy(&self) -> Box<dyn Scheme> {
        Box::new(self.clone())
    }

    fn forget_equations(&mut self) {
        self.moreau.forget_equations();
    }

    fn unsolved(&self) -> Option<&Problem> {
        self.moreau.unsolved()
    }
}
