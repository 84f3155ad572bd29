//! The numbers of contacts as values of one tape, for statements over sets of states: whoever states something asks for what it
//! speaks of, goes on with the builder, and finishes the tape.

use super::equations::{Equations, Half, Solved};
use super::pivots::Pivots;
use crate::model::{Layout, Model, Output};
use crate::tape::{Builder, Tape, Value};

/// A model's numbers, to be combined: for statements over sets of states.
pub struct Quantities {
    equations: Equations,
    solved: Solved,
}

impl Quantities {
    /// Of a model, with contacts on rails: held closed from both sides without friction, their forces follow as those of constraints. The
    /// inputs of the tape are the model's.
    pub fn new(model: &Model, rails: &[usize]) -> Self {
        let mut equations = Equations::on_rails(model, rails);
        let solved = equations.solve(&mut Pivots::default());
        Quantities { equations, solved }
    }

    /// Sizes and the order of the inputs.
    pub fn layout(&self) -> Layout {
        self.equations.layout
    }

    /// To combine them.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.equations.builder
    }

    /// The inputs, in order.
    pub fn inputs(&mut self) -> Vec<Value> {
        let count = self.equations.layout.inputs();
        (0..count).map(|i| self.equations.builder.input(i)).collect()
    }

    /// A block of the model.
    pub fn output(&self, output: Output) -> Vec<Value> {
        self.equations.output(output)
    }

    /// Rows of the constraints, and of contacts on rails.
    pub fn constraint_rows(&self) -> Vec<Vec<Value>> {
        self.equations.constraint_rows()
    }

    /// A block that follows from the model without a solution: rates of gaps, slips, rates of constraints.
    pub fn rates(&mut self, block: super::Block) -> Vec<Value> {
        self.equations.unsolved(block).unwrap_or_default()
    }

    /// Entry of W M⁻¹ Wᵀ, with the constraints and rails eliminated; rows are N, T (N, T1, T2) of each contact in turn.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn mobility(&mut self, row: usize, column: usize) -> Value {
        let (row, column) = (row.max(column), row.min(column));
        let [y, z]: [&Half; 2] = [&self.solved.rows[row], &self.solved.rows[column]];
        self.equations.product(&self.solved.factors, y, z)
    }

    /// Accelerations of the contacts without contact forces, N, T (N, T1, T2) of each in turn   [CV16 (8), (9)].
    pub fn free_accelerations(&mut self) -> Vec<Value> {
        self.equations.free_contact_acceleration(&self.solved)
    }

    /// The tape of what was asked for.
    pub fn finish(self, outputs: &[Value]) -> Tape {
        self.equations.builder.finish(outputs)
    }
}
