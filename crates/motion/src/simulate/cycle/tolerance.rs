//! The small numbers of the search for periodic motions, all without unit.

/// Error per step of motions that are differentiated: as far as double precision goes.
pub const RTOL: f64 = 1e-12;

/// Share of a number's size by which it is varied: returns are exact to some 1e-12, so that central differences lose the same by
/// rounding and by curvature.
pub(super) const REACH: f64 = 1e-4;

/// Residual in scaled numbers at which a cycle is one.
pub(super) const CLOSED: f64 = 1e-10;

/// The same where rounding allows no better.
pub(super) const NEARLY: f64 = 1e-7;

/// Least singular value of Q′ − 1, against 1 + its largest, that is no rounding.
pub(super) const REGULAR: f64 = 1e-6;

/// Singular values below this share of the largest are those of conditions that follow from the others.
pub(super) const DEPENDENT: f64 = 1e-7;

/// Miss of a second period, in scaled numbers, that a motion with a largest multiplier 1 may have.
pub const AGAIN: f64 = 1e-6;

/// Rounding of a symmetry that leads back to where it began.
pub const BACK: f64 = 1e-9;
