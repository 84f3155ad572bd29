//! Every tolerance of the compliant scheme, with its meaning and its reason.

/// Numbers of the search for events and of first steps.
pub(super) struct Search {
    /// First step of a phase with pressed contacts, over ε/√(kC): what is fast is resolved from the start, and skipped only
    /// once it has died.
    pub(super) fast: f64,
    /// First step of any other, over the time that is asked for.
    pub(super) slow: f64,
    /// Distance of an event from the end of its step, relative to the step: well below the error of a step.
    pub(super) located: f64,
    /// Most steps computed to get there.
    pub(super) corrections: usize,
    /// Part of the way to an event that is tried where it cannot be reached at once.
    pub(super) short: f64,
    /// How often.
    pub(super) approaches: usize,
    /// Value of a guard at the end of a step, relative to its largest in it, that counts as zero: events of one instant.
    pub(super) zero: f64,
    /// The same of cones: feet of one body reach theirs together, up to the accuracy of the share of each.
    pub(super) edge: f64,
    /// The same where a phase begins: what an event leaves at zero moves as the square of time, and stages have errors.
    pub(super) begun: f64,
    /// Events at one instant, per contact, after which the run gives up.
    pub(super) at_once: usize,
}

pub(super) const SEARCH: Search = Search {
    fast: 0.02,
    slow: 1e-3,
    located: 1e-13,
    corrections: 8,
    short: 0.5,
    approaches: 20,
    zero: 1e-11,
    edge: 1e-6,
    begun: 1e-4,
    at_once: 20,
};

/// Numbers of the decision who sticks.
pub(super) struct Decided {
    /// Change of a force, relative to the largest, at which the iteration ends.
    pub(super) settled: f64,
    /// Distance to the cone, relative to it, up to which a force is on the cone, and acceleration, relative to its terms,
    /// up to which a contact stays at rest: forces that are not unique may lie on one of several cones that hold.
    pub(super) edge: f64,
    /// Most sweeps.
    pub(super) sweeps: usize,
}

pub(super) const DECIDED: Decided = Decided { settled: 1e-15, edge: 1e-12, sweeps: 10_000 };

/// Shares of a row's diagonal entry of D_TT that others leave of it, below which it follows from them: one that was held stays so
/// down to the second, one that was not up to the first. Feet of one body that have sunk in by different depths, δ over a length L,
/// differ by (δ/L)².
pub(super) const DEPENDENT: [f64; 2] = [1e-4, 1e-6];

/// Numbers of tangential forces that are not unique.
pub(super) struct Shared {
    /// Solutions with the same factor, each for what the one before left.
    pub(super) refinements: usize,
    /// Least part of all cones that a cone counts as.
    pub(super) least: f64,
    /// Distance to the cone, as a part of it, up to which a force is on the cone where all have come to their limit: above the
    /// accuracy of the forces furthest inside, and below what keeps a foot that a body turns about.
    pub(super) border: f64,
}

pub(super) const SHARE: Shared = Shared { refinements: 3, least: 1e-6, border: 1e-7 };

/// Height of a ridge over the diagonal of D where q̇ is moved to the rates of contacts that hold each other: what it leaves of
/// a miss is far below it.
pub(super) const PROJECTED: f64 = 1e-10;

/// Part of a coordinate itself that its tolerance is relative to, for what hardly moves: forces depend on how far it has come.
pub(super) const ORIGIN: f64 = 1e-6;

/// Part of a contact's speed below which a slip in space is at its end: there its direction, and with it the stiffness of
/// friction, has no limit.
pub(super) const SLOW_IN_SPACE: f64 = 1e-9;

/// Speeds, over what counts as none, with which the slowest, and at most the fastest, of slips in space begin.
pub(super) const LAUNCH: [f64; 2] = [4.0, 100.0];

/// Part of a contact's speed that contacts at rest may leave of a slip that depends on theirs: feet that have sunk in by different
/// depths move a little as their body rocks on them.
pub(super) const FOLLOWING: f64 = 1e-6;

/// Part of a contact's speed below which the end of a spring does not begin to slip: a force that grazes its cone is on it to the
/// accuracy of a step.
pub(super) const SLOW_AT_CONE: f64 = 1e-7;

/// Acceleration of a slip in the plane, relative to its terms, that tells whether it grows or turns back: above what [`Search::edge`] makes of forces
/// that are not quite on their cones.
pub(super) const GATHERS: f64 = 1e-5;

/// Error of a motion relative to the sizes that it shows, if nobody says.
pub(super) const RTOL: f64 = 1e-9;
