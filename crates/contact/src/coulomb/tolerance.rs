//! The numbers by which the solvers' work and its judgement are bounded: one set, passed on by the caller, and the fixed
//! parameters of the methods, which cost steps where they are wrong, and decide nothing.

/// Bounds of the judgement of a point, and of the coordinates in which it is looked for. All are without units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverTol {
    /// From this tolerance on the sweeps come first where contacts are many.
    pub coarse: f64,
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
    /// Share of a force that rounding of the numbers may change for an exact solution to count as one of the problem, and not
    /// of its last digits: a determinant that is rounding changes them by all of themselves.
    pub outlasting: f64,
    /// Newton steps that take a point within the plain residual to a small backward error.
    pub polish_steps: usize,
    /// Factor by which such a step must make the error smaller for another to follow.
    pub polish_gain: f64,
    /// The stricter tolerance of another round, relative to the one that should just do.
    pub tighter: f64,
    /// Rounds of a sequence of solvers, each with a stricter tolerance, until the point is good enough.
    pub rounds: usize,
    /// How often the plan begins again, with the contacts in another order, where these rounds do not suffice.
    pub starts: usize,
}

impl Default for SolverTol {
    fn default() -> Self {
        Self {
            coarse: 1e-4,
            single: 100.0,
            least_share: 1e-2,
            share_sweeps: 100,
            balanced: 20,
            free_motion: 200,
            lost: 1.0 / f64::EPSILON,
            outlasting: 1e-2,
            polish_steps: 8,
            polish_gain: 0.5,
            tighter: 0.3,
            rounds: 2,
            starts: 2,
        }
    }
}

/// Small parameters of the methods, all relative to a scale of the matrix or the step they belong to.
pub(crate) struct Methods {
    /// Regularisation of the Alart-Curnier Newton matrix, relative to the largest diagonal entry of W.
    pub(crate) alart_curnier: f64,
    /// The least and the largest number added to the diagonal of the Fischer-Burmeister matrix, whose entries are of order 1.
    pub(crate) fischer_burmeister: [f64; 2],
    /// ‖F‖² of Alart and Curnier over ‖r‖² above which a point of few contacts is no solution, and its residual not looked at.
    pub(crate) far: f64,
    /// ε² of the smoothed Fischer-Burmeister function, relative to ‖φ‖² of the contact.
    pub(crate) smoothing: f64,
    /// The smallest ε², relative to the square of the largest x or y: below, its square root is rounding.
    pub(crate) smoothing_floor: f64,
    /// A tolerance that sweeps mostly reach before a few Newton steps would have told whether they lead anywhere.
    pub(crate) loose: f64,
    /// Residual of a point that is better for sweeps with momentum than no force at all.
    pub(crate) near_enough: f64,
    /// Sufficient decrease of a line search.
    pub(crate) sufficient: f64,
    /// Smallest α of the proximal point method, relative to the largest diagonal entry of W: below, the matrix is singular to
    /// rounding.
    pub(crate) proximal_floor: f64,
    /// Its α at the start.
    pub(crate) proximal_start: f64,
    /// α of the polishing steps of a convex program, at first and at least, likewise.
    pub(crate) polish: [f64; 2],
    /// Factor by which the defect of such a proximal problem must fall.
    pub(crate) polish_reduction: f64,
    /// Factor by which the residual of a few contacts that are mended by themselves must fall.
    pub(crate) mended: f64,
    /// A Newton step for one contact this small, relative to its unknown, is the last: the error that remains is about its
    /// square.
    pub(crate) root_of_rounding: f64,
    /// What the diagonal of the margin program's matrix is enlarged by: velocities that move no contact would be rounding over
    /// rounding.
    pub(crate) margin_regular: f64,
    /// A pivot of the margin program's factor of at most this part of its diagonal entry is rounding.
    pub(crate) margin_pivot: f64,
}

/// The parameters in use.
pub(crate) const METHODS: Methods = Methods {
    alart_curnier: 1e-8,
    fischer_burmeister: [1e-10, 1e-2],
    far: 1e-8,
    smoothing: 1e-6,
    smoothing_floor: 1e-24,
    loose: 1e-5,
    near_enough: 1e-3,
    sufficient: 1e-4,
    proximal_floor: 1e-9,
    proximal_start: 1e-3,
    polish: [1e-8, 1e-12],
    polish_reduction: 1e-3,
    mended: 1e-3,
    root_of_rounding: 1e-9,
    margin_regular: 1e-13,
    margin_pivot: 1e-15,
};
