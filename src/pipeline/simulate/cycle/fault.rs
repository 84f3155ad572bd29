//! Why there is no periodic motion.

use super::returns::NoReturn;
use crate::diag::Diagnostic;
use crate::simulate::cycle::CycleError;
use std::fmt;

/// Why there is no periodic motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CycleFault {
    /// A `--section` that is no expression of t, coordinates, velocities and parameters.
    Section {
        /// The text.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A part of `--symmetry` that maps nothing.
    Symmetry {
        /// The part.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A map that does not lead back to where it began, and is none of a mechanism to its image either.
    NoSymmetry {
        /// Kinetic energy of a motion.
        before: f64,
        /// That of its image.
        after: f64,
    },
    /// The search failed.
    Search(CycleError<NoReturn>),
    /// The return is another one at another time: the section does not fix the phase of what moves by prescription.
    Phase {
        /// How far the second return misses, in scaled numbers.
        miss: f64,
    },
}

impl CycleFault {
    pub(super) fn missed(why: NoReturn) -> Self {
        Self::Search(CycleError::NoReturn(why))
    }

    /// Whether it is the question that makes no sense.
    pub(super) fn is_usage(&self) -> bool {
        matches!(self, Self::Section { .. } | Self::Symmetry { .. } | Self::NoSymmetry { .. })
    }
}

impl fmt::Display for CycleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |fault: &Diagnostic| {
            let hint = fault.hint.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
            format!("{}{hint}", fault.message)
        };
        match self {
            Self::Section { text, fault } => write!(f, "--section {text}: {}", told(fault)),
            Self::Symmetry { text, fault } => write!(f, "--symmetry {text}: {}", told(fault)),
            Self::NoSymmetry { before, after } => write!(
                f,
                "--symmetry: it does not lead back to where it began, and makes the kinetic energy {} of a return {}: it is no renaming",
                crate::report::significant(*before),
                crate::report::significant(*after)
            ),
            Self::Search(error) => write!(f, "{error}"),
            Self::Phase { miss } => write!(
                f,
                "the second return differs from the first by {miss:.1e}: what moves by prescription needs a section that fixes \
                 its phase, such as cos(omega*t), or the motion is too unstable to be followed for two periods"
            ),
        }
    }
}

impl std::error::Error for CycleFault {}
