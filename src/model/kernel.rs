//! The part of a tape that one question needs, and the buffers to evaluate it without allocation.

use super::{Layout, Model, Output};
use crate::num::Real;
use crate::tape::{Scratch, Tape};
use std::ops::Range;

/// A pruned tape whose outputs keep their names.
#[derive(Clone, Debug)]
pub struct Kernel {
    layout: Layout,
    tape: Tape,
    ranges: [Range<usize>; Output::ALL.len()],
}

/// The outputs of a kernel at one state, and the scratch space of their evaluation.
#[derive(Clone, Debug)]
pub struct Values<T> {
    outputs: Vec<T>,
    scratch: Scratch<T>,
}

impl Kernel {
    pub(super) fn new(model: &Model, wanted: &[Output]) -> Self {
        let layout = model.layout;
        let mut ranges: [Range<usize>; Output::ALL.len()] = std::array::from_fn(|_| 0..0);
        let mut picked = Vec::new();
        for (slot, &output) in Output::ALL.iter().enumerate() {
            let start = picked.len();
            if wanted.contains(&output) {
                picked.extend(layout.range(output));
            }
            ranges[slot] = start..picked.len();
        }
        Kernel { layout, tape: model.tape.select(&picked), ranges }
    }

    /// Sizes of the mechanism.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The pruned tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Where a block stands among the kernel's outputs; empty if it was not asked for.
    pub fn range(&self, output: Output) -> Range<usize> {
        self.ranges[output as usize].clone()
    }

    /// Buffers for [`Kernel::evaluate`].
    pub fn values<T: Real>(&self) -> Values<T> {
        let outputs = vec![T::from_f64(0.0); self.tape.outputs()];
        Values { outputs, scratch: Scratch::new() }
    }

    /// Evaluates all outputs at the inputs (t, q, v, parameters). Does not allocate.
    pub fn evaluate<T: Real>(&self, inputs: &[T], values: &mut Values<T>) {
        self.tape.eval(inputs, &mut values.outputs, &mut values.scratch);
    }

    /// One block of evaluated outputs; empty if it was not asked for.
    pub fn block<'v, T>(&self, values: &'v Values<T>, output: Output) -> &'v [T] {
        &values.outputs[self.range(output)]
    }
}
