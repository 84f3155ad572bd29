//! What a search climbs: φ ≥ 0 over the points of a box at which equations vanish, with enclosures of both and of their
//! derivatives.

use crate::model::{Dynamics, Kernel, Output};
use crate::num::Interval;
use crate::tape::Enclosure;

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

/// The landscape of a derived mechanism, with a check that M is positive definite at points that are reported.
pub(super) struct TapeLandscape<'m> {
    /// Output 0 is φ, the others the equations.
    pub(super) enclosure: Enclosure,
    pub(super) equations: usize,
    pub(super) kernel: &'m Kernel,
    /// All tape inputs, and the places of the variables among them.
    pub(super) inputs: &'m [f64],
    pub(super) slots: &'m [usize],
    /// Output numbers of the equations that are kept.
    pub(super) kept: &'m [usize],
}

impl TapeLandscape<'_> {
    /// All inputs with the variables in their places.
    pub(super) fn inputs_at(&self, x: &[f64]) -> Vec<f64> {
        let mut inputs = self.inputs.to_vec();
        for (&slot, &x) in self.slots.iter().zip(x) {
            inputs[slot] = x;
        }
        inputs
    }
}

impl Landscape for TapeLandscape<'_> {
    fn equations(&self) -> usize {
        self.equations
    }

    fn enclose(&mut self, sides: &[Interval]) {
        self.enclosure.enclose(sides);
    }

    fn height(&self) -> Interval {
        self.enclosure.output(0)
    }

    fn equation(&self, i: usize) -> Interval {
        self.enclosure.output(self.kept[i])
    }

    fn slopes(&mut self, weights: &[f64]) -> Vec<Interval> {
        let places = std::iter::once(0).chain(self.kept.iter().copied());
        let weights: Vec<(usize, f64)> = places.zip(weights.iter().copied()).filter(|w| w.1 != 0.0).collect();
        self.enclosure.gradient(&weights)
    }

    fn admits(&self, x: &[f64]) -> bool {
        regular(self.kernel, &self.inputs_at(x))
    }
}

/// Whether M is positive definite and the constraints are independent.
pub(super) fn regular(kernel: &Kernel, inputs: &[f64]) -> bool {
    let mut values = kernel.values();
    kernel.evaluate(inputs, &mut values);
    kernel.block(&values, Output::MassMatrix).iter().all(|x| x.is_finite())
        && Dynamics::new(kernel.layout()).update(kernel, &values).is_ok()
}
