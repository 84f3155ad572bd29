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
    /// A Cholesky pivot of at most this times its diagonal entry is zero: what is left of the entry is then no more
    /// than the rounding of the entry's own computation (a few hundred operations of 1e-16).
    pub singular: f64,
}

impl Default for Tol {
    fn default() -> Self {
        Self { closed: 1e-9, rest: 1e-9, marginal: 1e-10, singular: 1e-14 }
    }
}
