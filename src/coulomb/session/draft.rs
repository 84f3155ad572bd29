//! The next problem of a session while its numbers are written.

use crate::coulomb::problem::Global;

/// The numbers of a global problem that nobody has checked yet, in the memory of a session. It holds some earlier problem of the
/// session; every field that differs is to be written.
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
