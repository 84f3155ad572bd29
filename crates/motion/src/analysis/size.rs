//! How large the terms are that the numbers of a state are made of: what "zero" means for a gap, a rate, an
//! acceleration, without a unit of length or time.
//!
//! The equations are evaluated once more with [`Magnitude`]s, from inputs that carry the sizes of the expressions they
//! were given by. A gap or a rate that is a single term (the height of a tip that is itself a coordinate) has no other
//! term to be compared with; then the mechanism's own length L counts, and its own speed √(L b), with b the size of the
//! gap acceleration.

use super::local::ContactSizes;
use crate::contact::Scaled;
use crate::model::{Block, Kernel, Output, Values};
use crate::num::Magnitude;

/// The numbers of a state with the sizes of their terms.
#[derive(Clone, Debug)]
pub struct Sizes<'k> {
    kernel: &'k Kernel,
    values: Values<Magnitude>,
    /// Whether M can be factored.
    regular: bool,
    length: f64,
}

impl<'k> Sizes<'k> {
    /// Blocks that the kernel must have, beside those that are asked for by name.
    pub const NEEDED: [Block; 10] = [
        Block::Model(Output::Gap),
        Block::Model(Output::Constraint),
        Block::Model(Output::ConstraintJacobian),
        Block::GapVelocity,
        Block::Slip,
        Block::ConstraintVelocity,
        Block::Delassus,
        Block::FreeContactAcceleration,
        Block::FreeAcceleration,
        Block::Response,
    ];

    /// The sizes at a state: `inputs` are t, q, v and the parameters, `length` is the mechanism's own, or 0.
    pub fn at(kernel: &'k Kernel, inputs: &[Magnitude], length: f64) -> Self {
        let mut values = kernel.values();
        let regular = kernel.solve(inputs, &mut values).is_ok();
        Self { kernel, values, regular, length }
    }

    /// A block; empty if it needs M factored and that cannot be done.
    pub fn block(&self, block: impl Into<Block>) -> &[Magnitude] {
        match block.into() {
            solved if solved.is_solved() && !self.regular => &[],
            block => self.kernel.block(&self.values, block),
        }
    }

    /// The mechanism's own length, or 0 if it has none.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The size of an entry of D; 0 where M cannot be factored.
    pub fn delassus(&self, i: usize, j: usize) -> f64 {
        if self.regular { self.kernel.delassus(&self.values, i, j).size } else { 0.0 }
    }

    /// g_N of a contact.
    pub fn gap(&self, contact: usize) -> Scaled {
        let gap = self.block(Output::Gap)[contact];
        Scaled { value: gap.value, scale: gap.size.max(self.length) }
    }

    /// ġ_N of a contact, against all relative velocity there, at least the mechanism's own.
    pub fn gap_rate(&self, contact: usize) -> Scaled {
        let rate = self.block(Block::GapVelocity)[contact];
        Scaled { value: rate.value, scale: self.contact(contact).speed }
    }

    /// φ of a bilateral constraint, whatever its unit.
    pub fn constraint(&self, i: usize) -> Scaled {
        self.block(Output::Constraint)[i].into()
    }

    /// φ̇ of a bilateral constraint, against its terms or, where everything rests, the speed √(φ φ̈) that the terms of its
    /// acceleration give it over those of its value.
    pub fn constraint_rate(&self, i: usize) -> Scaled {
        let rate = self.block(Block::ConstraintVelocity)[i];
        let n = self.kernel.layout().coordinates;
        let row = self.block(Output::ConstraintJacobian)[i * n..].iter();
        let driven: f64 =
            row.zip(self.block(Block::FreeAcceleration)).map(|(w, a)| w.value.abs() * a.size).sum();
        let own = (self.constraint(i).scale * driven).sqrt();
        Scaled { value: rate.value, scale: rate.size.max(own) }
    }

    /// Slip of a contact along one of its tangents.
    pub fn slip(&self, contact: usize, tangent: usize) -> Magnitude {
        let d = self.kernel.layout().tangents;
        self.block(Block::Slip)[contact * d + tangent]
    }

    /// The size of all relative velocity at a contact.
    fn speed(&self, contact: usize) -> f64 {
        let slips = (0..self.kernel.layout().tangents).map(|k| self.slip(contact, k).size);
        slips.fold(self.block(Block::GapVelocity)[contact].size, f64::max)
    }

    /// The sizes of everything about a contact.
    pub fn contact(&self, contact: usize) -> ContactSizes {
        let (d, gap) = (self.kernel.layout().tangents, self.block(Output::Gap)[contact].size);
        let (row, speed) = (contact * (1 + d), self.speed(contact));
        let free = |i: usize| self.size(Block::FreeContactAcceleration, i);
        ContactSizes { gap, speed, slip_acceleration: free(row + 1), gap_acceleration: free(row) }
            .of_length(self.length)
    }

    /// The sizes of the terms of each q̈ᵢ under the forces that keep a planar contact sticking, the terms inside M⁻¹W
    /// included; empty where M cannot be factored.
    pub fn sticking(&self, contact: usize) -> Vec<f64> {
        if !self.regular {
            return Vec::new();
        }
        let (row, n) = (2 * contact, self.kernel.layout().coordinates);
        let size = |x: Magnitude| x.size;
        let [A, B, C] =
            [(1, 1), (0, 1), (0, 0)].map(|(i, j)| self.kernel.delassus(&self.values, row + i, row + j));
        let [b, a] = [0, 1].map(|i| self.size(Block::FreeContactAcceleration, row + i));
        let determinant = A.value * C.value - B.value * B.value;
        let (N, T) = (size(B) * a + size(A) * b, size(B) * b + size(C) * a);
        let [N, T] = [N, T].map(|x| x / determinant);
        let response = |row: usize| &self.block(Block::Response)[row * n..(row + 1) * n];
        let terms = self.block(Block::FreeAcceleration).iter().zip(response(row + 1)).zip(response(row));
        terms.map(|((&free, &c), &d)| size(free) + size(c) * T + size(d) * N).collect()
    }

    /// The size of an entry of a block; 0 if the block is empty.
    fn size(&self, block: Block, i: usize) -> f64 {
        self.block(block).get(i).map_or(0.0, |x| x.size)
    }
}
