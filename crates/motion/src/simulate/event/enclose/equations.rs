//! The equations of motion in numbers that enclose: [[M, Jᵀ], [J, 0]] (v̇, −ν) = (−h, −j) without contact forces.

use super::number::Enclosing;
use crate::num::dense::packed_place;

/// Their blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equations<'f, T> {
    pub(super) coordinates: usize,
    /// M, packed.
    pub(super) mass: &'f [T],
    /// h.
    pub(super) bias: &'f [T],
    /// J, by rows.
    pub(super) constraints: &'f [T],
    /// j.
    pub(super) drift: &'f [T],
}

impl<T: Enclosing> Equations<'_, T> {
    /// An entry of the matrix.
    #[inline]
    pub(super) fn inertia(&self, i: usize, j: usize) -> T {
        let n = self.coordinates;
        match (i.min(j), i.max(j)) {
            (i, j) if j < n => self.mass[packed_place(i, j)],
            (i, j) if i < n => self.constraints[(j - n) * n + i],
            _ => T::from_f64(0.0),
        }
    }

    /// The right-hand side.
    #[inline]
    pub(super) fn pull(&self, i: usize) -> T {
        let n = self.coordinates;
        if i < n { -self.bias[i] } else { -self.drift[i - n] }
    }

    /// What has to act along a coordinate for accelerations: a row of M v̇ + h.
    #[inline]
    pub(super) fn needed(&self, i: usize, vdot: &[T]) -> T {
        let rows = vdot.iter().enumerate();
        rows.fold(self.bias[i], |sum, (j, &own)| sum + self.mass[packed_place(i, j)].times(own))
    }
}
