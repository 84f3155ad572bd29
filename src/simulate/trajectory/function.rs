//! Functions of the rows of a trajectory, such as stop expressions.

use crate::num::{Ball, Dual, Strip};

/// A function of a row: t, coordinates, velocities, then what the columns name.
pub trait OfRow: Sync {
    /// Its value.
    fn at(&self, row: &[f64]) -> f64;

    /// All its values over rows between bounds, with its rate where the numbers of the row move at theirs; none if they cannot be enclosed, or
    /// there are fewer numbers than it reads.
    fn moving(&self, _row: &[Dual<Ball>]) -> Option<Dual<Ball>> {
        None
    }

    /// The same along curves.
    fn along(&self, _row: &[Strip]) -> Option<Strip> {
        None
    }
}

/// Whatever can only be evaluated.
impl<F: Fn(&[f64]) -> f64 + Sync> OfRow for F {
    fn at(&self, row: &[f64]) -> f64 {
        self(row)
    }
}

/// A function of a row of a trajectory.
pub type RowFunction<'f> = &'f dyn OfRow;
