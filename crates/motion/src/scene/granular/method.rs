//! How the steps of the study are solved: as in the paper, and as usual.

use crate::coulomb::solver::fixed_point::{Approximations, Cones, ConvexMethod, Stopping, Successive};
use crate::coulomb::{Found, Outcome, Session, Start};
use crate::scene::simulation::automatic;
use std::str::FromStr;

/// What solves the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GranularMethod {
    /// The usual choice of `mechan run`.
    Automatic(Start),
    /// Successive approximations with a projected gradient, as in the paper.
    Gradient(Start),
    /// Successive approximations with interior points on Coulomb's cones, in velocities.
    Interior,
    /// The same on pyramids with four facets, as in the paper.
    Facets,
}

/// All of them by their names.
const NAMES: [(&str, GranularMethod); 6] = [
    ("gradient", GranularMethod::Gradient(Start::Warm)),
    ("gradient-cold", GranularMethod::Gradient(Start::Cold)),
    ("facets", GranularMethod::Facets),
    ("interior", GranularMethod::Interior),
    ("automatic", GranularMethod::Automatic(Start::Warm)),
    ("automatic-cold", GranularMethod::Automatic(Start::Cold)),
];

impl GranularMethod {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(_, method)| method)
    }

    /// The names of all of them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().map(|(name, _)| name)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.into_iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Automatic(Start::Warm) => "usual choice, warm",
            Self::Automatic(Start::Cold) => "usual choice, cold",
            Self::Gradient(Start::Warm) => "projected gradient, warm",
            Self::Gradient(Start::Cold) => "projected gradient, cold",
            Self::Interior => "interior points, cones",
            Self::Facets => "interior points, 4 facets",
        }
    }

    /// Whether it is the paper's fixed point.
    #[must_use]
    pub fn is_fixed_point(self) -> bool {
        self.successive().is_some()
    }

    fn successive(self) -> Option<(ConvexMethod, Start)> {
        match self {
            Self::Automatic(_) => None,
            Self::Gradient(start) => Some((ConvexMethod::Gradient, start)),
            Self::Interior => Some((ConvexMethod::Interior(Cones::SecondOrder), Start::Cold)),
            Self::Facets => Some((ConvexMethod::Interior(Cones::Faceted(4)), Start::Cold)),
        }
    }

    /// Solves the problem of a session; what the fixed point did, if it is one.
    pub(super) fn solve(self, session: &mut Session) -> (Outcome, Option<Approximations>) {
        match (self, self.successive()) {
            (Self::Automatic(start), _) => (automatic(session, start), None),
            (_, Some((inside, start))) => {
                let (outcome, found) = approximate(session, start, inside, Stopping::default());
                (outcome, Some(found))
            }
            (_, None) => (Outcome::NotConverged, None),
        }
    }
}

/// Successive approximations on the problem of a session.
pub(super) fn approximate(
    session: &mut Session,
    start: Start,
    inside: ConvexMethod,
    stopping: Stopping,
) -> (Outcome, Approximations) {
    let mut done = Approximations::default();
    let solution = session.solve_by_force(start, &mut |problem, local, r| {
        let begun = r.clone();
        done = Successive { inside, stopping }.solve(problem, local, r).unwrap_or_default();
        let r = if done.r.is_empty() { begun } else { done.r.clone() };
        Found { r, solver: "successive", iterations: done.criteria.len() }
    });
    (solution.outcome, done)
}

impl FromStr for GranularMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = NAMES.into_iter().find(|(name, _)| *name == text);
        let known = || GranularMethod::names().collect::<Vec<_>>().join(", ");
        found
            .map(|(_, method)| method)
            .ok_or_else(|| format!("there is no method `{text}`: they are {}", known()))
    }
}
