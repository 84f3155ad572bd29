//! Restitution laws: what ends an impact. The maps are in `analysis::impact`.

use super::ContactError;
use serde::{Deserialize, Serialize};

/// A restitution law with its coefficient e in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "law", content = "value", rename_all = "lowercase")]
pub enum Restitution {
    /// Kinematic: v⁺ = −e v⁻ [CV16 (6)]. The only law here that can gain energy.
    Newton(f64),
    /// Kinetic: the normal impulse of restitution is e times that of compression.
    Poisson(f64),
    /// Energetic (Stronge): the normal work of restitution is −e² times that of compression.
    Energetic(f64),
}

impl Restitution {
    /// e.
    pub fn coefficient(self) -> f64 {
        match self {
            Self::Newton(e) | Self::Poisson(e) | Self::Energetic(e) => e,
        }
    }

    /// The same law without restitution, e = 0, where all three end compression and do nothing more.
    #[must_use]
    pub fn plastic(self) -> Self {
        match self {
            Self::Newton(_) => Self::Newton(0.0),
            Self::Poisson(_) => Self::Poisson(0.0),
            Self::Energetic(_) => Self::Energetic(0.0),
        }
    }

    /// The law's name as in the format: `newton`, `poisson`, `energetic`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton(_) => "newton",
            Self::Poisson(_) => "poisson",
            Self::Energetic(_) => "energetic",
        }
    }

    /// The law itself, if its coefficient lies in [0, 1].
    ///
    /// # Errors
    /// [`ContactError::Restitution`] otherwise.
    pub fn validated(self) -> Result<Self, ContactError> {
        let e = self.coefficient();
        if (0.0..=1.0).contains(&e) { Ok(self) } else { Err(ContactError::Restitution { e }) }
    }
}
