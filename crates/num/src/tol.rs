//! Every tolerance of the program, with its meaning and its reason. No other file has a literal tolerance.

/// Tolerances and budgets of the analyses. No tolerance has a unit: each is relative to the size of the terms that the
/// number in question is made of ([`Magnitude`](super::Magnitude)), or to a scale named here. Public options carry one
/// set down to where it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tol {
    /// |gap| up to which a contact is taken as closed, relative to the terms that the gap is the difference of, or to the
    /// mechanism's own length if that is larger (FORMAT.md, States). Positions are typed with up to ten digits.
    pub closed: f64,
    /// Depth of a state below a surface that the rounding of typed numbers explains, relative to the mechanism's own length: what is
    /// typed has three digits or more. Such a state is put onto the surface. So is the share of a velocity along a quaternion that is let be.
    pub typed: f64,
    /// |velocity| up to which a contact is taken as at rest, relative to the terms of its rates and slips, or to the
    /// mechanism's own speed √(L b). As `closed`.
    pub rest: f64,
    /// A number of at most this times its terms is rounding, and a report prints 0: some hundred roundings.
    pub noise: f64,
    /// Relative distances to p = 0 and to b = 0 up to which the linear system around p = b = 0 says something about a
    /// state: terms of second order are then a quarter of those of the first.
    pub near_jam: f64,
    /// Error per step of the motion without slip that a report tells of, relative to each coordinate's own size: far below
    /// the digits of the report.
    pub followed: f64,
    /// Length of time for which the motion without slip is followed if nobody says, in times of the mechanism's own: what
    /// falls through its own length, or is stopped from its own speed.
    pub look_ahead: f64,
    /// Spans into which that time is cut; each is searched for events.
    pub look_ahead_spans: usize,
    /// A sign within this of zero, relative to the sum of the magnitudes of the terms it is made of, is
    /// reported as marginal instead of being decided by rounding.
    pub marginal: f64,
    /// max |Aᵢⱼ − Aⱼᵢ| / max |Aᵢⱼ| up to which a mass or Delassus matrix counts as symmetric up to rounding.
    pub asymmetry_noise: f64,
    /// The same quotient above which a mass matrix is refused; recorded finite-element data reach 2e-7.
    pub asymmetry_allowed: f64,
    /// Largest entry of |EᵀE − I| of a contact frame that counts as orthonormal.
    pub frame: f64,
    /// Residual at which an incremental problem counts as solved (the field's usual precision).
    pub solved: f64,
    /// Residual to which the steps of a scene of many bodies are solved if nobody says: what its scheme leaves of penetrations is far
    /// more.
    pub scene: f64,
    /// Overlap of bodies of a scene that is let be, relative to the smaller one's least radius: it keeps contacts closed from step to step.
    pub overlap: f64,
    /// An axis of two edges of boxes has to part them by this share of their size more than one of a face: contacts by faces are steadier
    /// from step to step; the same sine makes edges parallel.
    pub faces_first: f64,
    /// A Cholesky pivot of at most this times its diagonal entry is zero: what is left of the entry is then no more
    /// than the rounding of the entry's own computation (a few hundred operations of 1e-16).
    pub singular: f64,
    /// What is left of a diagonal entry of the mass matrix by other coordinates, relative to it, below which a step that failed says so: the square of
    /// the distance from an attitude that angles do not determine.
    pub weak: f64,
    /// Least pivot of J M⁻¹Jᵀ over its diagonal entry, the square of a distance from where the constraints J depend on each other, at which a
    /// motion ends: what rounding makes of their forces is still small there.
    pub tied: f64,
    /// The same below which errors per step have to be smaller than usual.
    pub nearly_tied: f64,
    /// Speed of a slip in space, relative to the terms of its velocity, from which its end is extrapolated: its direction has no
    /// limit that could be followed further, and what is left of the time counts by its square.
    pub slow: f64,
    /// A pivot of at most this times the largest entry of its column is that of forces that others replace: a contact of a
    /// rigid body too many.
    pub dependent: f64,
    /// Most impacts of a chattering sequence that are followed one by one; a geometric sequence needs none.
    pub chatter_impacts: usize,
    /// Nodes of a one-dimensional scan whose intervals are then refined.
    pub scan_points: usize,
    /// Pivot of Lemke's method, relative to the largest entry of its column, up to which it counts as zero.
    pub lemke_pivot: f64,
    /// Relative gap between an attained optimum and its proven bound at which a global search ends.
    pub search_gap: f64,
    /// Most boxes that a global search takes apart; a flat ridge of optima would otherwise never end it.
    pub search_boxes: usize,
    /// Error per step of a smooth motion, relative to each coordinate's own size: as small as rounding allows.
    pub motion: f64,
    /// Most steps of a bracketed root search.
    pub root_steps: usize,
    /// |w·r| of a multiplier, relative to Σ|wⱼ rⱼ|, up to which it may come from the rounding of w alone.
    pub power_rounding: f64,
    /// Separating speed, relative to the margin's cap, that tilts the margin program towards sparse multipliers: small
    /// against the margin's scale, large against the solver's precision.
    pub tilt: f64,
    /// Accuracy of the tilted program, and of all margin programs of large problems: only the contacts that take part count.
    pub tilted_program: f64,
    /// Relative accuracy of the margin of large problems, whose programs are stopped there.
    pub large_margin: f64,
    /// Accuracy asked of the convex programs of the fixed point: below what the solver reaches, so that it does its best.
    pub inner_program: f64,
    /// Backward error asked of the impulses of contacts that are struck together, which are no more than a few.
    pub struck: f64,
    /// Defect of an inner program, relative to its forces, at which Newton's method stops: a few roundings.
    pub polished: f64,
    /// The same defect up to which the continuation of the last force stands for a solution of the program: well below
    /// every residual that is asked for.
    pub continued: f64,
    /// Size up to which an entry of the relaxation of contact modes counts as zero; its rows are scaled to one. Too large
    /// or too small, it costs branches, not truth.
    pub relaxed: f64,
    /// Share of a column by which the multipliers of a proof in floating point overshoot: well above the rounding that the
    /// proof allows for, well below what it loses.
    pub reserve: f64,
    /// Share of the speeds and forces up to which a point of a solver counts as one of the listed solutions with its modes:
    /// far above the tolerance of the solver, so that no listed solution is taken for another one.
    pub listed: f64,
    /// Size, relative to the largest, up to which a part of an approximate multiplier counts as absent when it is made
    /// exact: tried in this order. Interior points are good to about the last.
    pub absent: [f64; 4],
    /// Relative gap of μ between an attained optimum and its proven bound at which a search counts as complete; a search
    /// goes on to `search_gap` as long as that is cheap.
    pub search_decided: f64,
    /// Most boxes spent between `search_decided` and `search_gap`: sharp optima need some tens, ridges no end.
    pub search_refinement: usize,
    /// Part of its width to which a side must shrink for a box to be looked at again before it is split.
    pub search_shrink: f64,
    /// Step of the differences of exact gradients by which an attained optimum is polished, relative to the ranges.
    pub search_probe: f64,
    /// Friction up to which paradoxes are sought: real coefficients are of order one, and a coupling that vanishes can be
    /// bounded but not told from a tiny one.
    pub highest_friction: f64,
    /// Width, in radians, of a box of slip directions that is not divided any more: solutions that are nearer to each other than this are not told
    /// apart, and a box that is still not decided is called undecided.
    pub narrow_directions: f64,
    /// Width, in radians, of an arc of slip directions that is not divided any more in search of a refutation: what is false by less than the
    /// change of friction's direction over it may stay undecided.
    pub narrow_arcs: f64,
    /// Logarithm of the growth per impact of small motions near an equilibrium up to which they count as neither growing nor
    /// decaying: far above the rounding of a period, far below what anybody would call stable.
    pub growth: f64,
    /// Distance of the bounds of that logarithm at which the search ends once its sign is known: the digits of a report.
    pub growth_shown: f64,
    /// Angle, in radians and in the metric of kinetic energy, from a direction in which both contacts slide below which all directions
    /// are taken together by their closed sums: what is left out is of this order.
    pub level: f64,
    /// Width, in radians, of a range of directions that is rounding: it lies between two others.
    pub sliver: f64,
    /// Most passes of the contraction that finds ranges of coordinates which the file leaves open.
    pub search_passes: usize,
    /// How far the principal inertias of an imported body may miss what bodies have, relative to the largest: descriptions give
    /// them with three or four digits.
    pub import_inertia: f64,
}

