//! The next problem of a session while its numbers are written.

use crate::coulomb::problem::{Form, Global, Problem};

/// The numbers of a global problem that nobody has checked yet, in the memory of a session. At first they are those of the present
/// problem, so that only what changes is to be written.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// 2 in the plane, 3 in space: rows per contact.
    pub dim: usize,
    /// What identifies the contacts from one problem to the next; none if their places do.
    pub keys: Vec<u64>,
    /// Friction coefficients.
    pub mu: Vec<f64>,
    /// M, Hᵀ, f and w.
    pub global: Global,
}

impl Draft {
    /// Becomes the present problem, as far as it is global.
    pub(super) fn present(&mut self, problem: &Problem, keys: &[u64]) {
        self.dim = problem.dim();
        self.keys.clear();
        self.keys.extend_from_slice(keys);
        self.mu.clear();
        self.mu.extend_from_slice(problem.mu());
        if let Form::Global(global) = problem.form() {
            self.global.assign(global);
        }
    }
}
