//! Where the mechanism stands when a choice of axes depends on it: its first state.

use super::algebra::Algebra;
use super::emit::{Emitter, Velocities};
use crate::derive::error::DeriveError;
use crate::format::Mechanism;
use crate::model::Layout;
use symbolica::atom::Atom;

/// Tape inputs at the first state of a mechanism.
pub(super) struct Reference {
    layout: Layout,
    inputs: Vec<f64>,
}

impl Reference {
    pub(super) fn new(layout: Layout, mechanism: &Mechanism) -> Self {
        let mut inputs = vec![0.0; layout.inputs()];
        // a first state without numbers is refused where states are; the axes are then chosen at zero
        if let Some(Ok(state)) = mechanism.states.first().map(|first| mechanism.resolve(first, &[])) {
            let numbers = std::iter::once(state.t).chain(state.q).chain(state.v).chain(state.parameters);
            inputs.iter_mut().zip(numbers).for_each(|(input, number)| *input = number);
        }
        Reference { layout, inputs }
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
