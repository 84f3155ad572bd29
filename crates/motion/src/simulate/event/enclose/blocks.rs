//! What is read of a model over many states at once: its blocks, with forces and without.

use super::equations::Equations;
use super::solve::Solved;
use crate::model::{Block, Kernel, Layout, Model, Output, Values};
use std::sync::{Arc, OnceLock};

/// What is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Gaps and their derivatives: a body in flight has many of them.
    Gaps,
    /// All that watches read of positions and velocities.
    Motion,
    /// The same, and what forces are made of.
    Forces,
}

/// The blocks of gaps.
const GAPS: [Block; 4] = [
    Block::Model(Output::Gap),
    Block::Model(Output::NormalJacobian),
    Block::Model(Output::NormalDrift),
    Block::GapVelocity,
];

/// The blocks of watches that read positions and velocities alone.
const MOTION: [Block; 6] = [
    Block::Model(Output::Gap),
    Block::Model(Output::NormalDrift),
    Block::Model(Output::TangentDrift),
    Block::GapVelocity,
    Block::Slip,
    Block::ContactJacobian,
];

/// What is read besides where forces are: the equations of motion.
const EQUATIONS: [Block; 4] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Bias),
    Block::Model(Output::ConstraintJacobian),
    Block::Model(Output::ConstraintDrift),
];

/// Kernels of what is enclosed, for each that may be read; made when they are asked for.
#[derive(Debug)]
pub(super) struct FieldKernels {
    model: Arc<Model>,
    made: [OnceLock<Kernel>; 3],
}

impl FieldKernels {
    /// Of a model.
    pub(super) fn new(model: Arc<Model>) -> Self {
        Self { model, made: [const { OnceLock::new() }; 3] }
    }

    #[inline]
    fn get(&self, reads: Reads) -> &Kernel {
        self.made[reads as usize].get_or_init(|| {
            let blocks = match reads {
                Reads::Gaps => GAPS.to_vec(),
                Reads::Motion => MOTION.to_vec(),
                Reads::Forces => [&MOTION[..], &EQUATIONS].concat(),
            };
            Kernel::new(&self.model, &blocks)
        })
    }
}

/// A force of unknown size, and the contact row that it presses on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown<T> {
    pub(super) row: usize,
    /// Of a contact that slips: its first row, and the direction.
    pub(super) along: Option<(usize, [T; 3])>,
}

/// The blocks over the states that were evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    kernels: Arc<FieldKernels>,
    parameters: Vec<f64>,
    layout: Layout,
    /// Of each kernel.
    values: [Option<Values<T>>; 3],
    /// What was evaluated last.
    reads: Reads,
}

impl<T: Solved> Blocks<T> {
    /// None that are evaluated yet.
    pub(super) fn new(kernels: &Arc<FieldKernels>, parameters: &[f64]) -> Self {
        let (layout, parameters) = (*kernels.model.layout(), parameters.to_vec());
        let kernels = Arc::clone(kernels);
        Self { kernels, parameters, layout, values: [None, None, None], reads: Reads::Gaps }
    }

    /// The same memory for other parameters.
    pub(super) fn begin(&mut self, parameters: &[f64]) {
        self.parameters.copy_from_slice(parameters);
        for reads in [Reads::Gaps, Reads::Motion, Reads::Forces] {
            let values = self.values[reads as usize].as_mut();
            values.into_iter().for_each(|values| self.kernels.get(reads).set_parameters(parameters, values));
        }
    }

    /// Whether they are read of these kernels.
    pub(super) fn are_of(&self, kernels: &Arc<FieldKernels>) -> bool {
        Arc::ptr_eq(&self.kernels, kernels)
    }

    /// Evaluates states.
    pub(super) fn evaluate(&mut self, states: &[T], reads: Reads) {
        let Self { kernels, parameters, values, .. } = self;
        self.reads = reads;
        let kernel = kernels.get(reads);
        let values = values[reads as usize].get_or_insert_with(|| {
            let mut values = kernel.values();
            kernel.set_parameters(parameters, &mut values);
            values
        });
        let read = kernel.solve_at_point(states[0], &states[1..], values);
        debug_assert!(read.is_ok(), "these blocks solve nothing");
    }

    #[inline]
    pub(super) fn equations(&self) -> Equations<'_, T> {
        Equations {
            coordinates: self.layout().coordinates,
            mass: self.block(Output::MassMatrix),
            bias: self.block(Output::Bias),
            constraints: self.block(Output::ConstraintJacobian),
            drift: self.block(Output::ConstraintDrift),
        }
    }

    /// What a force does along the coordinates, per unit of its size.
    pub(super) fn drive(&self, unknown: &Unknown<T>, drives: &mut Vec<T>) {
        let Some((first, force)) = unknown.along else {
            return drives.extend_from_slice(self.jacobian(unknown.row));
        };
        let begin = drives.len();
        drives.resize(begin + self.layout().coordinates, T::from_f64(0.0));
        let (d, n) = (self.layout().tangents, self.layout().coordinates);
        let rows = self.block(Block::ContactJacobian)[first * n..].chunks_exact(n);
        for (part, row) in force.into_iter().zip(rows).take(1 + d) {
            drives[begin..].iter_mut().zip(row).for_each(|(sum, &w)| *sum = *sum + part.times(w));
        }
    }

    /// A contact row of W; where gaps alone are read, a normal one.
    pub(super) fn jacobian(&self, row: usize) -> &[T] {
        let Layout { coordinates: n, tangents: d, .. } = self.layout;
        let (rows, row) = match self.reads {
            Reads::Gaps => (self.block(Output::NormalJacobian), row / (1 + d)),
            Reads::Motion | Reads::Forces => (self.block(Block::ContactJacobian), row),
        };
        &rows[row * n..(row + 1) * n]
    }

    /// What the acceleration of a contact row is without v̇.
    pub(super) fn drift(&self, row: usize) -> T {
        let d = self.layout().tangents;
        match (row / (1 + d), row % (1 + d)) {
            (contact, 0) => self.block(Output::NormalDrift)[contact],
            (contact, k) => self.block(Output::TangentDrift)[contact * d + k - 1],
        }
    }

    #[inline]
    pub(super) fn block(&self, block: impl Into<Block>) -> &[T] {
        let values = self.values[self.reads as usize].as_ref();
        values.map_or(&[], |values| self.kernels.get(self.reads).block(values, block))
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }
}
