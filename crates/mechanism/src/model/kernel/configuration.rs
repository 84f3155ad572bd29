//! One contact as a function of the configuration: what a search over configurations asks.
//!
//! With C = n·M⁻¹n and B_k = n·M⁻¹t_k (n, t_k the contact's rows of W, M⁻¹ the constrained inverse) a slip along the unit
//! vector û is paradoxical at a friction μ with C − μ B·û < 0, so that the least such friction is C/‖B‖ and
//! φ = ‖B‖²/C² its inverse square. The equations say where that matters: the contact is closed, held contacts are
//! closed, the constraints hold.

use super::equations::Equations;
use super::pivots::Pivots;
use crate::model::{Layout, Model, Output};
use crate::tape::{Tape, Value};

/// φ and the equations of one contact as a tape of (t, q, v, parameters), and what φ is made of.
#[derive(Clone, Debug)]
pub struct ContactConfiguration {
    tape: Tape,
    forms: Tape,
    coupling: Tape,
    rails: usize,
}

impl ContactConfiguration {
    /// Of a contact, with the gaps of the contacts `held` closed too, some of them `rails`: without friction, their forces follow as those of
    /// constraints. Forces of the others are left out.
    ///
    /// # Panics
    /// If there is no such contact.
    pub fn new(model: &Model, contact: usize, held: &[usize], rails: &[usize]) -> Self {
        let mut equations = Equations::on_rails(model, rails);
        let coupling = equations.coupling(contact);
        let paradox = equations.paradox(&coupling);
        let gaps = equations.output(Output::Gap);
        let closed: Vec<usize> =
            std::iter::once(contact).chain(held.iter().copied().filter(|&c| c != contact)).collect();
        let mut outputs: Vec<Value> =
            std::iter::once(paradox).chain(closed.iter().map(|&c| gaps[c])).collect();
        outputs.extend(equations.output(Output::Constraint));
        let forms = model.tape().select(&forms(model.layout(), contact, &closed, rails));
        let coupling = equations.builder.clone().finish(&coupling);
        ContactConfiguration { tape: equations.builder.finish(&outputs), forms, coupling, rails: rails.len() }
    }

    /// Output 0 is φ, the others the left-hand sides of the equations: the gap, held gaps, constraints. It shows on what
    /// they depend.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// M (packed), the contact's normal row, its tangent rows, J with the rows of rails, and then the equations as above: for enclosures,
    /// which are tighter if the linear system is solved as a whole.
    pub fn forms(&self) -> &Tape {
        &self.forms
    }

    /// Number of rails.
    pub fn rails(&self) -> usize {
        self.rails
    }

    /// C and B_k.
    pub fn coupling(&self) -> &Tape {
        &self.coupling
    }
}

/// Outputs of a model that are the forms of a contact.
fn forms(layout: &Layout, contact: usize, closed: &[usize], rails: &[usize]) -> Vec<usize> {
    let (n, d) = (layout.coordinates, layout.tangents);
    let start = |output: Output| layout.range(output).start;
    let rows = |first: usize, count: usize| first..first + count;
    let gap = start(Output::Gap);
    layout
        .range(Output::MassMatrix)
        .chain(rows(start(Output::NormalJacobian) + contact * n, n))
        .chain(rows(start(Output::TangentJacobian) + contact * d * n, d * n))
        .chain(layout.range(Output::ConstraintJacobian))
        .chain(rails.iter().flat_map(|&c| rows(start(Output::NormalJacobian) + c * n, n)))
        .chain(closed.iter().map(|&c| gap + c))
        .chain(layout.range(Output::Constraint))
        .collect()
}

impl Equations {
    /// C and B_k.
    fn coupling(&mut self, contact: usize) -> Vec<Value> {
        let factors = self.factor(&mut Pivots::default());
        let d = self.layout.tangents;
        let normal = self.rows(Output::NormalJacobian)[contact].clone();
        let normal = self.half(&factors, &normal);
        let mut found = vec![self.product(&factors, &normal, &normal)];
        for row in &self.rows(Output::TangentJacobian)[contact * d..(contact + 1) * d] {
            let row = self.half(&factors, row);
            found.push(self.product(&factors, &normal, &row));
        }
        found
    }

    /// φ = Σ (B_k/C)².
    fn paradox(&mut self, coupling: &[Value]) -> Value {
        let zero = self.builder.constant(0.0);
        coupling[1..].iter().fold(zero, |sum, &B| {
            let ratio = self.builder.div(B, coupling[0]);
            let square = self.builder.mul(ratio, ratio);
            self.builder.add(sum, square)
        })
    }
}
