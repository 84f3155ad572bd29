//! Formulas: signs of values, and "all" and "any" of formulas. There is no "not": to show that a formula holds takes atoms that hold, to show that
//! it fails takes atoms that fail. Of a value that is not defined, neither is shown.

use crate::interval::Interval;
use serde::Deserialize;

/// v > 0, v ≥ 0, v < 0 or v ≤ 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Positive,
    Nonnegative,
    Negative,
    Nonpositive,
}

impl Sign {
    /// Whether all numbers of an interval have it.
    pub(crate) fn is_of(self, values: Interval) -> bool {
        match self {
            Self::Positive => values.is_positive(),
            Self::Nonnegative => values.is_nonnegative(),
            Self::Negative => (-values).is_positive(),
            Self::Nonpositive => (-values).is_nonnegative(),
        }
    }
}

/// What may hold or fail at a point.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Formula {
    Positive(u32),
    Nonnegative(u32),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// Whether it is shown to hold, by what shows signs of values.
    pub(crate) fn holds(&self, shows: &impl Fn(u32, Sign) -> bool) -> bool {
        match self {
            Self::Positive(v) => shows(*v, Sign::Positive),
            Self::Nonnegative(v) => shows(*v, Sign::Nonnegative),
            Self::All(parts) => parts.iter().all(|part| part.holds(shows)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(shows)),
        }
    }

    /// Whether it is shown to fail.
    pub(crate) fn fails(&self, shows: &impl Fn(u32, Sign) -> bool) -> bool {
        match self {
            Self::Positive(v) => shows(*v, Sign::Nonpositive),
            Self::Nonnegative(v) => shows(*v, Sign::Negative),
            Self::All(parts) => parts.iter().any(|part| part.fails(shows)),
            Self::Any(parts) => parts.iter().all(|part| part.fails(shows)),
        }
    }

    /// The values that it speaks of.
    pub(crate) fn values(&self) -> Vec<u32> {
        match self {
            Self::Positive(v) | Self::Nonnegative(v) => vec![*v],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::values).collect(),
        }
    }
}
