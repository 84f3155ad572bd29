//! The verdict about one contact of a derived mechanism and nothing else: for maps and events, at many states.
//!
//! What [`planar_analysis`](super::planar_analysis) says, against the same scales; the sizes of the terms come from the
//! kernel's own tape, where every input counts as a single term.

use super::analysis::PlanarError;
use super::jam::Point;
use super::situation::{Kinematics, Situation};
use super::sketch::{Sketch, sketch_kernel};
use crate::contact::{Friction, Planar};
use crate::model::{Kernel, Model, Values};
use crate::num::Tol;
use crate::predict::Signs;
use crate::predict::Verdict;

/// The verdict about a unilateral contact from its numbers; none for a penetrating state.
pub fn verdict(planar: &Planar, friction: Friction, kinematics: &Kinematics, tol: &Tol) -> Option<Verdict> {
    match Situation::of(kinematics, tol) {
        Situation::Apart | Situation::Separating | Situation::Approaching => Some(Verdict::Consistent),
        Situation::Penetrating => None,
        Situation::Resting(column) => Some(Signs::of(planar, friction, tol).verdict(column)),
    }
}

/// Verdicts about one contact of a derived planar mechanism.
#[derive(Clone, Debug)]
pub struct Verdicts {
    kernel: Kernel,
    contact: usize,
}

impl Verdicts {
    /// About a contact, which is taken as unilateral.
    pub fn new(model: &Model, contact: usize) -> Self {
        Self { kernel: sketch_kernel(model, &[]), contact }
    }

    /// The same as machine code.
    #[must_use]
    pub fn compiled(self) -> Self {
        Self { kernel: self.kernel.compiled(), ..self }
    }

    /// Memory of [`Verdicts::at`] at these parameters.
    ///
    /// # Panics
    /// If there is another number of them than the model's.
    pub fn values(&self, parameters: &[f64]) -> Values<f64> {
        let mut values = self.kernel.values();
        self.kernel.set_parameters(parameters, &mut values);
        values
    }

    /// The verdict at a state; `length` is the mechanism's own, or 0. Does not allocate.
    ///
    /// # Errors
    /// [`PlanarError`] if M cannot be factored or the contact point cannot move in every direction.
    ///
    /// # Panics
    /// If the state has another number of coordinates than the model, or the model no such contact.
    pub fn at(
        &self,
        friction: Friction,
        point: Point<'_>,
        length: f64,
        tol: &Tol,
        values: &mut Values<f64>,
    ) -> Result<Option<Verdict>, PlanarError> {
        self.kernel.solve_at(point.t, point.q, point.v, values)?;
        let sketch = Sketch { kernel: &self.kernel, values, length };
        let planar = sketch.planar(self.contact)?;
        Ok(verdict(&planar, friction, &sketch.kinematics(self.contact), tol))
    }
}
