//! Where methods are that go on where they were interrupted, so that a plan can let them work in turn.

use super::newton::History;
use super::workspace::Buffers;
use super::{Options, Task, Workspace, assign};

/// A method that is written once for the D rows of a contact in the plane and in space, and can go on where it was interrupted.
pub(crate) trait Resumable {
    /// Its own checkpoint.
    fn checkpoint(checkpoints: &mut Checkpoints) -> &mut Checkpoint;

    /// As [`Solver::solve`](super::Solver::solve), from the checkpoint if there is one.
    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        place: (&mut Buffers<D, DD>, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize;

    /// The same for the rows that the contacts have.
    fn run_by_rows(
        &self,
        task: &Task<'_>,
        options: &Options,
        (workspace, checkpoint): (&mut Workspace, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        match task.local.W.block_size() {
            2 => self.run(task, options, (workspace.plane(), checkpoint), r),
            _ => self.run(task, options, (workspace.space(), checkpoint), r),
        }
    }

    /// The same, with what the workspace knows of calls before.
    fn along(
        &self,
        task: &Task<'_>,
        options: &Options,
        place: (&mut Workspace, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        self.run_by_rows(task, options, place, r)
    }

    /// A call that nothing goes on from.
    fn once(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        let mut checkpoint = std::mem::take(&mut workspace.checkpoints.once);
        checkpoint.forget();
        let used = self.along(task, options, (workspace, &mut checkpoint), r);
        workspace.checkpoints.once = checkpoint;
        used
    }

    /// The same after another call on this problem: from where that one was interrupted.
    fn go_on(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        let mut checkpoint = std::mem::take(Self::checkpoint(&mut workspace.checkpoints));
        let used = self.along(task, options, (workspace, &mut checkpoint), r);
        *Self::checkpoint(&mut workspace.checkpoints) = checkpoint;
        used
    }
}

/// The ways of all of them but sweeps with momentum, which have their [trail](super::accelerated::Trail).
#[derive(Debug, Default)]
pub(crate) struct Checkpoints {
    pub(super) smoothed: Checkpoint,
    pub(super) fischer_burmeister: Checkpoint,
    pub(super) multipliers: Checkpoint,
    /// Of a call that nothing goes on from: its memory is kept.
    once: Checkpoint,
}

impl Checkpoints {
    /// None has begun.
    pub(crate) fn forget(&mut self) {
        self.smoothed.forget();
        self.fischer_burmeister.forget();
        self.multipliers.forget();
    }
}

/// One that has not begun, or was interrupted at a force, which need not be its best.
#[derive(Debug, Default)]
pub(crate) struct Checkpoint {
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

impl Checkpoint {
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
