//! Why a state has no acceleration.

use crate::model::Singular;
use std::fmt;

/// Why a state has no acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SmoothError {
    /// M cannot be factored.
    Model(Singular),
    /// No finite forces of the contacts that are closed are defined: p = 0.
    Forces {
        /// The contact at which the solution stopped.
        contact: usize,
    },
}

impl From<Singular> for SmoothError {
    fn from(error: Singular) -> Self {
        Self::Model(error)
    }
}

impl fmt::Display for SmoothError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "the equations of motion break down: {error:?}"),
            Self::Forces { contact } => {
                write!(f, "the force of contact {contact} is not determined by its motion")
            }
        }
    }
}

impl std::error::Error for SmoothError {}
