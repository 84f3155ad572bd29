//! Every tolerance of the program, with its meaning and its reason. No other file has a literal tolerance.

/// Tolerances of the analyses; all are relative to a scale that the user of the field computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tol {
    /// |gap| up to which a contact is taken as closed, times the length scale of the state (FORMAT.md, States).
    pub closed: f64,
    /// |velocity| up to which a contact is taken as at rest, times the velocity scale of the state.
    pub rest: f64,
    /// A sign within this of zero, relative to the sum of the magnitudes of the terms it is made of, is
    /// reported as marginal instead of being decided by rounding.
    pub marginal: f64,
    /// A Cholesky pivot up to this times its diagonal entry is rounding, not a number: the matrix is singular.
    /// Some 50 units in the last place; a mechanism with honest masses stays far above.
    pub pivot: f64,
}

impl Default for Tol {
    fn default() -> Self {
        Self { closed: 1e-9, rest: 1e-9, marginal: 1e-10, pivot: 1e-14 }
    }
}
