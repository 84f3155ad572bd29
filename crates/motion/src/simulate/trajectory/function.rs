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

/// The value that a stop expression had last. Nothing is known of the terms that it is made of: it has fallen to zero where it was
/// above and is not, to the last bit, and what it was at other times does not matter.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Stopping(f64);

impl Default for Stopping {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

impl Stopping {
    /// Takes the next value; whether it has fallen to zero since the last.
    pub(in crate::simulate) fn falls_to(&mut self, value: f64) -> bool {
        let falls = Self::falls(self.0, value);
        self.0 = value;
        falls
    }

    /// Whether it falls to zero between two values.
    pub(in crate::simulate) fn falls(before: f64, after: f64) -> bool {
        before > 0.0 && after <= 0.0
    }
}
