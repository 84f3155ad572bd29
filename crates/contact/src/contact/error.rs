//! What makes a contact's numbers unusable. Paradoxes are answers, not errors, and are not here.

/// Why a contact problem cannot be posed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A number is NaN or infinite where it must not be.
    #[error("{quantity} is {value}, expected a finite number")]
    NotFinite {
        /// Which quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// μ < 0 or NaN.
    #[error("friction is {mu}, expected a number >= 0 or infinity")]
    Friction {
        /// The coefficient found.
        mu: f64,
    },
    /// e outside [0, 1] or NaN.
    #[error("restitution is {e}, expected a number in [0, 1]")]
    Restitution {
        /// The coefficient found.
        e: f64,
    },
    /// A ≤ 0, C ≤ 0 or AC ≤ B²: the contact point cannot move in every direction, [CV16 (10)] fails.
    #[error(
        "the contact point cannot accelerate in every direction: A = {A}, B = {B}, C = {C}, expected A > 0, C > 0, AC > \
         B^2 (M is singular along the contact, or constraints hold the point)"
    )]
    Singular {
        /// Tangential mobility, 1/kg.
        A: f64,
        /// Coupling, 1/kg.
        B: f64,
        /// Normal mobility, 1/kg.
        C: f64,
    },
    /// Stiffness or damping of the regularised contact is not positive.
    #[error("compliance is stiffness {stiffness}, damping {damping}, expected both > 0")]
    Compliance {
        /// k.
        stiffness: f64,
        /// d.
        damping: f64,
    },
    /// The stiffness of the tangential spring is not positive.
    #[error("tangential stiffness is {0}, expected a finite number > 0")]
    TangentialStiffness(f64),
}