impl Default for Tol {
    // of a set that is asked for one number nothing else is put down
    #[inline]
    fn default() -> Self {
        Self {
            closed: 1e-9,
            typed: 1e-3,
            rest: 1e-9,
            noise: 1e-13,
            near_jam: 0.25,
            followed: 1e-10,
            look_ahead: 10.0,
            look_ahead_spans: 40,
            marginal: 1e-10,
            asymmetry_noise: 1e-12,
            asymmetry_allowed: 1e-5,
            frame: 1e-9,
            solved: 1e-8,
            scene: 1e-6,
            overlap: 1e-6,
            faces_first: 1e-3,
            chatter_impacts: 500,
            scan_points: 2000,
            motion: 1e-13,
            root_steps: 100,
            search_gap: 1e-9,
            search_boxes: 10_000,
            singular: 1e-14,
            dependent: 1e-12,
            weak: 1e-2,
            tied: 1e-8,
            nearly_tied: 1e-2,
            slow: 1e-7,
            lemke_pivot: 1e-11,
            power_rounding: 1e-13,
            tilt: 1e-2,
            tilted_program: 1e-6,
            large_margin: 0.05,
            inner_program: 1e-14,
            struck: 1e-13,
            polished: 1e-15,
            continued: 1e-12,
            relaxed: 1e-9,
            reserve: 1e-11,
            listed: 1e-5,
            absent: [1e-3, 1e-4, 1e-6, 1e-8],
            growth: 1e-6,
            growth_shown: 1e-4,
            level: 1e-5,
            sliver: 1e-13,
            search_decided: 1e-6,
            search_refinement: 2000,
            search_shrink: 0.7,
            search_probe: 1e-6,
            highest_friction: 1e3,
            narrow_directions: 1e-6,
            narrow_arcs: 1e-3,
            search_passes: 20,
            import_inertia: 1e-3,
        }
    }
}
