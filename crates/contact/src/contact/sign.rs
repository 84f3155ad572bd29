//! Signs that are never decided by rounding: every tested number carries the magnitude of the terms it was made of.

use crate::num::{Magnitude, Tol};
use serde::{Deserialize, Serialize};

/// A sign, or the statement that the number is too close to zero to have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    /// < 0.
    Negative,
    /// Within the tolerance of zero, or not a number.
    Marginal,
    /// > 0.
    Positive,
}

impl Sign {
    /// Sign of a product; marginal if a factor is.
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Marginal, _) | (_, Self::Marginal) => Self::Marginal,
            (Self::Positive, s) => s,
            (Self::Negative, s) => s.flip(),
        }
    }

    /// Sign of the negative.
    pub fn flip(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Marginal => Self::Marginal,
            Self::Positive => Self::Negative,
        }
    }
}

/// A number with the sum of the magnitudes of its terms: |value| ≤ scale up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaled {
    /// The number.
    pub value: f64,
    /// Σ |terms|, in the unit of the number.
    pub scale: f64,
}

impl From<Magnitude> for Scaled {
    fn from(x: Magnitude) -> Self {
        Self { value: x.value, scale: x.size }
    }
}

impl Scaled {
    /// A number whose terms did not cancel: scale |value|.
    pub fn exact(value: f64) -> Self {
        Self { value, scale: value.abs() }
    }

    /// |value| / scale in [0, 1]: how far the sign is from being lost in rounding; 0 for 0.
    pub fn distance(self) -> f64 {
        if self.scale > 0.0 { (self.value / self.scale).abs() } else { 0.0 }
    }

    /// The value, 0 where its sign is marginal.
    pub fn or_zero(self) -> f64 {
        if self.sign(Tol::default().marginal) == Sign::Marginal { 0.0 } else { self.value }
    }

    /// The sign; marginal within `tolerance` × scale of zero, at zero, and for NaN.
    pub fn sign(self, tolerance: f64) -> Sign {
        let band = tolerance * self.scale;
        if self.value > band {
            Sign::Positive
        } else if self.value < -band {
            Sign::Negative
        } else {
            Sign::Marginal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scaled, Sign};

    #[test]
    fn zero_and_nan_have_no_sign() {
        assert_eq!(Scaled::exact(0.0).sign(1e-10), Sign::Marginal);
        assert_eq!(Scaled::exact(f64::NAN).sign(1e-10), Sign::Marginal);
    }

    #[test]
    fn cancellation_is_measured_against_the_terms() {
        let difference = Scaled { value: (0.1 + 0.2) - 0.3, scale: 0.6 };
        assert_eq!(difference.sign(1e-10), Sign::Marginal);
        assert_eq!(Scaled::exact(difference.value).sign(1e-10), Sign::Positive);
        assert!(difference.distance() < 1e-15);
    }
}
