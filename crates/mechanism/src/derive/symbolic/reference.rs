//! Where the mechanism stands when a choice of axes depends on it: its first state.

use super::algebra::Algebra;
use super::emit::{Emitter, Velocities};
use crate::derive::error::DeriveError;
use crate::format::Mechanism;
use crate::model::Layout;
use symbolica::atom::Atom;

/// The golden section, whose multiples are nowhere near each other modulo one.
const STEP: f64 = 0.618_033_988_749_894_9;

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
        self.values_at(&self.inputs, algebra, atoms)
    }

    /// The value of an atom at a point that is nothing special: what it is everywhere, it is there.
    pub(super) fn value_beside(&self, algebra: &Algebra, atom: &Atom) -> Result<f64, DeriveError> {
        let inputs: Vec<f64> =
            self.inputs.iter().enumerate().map(|(i, x)| x + (STEP * (i + 1) as f64).fract()).collect();
        Ok(self.values_at(&inputs, algebra, std::slice::from_ref(atom))?[0])
    }

    fn values_at(&self, inputs: &[f64], algebra: &Algebra, atoms: &[Atom]) -> Result<Vec<f64>, DeriveError> {
        let mut emitter = Emitter::new(algebra, self.layout);
        let mut outputs = Vec::new();
        for atom in atoms {
            outputs.push(emitter.atom(atom, Velocities::Kept)?);
        }
        let tape = emitter.into_builder().finish(&outputs);
        let mut values = vec![0.0; atoms.len()];
        tape.eval(inputs, &mut values, &mut tape.scratch());
        Ok(values)
    }
}
