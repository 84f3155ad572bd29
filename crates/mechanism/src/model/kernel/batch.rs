//! The blocks of a kernel at many states at once, one column per number.

use super::block::{Block, Places};
use super::pivots::{Pivots, Singular};
use crate::tape::{Batch, BatchError, BatchScratch, Input, Tape};

/// A [`Kernel`](super::Kernel) planned for batches.
#[derive(Clone, Debug)]
pub struct KernelBatch {
    places: Places,
    pivots: Pivots,
    outputs: usize,
    batch: Batch,
}

/// The blocks at the states of a batch.
#[derive(Clone, Debug)]
pub struct KernelColumns {
    places: Places,
    pivots: Pivots,
    states: usize,
    outputs: Vec<f64>,
}

impl KernelBatch {
    pub(super) fn new(places: Places, pivots: Pivots, tape: &Tape, uniform: &[usize]) -> Self {
        KernelBatch { places, pivots, outputs: tape.outputs(), batch: Batch::new(tape, uniform) }
    }

    /// Room for the numbers of so many states.
    pub fn columns(&self, states: usize) -> KernelColumns {
        let outputs = vec![0.0; states * self.outputs];
        KernelColumns { places: self.places.clone(), pivots: self.pivots.clone(), states, outputs }
    }

    /// Working memory of [`KernelBatch::evaluate`].
    pub fn scratch(&self) -> BatchScratch {
        self.batch.scratch()
    }

    /// The blocks at all states of `columns`; inputs are t, q, v, parameters. The same bits as one by one. Does not
    /// allocate.
    ///
    /// # Errors
    /// Inputs of other lengths, or an input that varies though it was planned as uniform. A singular M is no error
    /// here but the state's own: [`KernelColumns::check`].
    pub fn evaluate(
        &self,
        inputs: &[Input<'_>],
        columns: &mut KernelColumns,
        scratch: &mut BatchScratch,
    ) -> Result<(), BatchError> {
        self.batch.eval(inputs, columns.states, &mut columns.outputs, scratch)
    }
}

impl KernelColumns {
    /// Number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Entry `i` of a block at all states.
    ///
    /// # Panics
    /// If the block has no such entry, or was not asked for.
    pub fn column(&self, block: impl Into<Block>, i: usize) -> &[f64] {
        let range = self.places.of(block.into());
        assert!(i < range.len(), "entry {i} of {}", range.len());
        let place = range.start + i;
        &self.outputs[place * self.states..(place + 1) * self.states]
    }

    /// The number of a state at a place of [`Kernel::range`](super::Kernel::range).
    ///
    /// # Panics
    /// If there is no such place or state.
    #[inline]
    pub fn number(&self, place: usize, state: usize) -> f64 {
        self.outputs[place * self.states..][..self.states][state]
    }

    /// Whether the numbers of a state have a meaning.
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
