//! Whether a state on several contacts is an equilibrium of the whole mechanism, and the forces that hold it.

use super::contacts::Contacts;
use super::decide::Everything;
use super::judge::Judged;
use super::outcome::{ForcePair, RestOutcome};
use super::question::Question;
use super::reason::names;
use super::word::Choice;
use crate::analysis::RestDepth;
use crate::analysis::planar::Consistency;
use crate::contact::{Scaled, Sign};
use crate::model::{Block, Output};
use crate::num::dense;

impl Question<'_> {
    /// The equilibrium, if nothing moves and nothing accelerates while all contacts stick.
    pub(super) fn rest(&self, contacts: &Contacts, everything: &Everything) -> Option<RestOutcome> {
        let decision = &everything.decision;
        let found = contacts.resting_forces(decision, self.tol)?;
        let sticks = |word: &&Judged| word.word.iter().all(|choice| matches!(choice, Choice::Stick { .. }));
        let word = decision.words.iter().filter(|word| word.consistency != Consistency::No).find(sticks)?;
        if !self.is_still() || !self.is_balanced(word) {
            return None;
        }
        let named = |forces: &Vec<f64>| {
            self.by_name(|i| ForcePair { normal: forces[2 * i].into(), tangential: forces[2 * i + 1].into() })
        };
        let corners = found.corners.as_ref();
        Some(RestOutcome {
            weak: found.weak,
            strong: found.strong,
            ambiguous_with: found.others.iter().map(|word| names(word).join(",")).collect(),
            dimension: found.dimension,
            force_corners: corners.map(|corners| corners.points.iter().map(named).collect()),
            force_rays: corners.map(|corners| corners.rays.iter().map(named).collect()),
            lyapunov: self.lyapunov(contacts, everything, &found),
            robustness: (self.depth == RestDepth::Robustness)
                .then(|| self.robustness(contacts, &found))
                .flatten(),
        })
    }

    /// √(vᵀM v C) of a contact, the speed of a point mass 1/C with the energy of the motion, against its own speeds.
    fn is_still(&self) -> bool {
        let (M, v) = (self.kernel.block(self.values, Output::MassMatrix), &self.state.v);
        let row =
            |i: usize| (0..v.len()).map(|j| M[dense::packed_len(i.max(j)) + i.min(j)] * v[j]).sum::<f64>();
        let energy: f64 = v.iter().enumerate().map(|(i, v)| v * row(i)).sum();
        self.closed.iter().all(|&c| {
            let mobility = self.kernel.delassus(self.values, 2 * c, 2 * c);
            let speed = (energy * mobility).max(0.0).sqrt();
            Scaled { value: speed, scale: self.sizes.contact(c).speed }.sign(self.tol.rest) == Sign::Marginal
        })
    }

    /// Whether every coordinate is without acceleration under the forces of a word.
    fn is_balanced(&self, word: &Judged) -> bool {
        let (free, sizes) = (
            self.kernel.block(self.values, Block::FreeAcceleration),
            self.sizes.block(Block::FreeAcceleration),
        );
        let (n, response) = (free.len(), self.kernel.block(self.values, Block::Response));
        (0..n).all(|k| {
            let size = sizes.get(k).map_or(0.0, |x| x.size);
            let mut total = Scaled { value: free[k], scale: free[k].abs().max(size) };
            for (i, force) in word.forces.iter().enumerate() {
                let row = 2 * self.closed[i / 2] + i % 2;
                let term = response[row * n + k] * force.value;
                total.value += term;
                total.scale += (response[row * n + k] * force.scale).abs().max(term.abs());
            }
            total.sign(self.tol.rest) == Sign::Marginal
        })
    }
}
