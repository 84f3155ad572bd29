//! What the steps of a linear mechanism have in common as long as they have one length: with A = M + dR/dx constant, the factor of A, A⁻¹Hᵀ and W = HA⁻¹Hᵀ
//! of all contacts.

use super::StepError;
use super::mechanics::{Mechanics, Point};
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
    /// w, and the restitution of the contacts, by rows.
    explicit: Vec<f64>,
    restitution: Vec<f64>,
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
        let (n, d) = (mechanics.layout().coordinates, mechanics.layout().tangents);
        let Self { factor, jacobian, responses, delassus, explicit, restitution, .. } = self;
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
        explicit.clear();
        restitution.clear();
        let slips = mechanics.force(Output::SlipRate);
        for (contact, law) in mechanics.laws().iter().enumerate() {
            explicit.push(mechanics.force(Output::GapRate)[contact]);
            explicit.extend_from_slice(&slips[contact * d..(contact + 1) * d]);
            restitution.push(law.restitution);
            restitution.resize(explicit.len(), law.tangential);
        }
        self.h = h;
        Ok(())
    }

    /// The free motion x = v_k − A⁻¹ h f, f being that of [`evaluate`].
    #[inline]
    pub(super) fn fly(&mut self, mechanics: &Mechanics<'_>, point: &Point, x: &mut [f64]) {
        let Self { h, factor, forces, .. } = self;
        let bias = mechanics.force(Output::Bias);
        forces.resize(bias.len(), 0.0);
        forces.iter_mut().zip(bias).for_each(|(force, bias)| *force = *h * bias);
        dense::solve(factor, forces);
        x.iter_mut().zip(&point.v).zip(&*forces).for_each(|((x, v), change)| *x = v - change);
    }

    /// The row of H of a contact row, and what an impulse along it does.
    #[inline]
    pub(super) fn row(&self, row: usize, n: usize) -> [&[f64]; 2] {
        [&self.jacobian, &self.responses].map(|rows| &rows[row * n..(row + 1) * n])
    }

    /// Entries of W in the row of a contact row and the columns from one on.
    #[inline]
    pub(super) fn delassus(&self, row: usize, column: usize) -> &[f64] {
        &self.delassus[row * self.explicit.len() + column..]
    }

    /// What u of a contact row has beside H x: w, and restitution of what was before.
    #[inline]
    pub(super) fn offset(&self, row: usize, before: &[f64]) -> f64 {
        self.explicit[row] + self.restitution[row] * before[row]
    }

    /// w of a contact row.
    #[inline]
    pub(super) fn explicit(&self, row: usize) -> f64 {
        self.explicit[row]
    }
}

/// Evaluates the forces at θ of a step at constant velocity.
#[inline]
pub(super) fn evaluate(
    mechanics: &mut Mechanics<'_>,
    point: &Point,
    [theta, h]: [f64; 2],
) -> Result<(), StepError> {
    let placed = mechanics.evaluate_placed(point.t + theta * h, |q, v| {
        let old = point.q.iter().zip(&point.v);
        for ((q, v), (q_k, v_k)) in q.iter_mut().zip(v).zip(old) {
            *v = (1.0 - theta) * v_k + theta * v_k;
            *q = q_k + theta * h * *v;
        }
    });
    Ok(placed?)
}
