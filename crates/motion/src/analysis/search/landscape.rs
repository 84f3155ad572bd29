//! What a search climbs: φ ≥ 0 over the points of a box at which equations vanish, with enclosures of both and of their
//! derivatives.

use crate::model::{Kernel, Output, Values};
use crate::num::Interval;

/// φ and the equations h = 0 of a search.
pub(super) trait Landscape {
    /// Number of equations.
    fn equations(&self) -> usize;

    /// Evaluates over a box; the other functions then speak of that box.
    fn enclose(&mut self, sides: &[Interval]);

    /// φ over the box.
    fn height(&self) -> Interval;

    /// hᵢ over the box.
    fn equation(&self, i: usize) -> Interval;

    /// Derivatives of w₀φ + Σ wᵢ hᵢ over the box, valid for the mean value theorem; weights of φ and the equations.
    fn slopes(&mut self, weights: &[f64]) -> Vec<Interval>;

    /// Whether a point is one of the mechanism.
    fn admits(&self, x: &[f64]) -> bool;
}

/// Whether M is finite and positive definite and the constraints are independent; `values` are then the kernel's there.
pub(super) fn regular(kernel: &Kernel, inputs: &[f64], values: &mut Values<f64>) -> bool {
    kernel.solve(inputs, values).is_ok()
        && kernel.block(values, Output::MassMatrix).iter().all(|x| x.is_finite())
}
