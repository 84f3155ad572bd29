//! On which boundary a state lies: numbers first, words when printed.

use crate::num::Tol;
use crate::predict::Digits;
use serde::{Serialize, Serializer};
use std::fmt;

/// A boundary that a state lies on; `distance` is relative to the terms of the vanishing quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Boundary {
    /// b = 0.
    FreeAcceleration {
        /// |b| over its terms.
        distance: f64,
    },
    /// p+ = 0.
    GainPos {
        /// |p+| over its terms.
        distance: f64,
    },
    /// p− = 0.
    GainNeg {
        /// |p−| over its terms.
        distance: f64,
    },
    /// σ+ = 0: λ_T = −μ λ_N in stick.
    ConePos {
        /// |σ+| over its terms.
        distance: f64,
    },
    /// σ− = 0: λ_T = μ λ_N in stick.
    ConeNeg {
        /// |σ−| over its terms.
        distance: f64,
    },
    /// A slip that was taken as zero.
    Slip {
        /// The slip as given.
        u: f64,
    },
    /// μ = 0: the friction cone has no interior, stick is never consistent.
    Frictionless,
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, distance) = match *self {
            Self::FreeAcceleration { distance } => ("b = 0: lift-off and contact meet", distance),
            Self::GainPos { distance } => ("p+ = 0: the Painlevé boundary of positive slip", distance),
            Self::GainNeg { distance } => ("p- = 0: the Painlevé boundary of negative slip", distance),
            Self::ConePos { distance } => {
                ("sigma+ = 0: grazing the friction cone at lambda_T = -mu lambda_N", distance)
            }
            Self::ConeNeg { distance } => {
                ("sigma- = 0: grazing the friction cone at lambda_T = mu lambda_N", distance)
            }
            Self::Slip { u } => return write!(f, "slip {} is taken as zero", Digits(u)),
            Self::Frictionless => return write!(f, "friction is zero: a contact at rest slides freely"),
        };
        let shown = if distance.abs() <= Tol::default().noise { 0.0 } else { distance };
        write!(f, "{what} (relative distance {})", Digits(shown))
    }
}

impl Serialize for Boundary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
