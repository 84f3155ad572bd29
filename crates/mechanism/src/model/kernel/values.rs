//! The numbers of a kernel at one state, with the memory of their evaluation.

use crate::tape::{CompiledScratch, Scratch};

/// The blocks of a [`Kernel`](super::Kernel) at a state, and working memory; what an evaluation leaves stays until the
/// next. Empty by default: the first evaluation then allocates.
#[derive(Clone, Debug)]
pub struct Values<T> {
    /// t, q, v, parameters of the last evaluation at a state.
    pub(super) inputs: Vec<T>,
    pub(super) outputs: Vec<T>,
    pub(super) scratch: Scratch<T>,
    pub(super) code: CompiledScratch,
    /// Whether the inputs stand in the memory of machine code.
    pub(super) is_native: bool,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        let (inputs, outputs) = (Vec::new(), Vec::new());
        Values {
            inputs,
            outputs,
            scratch: Scratch::default(),
            code: CompiledScratch::default(),
            is_native: false,
        }
    }
}
