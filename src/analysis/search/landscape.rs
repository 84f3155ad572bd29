//! What a search climbs: φ ≥ 0 over the points of a box at which equations vanish, with enclosures of both and of their
//! derivatives.

use crate::model::{Dynamics, Kernel, Output};
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

/// Whether M is positive definite and the constraints are independent.
pub(super) fn regular(kernel: &Kernel, inputs: &[f64]) -> bool {
    let mut values = kernel.values();
    kernel.evaluate(inputs, &mut values);
    kernel.block(&values, Output::MassMatrix).iter().all(|x| x.is_finite())
        && Dynamics::new(kernel.layout()).update(kernel, &values).is_ok()
}
