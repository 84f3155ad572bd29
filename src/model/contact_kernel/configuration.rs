//! One contact as a function of the configuration: what a search over configurations asks.
//!
//! With C = n·M⁻¹n and B_k = n·M⁻¹t_k (n, t_k the contact's rows of W, M⁻¹ the constrained inverse) a slip along the unit
//! vector û is paradoxical at a friction μ with C − μ B·û < 0, so that the least such friction is C/‖B‖ and
//! φ = ‖B‖²/C² its inverse square. The equations say where that matters: the contact is closed, held contacts are
//! closed, the constraints hold.

use super::{Equations, Pivots};
use crate::model::{Model, Output};
use crate::tape::{Tape, Value};

/// φ and the equations of one contact as a tape of (t, q, v, parameters).
#[derive(Clone, Debug)]
pub struct ContactConfiguration {
    tape: Tape,
    equations: usize,
}

impl ContactConfiguration {
    /// Of a contact, with the gaps of the contacts `held` closed too.
    ///
    /// # Panics
    /// If there is no such contact.
    pub fn new(model: &Model, contact: usize, held: &[usize]) -> Self {
        let mut equations = Equations::new(model);
        let paradox = equations.paradox(contact);
        let gaps = equations.block(Output::Gap);
        let closed = std::iter::once(contact).chain(held.iter().copied().filter(|&c| c != contact));
        let mut outputs: Vec<Value> = std::iter::once(paradox).chain(closed.map(|c| gaps[c])).collect();
        outputs.extend(equations.block(Output::Constraint));
        ContactConfiguration { equations: outputs.len() - 1, tape: equations.builder.finish(&outputs) }
    }

    /// Output 0 is φ, the others the left-hand sides of the equations: the gap, held gaps, constraints.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Number of equations.
    pub fn equations(&self) -> usize {
        self.equations
    }
}

impl Equations {
    /// φ = Σ (B_k/C)².
    fn paradox(&mut self, contact: usize) -> Value {
        let factors = self.factor(&mut Pivots::default());
        let (d, zero) = (self.layout.tangents, self.builder.constant(0.0));
        let normal = self.rows(Output::NormalJacobian)[contact].clone();
        let normal = self.half(&factors, &normal);
        let C = self.product(&factors, &normal, &normal);
        let tangents = self.rows(Output::TangentJacobian);
        tangents[contact * d..(contact + 1) * d].iter().fold(zero, |sum, row| {
            let row = self.half(&factors, row);
            let B = self.product(&factors, &normal, &row);
            let ratio = self.builder.div(B, C);
            let square = self.builder.mul(ratio, ratio);
            self.builder.add(sum, square)
        })
    }
}
