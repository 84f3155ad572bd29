//! The quantities of the contacts at many states at once, one column per quantity.

use super::super::Singular;
use super::pivots::Pivots;
use super::places::{ContactQuantity, Places};
use crate::tape::{Batch, BatchError, BatchScratch, Input, Tape};

/// A [`ContactKernel`](super::ContactKernel) planned for batches.
#[derive(Clone, Debug)]
pub struct ContactBatch {
    places: Places,
    pivots: Pivots,
    outputs: usize,
    batch: Batch,
}

/// The quantities of the contacts at the states of a batch.
#[derive(Clone, Debug)]
pub struct ContactColumns {
    places: Places,
    pivots: Pivots,
    states: usize,
    outputs: Vec<f64>,
}

impl ContactBatch {
    pub(super) fn new(places: Places, pivots: Pivots, tape: &Tape, uniform: &[usize]) -> Self {
        ContactBatch { places, pivots, outputs: tape.outputs(), batch: Batch::new(tape, uniform) }
    }

    /// Room for the quantities of so many states.
    pub fn columns(&self, states: usize) -> ContactColumns {
        let outputs = vec![0.0; states * self.outputs];
        ContactColumns { places: self.places, pivots: self.pivots.clone(), states, outputs }
    }

    /// Working memory of [`ContactBatch::evaluate`].
    pub fn scratch(&self) -> BatchScratch {
        self.batch.scratch()
    }

    /// The quantities at all states of `columns`; inputs are t, q, v, parameters. The same bits as one by one. Does
    /// not allocate.
    ///
    /// # Errors
    /// Inputs of other lengths, or an input that varies though it was planned as uniform. A singular M is no error
    /// here but the state's own: [`ContactColumns::check`].
    pub fn evaluate(
        &self,
        inputs: &[Input<'_>],
        columns: &mut ContactColumns,
        scratch: &mut BatchScratch,
    ) -> Result<(), BatchError> {
        self.batch.eval(inputs, columns.states, &mut columns.outputs, scratch)
    }
}

impl ContactColumns {
    /// Number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// A quantity at all states.
    ///
    /// # Panics
    /// If there is no such contact, tangent or row.
    pub fn column(&self, quantity: ContactQuantity) -> &[f64] {
        let place = self.places.of(quantity);
        &self.outputs[place * self.states..(place + 1) * self.states]
    }

    /// Whether the quantities of a state have a meaning.
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite there or the constraints are dependent.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn check(&self, state: usize) -> Result<(), Singular> {
        assert!(state < self.states, "state {state} of {}", self.states);
        self.pivots.check(|place| self.outputs[place * self.states + state])
    }
}
