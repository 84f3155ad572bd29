//! The local contact problem in the plane and its gains.
//!
//! u̇ = a + A λ_T + B λ_N,  v̇ = b + B λ_T + C λ_N  [CV16 (8), (9)]; in slip s = sgn u, λ_T = −s μ λ_N, hence
//! v̇ = b + p_s λ_N and s u̇ = s a − k_s λ_N with p± = C ∓ μB [CV16 (13), (18)], k± = μA ∓ B [CV16 (23)].
//! Gains are kept multiplied by the n of [`Friction`], which changes no sign and keeps infinite friction finite.

use super::{ContactError, Friction, Mode, Scaled};
use serde::{Deserialize, Serialize};

/// Direction of slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slip {
    /// u > 0.
    Pos,
    /// u < 0.
    Neg,
}

impl Slip {
    /// +1 or −1.
    pub fn sign(self) -> f64 {
        match self {
            Self::Pos => 1.0,
            Self::Neg => -1.0,
        }
    }

    /// The other direction.
    pub fn opposite(self) -> Self {
        match self {
            Self::Pos => Self::Neg,
            Self::Neg => Self::Pos,
        }
    }
}

/// Mobilities and free accelerations of one planar contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planar {
    /// Tangential mobility cᵀM⁻¹c, 1/kg.
    pub A: f64,
    /// Coupling cᵀM⁻¹d, 1/kg.
    pub B: f64,
    /// Normal mobility dᵀM⁻¹d, 1/kg.
    pub C: f64,
    /// Slip acceleration without contact force.
    pub a: f64,
    /// Gap acceleration without contact force.
    pub b: f64,
    /// Sum of the magnitudes of the terms of `a`.
    pub a_scale: f64,
    /// Sum of the magnitudes of the terms of `b`.
    pub b_scale: f64,
}

/// p, k and σ of both slip directions, times the n of [`Friction`], with their scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// p+ and p−.
    pub p: [Scaled; 2],
    /// k+ and k−.
    pub k: [Scaled; 2],
    /// σ+ = p+ a + k+ b and σ− = p− a − k− b: stick ⇔ σ+ < 0 < σ−.
    pub sigma: [Scaled; 2],
}

impl Planar {
    /// The local problem whose free accelerations `a`, `b` are made of single terms.
    pub fn new(A: f64, B: f64, C: f64, a: f64, b: f64) -> Self {
        Self { A, B, C, a, b, a_scale: a.abs(), b_scale: b.abs() }
    }

    /// The same with Σ |terms| of `a` and `b`, as the model knows them.
    pub fn with_scales(self, a_scale: f64, b_scale: f64) -> Self {
        Self { a_scale: a_scale.max(self.a.abs()), b_scale: b_scale.max(self.b.abs()), ..self }
    }

    /// The problem itself, if its numbers are finite and the point can move in every direction [CV16 (10)].
    ///
    /// # Errors
    /// [`ContactError::NotFinite`], [`ContactError::Singular`].
    pub fn validated(self) -> Result<Self, ContactError> {
        for (quantity, value) in [("A", self.A), ("B", self.B), ("C", self.C), ("a", self.a), ("b", self.b)] {
            if !value.is_finite() {
                return Err(ContactError::NotFinite { quantity, value });
            }
        }
        if self.A > 0.0 && self.C > 0.0 && self.determinant() > 0.0 {
            return Ok(self);
        }
        Err(ContactError::Singular { A: self.A, B: self.B, C: self.C })
    }

    /// Δ = AC − B² > 0.
    pub fn determinant(&self) -> f64 {
        self.A * self.C - self.B * self.B
    }

    /// Gap acceleration per unit λ_N in slip, p± = C ∓ μB, in 1/kg; ∓∞·sgn B for infinite friction.
    pub fn normal_gain(&self, friction: Friction, slip: Slip) -> f64 {
        self.p(friction, slip).value / self.limit(friction)
    }

