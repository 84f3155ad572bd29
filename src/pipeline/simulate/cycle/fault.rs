//! Why there is no periodic motion.

use super::returns::NoReturn;
use crate::diag::Diagnostic;
use crate::pipeline::Failure;
use crate::report::significant;
use crate::simulate::cycle::CycleError;

/// Why there is no periodic motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CycleFault {
    /// A `--section` that is no expression of t, coordinates, velocities and parameters.
    #[error("--section {text}: {}", .fault.in_one_line())]
    Section {
        /// The text.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A part of `--symmetry` that maps nothing.
    #[error("--symmetry {text}: {}", .fault.in_one_line())]
    Symmetry {
        /// The part.
        text: String,
        /// What is wrong.
        fault: Box<Diagnostic>,
    },
    /// A map that does not lead back to where it began, and is none of a mechanism to its image either.
    #[error(
        "--symmetry: it does not lead back to where it began, and makes the kinetic energy {} of a return {}: it is no \
         renaming",
        significant(*.before),
        significant(*.after)
    )]
    NoSymmetry {
        /// Kinetic energy of a motion.
        before: f64,
        /// That of its image.
        after: f64,
    },
    /// The search failed.
    #[error("{0}")]
    Search(CycleError<NoReturn>),
    /// The return is another one at another time: the section does not fix the phase of what moves by prescription.
    #[error(
        "the second return differs from the first by {miss:.1e}: what moves by prescription needs a section that fixes \
         its phase, such as cos(omega*t), or the motion is too unstable to be followed for two periods"
    )]
    Phase {
        /// How far the second return misses, in scaled numbers.
        miss: f64,
    },
}

impl CycleFault {
    /// Whether it is the question that makes no sense.
    pub(super) fn is_usage(&self) -> bool {
        matches!(self, Self::Section { .. } | Self::Symmetry { .. } | Self::NoSymmetry { .. })
    }
}

/// Why the search for a periodic motion ends without one.
pub(super) enum Halt {
    /// There is none, or the question makes no sense.
    Fault(CycleFault),
    /// It could not be answered.
    Failed(Failure),
}

impl From<CycleFault> for Halt {
    fn from(fault: CycleFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<NoReturn> for Halt {
    fn from(why: NoReturn) -> Self {
        Self::Fault(CycleFault::Search(CycleError::NoReturn(why)))
    }
}

impl From<CycleError<Halt>> for Halt {
    fn from(error: CycleError<Halt>) -> Self {
        match error {
            CycleError::NoReturn(halt) => halt,
            CycleError::NotConverged { iterations, residual } => {
                Self::Fault(CycleFault::Search(CycleError::NotConverged { iterations, residual }))
            }
            CycleError::Singular { iterations, least } => {
                Self::Fault(CycleFault::Search(CycleError::Singular { iterations, least }))
            }
        }
    }
}
