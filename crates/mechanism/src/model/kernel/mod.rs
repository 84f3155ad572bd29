//! The part of the equations of motion that one question needs, as one tape: interpreted over any number type, or as
//! machine code over `f64`, the same bits either way. All memory is the caller's: evaluation allocates nothing.

mod batch;
mod block;
mod configuration;
mod equations;
mod pivots;
mod quantities;
mod values;

pub use batch::{KernelBatch, KernelColumns};
pub use block::Block;
pub use configuration::ContactConfiguration;
pub use pivots::Singular;
pub use quantities::Quantities;
pub use values::Values;

use super::{Layout, Model};
use crate::num::Real;
use crate::num::dense::packed_place;
use crate::tape::{Compilation, Compiled, Tape, Value};
use block::Places;
use equations::Equations;
use pivots::Pivots;
use std::ops::Range;

/// A function of a state: from t, q, v and the parameters to the blocks that were asked for.
#[derive(Clone, Debug)]
pub struct Kernel {
    layout: Layout,
    places: Places,
    /// Places of the blocks' sizes.
    sizes: Places,
    pivots: Pivots,
    tape: Tape,
    code: Compilation,
}

impl Kernel {
    /// The kernel of some blocks of a model.
    pub fn new(model: &Model, wanted: &[Block]) -> Self {
        Self::with_sizes(model, wanted, &[])
    }

    /// The same with the sizes of what some of these blocks are made of, as [`Magnitude`](crate::num::Magnitude)s have
    /// them whose inputs are single terms.
    pub fn with_sizes(model: &Model, wanted: &[Block], sized: &[Block]) -> Self {
        Self::with_sizes_given(model, wanted, sized, &[])
    }

    /// The same where the sizes of some inputs, ascending, are given: they follow the parameters among the inputs, in this order.
    pub fn with_sizes_given(model: &Model, wanted: &[Block], sized: &[Block], given: &[usize]) -> Self {
        let mut equations = Equations::with_more_inputs(model, given.len());
        let mut pivots = Pivots::default();
        let mut outputs = blocks(&mut equations, wanted, &mut pivots);
        let places = Places::new(&equations.layout, wanted, 0);
        let sizes = Places::new(&equations.layout, sized, outputs.len());
        let of: Vec<usize> = Block::all()
            .into_iter()
            .filter(|block| sized.contains(block))
            .flat_map(|block| places.of(block))
            .collect();
        let terms: Vec<Value> = of.into_iter().map(|place| outputs[place]).collect();
        let known: Vec<(Value, Value)> = given
            .iter()
            .zip(equations.layout.inputs()..)
            .map(|(&input, size)| (equations.builder.input(input), equations.builder.input(size)))
            .collect();
        outputs.extend(equations.builder.sizes_given(&terms, &known));
        pivots.place(&equations.builder, &mut outputs);
        Kernel {
            layout: equations.layout,
            places,
            sizes,
            pivots,
            tape: equations.builder.finish(&outputs),
            code: Compilation::None,
        }
    }

    /// The same as machine code where there is any for this machine: numbers other than `f64` stay interpreted.
    #[must_use]
    pub fn compiled(self) -> Self {
        Self { code: Compilation::made(&self.tape), ..self }
    }

    /// The same where the machine code is made beside the first evaluations.
    #[must_use]
    pub fn compiled_beside(self) -> Self {
        Self { code: Compilation::coming(&self.tape), ..self }
    }

    /// The same with another [`Tol::singular`](crate::num::Tol).
    #[must_use]
    pub fn with_tolerance(mut self, singular: f64) -> Self {
        self.pivots.set_tolerance(singular);
        self
    }

    /// Whether all of it is machine code.
    pub fn is_native(&self) -> bool {
        self.code.ready().is_some_and(Compiled::is_native)
    }

    /// Sizes of the mechanism.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The tape: blocks first, then sizes, then the pivots that decide whether M is positive definite.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Where a block stands among the outputs; empty if it was not asked for.
    #[inline]
    pub fn range(&self, block: impl Into<Block>) -> Range<usize> {
        self.places.of(block.into())
    }

    /// Numbers and working memory of [`Kernel::evaluate`]; parameters are 0.
    pub fn values<T: Real>(&self) -> Values<T> {
        let mut values = Values::default();
        self.fit(&mut values);
        if let Some(code) = self.code.ready() {
            values.code = code.scratch();
            values.is_native = true;
        }
        values
    }

    /// Gives memory that was made for another kernel, or none, the right lengths.
    #[cold]
    fn fit<T: Real>(&self, values: &mut Values<T>) {
        let zero = T::from_f64(0.0);
        values.inputs.resize(self.tape.inputs(), zero);
        values.outputs.resize(self.tape.outputs(), zero);
        self.tape.fit(&mut values.scratch);
    }

