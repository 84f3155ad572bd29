//! Where methods are that go on where they were interrupted, so that a plan can let them work in turn.

use super::assign;
use super::newton::History;

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
    /// A way that has not begun, for a call that nothing goes on from; to be given back.
    pub(super) fn lend(&mut self) -> Way {
        let mut way = std::mem::take(&mut self.once);
        way.forget();
        way
    }

    pub(super) fn take_back(&mut self, way: Way) {
        self.once = way;
    }

    /// None has begun.
    pub(crate) fn forget(&mut self) {
        self.smoothed.forget();
        self.fischer_burmeister.forget();
        self.multipliers.forget();
    }
}

/// One that has not begun, or was interrupted at a force, which need not be its best.
#[derive(Debug, Default)]
pub(super) struct Way {
    force: Vec<f64>,
    /// The residual of its best force.
    pub(super) residual: f64,
    /// Its smoothing, how regular its matrix is made, and its last merits.
    pub(super) epsilon: f64,
    pub(super) shift: f64,
    pub(super) history: History,
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

    /// Makes `r` the force where it was interrupted; false, and nothing done, if it has not begun.
    pub(super) fn enter(&self, r: &mut [f64]) -> bool {
        if self.is_begun() {
            r.copy_from_slice(&self.force);
        }
        self.is_begun()
    }

    /// Is interrupted at `r`.
    pub(super) fn leave(&mut self, r: &[f64]) {
        assign(&mut self.force, r);
    }
}
