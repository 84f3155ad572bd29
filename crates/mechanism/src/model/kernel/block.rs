//! What a kernel can be asked for: the blocks of a model as derived, and what follows from them by solving the
//! equations of motion.

use super::super::{Layout, Output};
use crate::num::dense::packed_len;
use std::ops::Range;

/// A block of numbers about a state. M v̇ + h = Wᵀλ + Jᵀν, J v̇ + j = 0; contact rows are N, T (N, T1, T2 in space) of
/// each contact in turn, M⁻¹ is short for the upper left block of the inverse of [[M, Jᵀ], [J, 0]].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// A block of the model.
    Model(Output),
    /// ġ_N = W_N v + ∂g_N/∂t of each contact (m).
    GapVelocity,
    /// γ_T = W_T v and what does not come from v (m·d).
    Slip,
    /// φ̇ = J v + ∂φ/∂t (c).
    ConstraintVelocity,
    /// W by contact rows (m(1 + d) × n).
    ContactJacobian,
    /// ġ_N, then γ_T, of each contact in turn (m(1 + d)).
    ContactVelocity,
    /// D = W M⁻¹ Wᵀ, packed lower triangle   \[CV16 (8), (9)\].
    Delassus,
    /// Accelerations of the contact rows without contact forces: b, then a, of each contact (m(1 + d)).
    FreeContactAcceleration,
    /// v̇₀: v̇ without contact forces (n).
    FreeAcceleration,
    /// M⁻¹Wᵀ: change of v̇ per unit force on each contact row (m(1 + d) × n).
    Response,
    /// ν₀: forces of the bilateral constraints without contact forces (c).
    FreeReaction,
    /// Change of ν per unit force on each contact row (m(1 + d) × c).
    ReactionResponse,
}

impl From<Output> for Block {
    fn from(output: Output) -> Self {
        Block::Model(output)
    }
}

/// Number of blocks.
pub(super) const BLOCKS: usize = Output::ALL.len() + Block::SOLVED.len();

impl Block {
    /// Every block that is not one of the model.
    pub const SOLVED: [Block; 11] = [
        Block::GapVelocity,
        Block::Slip,
        Block::ConstraintVelocity,
        Block::ContactJacobian,
        Block::ContactVelocity,
        Block::Delassus,
        Block::FreeContactAcceleration,
        Block::FreeAcceleration,
        Block::Response,
        Block::FreeReaction,
        Block::ReactionResponse,
    ];

    /// Every block.
    pub fn all() -> [Block; BLOCKS] {
        std::array::from_fn(|i| match Output::ALL.get(i) {
            Some(&output) => Block::Model(output),
            None => Block::SOLVED[i - Output::ALL.len()],
        })
    }

    /// Whether it needs the equations of motion solved.
    pub fn is_solved(self) -> bool {
        match self {
            Block::Model(_)
            | Block::GapVelocity
            | Block::Slip
            | Block::ConstraintVelocity
            | Block::ContactJacobian
            | Block::ContactVelocity => false,
            Block::Delassus
            | Block::FreeContactAcceleration
            | Block::FreeAcceleration
            | Block::Response
            | Block::FreeReaction
            | Block::ReactionResponse => true,
        }
    }

    /// Its place in [`Block::all`].
    #[inline]
    pub(super) fn index(self) -> usize {
        let solved = Output::ALL.len();
        match self {
            Block::Model(output) => output as usize,
            Block::GapVelocity => solved,
            Block::Slip => solved + 1,
            Block::ConstraintVelocity => solved + 2,
            Block::ContactJacobian => solved + 3,
            Block::ContactVelocity => solved + 4,
            Block::Delassus => solved + 5,
            Block::FreeContactAcceleration => solved + 6,
            Block::FreeAcceleration => solved + 7,
            Block::Response => solved + 8,
            Block::FreeReaction => solved + 9,
            Block::ReactionResponse => solved + 10,
        }
    }

    /// Number of its entries.
    pub fn len(self, layout: &Layout) -> usize {
        let (n, c, m, d) = (layout.coordinates, layout.constraints, layout.contacts, layout.tangents);
        let rows = m * (1 + d);
        match self {
            Block::Model(output) => layout.len(output),
            Block::GapVelocity => m,
            Block::Slip => m * d,
            Block::ConstraintVelocity | Block::FreeReaction => c,
            Block::ContactJacobian | Block::Response => rows * n,
            Block::Delassus => packed_len(rows),
            Block::ContactVelocity | Block::FreeContactAcceleration => rows,
            Block::FreeAcceleration => n,
            Block::ReactionResponse => rows * c,
        }
    }
}

/// Where blocks stand among the outputs of a tape; a block that was not asked for is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    ranges: [Range<usize>; BLOCKS],
}

impl Places {
    /// The blocks `wanted` in the order of [`Block::all`], from output `start` on.
    pub(super) fn new(layout: &Layout, wanted: &[Block], start: usize) -> Self {
        let mut end = start;
        let ranges = Block::all().map(|block| {
            let from = end;
            if wanted.contains(&block) {
                end += block.len(layout);
            }
            from..end
        });
        Places { ranges }
    }

    #[inline]
    pub(super) fn of(&self, block: Block) -> Range<usize> {
        self.ranges[block.index()].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Block;

    #[test]
    fn every_block_stands_at_its_index() {
        for (i, block) in Block::all().into_iter().enumerate() {
            assert_eq!(block.index(), i);
        }
    }
}
