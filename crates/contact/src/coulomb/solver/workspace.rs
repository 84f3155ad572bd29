//! The memory that the solvers leave behind for the next call: vectors, and the factors with their symbolic analysis. Nothing in it
//! changes an answer.

use super::Monitor;
use super::accelerated::SweepState;
use super::checkpoint::Checkpoints;
use super::gauss_seidel::Sweeper;
use super::multipliers::Memory;
use super::newton::Newton;
use super::slabs::Slabs;

/// The memory of all solvers; an empty one is as good as a used one, and slower once.
#[derive(Debug, Default)]
pub struct Workspace {
    plane: Option<Box<Buffers<2, 4>>>,
    space: Option<Box<Buffers<3, 9>>>,
    /// Of sweeps with momentum.
    pub(crate) trail: SweepState,
    /// Of the other methods that go on where they were interrupted.
    pub(crate) checkpoints: Checkpoints,
}

impl Clone for Workspace {
    /// An empty one, which is as good.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Workspace {
    /// The memory for planar contacts.
    pub(crate) fn plane(&mut self) -> &mut Buffers<2, 4> {
        self.plane.get_or_insert_default()
    }

    /// The memory for contacts in space.
    pub(crate) fn space(&mut self) -> &mut Buffers<3, 9> {
        self.space.get_or_insert_default()
    }

    /// Forgets what the methods have come to, so that the next calls begin where they are told.
    pub(crate) fn forget_ways(&mut self) {
        self.trail.forget();
        self.checkpoints.forget();
    }

    /// Forgets the orders of elimination; dense systems have none.
    pub(crate) fn forget_orders(&mut self) {
        self.plane.iter_mut().for_each(|buffers| buffers.forget_orders());
        self.space.iter_mut().for_each(|buffers| buffers.forget_orders());
    }
}

/// The memory for contacts with D rows.
#[derive(Debug, Default)]
pub(crate) struct Buffers<const D: usize, const DD: usize> {
    pub(crate) monitor: Monitor,
    pub(crate) sweeper: Sweeper<D, DD>,
    /// Much, and needed only where a few sweeps do not suffice.
    pub(crate) newton: Option<Box<Newton<D, DD>>>,
    pub(crate) multipliers: Option<Box<Memory<D>>>,
    pub(crate) slabs: Option<Box<Slabs<D, DD>>>,
    /// The force at which a step begins.
    pub(crate) center: Vec<f64>,
    /// The velocities of a force that is tried.
    pub(crate) velocity: Vec<f64>,
}

impl<const D: usize, const DD: usize> Buffers<D, DD> {
    fn forget_orders(&mut self) {
        if self.newton.as_ref().is_some_and(|newton| !newton.linear.is_dense()) {
            self.newton = None;
        }
    }
}

/// A vector of another one's size and content, in the memory that it has.
pub(crate) fn assign(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}

/// A vector of n zeros in the memory that it has.
pub(crate) fn zeros(to: &mut Vec<f64>, n: usize) {
    to.clear();
    to.resize(n, 0.0);
}
