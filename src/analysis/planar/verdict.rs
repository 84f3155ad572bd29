//! The verdict about one contact of a derived mechanism and nothing else: for maps and events, at many states.
//!
//! What [`planar_analysis`](super::planar_analysis) says, against the same scales; the sizes of the terms come from the
//! kernel's own tape, where every input counts as a single term.

use super::analysis::PlanarError;
use super::consistency::{Signs, Verdict};
use super::jam::Point;
use super::situation::{Kinematics, Situation};
use crate::analysis::local::ContactSizes;
use crate::contact::{Friction, Planar, Scaled};
use crate::model::{Block, Kernel, Model, Output, Values};
use crate::num::Tol;

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

/// Blocks whose sizes decide what counts as zero.
const SIZED: [Block; 4] =
    [Block::Model(Output::Gap), Block::GapVelocity, Block::Slip, Block::FreeContactAcceleration];

impl Verdicts {
    /// About a contact, which is taken as unilateral.
    pub fn new(model: &Model, contact: usize) -> Self {
        let wanted = [&SIZED[..], &[Block::Delassus]].concat();
        Self { kernel: Kernel::with_sizes(model, &wanted, &SIZED), contact }
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
        let sizes = self.sizes(values).of_length(length);
        let planar = self.planar(values, &sizes).validated()?;
        Ok(verdict(&planar, friction, &self.kinematics(values, &sizes), tol))
    }

    fn sizes(&self, values: &Values<f64>) -> ContactSizes {
        let size = |block: Block, i: usize| self.kernel.sizes(values, block)[i];
        let (i, row) = (self.contact, 2 * self.contact);
        ContactSizes {
            gap: size(Block::Model(Output::Gap), i),
            speed: size(Block::GapVelocity, i).max(size(Block::Slip, i)),
            slip_acceleration: size(Block::FreeContactAcceleration, row + 1),
            gap_acceleration: size(Block::FreeContactAcceleration, row),
        }
    }

    fn planar(&self, values: &Values<f64>, sizes: &ContactSizes) -> Planar {
        let row = 2 * self.contact;
        let mobility = |i: usize, j: usize| self.kernel.delassus(values, row + i, row + j);
        let free = self.kernel.block(values, Block::FreeContactAcceleration);
        Planar::new(mobility(1, 1), mobility(1, 0), mobility(0, 0), free[row + 1], free[row])
            .with_scales(sizes.slip_acceleration, sizes.gap_acceleration)
    }

    fn kinematics(&self, values: &Values<f64>, sizes: &ContactSizes) -> Kinematics {
        let scaled = |block: Block, scale: f64| Scaled {
            value: self.kernel.block(values, block)[self.contact],
            scale,
        };
        Kinematics {
            gap: scaled(Block::Model(Output::Gap), sizes.gap),
            u: scaled(Block::Slip, sizes.speed),
            v: scaled(Block::GapVelocity, sizes.speed),
        }
    }
}