    /// Where the inputs of the next evaluation are to stand: t, q, v, parameters.
    #[inline]
    fn inputs<'v, T: Real>(&self, values: &'v mut Values<T>) -> &'v mut [T] {
        if values.outputs.len() != self.tape.outputs() || values.inputs.len() != self.tape.inputs() {
            self.fit(values);
        }
        let code = self.code.ready();
        if values.is_native != code.is_some() {
            Self::adopt(code, values);
        }
        let machine = code.map(|code| code.inputs_mut(&mut values.code));
        match machine.and_then(T::of_plain_mut) {
            Some(inputs) => inputs,
            None => &mut values.inputs,
        }
    }

    /// Goes on with machine code that is ready by now, or without any, at the inputs that stand in the memory.
    #[cold]
    fn adopt<T: Real>(code: Option<&Compiled>, values: &mut Values<T>) {
        values.is_native = code.is_some();
        let Some(code) = code else { return };
        if let Some(inputs) = T::of_plain_mut(code.inputs_mut(&mut values.code)) {
            inputs.copy_from_slice(&values.inputs);
        }
    }

    /// The machine code in whose memory the inputs stand.
    #[inline]
    fn machine<T>(&self, values: &Values<T>) -> Option<&Compiled> {
        self.code.ready().filter(|_| values.is_native)
    }

    /// The blocks at the inputs that stand in the memory.
    #[inline]
    fn run<T: Real>(&self, values: &mut Values<T>) {
        match (self.machine(values), T::plain_mut(&mut values.outputs)) {
            (Some(code), Some(outputs)) => code.eval_in_place(outputs, &mut values.code),
            _ => self.tape.eval(&values.inputs, &mut values.outputs, &mut values.scratch),
        }
    }

    /// The blocks at the inputs (t, q, v, parameters); those that are not the model's have a meaning where
    /// [`Kernel::check`] agrees. Allocates only if `values` are another kernel's.
    ///
    /// # Panics
    /// If the inputs have another length than the model's.
    #[inline]
    pub fn evaluate<T: Real>(&self, inputs: &[T], values: &mut Values<T>) {
        self.inputs(values).copy_from_slice(inputs);
        self.run(values);
    }

    /// Whether the equations of motion could be solved for the numbers evaluated last.
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite or the constraints are dependent.
    #[inline]
    pub fn check<T: Real>(&self, values: &Values<T>) -> Result<(), Singular> {
        self.pivots.check(|place| values.outputs[place].value())
    }

    /// Each bilateral constraint with what the ones before it leave of its diagonal entry of J M⁻¹Jᵀ, and that entry, for the numbers
    /// evaluated last; but those of which this is the same everywhere.
    #[inline]
    pub fn constraints_left(&self, values: &Values<f64>) -> impl Iterator<Item = (usize, f64, f64)> {
        self.pivots.of_constraints(|place| values.outputs[place])
    }

    /// [`Kernel::evaluate`] and [`Kernel::check`].
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite or the constraints are dependent.
    ///
    /// # Panics
    /// If the inputs have another length than the model's.
    #[inline]
    pub fn solve<T: Real>(&self, inputs: &[T], values: &mut Values<T>) -> Result<(), Singular> {
        self.evaluate(inputs, values);
        self.check(values)
    }

    /// The same at a state, with the parameters of the evaluation before or of [`Kernel::set_parameters`].
    ///
    /// # Errors
    /// As [`Kernel::solve`].
    ///
    /// # Panics
    /// If `q` or `v` has another length than the model's.
    #[inline]
    pub fn solve_at<T: Real>(&self, t: T, q: &[T], v: &[T], values: &mut Values<T>) -> Result<(), Singular> {
        let n = self.layout.coordinates;
        assert!(q.len() == n && v.len() == n, "coordinates and velocities of the model");
        self.solve_placed(t, values, |to_q, to_v| {
            to_q.copy_from_slice(q);
            to_v.copy_from_slice(v);
        })
    }

    /// The same where `place` puts q and v.
    ///
    /// # Errors
    /// As [`Kernel::solve`].
    #[inline]
    pub fn solve_placed<T: Real>(
        &self,
        t: T,
        values: &mut Values<T>,
        place: impl FnOnce(&mut [T], &mut [T]),
    ) -> Result<(), Singular> {
        let n = self.layout.coordinates;
        let inputs = self.inputs(values);
        inputs[0] = t;
        let (q, v) = inputs[1..1 + 2 * n].split_at_mut(n);
        place(q, v);
        self.run(values);
        self.check(values)
    }

    /// The same at y = (q, v).
    ///
    /// # Errors
    /// As [`Kernel::solve`].
    ///
    /// # Panics
    /// If `y` has another length than the model's.
    #[inline]
    pub fn solve_at_point<T: Real>(&self, t: T, y: &[T], values: &mut Values<T>) -> Result<(), Singular> {
        assert_eq!(y.len(), 2 * self.layout.coordinates, "coordinates and velocities of the model");
        let inputs = self.inputs(values);
        inputs[0] = t;
        inputs[1..=y.len()].copy_from_slice(y);
        self.run(values);
        self.check(values)
    }

    /// (t, q, v) of the last evaluation.
    #[inline]
    pub fn state<'v>(&self, values: &'v Values<f64>) -> &'v [f64] {
        &self.given(values)[..=2 * self.layout.coordinates]
    }

    /// The same with the parameters.
    #[inline]
    pub fn given<'v>(&self, values: &'v Values<f64>) -> &'v [f64] {
        self.machine(values).map_or(&values.inputs[..], |code| code.inputs_in(&values.code))
    }

    /// The parameters of [`Kernel::solve_at`].
    ///
    /// # Panics
    /// If there is another number of them than the model's.
    #[inline]
    pub fn set_parameters<T: Real>(&self, parameters: &[f64], values: &mut Values<T>) {
        let n = self.layout.coordinates;
        let places = &mut self.inputs(values)[1 + 2 * n..self.layout.inputs()];
        assert_eq!(parameters.len(), places.len(), "parameters of the model");
        places.iter_mut().zip(parameters).for_each(|(place, &x)| *place = T::from_f64(x));
    }

    /// An evaluated block; empty if it was not asked for.
    #[inline]
    pub fn block<'v, T>(&self, values: &'v Values<T>, block: impl Into<Block>) -> &'v [T] {
        &values.outputs[self.places.of(block.into())]
    }

    /// All evaluated numbers; where a block stands among them says [`Kernel::range`].
    #[inline]
    pub fn numbers<'v, T>(&self, values: &'v Values<T>) -> &'v [T] {
        &values.outputs
    }

    /// The sizes of a block's numbers; empty if they were not asked for.
    #[inline]
    pub fn sizes<'v, T>(&self, values: &'v Values<T>, block: impl Into<Block>) -> &'v [T] {
        &values.outputs[self.sizes.of(block.into())]
    }

    /// Contact rows: m(1 + d).
    pub fn rows(&self) -> usize {
        self.layout.contacts * (1 + self.layout.tangents)
    }

    /// Entry of D at two contact rows.
    ///
    /// # Panics
    /// If there is no such row, or [`Block::Delassus`] was not asked for.
    #[inline]
    pub fn delassus<T: Copy>(&self, values: &Values<T>, i: usize, j: usize) -> T {
        self.block(values, Block::Delassus)[packed_place(i, j)]
    }

    /// v̇ under a contact force of each contact row: v̇₀ + M⁻¹Wᵀλ.
    ///
    /// # Panics
    /// If there is another number of forces or coordinates, or a block was not asked for that this needs
    /// ([`Block::FreeAcceleration`], [`Block::Response`]).
    pub fn acceleration_under<T: Real>(&self, values: &Values<T>, forces: &[T], vdot: &mut [T]) {
        assert_eq!(forces.len(), self.rows(), "contact forces");
        vdot.copy_from_slice(self.block(values, Block::FreeAcceleration));
        add_rows(self.block(values, Block::Response), forces, vdot);
    }

    /// The forces of the bilateral constraints under contact forces: ν₀ and their change.
    ///
    /// # Panics
    /// If there is another number of forces or constraints, or a block was not asked for that this needs
    /// ([`Block::FreeReaction`], [`Block::ReactionResponse`]).
    pub fn reactions_under<T: Real>(&self, values: &Values<T>, forces: &[T], reactions: &mut [T]) {
        assert_eq!(forces.len(), self.rows(), "contact forces");
        reactions.copy_from_slice(self.block(values, Block::FreeReaction));
        add_rows(self.block(values, Block::ReactionResponse), forces, reactions);
    }

    /// The same for many states at once, in which the inputs `uniform` do not change.
    pub fn batch(&self, uniform: &[usize]) -> KernelBatch {
        KernelBatch::new(self.places.clone(), self.pivots.clone(), &self.tape, uniform)
    }
}

/// sum += Σ weightᵢ rowᵢ.
fn add_rows<T: Real>(rows: &[T], weights: &[T], sum: &mut [T]) {
    for (row, &weight) in rows.chunks_exact(sum.len().max(1)).zip(weights) {
        sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum = *sum + weight * x);
    }
}

/// The wanted blocks one after the other; M is factored if one of them needs that.
fn blocks(equations: &mut Equations, wanted: &[Block], pivots: &mut Pivots) -> Vec<Value> {
    let mut solved = None;
    let mut outputs = Vec::new();
    for block in Block::all().into_iter().filter(|block| wanted.contains(block)) {
        let values = match equations.unsolved(block) {
            Some(values) => values,
            None => {
                let solved = solved.get_or_insert_with(|| equations.solve(pivots));
                equations.solved(solved, block)
            }
        };
        outputs.extend(values);
    }
    outputs
}

#[cfg(test)]
mod tests;
