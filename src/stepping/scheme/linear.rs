//! What the steps of a linear mechanism have in common as long as they have one length: with A = M + dR/dx constant, the factor of A, A⁻¹Hᵀ and W = HA⁻¹Hᵀ
//! of all contacts.

use super::StepError;
use super::mechanics::Mechanics;
use crate::model::{Block, Output};
use crate::num::{Tol, dense};

/// The constant parts of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    /// Length of the step; 0 if there is none yet.
    h: f64,
    factor: Vec<f64>,
    /// H and A⁻¹Hᵀ of all contacts, one row for each contact row.
    jacobian: Vec<f64>,
    responses: Vec<f64>,
    /// W by rows.
    delassus: Vec<f64>,
    forces: Vec<f64>,
}

impl Linear {
    /// Whether it is that of a step of this length.
    pub(super) fn is_of(&self, h: f64) -> bool {
        self.h.to_bits() == h.to_bits()
    }

    /// Computes it where the forces were evaluated last, A being M and the rest of the derivative.
    pub(super) fn compute(
        &mut self,
        h: f64,
        mechanics: &Mechanics<'_>,
        rest: Option<&[f64]>,
    ) -> Result<(), StepError> {
        let n = mechanics.layout().coordinates;
        let Self { factor, jacobian, responses, delassus, .. } = self;
        factor.clear();
        factor.extend_from_slice(mechanics.force(Output::MassMatrix));
        if let Some(rest) = rest {
            factor.iter_mut().zip(rest).for_each(|(entry, rest)| *entry += rest);
        }
        dense::cholesky(factor, n, Tol::default().singular).map_err(StepError::Matrix)?;
        jacobian.clear();
        jacobian.extend_from_slice(mechanics.force(Block::ContactJacobian));
        responses.clone_from(jacobian);
        dense::solve_many(factor, n, responses);
        delassus.clear();
        for row in jacobian.chunks_exact(n) {
            delassus.extend(responses.chunks_exact(n).map(|z| dense::dot(row, z)));
        }
        self.h = h;
        Ok(())
    }

    /// x − A⁻¹ f h.
    pub(super) fn fly(&mut self, forces: &[f64], x: &mut [f64]) {
        self.forces.clear();
        self.forces.extend(forces.iter().map(|force| self.h * force));
        dense::solve(&self.factor, &mut self.forces);
        x.iter_mut().zip(&self.forces).for_each(|(x, change)| *x -= change);
    }

    /// The row of H of a contact row, and what an impulse along it does.
    pub(super) fn row(&self, row: usize, n: usize) -> [&[f64]; 2] {
        [&self.jacobian, &self.responses].map(|rows| &rows[row * n..(row + 1) * n])
    }

    /// An entry of W, of all contact rows.
    pub(super) fn delassus(&self, row: usize, column: usize, rows: usize) -> f64 {
        self.delassus[row * rows + column]
    }
}
