//! When the iterations of a step end, and how steps are adapted.

/// When Newton's method of a step ends.
pub(super) struct Iterations {
    /// Residual relative to its terms at which a step counts as solved: rounding.
    pub(super) done: f64,
    /// The same that is accepted where it falls no more.
    pub(super) accepted: f64,
    /// Factor by which it must fall for the matrix to be kept.
    pub(super) kept: f64,
    /// Most iterations.
    pub(super) most: usize,
}

pub(super) const ITERATIONS: Iterations = Iterations { done: 1e-14, accepted: 1e-9, kept: 0.1, most: 50 };

/// The rule for the next step   [A09 (66)].
pub(super) struct Rule {
    /// α.
    pub(super) safety: f64,
    /// α_min.
    pub(super) least: f64,
    /// α_max.
    pub(super) most: f64,
    /// Least step relative to the first.
    pub(super) shortest: f64,
}

/// The paper's [A09 5.2].
pub(super) const HEURISTIC: Rule = Rule { safety: 1.0, least: 0.5, most: 5.0, shortest: 1e-12 };

/// With α = 1 every other step just fails.
pub(super) const VARIABLE_ORDER: Rule = Rule { safety: 0.9, ..HEURISTIC };