    /// Deceleration of the slip per unit λ_N, k± = μA ∓ B, in 1/kg; ∞ for infinite friction.
    pub fn slip_gain(&self, friction: Friction, slip: Slip) -> f64 {
        self.k(friction, slip).value / friction.normal()
    }

    /// Gap acceleration per unit λ_N in stick, Δ/A, in 1/kg.
    pub fn stick_gain(&self) -> f64 {
        self.determinant() / self.A
    }

    /// p, k, σ of both directions.
    pub fn gains(&self, friction: Friction) -> Gains {
        let both = [Slip::Pos, Slip::Neg];
        let p = both.map(|slip| self.p(friction, slip));
        let k = both.map(|slip| self.k(friction, slip));
        let sigma = [0, 1].map(|i| Scaled {
            value: p[i].value * self.a + both[i].sign() * k[i].value * self.b,
            scale: p[i].scale * self.a_scale + k[i].scale * self.b_scale,
        });
        Gains { p, k, sigma }
    }

    /// n p±. With infinite friction and no coupling, p = C: the friction force does not act on the gap.
    fn p(&self, friction: Friction, slip: Slip) -> Scaled {
        // friction opposes slip: λ_T = −s μ λ_N   [CV16 (13), (18)]
        let (own, coupled) = (self.limit(friction) * self.C, friction.tangential() * self.B);
        Scaled { value: own - slip.sign() * coupled, scale: own + coupled.abs() }
    }

    /// n k±.
    fn k(&self, friction: Friction, slip: Slip) -> Scaled {
        let (own, coupled) = (friction.tangential() * self.A, friction.normal() * self.B);
        Scaled { value: own - slip.sign() * coupled, scale: own + coupled.abs() } // [CV16 (23)]
    }

    /// n, or 1 where the limit μ → ∞ leaves p finite.
    fn limit(&self, friction: Friction) -> f64 {
        if self.B.abs() > 0.0 { friction.normal() } else { 1.0 }
    }

    /// Forces (λ_N, λ_T) that keep both accelerations zero [CV16 (21)].
    pub fn stick_force(&self) -> (f64, f64) {
        let determinant = self.determinant();
        let lambda_N = (self.B * self.a - self.A * self.b) / determinant;
        let lambda_T = (self.B * self.b - self.C * self.a) / determinant;
        (lambda_N, lambda_T)
    }

    /// Forces (λ_N, λ_T) that keep the gap acceleration zero while slipping [CV16 (15), (19)].
    pub fn slip_force(&self, friction: Friction, slip: Slip) -> (f64, f64) {
        let p = self.p(friction, slip).value;
        let per_cone = -self.b / p;
        (self.limit(friction) * per_cone, -slip.sign() * friction.tangential() * per_cone)
    }

    /// Forces (λ_N, λ_T) that the equalities of a mode ask for.
    pub fn force(&self, friction: Friction, mode: Mode) -> (f64, f64) {
        match mode {
            Mode::Free => (0.0, 0.0),
            Mode::SlipPos => self.slip_force(friction, Slip::Pos),
            Mode::SlipNeg => self.slip_force(friction, Slip::Neg),
            Mode::Stick => self.stick_force(),
        }
    }

    /// Accelerations (u̇, v̇) under a contact force.
    pub fn acceleration(&self, lambda_N: f64, lambda_T: f64) -> (f64, f64) {
        let udot = self.a + self.A * lambda_T + self.B * lambda_N;
        let vdot = self.b + self.B * lambda_T + self.C * lambda_N;
        (udot, vdot)
    }

    /// The mirror image x → −x: slip directions change places.
    pub fn mirrored(self) -> Self {
        Self { B: -self.B, a: -self.a, ..self }
    }
}

impl Gains {
    /// p of a direction.
    pub fn p(&self, slip: Slip) -> Scaled {
        self.p[slip as usize]
    }

    /// k of a direction.
    pub fn k(&self, slip: Slip) -> Scaled {
        self.k[slip as usize]
    }
}
