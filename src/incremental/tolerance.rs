//! The numbers by which the solvers' work and its judgement are bounded: one set, passed on by the caller.

/// Bounds of the judgement of a point, and of the coordinates in which it is looked for. All are without units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverTol {
    /// What a single contact may be off, as a multiple of the tolerance of the whole: light contacts among heavy ones take
    /// their last digits from differences, and these cost as many iterations again.
    pub single: f64,
    /// Share of q in the terms of a contact from which the tolerance counts in full; below it falls with the square of the
    /// share. The recorded problems have shares from 0.04 on.
    pub least_share: f64,
    /// Sweeps over the contacts in search of the paths that give them their shares; each goes as far as the order of the
    /// contacts lets it, and fewer than needed make the shares smaller.
    pub share_sweeps: usize,
    /// Binary orders of magnitude between the units of the problem and balanced ones, or among its contacts, up to which the
    /// solvers work on it as given.
    pub balanced: i32,
    /// The same for the size of q, which matters only for overflow.
    pub free_motion: i32,
    /// Largest entry of W in balanced units beyond which the diagonal blocks are lost in the rounding of other terms.
    pub lost: f64,
    /// Newton steps that take a point within the plain residual to a small backward error.
    pub polish_steps: usize,
    /// Factor by which such a step must make the error smaller for another to follow.
    pub polish_gain: f64,
    /// The stricter tolerance of another round, relative to the one that should just do.
    pub tighter: f64,
    /// Rounds of a sequence of solvers, each with a stricter tolerance, until the point is good enough.
    pub rounds: usize,
    /// How often the automatic sequence begins again, with the contacts in another order, where these rounds do not suffice.
    pub starts: usize,
}

impl Default for SolverTol {
    fn default() -> Self {
        Self {
            single: 100.0,
            least_share: 1e-2,
            share_sweeps: 100,
            balanced: 20,
            free_motion: 200,
            lost: 1.0 / f64::EPSILON,
            polish_steps: 8,
            polish_gain: 0.5,
            tighter: 0.3,
            rounds: 2,
            starts: 2,
        }
    }
}
