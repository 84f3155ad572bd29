//! The numbers of all contacts of a planar mechanism at a state, each with its scale, and nothing else: what decides there, for maps and
//! events, at many states. Does not allocate.

use crate::analysis::contact_status::ContactStatus;
use crate::analysis::local::ContactSizes;
use crate::contact::{ContactError, Friction, Planar, Scaled};
use crate::model::{Block, Kernel, Model, Output, Values};
use crate::num::Tol;
use crate::predict::{Signs, Verdict};

/// Blocks whose sizes decide what counts as zero.
const SIZED: [Block; 6] = [
    Block::Model(Output::Gap),
    Block::Model(Output::Constraint),
    Block::GapVelocity,
    Block::Slip,
    Block::ConstraintVelocity,
    Block::FreeContactAcceleration,
];

/// Blocks of which no sizes are asked; that the energies are numbers is part of a state's being one.
const PLAIN: [Block; 3] =
    [Block::Delassus, Block::Model(Output::KineticEnergy), Block::Model(Output::PotentialEnergy)];

/// A kernel with what a [`Sketch`] needs; the sizes of the inputs `given`, ascending, follow the parameters among its inputs.
pub fn sketch_kernel(model: &Model, given: &[usize]) -> Kernel {
    Kernel::with_sizes_given(model, &[&SIZED[..], &PLAIN].concat(), &SIZED, given)
}

/// The contacts of a planar mechanism at a state.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'v> {
    /// That of [`sketch_kernel`].
    pub kernel: &'v Kernel,
    /// Its numbers at the state.
    pub values: &'v Values<f64>,
    /// The mechanism's own length, or 0.
    pub length: f64,
}

impl Sketch<'_> {
    /// Whether all of its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.kernel.numbers(self.values).iter().all(|x| x.is_finite())
    }

    fn value(&self, block: Block, i: usize) -> f64 {
        self.kernel.block(self.values, block)[i]
    }

    fn size(&self, block: Block, i: usize) -> f64 {
        self.kernel.sizes(self.values, block)[i]
    }

    /// g_N of a contact.
    pub fn gap(&self, contact: usize) -> Scaled {
        let gap = Block::Model(Output::Gap);
        Scaled { value: self.value(gap, contact), scale: self.size(gap, contact).max(self.length) }
    }

    /// ġ_N of a contact, against all relative velocity there.
    pub fn gap_rate(&self, contact: usize) -> Scaled {
        Scaled { value: self.value(Block::GapVelocity, contact), scale: self.speed(contact) }
    }

    fn speed(&self, contact: usize) -> f64 {
        self.size(Block::GapVelocity, contact).max(self.size(Block::Slip, contact))
    }

    /// Slip of a contact.
    pub fn slip(&self, contact: usize) -> f64 {
        self.value(Block::Slip, contact)
    }

    /// φ and φ̇ of a bilateral constraint.
    pub fn constraint(&self, i: usize) -> [Scaled; 2] {
        [Block::Model(Output::Constraint), Block::ConstraintVelocity]
            .map(|block| Scaled { value: self.value(block, i), scale: self.size(block, i) })
    }

    /// The sizes of everything about a contact.
    pub fn sizes(&self, contact: usize) -> ContactSizes {
        let row = 2 * contact;
        ContactSizes {
            gap: self.size(Block::Model(Output::Gap), contact),
            speed: self.speed(contact),
            slip_acceleration: self.size(Block::FreeContactAcceleration, row + 1),
            gap_acceleration: self.size(Block::FreeContactAcceleration, row),
        }
        .of_length(self.length)
    }

    /// A, B, C, a, b of a contact.
    ///
    /// # Errors
    /// [`ContactError`] if the contact point cannot move in every direction.
    pub fn planar(&self, contact: usize) -> Result<Planar, ContactError> {
        self.numbers(contact).validated()
    }

    /// The same whatever they are.
    pub fn numbers(&self, contact: usize) -> Planar {
        let row = 2 * contact;
        let mobility = |i: usize, j: usize| self.kernel.delassus(self.values, row + i, row + j);
        let free = self.kernel.block(self.values, Block::FreeContactAcceleration);
        let [b, a] = [0, 1].map(|i| self.size(Block::FreeContactAcceleration, row + i));
        Planar::new(mobility(1, 1), mobility(1, 0), mobility(0, 0), free[row + 1], free[row])
            .with_scales(a, b)
    }

    /// Where a contact stands.
    pub fn stands(&self, contact: usize, tol: &Tol) -> ContactStatus {
        let (gap, sizes) = (self.value(Block::Model(Output::Gap), contact), self.sizes(contact));
        let rate = Scaled { value: self.value(Block::GapVelocity, contact), scale: sizes.speed };
        ContactStatus::of(Scaled { value: gap, scale: sizes.gap }, rate, [self.slip(contact), 0.0], tol)
    }

    /// The verdict about a unilateral contact as far as it feels no other; none for a penetrating state.
    ///
    /// # Errors
    /// [`ContactError`] if the contact point cannot move in every direction.
    pub fn verdict(
        &self,
        contact: usize,
        friction: Friction,
        tol: &Tol,
    ) -> Result<Option<Verdict>, ContactError> {
        let (planar, stands) = (self.planar(contact)?, self.stands(contact, tol));
        Ok(match stands.column() {
            Some(column) => Some(Signs::of(&planar, friction, tol).verdict(column)),
            None => (stands != ContactStatus::Penetrating).then_some(Verdict::Consistent),
        })
    }
}
