//! The names and places of a derived mechanism's numbers: what goes into its tape and what comes out.

use serde::{Deserialize, Serialize};

/// Sizes of a mechanism; they fix the order of all tape inputs and outputs.
///
/// Inputs: `t`, `q` (n), `v` (n), parameters (p), in this order.
/// Outputs: the blocks of [`Output::ALL`], in that order, each of length [`Layout::len`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// n, number of coordinates.
    pub coordinates: usize,
    /// p, number of parameters.
    pub parameters: usize,
    /// c, number of bilateral constraints.
    pub constraints: usize,
    /// m, number of contacts.
    pub contacts: usize,
    /// d, tangential directions per contact: 1 in the plane, 2 in space.
    pub tangents: usize,
}

/// A block of tape outputs. M v̇ + h = W_Nᵀλ_N + W_Tᵀλ_T (+ Jᵀν), h = B + G − F.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// M, lower triangle by rows: M₀₀, M₁₀, M₁₁, M₂₀, … (n(n+1)/2).
    MassMatrix,
    /// h = B + G − F (n).
    Bias,
    /// Gap g_N of each contact (m).
    Gap,
    /// ∂g_N/∂q, one row per contact (m × n).
    NormalJacobian,
    /// ∂g_N/∂t (m): gap rate = W_N v + this.
    GapRate,
    /// g̈_N − W_N v̇ (m): velocity-dependent and explicit-time part of the gap acceleration.
    NormalDrift,
    /// ∂γ_T/∂v, one row per contact and tangent (m·d × n), tangents of a contact adjacent.
    TangentJacobian,
    /// Explicit rate of the slip (m·d): slip = W_T v + this.
    SlipRate,
    /// γ̇_T − W_T v̇ (m·d).
    TangentDrift,
    /// φ of each bilateral constraint (c).
    Constraint,
    /// J = ∂φ/∂q (c × n).
    ConstraintJacobian,
    /// ∂φ/∂t (c).
    ConstraintRate,
    /// φ̈ − J v̇ (c).
    ConstraintDrift,
    /// Kinetic energy T (1).
    KineticEnergy,
    /// Potential energy V, gravity included (1).
    PotentialEnergy,
    /// B: inertial (Coriolis, centrifugal, rheonomic) part of h (n).
    Inertial,
    /// G = ∂V/∂q (n).
    Potential,
    /// F: applied generalised forces, h has −F (n).
    Applied,
}

impl Output {
    /// Every block, in tape order.
    pub const ALL: [Output; 18] = [
        Output::MassMatrix,
        Output::Bias,
        Output::Gap,
        Output::NormalJacobian,
        Output::GapRate,
        Output::NormalDrift,
        Output::TangentJacobian,
        Output::SlipRate,
        Output::TangentDrift,
        Output::Constraint,
        Output::ConstraintJacobian,
        Output::ConstraintRate,
        Output::ConstraintDrift,
        Output::KineticEnergy,
        Output::PotentialEnergy,
        Output::Inertial,
        Output::Potential,
        Output::Applied,
    ];
}

impl Layout {
    /// Number of tape inputs: 1 + 2n + p.
    pub fn inputs(&self) -> usize {
        1 + 2 * self.coordinates + self.parameters
    }

    /// Length of an output block.
    pub fn len(&self, output: Output) -> usize {
        let (n, m, c) = (self.coordinates, self.contacts, self.constraints);
        match output {
            Output::MassMatrix => n * (n + 1) / 2,
            Output::Bias | Output::Inertial | Output::Potential | Output::Applied => n,
            Output::Gap | Output::GapRate | Output::NormalDrift => m,
            Output::NormalJacobian => m * n,
            Output::TangentJacobian => m * self.tangents * n,
            Output::SlipRate | Output::TangentDrift => m * self.tangents,
            Output::Constraint | Output::ConstraintRate | Output::ConstraintDrift => c,
            Output::ConstraintJacobian => c * n,
            Output::KineticEnergy | Output::PotentialEnergy => 1,
        }
    }

    /// Place of an output block in the full tape's outputs.
    pub fn range(&self, output: Output) -> std::ops::Range<usize> {
        let start = Output::ALL.iter().take_while(|&&o| o != output).map(|&o| self.len(o)).sum();
        start..start + self.len(output)
    }

    /// Number of outputs of the full tape.
    pub fn outputs(&self) -> usize {
        Output::ALL.iter().map(|&o| self.len(o)).sum()
    }
}
