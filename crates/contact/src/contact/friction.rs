//! Coulomb's cone |λ_T| ≤ μ λ_N in homogeneous form, n|λ_T| ≤ t λ_N with μ = t/n, so that the limit μ → ∞ is the
//! ordinary case (n, t) = (0, 1): gains become limits of p/μ and k/μ and no expression multiplies by infinity.

use super::ContactError;
use serde::{Serialize, Serializer};

/// A friction coefficient μ in [0, ∞].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// n: 1, or 0 for infinite friction.
    normal: f64,
    /// t: μ, or 1 for infinite friction.
    tangential: f64,
}

impl Friction {
    /// No limit on the tangential force: the limit of large μ, in which a sliding contact has λ_N → 0 with a finite
    /// friction force (if B ≠ 0) and a resting one sticks wherever its normal force is positive.
    pub const INFINITE: Self = Self { normal: 0.0, tangential: 1.0 };

    /// No friction.
    pub const ZERO: Self = Self { normal: 1.0, tangential: 0.0 };

    /// μ = 1.
    pub const ONE: Self = Self { normal: 1.0, tangential: 1.0 };

    /// The coefficient `mu` ≥ 0; infinity is allowed.
    ///
    /// # Errors
    /// [`ContactError::Friction`] for a negative number or NaN.
    pub fn new(mu: f64) -> Result<Self, ContactError> {
        if mu.is_nan() || mu < 0.0 {
            return Err(ContactError::Friction { mu });
        }
        Ok(if mu.is_infinite() { Self::INFINITE } else { Self { normal: 1.0, tangential: mu } })
    }

    /// μ; infinite for [`Friction::INFINITE`].
    pub fn mu(self) -> f64 {
        if self.is_infinite() { f64::INFINITY } else { self.tangential }
    }

    /// n of the cone n|λ_T| ≤ t λ_N.
    pub fn normal(self) -> f64 {
        self.normal
    }

    /// t of the cone n|λ_T| ≤ t λ_N.
    pub fn tangential(self) -> f64 {
        self.tangential
    }

    /// n and t of the cone n|λ_T| ≤ t λ_N.
    pub fn parts(self) -> (f64, f64) {
        (self.normal, self.tangential)
    }

    /// Whether the tangential force is unlimited.
    pub fn is_infinite(self) -> bool {
        self.normal <= 0.0
    }

    /// Whether there is no friction at all.
    pub fn is_zero(self) -> bool {
        self.tangential <= 0.0
    }
}

impl Serialize for Friction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.mu())
    }
}
