//! Where the mechanism stands when a choice of axes depends on it: its first state.

use super::algebra::Algebra;
use super::emit::{Emitter, Velocities};
use super::error::DeriveError;
use crate::expression::Expr;
use crate::format::Mechanism;
use crate::model::Layout;
use symbolica::atom::Atom;

/// Tape inputs at the first state of a mechanism.
pub(super) struct Reference {
    layout: Layout,
    inputs: Vec<f64>,
}

impl Reference {
    pub(super) fn new(
        algebra: &mut Algebra,
        layout: Layout,
        mechanism: &Mechanism,
    ) -> Result<Self, DeriveError> {
        let mut reference = Reference { layout, inputs: vec![0.0; layout.inputs()] };
        let n = layout.coordinates;
        let state = mechanism.states.first();
        for (i, parameter) in mechanism.parameters.iter().enumerate() {
            let changed = state.and_then(|s| s.parameters.iter().find(|(k, _)| *k == i));
            reference.set(algebra, 1 + 2 * n + i, changed.map_or(&parameter.value, |(_, x)| x))?;
        }
        let Some(state) = state else { return Ok(reference) };
        reference.set(algebra, 0, &state.t)?;
        for (i, value) in &state.q {
            reference.set(algebra, 1 + i, value)?;
        }
        for (i, value) in &state.v {
            reference.set(algebra, 1 + n + i, value)?;
        }
        Ok(reference)
    }

    fn set(&mut self, algebra: &mut Algebra, place: usize, value: &Expr) -> Result<(), DeriveError> {
        let atom = algebra.atom(value);
        self.inputs[place] = self.values(algebra, std::slice::from_ref(&atom))?[0];
        Ok(())
    }

    /// The values of atoms here.
    pub(super) fn values(&self, algebra: &Algebra, atoms: &[Atom]) -> Result<Vec<f64>, DeriveError> {
        let mut emitter = Emitter::new(algebra, self.layout);
        let mut outputs = Vec::new();
        for atom in atoms {
            outputs.push(emitter.atom(atom, Velocities::Kept)?);
        }
        let tape = emitter.into_builder().finish(&outputs);
        let mut values = vec![0.0; atoms.len()];
        tape.eval(&self.inputs, &mut values, &mut tape.scratch());
        Ok(values)
    }
}
