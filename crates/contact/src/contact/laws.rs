//! The laws of a contact, as data.

use super::{ContactError, Friction, Restitution};
use serde::{Deserialize, Serialize};

/// The laws of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laws {
    /// Coulomb friction.
    pub friction: Friction,
    /// Restitution.
    pub restitution: Restitution,
    /// Restitution of the slip, of schemes with Moreau's rule of impact.
    pub tangential: f64,
    /// Normal compliance of the regularised contact.
    pub compliance: Compliance,
    /// Unilateral or bilateral.
    pub hold: Hold,
}

/// What keeps the gap closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// λ_N ≥ 0 only pushes.
    Unilateral,
    /// λ_N of either sign.
    Bilateral,
}

/// Stiffness and damping of λ_N = max(0, −(kY + dV)) for Y ≤ 0, in the scaled variables.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    /// k > 0.
    pub stiffness: f64,
    /// d > 0.
    pub damping: f64,
    /// Of the tangential spring, λ_T = −k_T x/ε² while the contact sticks; without one it sticks truly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_stiffness: Option<f64>,
}

impl Compliance {
    /// Stiffness and damping of one.
    pub const UNIT: Self = Self { stiffness: 1.0, damping: 1.0, tangential_stiffness: None };

    /// Both coefficients, if positive and finite.
    ///
    /// # Errors
    /// [`ContactError::Compliance`].
    pub fn new(stiffness: f64, damping: f64) -> Result<Self, ContactError> {
        let valid = |x: f64| x > 0.0 && x.is_finite();
        if valid(stiffness) && valid(damping) {
            Ok(Self { stiffness, damping, tangential_stiffness: None })
        } else {
            Err(ContactError::Compliance { stiffness, damping })
        }
    }

    /// Stiffness along the normal (0) or a tangent (1, 2) of what sticks; along the surface that of the normal if it has none of its own.
    pub fn stiffness_along(&self, axis: usize) -> f64 {
        match axis {
            0 => self.stiffness,
            _ => self.tangential_stiffness.unwrap_or(self.stiffness),
        }
    }

    /// The same with a tangential spring.
    ///
    /// # Errors
    /// [`ContactError::TangentialStiffness`] if it is not positive and finite.
    pub fn with_tangential(self, stiffness: f64) -> Result<Self, ContactError> {
        if stiffness > 0.0 && stiffness.is_finite() {
            Ok(Self { tangential_stiffness: Some(stiffness), ..self })
        } else {
            Err(ContactError::TangentialStiffness(stiffness))
        }
    }
}

impl Default for Laws {
    /// No friction, nothing given back, unit compliance.
    fn default() -> Self {
        Self {
            friction: Friction::ZERO,
            restitution: Restitution::Poisson(0.0),
            tangential: 0.0,
            compliance: Compliance::UNIT,
            hold: Hold::Unilateral,
        }
    }
}
