//! Whether a whole mechanism rests, and not its contact points alone: no speed, and no acceleration under contact forces.

use super::analysed::AnalysedState;
use crate::contact::{Scaled, Sign};
use crate::model::{Block, Output};
use crate::num::dense;

impl AnalysedState<'_> {
    /// √(vᵀM v C) of a contact, the speed of a point mass 1/C with the energy of the motion, against its own speeds.
    pub(crate) fn is_still(&self) -> bool {
        let (M, v) = (self.kernel.block(self.values, Output::MassMatrix), &self.input.state.v);
        let row = |i: usize| (0..v.len()).map(|j| M[dense::packed_place(i, j)] * v[j]).sum::<f64>();
        let energy: f64 = v.iter().enumerate().map(|(i, v)| v * row(i)).sum();
        self.input.closed.iter().all(|&c| {
            let normal = self.rows() * c;
            let mobility = self.delassus(normal, normal);
            let speed = (energy * mobility).max(0.0).sqrt();
            Scaled { value: speed, scale: self.input.sizes.contact(c).speed }.sign(self.input.tol.rest)
                == Sign::Marginal
        })
    }

    /// Whether every coordinate is without acceleration, v̇ = −M⁻¹h + M⁻¹Wᵀλ, under forces of the closed contacts, to `small` times the
    /// terms: the contact points may be so although the mechanism is not.
    pub(crate) fn is_balanced(&self, forces: &[Scaled], small: f64) -> bool {
        let (free, sizes) = (
            self.kernel.block(self.values, Block::FreeAcceleration),
            self.input.sizes.block(Block::FreeAcceleration),
        );
        let (n, response) = (free.len(), self.kernel.block(self.values, Block::Response));
        let row = |i: usize| self.rows() * self.input.closed[i / self.rows()] + i % self.rows();
        (0..n).all(|k| {
            let size = sizes.get(k).map_or(0.0, |x| x.size);
            let mut total = Scaled { value: free[k], scale: free[k].abs().max(size) };
            for (i, force) in forces.iter().enumerate() {
                let gain = response[row(i) * n + k];
                let term = gain * force.value;
                total.value += term;
                total.scale += (gain * force.scale).abs().max(term.abs());
            }
            total.sign(small) == Sign::Marginal
        })
    }
}
