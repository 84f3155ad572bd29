//! The verdict about one contact of a derived mechanism and nothing else: for maps and events, at many states.
//!
//! What [`planar_analysis`](super::planar_analysis) says, against the same scales; the sizes of the terms come from the
//! kernel's own tape, where every input counts as a single term.

use super::analysis::PlanarError;
use super::consistency::{Signs, Verdict};
use super::jam::Point;
use super::situation::{Kinematics, Situation};
use crate::analysis::local::{ContactSizes, ContactView, LocalWork, PlanarModel};
use crate::contact::{Friction, Planar};
use crate::model::{Block, Kernel, Model, Output};
use crate::num::Tol;

/// The verdict about a unilateral contact from its numbers; none for a penetrating state.
pub fn verdict(planar: &Planar, friction: Friction, kinematics: &Kinematics, tol: &Tol) -> Option<Verdict> {
    match Situation::of(kinematics, tol) {
        Situation::Apart | Situation::Separating | Situation::Approaching => Some(Verdict::Consistent),
        Situation::Penetrating => None,
        Situation::Resting(column) => Some(Signs::of(planar, friction, tol).verdict(column)),
    }
}

impl ContactView<'_> {
    /// Blocks whose sizes decide what counts as zero.
    const SIZED: [Block; 4] =
        [Block::Model(Output::Gap), Block::GapVelocity, Block::Slip, Block::FreeContactAcceleration];

    /// The kernel of [`ContactView::verdict`].
    pub fn verdict_kernel(model: &Model) -> Kernel {
        let needed: Vec<Block> = Self::NEEDED.into_iter().filter(|&b| b != Block::Response).collect();
        Kernel::with_sizes(model, &needed, &Self::SIZED)
    }

    /// The verdict at a state, the contact being unilateral; `length` is the mechanism's own, or 0. Allocates at most at
    /// the first call with this `work`.
    ///
    /// # Errors
    /// [`PlanarError`] if M cannot be factored or the contact point cannot move in every direction.
    pub fn verdict(
        &self,
        friction: Friction,
        point: Point<'_>,
        length: f64,
        tol: &Tol,
        work: &mut LocalWork<f64>,
    ) -> Result<Option<Verdict>, PlanarError> {
        self.local_into(point.t, point.q, point.v, work)?;
        let sizes = self.sizes(work, length);
        work.local.widen(&sizes);
        let planar = work.local.planar().validated()?;
        Ok(verdict(&planar, friction, &work.local.kinematics(sizes.gap), tol))
    }

    /// The sizes that a kernel of verdicts has beside its numbers.
    fn sizes(&self, work: &LocalWork<f64>, length: f64) -> ContactSizes {
        let size = |block: Block, i: usize| self.kernel.sizes(work.values(), block)[i];
        let (i, row) = (self.contact, 2 * self.contact);
        ContactSizes {
            gap: size(Block::Model(Output::Gap), i),
            speed: size(Block::GapVelocity, i).max(size(Block::Slip, i)),
            slip_acceleration: size(Block::FreeContactAcceleration, row + 1),
            gap_acceleration: size(Block::FreeContactAcceleration, row),
        }
        .of_length(length)
    }
}
