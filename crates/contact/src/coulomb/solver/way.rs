//! Where methods are that go on where they were interrupted, so that a plan can let them work in turn.

use super::newton::History;
use super::workspace::Buffers;
use super::{Options, Task, Workspace, assign};

/// A method that is written once for the D rows of a contact in the plane and in space, and can go on where it was interrupted.
pub(crate) trait GoesOn {
    /// Its own way.
    fn way(ways: &mut Ways) -> &mut Way;

    /// As [`Solver::solve`](super::Solver::solve), from where the way is if it has begun.
    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        place: (&mut Buffers<D, DD>, &mut Way),
        r: &mut [f64],
    ) -> usize;

    /// The same for the rows that the contacts have.
    fn run_by_rows(
        &self,
        task: &Task<'_>,
        options: &Options,
        (workspace, way): (&mut Workspace, &mut Way),
        r: &mut [f64],
    ) -> usize {
        match task.local.W.block_size() {
            2 => self.run(task, options, (workspace.plane(), way), r),
            _ => self.run(task, options, (workspace.space(), way), r),
        }
    }

    /// The same, with what the workspace knows of calls before.
    fn along(
        &self,
        task: &Task<'_>,
        options: &Options,
        place: (&mut Workspace, &mut Way),
        r: &mut [f64],
    ) -> usize {
        self.run_by_rows(task, options, place, r)
    }

    /// A call that nothing goes on from.
    fn once(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        let mut way = std::mem::take(&mut workspace.ways.once);
        way.forget();
        let used = self.along(task, options, (workspace, &mut way), r);
        workspace.ways.once = way;
        used
    }

    /// The same after another call on this problem: from where that one was interrupted.
    fn go_on(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        let mut way = std::mem::take(Self::way(&mut workspace.ways));
        let used = self.along(task, options, (workspace, &mut way), r);
        *Self::way(&mut workspace.ways) = way;
        used
    }
}

/// The ways of all of them but sweeps with momentum, which have their [trail](super::accelerated::Trail).
#[derive(Debug, Default)]
pub(crate) struct Ways {
    pub(super) smoothed: Way,
    pub(super) fischer_burmeister: Way,
    pub(super) multipliers: Way,
    /// Of a call that nothing goes on from: its memory is kept.
    once: Way,
}

impl Ways {
    /// None has begun.
    pub(crate) fn forget(&mut self) {
        self.smoothed.forget();
        self.fischer_burmeister.forget();
        self.multipliers.forget();
    }
}

/// One that has not begun, or was interrupted at a force, which need not be its best.
#[derive(Debug, Default)]
pub(crate) struct Way {
    force: Vec<f64>,
    /// The residual of its best force.
    pub(super) residual: f64,
    /// Its smoothing, how regular its matrix is made, and its last merits.
    pub(super) epsilon: f64,
    pub(super) shift: f64,
    pub(super) history: History,
    /// ρ of the method of multipliers.
    pub(super) weight: f64,
}

impl Way {
    /// Has not begun; its memory stays.
    fn forget(&mut self) {
        let mut force = std::mem::take(&mut self.force);
        force.clear();
        *self = Self { force, ..Self::default() };
    }

    pub(super) fn is_begun(&self) -> bool {
        !self.force.is_empty()
    }

    /// Makes `r` the force where it was interrupted, if it has begun.
    pub(super) fn enter(&self, r: &mut [f64]) {
        if self.is_begun() {
            r.copy_from_slice(&self.force);
        }
    }

    /// Is interrupted at `r`.
    pub(super) fn leave(&mut self, r: &[f64]) {
        assign(&mut self.force, r);
    }
}
