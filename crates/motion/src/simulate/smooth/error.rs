//! Why a state has no acceleration.

use crate::model::Singular;

/// Why a state has no acceleration.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SmoothError {
    /// M cannot be factored.
    #[error("the equations of motion break down: {0}")]
    Model(#[from] Singular),
    /// No finite forces of the contacts that are closed are defined: p = 0.
    #[error("the force of contact {contact} is not determined by its motion")]
    Forces {
        /// The contact at which the solution stopped.
        contact: usize,
    },
}
