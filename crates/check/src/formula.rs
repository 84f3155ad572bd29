//! Formulas: signs of values, and "all" and "any" of formulas. There is no "not": to show that a formula holds takes atoms that hold, to show that
//! it fails takes atoms that fail. Of a value that is not defined, neither is shown.

use crate::interval::Interval;

/// Which sign of a value is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// v > 0.
    Positive,
    /// v ≥ 0.
    Nonnegative,
}

/// What is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    Holds,
    Fails,
}

impl Sign {
    /// Whether a value between these ends shows it.
    #[inline]
    pub(crate) fn is_shown(self, aim: Aim, value: Interval) -> bool {
        match (self, aim) {
            (Self::Positive, Aim::Holds) => value.is_positive(),
            (Self::Positive, Aim::Fails) => (-value).is_nonnegative(),
            (Self::Nonnegative, Aim::Holds) => value.is_nonnegative(),
            (Self::Nonnegative, Aim::Fails) => (-value).is_positive(),
        }
    }
}

/// What may hold or fail at a point.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Atom(Sign, u32),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// Whether it is shown to hold or to fail, by what shows that of atoms.
    pub(crate) fn is_shown(&self, aim: Aim, atom: &mut impl FnMut(Sign, u32) -> bool) -> bool {
        match (self, aim) {
            (Self::Atom(sign, value), _) => atom(*sign, *value),
            (Self::All(parts), Aim::Holds) | (Self::Any(parts), Aim::Fails) => {
                parts.iter().all(|part| part.is_shown(aim, atom))
            }
            (Self::Any(parts), Aim::Holds) | (Self::All(parts), Aim::Fails) => {
                parts.iter().any(|part| part.is_shown(aim, atom))
            }
        }
    }

    /// The values that it speaks of.
    pub(crate) fn values(&self) -> Vec<u32> {
        match self {
            Self::Atom(_, value) => vec![*value],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::values).collect(),
        }
    }
}
